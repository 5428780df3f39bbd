// Reorders of elements smaller than a byte between constant layouts. The table of engine/kernel/static_rows.hpp
// compares their results with the reference.

#include "support/static_check.hpp"

#include <plait/contract/reference.hpp>
#include <plait/reorder/converted_rows.hpp>
#include <plait/reorder/packed_reorder.hpp>

#include <vector>

namespace test_reorder_packed_reorder { namespace {

using namespace plait;

constexpr layout rows({64, 96}, "ab"), columns({64, 96}, "ba"), blocks({64, 96}, "AB16b64a2b");
constexpr layout uneven_rows({37, 63}, strides{64, 1}), uneven_columns({37, 63}, strides{1, 38});
constexpr layout odd_rows({5, 7}, "ab"), odd_columns({5, 7}, "ba");

TEST_CASE("packed_reorder: kinds of plans") {
    constexpr isa wide = isa::avx512;
    STATIC_CHECK(engine::plan_static_packed(rows, blocks, 4, wide).plan.pattern.half_bytes == -1);
    STATIC_CHECK(engine::plan_static_packed(rows, columns, 4, wide).plan.pattern.half_bytes >= 0);
    STATIC_CHECK(!engine::plan_static_packed(odd_rows, odd_columns, 4, wide).exist);
    STATIC_CHECK(engine::plan_static_packed(uneven_rows, uneven_columns, 4, wide).rests.axes.size() == 2);
}

TEST_CASE("packed_reorder: of different types, with attributes, and refusals") {
    std::vector<std::byte> in(18);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::byte>(i * 2654435761u >> 11);
    std::vector<float> out(35), wanted(35);
    reference_reorder<u4, float>(odd_rows, in.data(), odd_columns, wanted.data());
    reorder<odd_rows, odd_columns, u4, float>(in.data(), out.data());
    CHECK(out == wanted);
    reference_reorder<u4, float>(odd_rows, in.data(), odd_columns, wanted.data(), {.src_scale = 0.5f});
    reorder<odd_rows, odd_columns, u4, float>(in.data(), out.data(), {.src_scale = 0.5f});
    CHECK(out == wanted);
    auto kernel = &reorder_kernel<odd_rows, odd_columns, u4, u4>;
    std::vector<std::byte> moved(18), by_kernel(18);
    reorder<odd_rows, odd_columns, u4, u4>(in.data(), moved.data());
    kernel(in.data(), by_kernel.data());
    CHECK(moved == by_kernel);
    const std::byte* const none = nullptr;
    CHECK(try_reorder<odd_rows, odd_columns, u4, u4>(none, moved.data()).error().reason == reason::buffer_is_null);
    CHECK(try_reorder<odd_rows, odd_columns, u4, u4>(moved.data(), moved.data()).error().reason ==
          reason::spans_overlap);
    CHECK(try_reorder<odd_rows, odd_rows, u4, u4>(moved.data(), moved.data()).has_value());
    CHECK(try_reorder<odd_rows, odd_rows, u4, u4>(moved.data(), moved.data(), {.src_scale = 2.0f}).error().reason ==
          reason::spans_overlap);
    CHECK(moved == by_kernel);
}

}}  // namespace test_reorder_packed_reorder
