// The laws that need no loop over elements, and those of reshape and related operations, on layouts of 12 axes with
// extents near 2^40, at random places.

#include "laws/layout_laws.hpp"

#include "laws/random_layouts.hpp"
#include "laws/reshape_laws.hpp"

#include <vector>

namespace test_laws_huge_layouts { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

struct huge_layout {
    layout l;
    format_tag tag;
};

/// Returns a layout of twelve axes, one of them long and the others short, with a random number of blocks.
huge_layout make_huge(random_source& random) {
    for (;;) {
        dims extents;
        for (int a = 0; a < max_ndims; ++a) extents.push_back(random.between(1, 4));
        extents[static_cast<int>(random.between(0, 11))] = (dim_t{1} << 40) + random.between(-1000, 1000);
        const format_tag tag =
            random.tag(max_ndims, static_cast<int>(random.between(0, max_inner_blocks)), random.between(2, 16));
        if (const expected<layout> l = try_layout(extents, tag)) return {*l, tag};
    }
}

/// Returns the offset of a position, computed from the tag alone: a tag is a list of loops, with blocks innermost.
__extension__ using wide = __int128;
wide offset_by_the_book(const dims& extents, const format_tag& tag, position at) {
    wide offset = 0, stride = 1;
    for (int k = tag.blocks.size() - 1; k >= 0; --k) {
        dim_t& index = at[tag.blocks[k].axis];
        offset += index % tag.blocks[k].size * stride;
        stride *= tag.blocks[k].size;
        index /= tag.blocks[k].size;
    }
    for (int k = tag.axes.size() - 1; k >= 0; --k) {
        const int axis = tag.axes[k];
        offset += at[axis] * stride;
        stride *= (extents[axis] + tag.block_size(axis) - 1) / tag.block_size(axis);
    }
    return offset;
}

template <class Law>
void check_law(std::uint64_t seed, const Law& law) {
    random_source random(seed);
    for (int i = 0; i < 2000; ++i) {
        const huge_layout huge = make_huge(random);
        if (!law(huge, random)) FAIL_CHECK(explain(huge.l));
    }
}

TEST_CASE("law at size: offsets are exact, position_of is their inverse, and the last element ends the span") {
    check_law(21, [](const huge_layout& huge, random_source& random) {
        const layout& l = huge.l;
        position last = origin(max_ndims);
        for (int a = 0; a < max_ndims; ++a) last[a] = l.padded_dims[a] - 1;
        for (int i = 0; i < 5; ++i) {
            const position at = random.inside(l.dims);
            if (l.offset(at) != offset_by_the_book(l.dims, huge.tag, at) || position_of(l, l.offset(at)) != at)
                return false;
        }
        return check_layout(l).ok() && l.is_dense() && is_injective(l) &&
               l.padded_offset(last) == l.padded_volume() - 1 &&
               l.element_span() == static_cast<std::size_t>(l.padded_volume());
    });
}

TEST_CASE("law at size: linear offsets count in row-major order") {
    check_law(22, [](const huge_layout& huge, random_source& random) {
        const position at = random.inside(huge.l.dims), padded = random.inside(huge.l.padded_dims);
        dim_t number = 0, padded_number = 0;
        for (int a = 0; a < max_ndims; ++a) {
            number = number * huge.l.dims[a] + at[a];
            padded_number = padded_number * huge.l.padded_dims[a] + padded[a];
        }
        return huge.l.linear_offset(number) == huge.l.offset(at) &&
               huge.l.padded_linear_offset(padded_number) == huge.l.padded_offset(padded);
    });
}

TEST_CASE("law at size: permuting axes keeps the data") {
    check_law(23, [](const huge_layout& huge, random_source& random) {
        const permutation p = random.order(max_ndims), q = random.order(max_ndims);
        const position at = random.inside(huge.l.dims);
        return permute_axes(huge.l, p).offset(permute_axes(at, p)) == huge.l.offset(at) &&
               permute_axes(huge.l, p) == layout(permuted(huge.l.dims, p), permuted(huge.tag, p)) &&
               permuting_back_is_identity(huge.l, p) && renaming_is_permuting_by_the_inverse(huge.l, p) &&
               permuting_composes(huge.l, p, q) && permuting_keeps_the_invariants(huge.l, p);
    });
}

TEST_CASE("law at size: the name is a tag of the same offsets") {
    check_law(24, [](const huge_layout& huge, random_source& random) {
        return matches_tag(huge.l, huge.tag) && name_round_trips(huge.l, [&](const layout& l, const layout& again) {
                   for (int i = 0; i < 10; ++i) {
                       const position at = random.inside(l.padded_dims);
                       if (l.padded_offset(at) != again.padded_offset(at)) return false;
                   }
                   return true;
               });
    });
}

TEST_CASE("law at size: binding restores dynamic extents, and commutes with permuting") {
    check_law(25, [](const huge_layout& huge, random_source& random) {
        const auto axes = static_cast<unsigned>(random.between(0, (1 << max_ndims) - 1));
        const permutation p = random.order(max_ndims);
        dims partly = huge.l.dims, values;
        for (int a = 0; a < max_ndims; ++a)
            if ((axes >> a & 1U) != 0) partly[a] = dynamic;
        const layout permuted_first = permute_axes(layout(partly, huge.tag), p),
                     permuted_last = permute_axes(huge.l, p);
        for (int a = 0; a < max_ndims; ++a)
            if (permuted_first.dims[a] == dynamic) values.push_back(permuted_last.dims[a]);
        return binding_restores(huge.l.dims, huge.tag, axes) && bind(permuted_first, values) == permuted_last;
    });
}

TEST_CASE("law at size: layouts that overflow are refused, by tag and by strides") {
    random_source random(26);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        dims extents;
        wide volume = 1;
        for (int a = 0; a < 4; ++a) {
            extents.push_back(random.between(1, dim_t{1} << random.between(0, 40)));
            if (volume <= INT64_MAX) volume *= extents[a];  // a volume that is too large stays too large
        }
        const format_tag tag = random.tag(4, 0, 2);
        const bool fits = volume <= INT64_MAX;
        refused += !fits;
        CHECK(check_layout(extents, tag).ok() == fits);
        CHECK(check_layout(extents, strides{0, 0, 0, 0}).ok() == fits);
    }
    CHECK(refused > 200);
}

/// Returns a dense layout of 12 axes, one of them long: half of the time row-major, else in a random order.
layout make_huge(random_source& random, int blocks) {
    for (;;) {
        dims extents;
        for (int a = 0; a < max_ndims; ++a) extents.push_back(random.between(1, 4));
        extents[static_cast<int>(random.between(0, 11))] = (dim_t{1} << 40) + random.between(-1000, 1000) * 16;
        format_tag tag = random.tag(max_ndims, blocks, 4);
        if (random.once_in(2))
            for (int a = 0; a < max_ndims; ++a) tag.axes[a] = a;
        if (const expected<layout> l = try_layout(extents, tag)) return *l;
    }
}

/// Returns the prime factors below 100, followed by the remaining factor.
std::vector<dim_t> factors_of(dim_t n) {
    std::vector<dim_t> out;
    for (dim_t p = 2; p < 100; ++p)
        for (; n % p == 0; n /= p) out.push_back(p);
    if (n > 1) out.push_back(n);
    return out;
}

/// Returns random dims with the number of elements of l: the factors of its axes, in order, in up to 12 new axes.
dims random_shape(const layout& l, random_source& random) {
    dims out{1};
    for (int a = 0; a < l.ndims(); ++a) {
        if (l.dims[a] == 1) continue;
        const bool whole = random.once_in(3);
        if (!out.full() && random.once_in(2)) out.push_back(1);
        if (whole) {
            out[out.size() - 1] *= l.dims[a];
            continue;
        }
        for (const dim_t factor : factors_of(l.dims[a])) {
            if (!out.full() && random.once_in(3)) out.push_back(1);
            out[out.size() - 1] *= factor;
        }
    }
    return out;
}

bool keeps_sampled_elements(const layout& l, const layout& out, random_source& random) {
    if (!check_layout(out).ok() || out.volume() != l.volume()) return false;
    for (int i = 0; i < 20; ++i) {
        const dim_t number = random.between(0, l.volume() - 1);
        if (out.linear_offset(number) != l.linear_offset(number)) return false;
    }
    const dim_t last = l.volume() - 1;
    return out.linear_offset(0) == l.linear_offset(0) && out.linear_offset(last) == l.linear_offset(last);
}

template <class Law>
void check_law(std::uint64_t seed, int blocks, int least, const Law& law) {
    random_source random(seed);
    int succeeded = 0;
    for (int i = 0; i < 4000; ++i) {
        const layout l = make_huge(random, blocks);
        const dims to = random_shape(l, random);
        const std::optional<bool> held = law(l, to, random);
        succeeded += held.has_value();
        if (held == false) FAIL_CHECK(explain(l) << " as " << to_string(layout(to, "any")));
    }
    CHECK(succeeded > least);
}

TEST_CASE("law at size: reshape and view keep the elements, and can be reversed") {
    check_law(61, 0, 500, [](const layout& l, const dims& to, random_source& random) -> std::optional<bool> {
        const expected<layout> out = try_reshape(l, to);
        if (!out) return std::nullopt;
        return keeps_sampled_elements(l, *out, random) && try_view(l, to) == out && try_reshape(*out, l.dims) == l;
    });
    check_law(62, 6, 300, [](const layout& l, const dims& to, random_source& random) -> std::optional<bool> {
        const expected<layout> out = try_view(l, to);
        if (!out) return std::nullopt;
        const expected<layout> back = try_view(*out, l.dims);
        return keeps_sampled_elements(l, *out, random) && back && keeps_sampled_elements(l, *back, random);
    });
}

TEST_CASE("law at size: joined axes can be split again") {
    check_law(63, 3, 500, [](const layout& l, const dims&, random_source& random) -> std::optional<bool> {
        const auto first = static_cast<int>(random.between(0, 10)), last = static_cast<int>(random.between(first, 11));
        const expected<layout> joined = try_join_axes(l, first, last);
        if (!joined) return std::nullopt;
        dims old;
        for (int a = first; a <= last; ++a) old.push_back(l.dims[a]);
        return keeps_sampled_elements(l, *joined, random) && try_flatten(l, first, last) == joined &&
               (has_blocked_unit(l) || try_split_axis(*joined, first, old) == l);
    });
}

TEST_CASE("law at size: with allow_order_mismatch, a dense layout is one chunk") {
    using enum reshape_flags;
    check_law(64, 8, 500, [](const layout& l, const dims& to, random_source&) -> std::optional<bool> {
        if (l.is_padded()) return std::nullopt;
        const expected<layout> flat = try_extended_reshape(l, {l.volume()}, allow_order_mismatch);
        return flat == layout({l.volume()}, "a") &&
               try_extended_reshape(*flat, to, none) == layout(to, plain_order(identity_permutation(to.size())));
    });
    check_law(65, 8, 500, [](const layout& l, const dims&, random_source&) -> std::optional<bool> {
        if (!l.is_padded() || has_blocked_unit(l)) return std::nullopt;
        const dims all{l.padded_volume()};
        return check_extended_reshape(l, all, allow_order_mismatch).reason != reason::none &&
               try_extended_reshape(l, all, allow_order_mismatch | allow_padding_mismatch) == layout(all, "a");
    });
}

TEST_CASE("law at size: a refused view has the nearest extent that is accepted") {
    random_source random(66);
    int refused = 0;
    for (int i = 0; i < 4000; ++i) {
        // One long axis with three digits that cannot be merged.
        layout l = by_hand({1}, {1}, {1}, {{0, random.between(2, 1 << 14)}, {0, random.between(2, 1 << 20)}});
        const dim_t inner = l.digits[2].extent, middle = l.digits[1].extent, outer = random.between(2, 64);
        l.digits[2].stride = 3, l.digits[1].stride = 5 * inner, l.digits[0] = {0, outer, 7 * inner * middle};
        l.dims[0] = l.padded_dims[0] = outer * middle * inner;
        const std::vector<dim_t> factors = factors_of(l.dims[0]);
        dim_t wanted = 1;
        for (const dim_t factor : factors)
            if (random.once_in(2)) wanted *= factor;
        const verdict why = check_view(l, {l.dims[0] / wanted, wanted});
        if (why.ok()) continue;
        ++refused;
        if (why.reason != reason::extents_do_not_divide || why.second != wanted || l.dims[0] % why.third != 0 ||
            !check_view(l, {l.dims[0] / why.third, why.third}).ok())
            FAIL_CHECK(explain(l) << describe(why).c_str());
    }
    CHECK(refused > 500);
}

}}  // namespace test_laws_huge_layouts
