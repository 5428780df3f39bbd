#include <plait/algebra/rearrange.hpp>

#include "laws/random_layouts.hpp"

#include <plait/algebra/rearrange_copy.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/typed/formats.hpp>
#include <plait/typed/operations.hpp>

#include "support/pattern_cases.hpp"

namespace test_algebra_rearrange {

using namespace plait;
using namespace plait::detail;

TEST_CASE("rearrange: permutes, splits and joins") {
    constexpr layout l({2, 6, 5, 12}, "abcd");
    STATIC_CHECK(rearrange(l, "n h w c -> n c h w") == permute_axes(l, {0, 2, 3, 1}));
    STATIC_CHECK(rearrange<"n h w c -> n c h w">(l) == permute_axes(l, {0, 2, 3, 1}));
    STATIC_CHECK(rearrange<"n h w (g c) -> n g h w c", 4>(l) == rename_axes(view(l, {2, 6, 5, 4, 3}), {0, 3, 1, 2, 4}));
    STATIC_CHECK(rearrange<"n h w (g c) -> n g h w c", dynamic, 3>(l) ==
                 rearrange(l, "n h w (g c) -> n g h w c", {{"c", 3}}));
    STATIC_CHECK(rearrange<"n h w (g c) -> n g h w c", 4, 3>(l) ==
                 rearrange(l, "n h w (g c) -> n g h w c", {{"g", 4}, {"c", 3}}));
    STATIC_CHECK(rearrange(l, "n h w c -> (n h w) c") == layout({60, 12}, "ab"));
    STATIC_CHECK(rearrange(l, "batch ... -> batch (...)") == layout({2, 360}, "ab"));
    STATIC_CHECK(rearrange(l, "n h w c -> n 1 h w c 1").dims == dims{2, 1, 6, 5, 12, 1});
    STATIC_CHECK(rearrange(layout({2, 1, 3}, "abc"), "a 1 b -> a b") == layout({2, 3}, "ab"));
    STATIC_CHECK(rearrange(layout({1, 1}, "ab"), "1 1 -> 1") == layout({1}, "a"));
    STATIC_CHECK(rearrange(layout({2, 6}, "any"), "a (b c) -> c a b", {{"b", 2}}) == layout({3, 2, 2}, "any"));
    // Joined against the order of memory: an axis of two digits, without a copy.
    constexpr layout turned = rearrange(l, "n h w c -> n (c h w)");
    STATIC_CHECK(!is_blocking(turned) && turned.offset({1, 7}) == l.offset({1, 1, 2, 0}));
    // Through blocks: channel 17 is element 1 of block 1.
    constexpr layout blocked({2, 32, 3, 3}, "nChw16c");
    STATIC_CHECK(rearrange<"n (o i) h w -> n o h w i", 2>(blocked) == layout({2, 2, 3, 3, 16}, "abcde"));
    STATIC_CHECK(rearrange<"n (o i) h w -> n o i h w", 8>(blocked).offset({1, 4, 1, 0, 0}) ==
                 blocked.offset({1, 17, 0, 0}));
}

TEST_CASE("rearrange: extents known at run time") {
    STATIC_CHECK(rearrange(layout({dynamic, 6, 4}, "abc"), "n (a b) c -> n b c a", {{"a", 2}}) ==
                 permute_axes(layout({dynamic, 2, 3, 4}, "abcd"), {0, 3, 1, 2}));
    STATIC_CHECK(rearrange(layout({dynamic, 6, 4}, "abc"), "n h c -> (n h) c") == layout({dynamic, 4}, "ab"));
    STATIC_CHECK(check_rearrange(layout({dynamic, 6}, "ab"), "(n m) c -> n m c", {{"m", 2}}) ==
                 verdict{reason::dim_is_dynamic, 0, dynamic, 2});
}

TEST_CASE("rearrange: each refusal") {
    constexpr layout l({2, 12}, "ab"), padded({2, 17}, "aB16b");
    STATIC_CHECK(check_rearrange(l, "a b c -> a b c") == verdict{reason::rank_differs, -1, 3, 2});
    STATIC_CHECK(check_rearrange(l, "a (b c) -> a b c") == verdict{reason::pattern_extent_is_missing, -1, 3, 2});
    STATIC_CHECK(check_rearrange(l, "a (b c) -> a b c", {{"b", 5}}) ==
                 verdict{reason::extents_do_not_divide, 1, 12, 5, 4});
    STATIC_CHECK(check_rearrange(l, "a b -> b a", {{"c", 5}}) ==
                 verdict{reason::pattern_extent_is_not_of_an_axis, -1, 1, 5});
    STATIC_CHECK(check_rearrange(padded, "a b -> (a b)") == verdict{reason::axis_is_padded, 1, 32, 17});
    // Part c of four is axis 1 of two.
    STATIC_CHECK(check_rearrange(layout({6, 17}, "aB16b"), "(a b d) c -> d a (c b)", {{"a", 1}, {"b", 3}}) ==
                 verdict{reason::axis_is_padded, 1, 32, 17});
    STATIC_CHECK(check_rearrange(layout({2, 32}, "aB16b"), "a (b c) -> a b c", {{"c", 12}}) ==
                 verdict{reason::extents_do_not_divide, 1, 32, 12, 8});
    STATIC_CHECK(check_rearrange(layout(), "-> 1") == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_rearrange(layout({1}, "a"), "1 ->") == verdict{reason::layout_is_undefined});
    STATIC_CHECK(check_rearrange(plait_test::opaque_layout({2}), "a -> a") == verdict{reason::layout_is_opaque});
    STATIC_CHECK(!try_rearrange<"a b -> (a b)">(padded).has_value());
}

TEST_CASE("rearrange: on constants, bound layouts and named axes") {
    constexpr auto image = nhwc<2, 12, 5, 6>();
    constexpr auto nc = name_axes<"nc">(layout_c<layout({2, 3}, "ab")>);
    constexpr auto planes = rearrange<"n c h w -> n h w c">(image);
    STATIC_CHECK(planes.value == permute_axes(layout({2, 12, 5, 6}, "nhwc"), {0, 3, 1, 2}));
    STATIC_CHECK(with_axes<std::remove_const_t<decltype(planes)>, "nhwc">);
    // Words and groups leave axes without a letter.
    STATIC_CHECK(axis_letters_of<decltype(rearrange<"n c h w -> n (c h) w">(image))>::list().empty());
    STATIC_CHECK(axis_letters_of<decltype(rearrange<"n c h w -> n 1 c h w">(image))>::list().empty());
    STATIC_CHECK(axis_letters_of<decltype(rearrange<"n (g k) ... -> g ... k n", 4>(image))>::list() ==
                 letter_list("ghwkn"));
    // The letter of the ellipsis would be there twice.
    STATIC_CHECK(axis_letters_of<decltype(rearrange<"n (w k) ... -> w ... k n", 4>(image))>::list().empty());
    STATIC_CHECK(check_pattern_letters("nchw", "n h w c -> n c h w") ==
                 verdict{reason::axis_is_named_otherwise, 1, 'c', 'h'});
    STATIC_CHECK(check_pattern_letters("nchw", "... c w -> c ... w") ==
                 verdict{reason::axis_is_named_otherwise, 2, 'h', 'c'});
    STATIC_CHECK(check_pattern_letters("nchw", "batch (g h) height 1 -> batch g h height").ok());

    // Fewer axes than names: the operation determines how many there are.
    STATIC_CHECK(check_pattern_letters("nc", "... a b c -> ... c b a").ok());
    STATIC_CHECK(check_pattern_letters("", "a ... b -> b ... a").ok());
    STATIC_CHECK(check_rearrange<"... a b c -> ... c b a">(nc) == verdict{reason::rank_differs, -1, 3, 2});

    const auto rows = bind(layout_c<layout({dynamic, 6, 4}, "abc")>, 7);
    const auto turned = rearrange<"n (a b) c -> n b c a", 2>(rows);
    CHECK(static_cast<layout>(turned) == rearrange(layout({7, 6, 4}, "abc"), "n (a b) c -> n b c a", {{"a", 2}}));
    CHECK(std::is_same_v<std::remove_const_t<decltype(turned)>,
                         bound_layout<rearrange(layout({dynamic, 6, 4}, "abc"), "n (a b) c -> n b c a", {{"a", 2}})>>);
}

TEST_CASE("rearrange: types with a pattern known at run time, which must use the letters of their axes") {
    constexpr auto image = nhwc<2, 12, 5, 6>();
    constexpr layout plain = image.value;
    const expected<axis_pattern> channels_last = parse_axis_pattern(std::string("n (g c) h w -> n h w g c"));
    const std::vector<named_extent> found{{"g", 4}};
    const named_extents extents(found.data(), found.size());
    const layout wanted = rearrange<"n (g c) h w -> n h w g c", 4>(plain);
    CHECK(rearrange(plain, *channels_last, extents) == wanted);
    CHECK(rearrange(image, *channels_last, extents) == wanted);
    CHECK(rearrange(layout_c<plain>, *channels_last, {{"g", 4}, {"c", 3}}) == wanted);
    CHECK(rearrange(bind(layout_c<layout({dynamic, 12, 5, 6}, "nhwc")>, 2), *channels_last, extents) == wanted);
    CHECK(try_rearrange(image, *channels_last).error() == verdict{reason::pattern_extent_is_missing, -1, 3, 2});

    // The axes of an nhwc are n, c, h, w.
    constexpr verdict why{reason::axis_is_named_otherwise, 1, 'c', 'h'};
    const expected<axis_pattern> wrong = parse_axis_pattern("n h w c -> n (c h w)");
    STATIC_CHECK(check_rearrange<"n h w c -> n (c h w)">(image) == why);
    STATIC_CHECK(check_rearrange_copy<"n h w c -> n (c h w)">(image) == why);
    STATIC_CHECK(!rearrange_needs_copy<"n h w c -> n (c h w)">(image));
    CHECK(check_rearrange(image, *wrong) == why);
    CHECK(check_rearrange_copy(image, *wrong) == why);
    CHECK(!rearrange_needs_copy(image, *wrong));
    // Without names, and with correct names.
    CHECK(check_rearrange(plain, *wrong).ok());
    constexpr auto padded = nChw16c<2, 17, 4, 4>();
    STATIC_CHECK(rearrange_needs_copy<"n c h w -> n (c h w)">(padded));
    STATIC_CHECK(rearrange_copy<"n c h w -> n (c h w)">(padded) ==
                 rearrange_copy<"n c h w -> n (c h w)">(padded.value));
    CHECK(rearrange_needs_copy(padded, "n c h w -> n (c h w)"));
    CHECK(rearrange_copy(padded, "n c h w -> n (c h w)") == rearrange_copy(padded.value, "n c h w -> n (c h w)"));
}

TEST_CASE("rearrange: elements are at einops' indices; refuses the splits that view refuses") {
    plait_test::random_source random(20261122);
    int allowed_count = 0, refused_count = 0, beyond = 0, compared = 0;
    for (int round = 0; round < 3000; ++round) {
        const layout l = random.small_layout();
        const plait_test::pattern_case made = plait_test::random_pattern(random, l.dims);
        INFO(to_string(l), "  ", made.text);
        const expected<axis_pattern> pattern = parse_axis_pattern(made.text);
        REQUIRE(pattern.has_value());
        dims given;
        for (int i = 0; i < pattern->names.size(); ++i) given.push_back(made.extent_of(std::string(pattern->name(i))));
        const expected<layout> answer = make_rearranged(l, *pattern, given);
        // The same in steps of the algebra, with the whole shape regrouped at once.
        const expected<layout> split = try_view(l, made.parts.empty() ? dims{1} : made.parts);
        const expected<layout> joined = !split               ? split
                                        : made.parts.empty() ? try_view(*split, made.result)
                                                             : try_view(rename_axes(*split, made.order), made.result);
        INFO(std::string(describe(answer.error()).c_str()), "  ", std::string(describe(joined.error()).c_str()));
        // If a padded axis of one element is removed, or an axis is empty, view searches for a counterpart among all
        // axes; a pattern determines the counterpart of each axis.
        bool is_plain = l.volume() > 0;
        for (int a = 0; a < l.ndims(); ++a) is_plain = is_plain && (l.dims[a] != 1 || is_single_place(l, a));
        if (is_plain) REQUIRE(answer.has_value() == joined.has_value());
        compared += is_plain;
        if (!answer) {
            ++refused_count;
            continue;
        }
        ++allowed_count;
        beyond += !is_blocking(*answer);
        REQUIRE(answer->dims == made.result);
        REQUIRE(check_layout(*answer).ok());
        made.for_each_element(
            [&](const position& left, const position& right) { REQUIRE(answer->offset(right) == l.offset(left)); });
    }
    CHECK(allowed_count > 1000);
    CHECK(refused_count > 200);
    CHECK(compared > 1000);
    CHECK(beyond > 100);
}

TEST_CASE("rearrange: more axes than a layout has are refused, also if they come from the ellipsis") {
    // Twelve axes, the last of one element: without it the extents would still fit.
    const layout l({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1}, "abcdefghijkl");
    const verdict too_many{reason::too_many_axes, -1, 13, 12};
    for (const char* const pattern :
         {"... -> 1 ...", "... -> 1 1 ...", "a ... -> a 1 ...", "... a -> a 1 ...", "... -> ... 1"})
        CHECK(check_rearrange(l, *parse_axis_pattern(pattern)) == too_many);
    CHECK(check_rearrange(l, "... a -> a ...").ok());
}

TEST_CASE("rearrange: axes of dynamic extent whose digits do not chain are not joined") {
    // Joined, 3 x 32 channels in blocks of 16 with 16 places between would have had stride 1.
    CHECK(check_rearrange(layout({dynamic, 32, 4, 4}, "aBcd16b"), "a b c d -> (a b) c d").reason ==
          reason::dim_is_dynamic);
    CHECK(check_rearrange(layout({dynamic, 32, 4, 4}, "abcd"), "a b c d -> (a b) c d").ok());
}

}  // namespace test_algebra_rearrange
