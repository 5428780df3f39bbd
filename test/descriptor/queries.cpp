#include <plait/descriptor/queries.hpp>

#include "laws/random_layouts.hpp"

namespace test_descriptor_queries {

using namespace plait;

namespace {
constexpr extra by_first = {.s8s8_compensation = true, .s8s8_mask = 1};
}

TEST_CASE("try_descriptor: is empty if the arguments are refused") {
    STATIC_CHECK(try_descriptor(data_type::f32, layout({2, 3}, "ab")) ==
                 descriptor(data_type::f32, layout({2, 3}, "ab")));
    STATIC_CHECK(!try_descriptor(data_type::f32, layout({2, 3}, "ab"), by_first));
    STATIC_CHECK(!try_descriptor(data_type::undef, layout({2, 3}, "ab")));
}

TEST_CASE("matches_tag and format_name of descriptors: equal those of the layout") {
    constexpr descriptor d(data_type::s8, layout({17, 5}, "Ab16a"), by_first);
    STATIC_CHECK(matches_tag(d, "Ab16a"));
    STATIC_CHECK(!matches_tag(d, "ab"));
    STATIC_CHECK(!matches_tag(d, "abc"));
    STATIC_CHECK(matches_tag(d, "Ab16a", {-1, 16}));
    STATIC_CHECK(!matches_tag(d, "Ab16a", {-1, 17}));
    STATIC_CHECK(format_name(d) == "Ab16a");
    descriptor broken = d;
    broken.layout.digits.count = 1;
    CHECK(!matches_tag(broken, "Ab16a"));
    CHECK(plait_test::refusal_of([&] { return format_name(broken); }).reason == reason::layout_is_malformed);
}

TEST_CASE("hash_of descriptors: is equal for equal descriptors, and differs if any field differs") {
    const layout l({17, 5}, "Ab16a");
    const descriptor some[] = {
        {data_type::s8, l},
        {data_type::u8, l},
        {data_type::s8, layout({17, 5}, "ab")},
        {data_type::s8, l, by_first},
        {data_type::s8, l, {.s8s8_compensation = true}},
        {data_type::s8, l, {.s8s8_compensation = true, .s8s8_mask = 2}},
        {data_type::s8, l, {.asymmetric_source_compensation = true, .asymmetric_source_mask = 1}},
        {data_type::s8, l, {.scale_adjust = 0.5f}},
    };
    for (const descriptor& a : some)
        for (const descriptor& b : some) CHECK((a == b) == (hash_of(a) == hash_of(b)));
    CHECK(hash_of(descriptor(data_type::s8, layout({1, 3}, strides{9, 1}))) ==
          hash_of(descriptor(data_type::s8, layout({1, 3}, strides{3, 1}))));
    CHECK(std::hash<descriptor>()(some[0]) == hash_of(some[0]));
}

}  // namespace test_descriptor_queries
