#include <plait/algebra/for_each_copy.hpp>

#include "laws/many_layouts.hpp"
#include "laws/random_pairs.hpp"

#include <plait/algebra/count_copies.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/descriptor/copies.hpp>

#include <algorithm>
#include <vector>

namespace test_algebra_for_each_copy {

using namespace plait;

namespace {

/// The fewest copies, by trying: all elements by their place in the destination, each with the one before it if it
/// follows that on both sides.
std::vector<contiguous_copy> copies_by_trying(const layout& src, const layout& dst) {
    const std::vector<dim_t> from = plait_test::logical_offsets(src), to = plait_test::logical_offsets(dst);
    std::vector<std::pair<dim_t, dim_t>> places;
    for (std::size_t i = 0; i < from.size(); ++i) places.emplace_back(to[i], from[i]);
    std::sort(places.begin(), places.end());
    std::vector<contiguous_copy> out;
    for (const auto& [place, source] : places) {
        contiguous_copy* const last = out.empty() ? nullptr : &out.back();
        if (last != nullptr && last->dst + last->count == place && last->src + last->count == source) ++last->count;
        else out.push_back({place, source, 1});
    }
    return out;
}

std::vector<contiguous_copy> copies_of(const layout& src, const layout& dst) {
    std::vector<contiguous_copy> out;
    for_each_copy(src, dst, [&out](const contiguous_copy& c) { out.push_back(c); });
    return out;
}

/// True if the copies are those that are found by trying, in their order, and if as many are counted.
bool are_the_fewest(const layout& src, const layout& dst) {
    const std::vector<contiguous_copy> wanted = copies_by_trying(src, dst);
    return copies_of(src, dst) == wanted && count_copies(src, dst) == static_cast<dim_t>(wanted.size());
}

/// Puts the tensor anywhere into its padding.
void move_in_padding(plait_test::random_source& random, layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (random.once_in(4) && l.padded_dims[a] > l.dims[a])
            l.padded_offsets[a] = random.between(0, l.padded_dims[a] - l.dims[a]);
}

}  // namespace

TEST_CASE("for_each_copy: the fewest copies of random pairs, by ascending dst") {
    const std::uint64_t pairs = plait_test::number_from_environment("PLAIT_COPIES", 3000);
    plait_test::random_source random(plait_test::number_from_environment("PLAIT_SEED", 49));
    std::uint64_t wrong = 0;
    int uneven = 0, mixed = 0;
    for (std::uint64_t pair = 0; pair < pairs;) {
        const dims extents = plait_test::random_extents(random);
        const layout other = plait_test::random_layout(random, extents, true);
        layout dst = plait_test::random_layout(random, extents, false), src = random.once_in(6) ? dst : other;
        move_in_padding(random, src);
        move_in_padding(random, dst);
        if (!check_layout(src).ok() || !check_copies(src, dst).ok()) continue;
        ++pair;
        if (dst.volume() > 0)
            for (const detail::copy_axis& axis : detail::copy_digits(src, dst).axes) uneven += !axis.is_even();
        mixed += !detail::steps_over_the_inside(dst);
        if (are_the_fewest(src, dst)) continue;
        if (++wrong < 5) FAIL_CHECK(explain(src) << explain(dst));
    }
    CHECK(wrong == 0);
    // There are blocks that do not divide each other, and destinations whose strides do not nest.
    CHECK(static_cast<std::uint64_t>(uneven) > pairs / 100);
    CHECK(static_cast<std::uint64_t>(mixed) > pairs / 100);
}

TEST_CASE("for_each_copy: all pairs of many small layouts") {
    const std::vector<layout> all = plait_test::many_layouts({5, 6});
    int pairs = 0;
    for (std::size_t i = 0; i < all.size(); i += 5)
        for (std::size_t j = 0; j < all.size(); j += 11) {
            if (!check_copies(all[i], all[j]).ok()) continue;
            ++pairs;
            if (!are_the_fewest(all[i], all[j])) FAIL_CHECK(explain(all[i]) << explain(all[j]));
        }
    CHECK(pairs > 1000);
}

TEST_CASE("for_each_copy: in a constant expression") {
    STATIC_CHECK([] {
        constexpr layout src({2, 17, 2}, "acb"), dst({2, 17, 2}, "aBc16b");
        dim_t next = 0, elements = 0, copies = 0;
        bool ascending = true;
        for_each_copy(src, dst, [&](const contiguous_copy& c) {
            ascending = ascending && c.dst >= next;
            next = c.dst + c.count;
            elements += c.count;
            ++copies;
        });
        return ascending && elements == src.volume() && copies == 8;
    }());
}

TEST_CASE("for_each_copy: parts have offsets, and blocks of a table are added") {
    constexpr layout page({16, 2, 4}, "bac"), tokens({16, 2, 4}, "abc");
    const layout part = submemory(tokens, {5, 2, 4}, {11, 0, 0});
    CHECK(copies_of(part, submemory(page, {5, 2, 4}, {0, 0, 0})).front() == contiguous_copy{0, 88, 4});
    // The third page of a pool.
    dim_t first = -1;
    for_each_copy(tokens, page, [&](const contiguous_copy& c) {
        if (first < 0) first = c.dst + 3 * page.volume();
    });
    CHECK(first == 384);
}

TEST_CASE("for_each_copy: an action that returns false ends the visit") {
    int copies = 0;
    const auto three = [&copies](const contiguous_copy&) { return ++copies < 3; };
    for_each_copy(layout({4, 6}, "ab"), layout({4, 6}, "ba"), three);
    CHECK(copies == 3);
    copies = 0;
    layout mixed({3, 2}, "ab");  // places 0, 3; 2, 5; 4, 7
    mixed.digits[0].stride = 2;
    mixed.digits[1].stride = 3;
    for_each_copy(layout({3, 2}, "ab"), mixed, three);
    CHECK(copies == 3);
}

TEST_CASE("for_each_copy: descriptors, and what is refused") {
    const layout rows({4, 6}, "ab"), turned({4, 6}, "ba");
    const descriptor src(data_type::u4, rows), dst(data_type::u4, turned);
    CHECK(count_copies(src, dst) == 24);
    int copies = 0;
    for_each_copy(src, dst, [&copies](const contiguous_copy&) { ++copies; });
    CHECK(copies == 24);
    const auto never = [](const contiguous_copy&) { FAIL_CHECK("called"); };
    CHECK(try_for_each_copy(rows, layout({6, 4}, "ab"), never).error() == verdict{reason::dims_differ, 0, 4, 6});
    CHECK(try_for_each_copy(src, descriptor(data_type::u8, rows), never).error().reason == reason::data_types_differ);
    const descriptor compensated(data_type::s8, rows, {.s8s8_compensation = true, .s8s8_mask = 1});
    CHECK(check_copies(descriptor(data_type::s8, rows), compensated).reason == reason::descriptor_has_extra);
    CHECK(try_count_copies(compensated, compensated).error().reason == reason::descriptor_has_extra);
    CHECK_THROWS_AS(for_each_copy(src, descriptor(data_type::u8, rows), never), rejection);
}

}  // namespace test_algebra_for_each_copy
