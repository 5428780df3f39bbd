// Reorders with attributes, by hand. engine/quantize/values_of_any_kind.cpp compares random ones with a model.

#include <plait/contract/attributes.hpp>

#include "engine/kernel/kernels.hpp"
#include "support/static_check.hpp"

#include <plait/reorder/converted_rows.hpp>
#include <plait/reorder/layout_reorder.hpp>

#include <cstdint>
#include <vector>

namespace test_contract_attributes_of_reorders { namespace {

using namespace kernels;

constexpr float three_scales[] = {1, 2, 3};

TEST_CASE("reorder with attributes: padding is zero for any zero points and any beta") {
    constexpr layout from({2, 3}, "ab"), to({2, 3}, "aB8b");
    const std::vector<float> in(6, 1);
    std::vector<std::uint8_t> out(16, 50);
    reorder<from, to>(in.data(), out.data(), {.dst_zero_point = 100, .beta = 1});
    CHECK(out == std::vector<std::uint8_t>{151, 151, 151, 0, 0, 0, 0, 0, 151, 151, 151, 0, 0, 0, 0, 0});
    // A view of a part has no padding, and the elements around it stay as they were.
    constexpr layout part({2, 3}, strides{8, 1});
    std::vector<std::uint8_t> around(16, 50);
    reorder(from, in.data(), part, around.data(), {.beta = 2});
    CHECK(around == std::vector<std::uint8_t>{101, 101, 101, 50, 50, 50, 50, 50, 101, 101, 101, 50, 50, 50, 50, 50});
}

TEST_CASE("reorder with attributes: works in constant expressions, and without elements") {
    STATIC_CHECK([] {
        constexpr layout from({2, 3}, "ab"), to({2, 3}, "Ba2b");
        const float in[6] = {1, 2, 3, 4, 5, 6};
        std::int8_t out[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        reference_reorder(from, in, to, out, {.src_scale = {three_scales, 2}, .beta = 3});
        const std::int8_t wanted[8] = {4, 7, 7, 13, 12, 0, 21, 0};
        for (int i = 0; i < 8; ++i)
            if (out[i] != wanted[i]) return false;
        return true;
    }());
    float out[1] = {7};
    reorder<layout({2, 0}, "ab"), layout({2, 0}, "ba")>(out, out, {.src_scale = {{}, 2}, .beta = 1});
    reorder(layout({2, 0}, "ab"), out, layout({2, 0}, "ba"), out, {.src_scale = {{}, 2}, .beta = 1});
    CHECK(out[0] == 7);
}

}}  // namespace test_contract_attributes_of_reorders
