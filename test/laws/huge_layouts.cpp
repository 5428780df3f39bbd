// The laws that need no loop over elements, on layouts of 12 axes with extents near 2^40, at random places.

#include "laws/layout_laws.hpp"
#include "laws/random_layouts.hpp"

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

}}  // namespace test_laws_huge_layouts
