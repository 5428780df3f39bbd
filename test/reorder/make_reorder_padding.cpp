// Planned reorders that zero a destination which is mostly padding before they write its elements.

#include "reorder/last_chunk_first.hpp"

#include <plait/algebra/broadcast_axis.hpp>
#include <plait/contract/descriptor_reference.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace test_reorder_make_reorder_padding {

using namespace plait;
using plait_test::last_chunk_first;

TEST_CASE(
    "make_reorder: with attributes, a destination that is mostly padding is zeroed in one run, and nothing around it") {
    const auto check = [](const layout& from, const layout& to, const reorder_attributes& attributes) {
        const descriptor src{data_type::f32, from}, dst{data_type::s8, to};
        const planned_reorder planned = make_reorder(src, dst, attributes).value();
        std::vector<float> in(from.element_span());
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 60) - 20;
        std::vector<std::int8_t> expected(to.element_span() + 100, 7), found = expected;
        reference_reorder(src, in.data(), dst, expected.data(), attributes);
        CHECK(planned(in.data(), found.data()).ok());
        CHECK(found == expected);
        std::fill(found.begin(), found.end(), std::int8_t{7});
        CHECK(planned(last_chunk_first{}, in.data(), found.data()).ok());
        CHECK(found == expected);
    };
    const std::vector<float> scales{1, 2, 0.5f};
    layout later({3, 2, 200, 300}, "aBcd32b");
    later.offset0 = 33;
    for (const bool whole : {true, false}) {
        reorder_attributes attributes;
        attributes.dst_zero_point.value = 5;  // the padding is still zero
        if (whole) attributes.src_scale.value = 0.5f;
        else attributes.src_scale = {scales, 1};
        check(layout({3, 1, 3, 3}, "abcd"), layout({3, 1, 3, 3}, "ABcd16b48a2b"), attributes);
        check(layout({3, 2, 200, 300}, "abcd"), later, attributes);
        check(layout({3, 8, 3, 3}, "cdba"), layout({3, 8, 3, 3}, "aBcd16b"), attributes);  // half of it
        attributes.beta = 1;  // old values are read, so nothing is zeroed before
        check(layout({3, 2, 200, 300}, "abcd"), later, attributes);
    }
}

TEST_CASE(
    "make_reorder: a destination that is mostly padding is zeroed in one run, and nothing around it; also in chunks") {
    // 1 or 2 of 32 channels: the destination is zeroed first, also at an offset. 3 of 32 channels: it is not.
    const auto plan_of = [](const layout& from, const layout& to) {
        return make_reorder({data_type::bf16, from}, {data_type::bf16, to}).value();
    };
    const auto check = [&](const layout& from, const layout& to, bool zeroes) {
        const planned_reorder planned = plan_of(from, to);
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        CHECK((engine::compiled_once::tiles_of(planned)->zeroed.bytes > 0) == zeroes);
        std::vector<std::uint16_t> in(from.element_span()), expected(to.element_span() + 100, 7), found = expected;
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i + 1);
        reference_reorder(descriptor(data_type::bf16, from), in.data(), descriptor(data_type::bf16, to),
                          expected.data(), {});
        CHECK(planned(in.data(), found.data()).ok());
        CHECK(found == expected);
        std::fill(found.begin(), found.end(), std::uint16_t{7});
        CHECK(planned(last_chunk_first{}, in.data(), found.data()).ok());
        CHECK(found == expected);
    };
    check(layout({256, 1, 3, 3}, "abcd"), layout({256, 1, 3, 3}, "ABcd16b48a2b"), true);
    check(layout({1, 2, 20, 30}, "abcd"), layout({1, 2, 20, 30}, "aBcd32b"), true);
    check(layout({1, 3, 5, 7}, "abcd"), layout({1, 3, 5, 7}, "aBcd32b"), false);
    layout later({1, 2, 600, 700}, "aBcd32b");
    later.offset0 = 33;
    check(layout({1, 2, 600, 700}, "abcd"), later, true);
}

TEST_CASE("make_reorder: a large destination that is mostly padding is written once if its tiles are whole lines") {
    const auto check = [](const dims& extents, const char* format, bool zeroes) {
        const layout from(extents, "abcd"), to(extents, *parse_format_tag(format));
        const descriptor src{data_type::f32, from}, dst{data_type::f32, to};
        const planned_reorder planned = make_reorder(src, dst).value();
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        if (cpu_has(isa::avx2)) CHECK((engine::compiled_once::tiles_of(planned)->zeroed.bytes > 0) == zeroes);
        std::vector<float> in(from.element_span()), expected(to.element_span() + 100, 7);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
        reference_reorder(src, in.data(), dst, expected.data(), {});
        for (const std::size_t past_line : {0u, 1u}) {
            std::vector<float> memory(expected.size() + 32, 7);
            const auto place = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(float);
            float* const found = memory.data() + (16 - place % 16) + past_line;
            CHECK(planned(in.data(), found).ok());
            CHECK(std::equal(expected.begin(), expected.end(), found));
        }
    };
    check({1, 16, 64, 96}, "ABcd8b32a2b", false);
    check({1, 13, 70, 90}, "ABcd4b32a4b", false);
    check({1, 16, 32, 64}, "ABcd8b32a2b", true);  // 4 MB stay in a cache
}

TEST_CASE("make_reorder: zeroes the destination first if single elements fill at most half of it") {
    const auto check = [&](const layout& from, const layout& to, bool zeroes) {
        const descriptor src{data_type::s8, from}, dst{data_type::s8, to};
        const planned_reorder planned = make_reorder(src, dst).value();
        REQUIRE(engine::compiled_once::tiles_of(planned) != nullptr);
        CHECK_FALSE(engine::compiled_once::tiles_of(planned)->plan.pattern.has_vectors());
        CHECK((engine::compiled_once::tiles_of(planned)->zeroed.bytes > 0) == zeroes);
        std::vector<std::int8_t> in(from.element_span()), expected(to.element_span() + 100, 7), found = expected;
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int8_t>(i % 100 + 1);
        reference_reorder(src, in.data(), dst, expected.data(), {});
        CHECK(planned(in.data(), found.data()).ok());
        CHECK(found == expected);
    };
    check(layout({1, 24, 2, 5}, "Adcb16a"), layout({1, 24, 2, 5}, "BAcd4b8a8b2a"), true);  // 1 of 16, 24 of 32
    check(broadcast_axis(layout({1, 1, 1, 1}, "abcd"), 1, 480), layout({1, 480, 1, 1}, "aCdB16c4b"), true);
    // A destination without padding is not zeroed.
    check(layout({4, 4, 7}, strides{200, 50, 7}), layout({4, 4, 7}, strides{2000, 300, 11}), false);
}

}  // namespace test_reorder_make_reorder_padding
