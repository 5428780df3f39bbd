#include <plait/view/layout_reader.hpp>

#include "laws/hand_made_layouts.hpp"
#include "laws/layout_laws.hpp"
#include "laws/many_layouts.hpp"

namespace test_view_layout_reader { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Checks both forms of offset(), and block_offset(), at every position.
bool reads(const layout& l) {
    const layout_reader reader(l);
    if (l.volume() == 0) return true;
    position at = origin(l.ndims());
    do {
        std::uint64_t index[max_ndims]{}, block[max_ndims]{};
        position first = at;
        for (int a = 0; a < l.ndims(); ++a) {
            index[a] = static_cast<std::uint64_t>(at[a]);
            first[a] = at[a] / l.block_size(a);
            block[a] = static_cast<std::uint64_t>(first[a]);
        }
        if (reader.offset<max_ndims>(index) != l.offset(at)) return false;
        if (reader.offset(at.values, l.ndims()) != l.offset(at)) return false;
        if (reader.block_offset<max_ndims>(block) != l.block_offset(first)) return false;
    } while (advance(at, l.dims));
    return true;
}

bool divides(dim_t divisor, dim_t index) {
    return index < 0 || prepared_divisor(divisor).quotient(static_cast<std::uint64_t>(index)) ==
                            static_cast<std::uint64_t>(index / divisor);
}

TEST_CASE("prepared_divisor: divides every index below 2^63 by every divisor") {
    random_source random(41);
    int wrong = 0;
    const auto check_near = [&](dim_t divisor) {
        const dim_t most = INT64_MAX / divisor;
        for (const dim_t times : {dim_t{0}, dim_t{1}, dim_t{2}, most - 1, most, random.between(0, most)})
            for (const dim_t more : {-1, 0, 1})
                if (times <= most) wrong += !divides(divisor, wrapping_add(times * divisor, more));
        wrong += !divides(divisor, INT64_MAX);
        wrong += !divides(divisor, random.between(0, INT64_MAX));
    };
    for (dim_t divisor = 2; divisor < 3000; ++divisor) {
        check_near(divisor);
        for (dim_t index = 0; index < 100; ++index) wrong += !divides(divisor, index);
    }
    for (int power = 12; power < 63; ++power)
        for (const dim_t more : {-3, -1, 0, 1, 3}) check_near((dim_t{1} << power) + more);
    for (int i = 0; i < 10000; ++i) check_near(random.between(2, INT64_MAX));
    check_near(INT64_MAX);
    CHECK(wrong == 0);
    STATIC_CHECK(prepared_divisor(12).quotient(35) == 2);
}

TEST_CASE("layout_reader: returns the offsets of the layout") {
    const layout_reader reader(layout({17, 20, 3, 2}, "OIhw4i16o4i"));
    const layout l({17, 20, 3, 2}, "OIhw4i16o4i");
    CHECK(reader(16, 19, 2, 1) == l.offset(16, 19, 2, 1));
    CHECK(reader(1u, short{2}, 2LL, 1) == l.offset(1, 2, 2, 1));
    STATIC_CHECK(layout_reader(layout({2, 17, 3, 2}, "nChw16c"))(1, 16, 2, 1) ==
                 layout({2, 17, 3, 2}, "nChw16c").offset(1, 16, 2, 1));
}

TEST_CASE("law: a reader computes every offset of constructed, random and hand-made layouts") {
    for (const dims& extents : {dims{5}, dims{2, 5}, dims{4, 4}, dims{2, 3, 5}})
        for (const layout& l : many_layouts(extents))
            if (!reads(l)) FAIL_CHECK(explain(l));
    random_source random(42);
    for (int i = 0; i < 3000; ++i) {
        const layout l = random.small_layout();
        if (!reads(l)) FAIL_CHECK(explain(l));
        const layout hand_made = hand_made_layout(random, 100);
        if (!reads(hand_made)) FAIL_CHECK(explain(hand_made));
    }
}

TEST_CASE("law: a reader computes offsets near the limit of 63 bits") {
    for (const char* tag : {"ab", "AB16a16b", "BA12a10b6a", "Ab4096a"})
        for (const dims& extents : {dims{1000000007, 2000000011}, dims{1, 4611686018427380000}, dims{3000000, 70000}}) {
            const expected<format_tag> parsed = parse_format_tag(tag);
            const expected<layout> made = make_layout(extents, *parsed);
            if (!made) continue;
            random_source random(43);
            for (int i = 0; i < 100; ++i) {
                const position at = random.inside(extents);
                CHECK(layout_reader(*made)(at[0], at[1]) == made->offset(at));
            }
        }
}

TEST_CASE("layout_reader: the constructor refuses the layouts that have no offsets") {
    CHECK((refusal_of([] { return layout_reader(layout({2, dynamic}, "ab")); }) == verdict{reason::dim_is_dynamic, 1}));
    CHECK(refusal_of([] {
              return layout_reader(layout({2, 3}, strides{dynamic, 1}));
          }).reason == reason::stride_is_dynamic);
    CHECK(refusal_of([] { return layout_reader(layout()); }).reason == reason::layout_is_undefined);
    CHECK(refusal_of([] { return layout_reader(layout({2, 3}, "any")); }).reason == reason::layout_is_any);
    CHECK(refusal_of([] { return layout_reader(opaque_layout({2, 3})); }).reason == reason::layout_is_opaque);
}

}}  // namespace test_view_layout_reader
