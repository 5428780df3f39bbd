// The laws of reshape and related operations on random small layouts (strided, padded, broadcast, views of a part), and
// the orders that extended_reshape may give up.

#include "laws/random_layouts.hpp"

#include "laws/reshape_laws.hpp"

#include <algorithm>
#include <vector>

namespace test_laws_random_reshapes { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait_test;

/// Adds `n` extents with the given product. Its prime factors are distributed at random.
void add_shape(dims& out, dim_t product, int n, random_source& random) {
    const int begin = out.size();
    for (int a = 0; a < n; ++a) out.push_back(1);
    for (dim_t p = 2; product > 1; ++p)
        for (; product % p == 0; product /= p) out[begin + static_cast<int>(random.between(0, n - 1))] *= p;
}

/// Returns random dims with the number of elements of l, for runs of its axes. If `padded`, some runs include padding.
dims random_shape(const layout& l, random_source& random, bool padded) {
    dims out;
    for (int a = 0; a < l.ndims();) {
        dim_t product = 1;
        const bool counts = padded && random.once_in(2);
        int run = static_cast<int>(random.between(1, l.ndims() - a));
        for (; run > 0; --run, ++a) product *= counts ? l.padded_dims[a] : l.dims[a];
        if (product == 0) out.push_back(0);
        else add_shape(out, product, static_cast<int>(random.between(1, 2)), random);
        if (random.once_in(6) && out.size() < 9) out.push_back(1);
    }
    return out;
}

template <class Law>
void check_law(std::uint64_t seed, bool padded, const Law& law) {
    random_source random(seed);
    int changed = 0;
    for (int i = 0; i < 10000; ++i) {
        const layout l = random.small_layout();
        const dims to = random_shape(l, random, padded);
        if (!law(l, to)) FAIL_CHECK(explain(l) << " as " << to_string(to));
        changed += to != l.dims;
    }
    CHECK(changed > 2000);
}

/// Returns the offsets of axes first to last - 1 in row-major order. All other indices are 0.
std::vector<dim_t> offsets_of(const layout& l, const dims& extents, int first, int last) {
    std::vector<dim_t> out;
    dims counted = extents;
    for (int a = 0; a < l.ndims(); ++a)
        if (a < first || a >= last) counted[a] = 1;
    position at = origin(l.ndims());
    if (volume(counted) == 0) return out;
    do out.push_back(evaluate_digits(l, at));
    while (advance(at, counted));
    return out;
}

bool is_plain_chunk(const std::vector<dim_t>& offsets) {
    for (std::size_t i = 2; i < offsets.size(); ++i)
        if (offsets[i] - offsets[i - 1] != offsets[1] - offsets[0]) return false;
    return true;
}

/// True if each group of axes keeps its places, and each changed group is a contiguous chunk that is split row-major.
bool gives_up_only_what_it_may(const layout& l, const dims& to, reshape_flags flags) {
    const bool padding = has_flag(flags, reshape_flags::allow_padding_mismatch);
    const expected<layout> out = try_extended_reshape(l, to, flags);
    const verdict why = check_extended_reshape(l, to, flags);
    axis_groups groups;
    if (l.volume() == 0) return !out || (check_layout(*out).ok() && out->dims == to && out->span_begin() >= 0);
    if (!add_groups(groups, l, to, {0, l.ndims(), 0, to.size()}, rules_of(flags)).ok()) return !out;
    if (out && (!check_layout(*out).ok() || out->dims != to || out->span_begin() != l.span_begin())) return false;
    bool all_contiguous = true;
    for (const axis_group& group : groups) {
        std::vector<dim_t> before =
            offsets_of(l, padding || group.keeps_axis() ? l.padded_dims : l.dims, group.first, group.last);
        const std::vector<dim_t> in_order = before;
        if (!group.keeps_axis()) {
            std::sort(before.begin(), before.end());
            all_contiguous = all_contiguous && is_plain_chunk(before);
            for (dim_t least = before.front(); dim_t & offset : before) offset -= least;
        }
        // Elements are in the order of memory, or in their old order if that is also a chunk, maybe with a negative
        // step.
        if (out && before != offsets_of(*out, out->padded_dims, group.to_first, group.to_last) &&
            (in_order != offsets_of(*out, out->padded_dims, group.to_first, group.to_last) ||
             !is_plain_chunk(in_order)))
            return false;
        for (int b = group.to_first; out && b < group.to_last && !group.keeps_axis(); ++b)
            if (out->padded_dims[b] != to[b] || out->block_size(b) != 1) return false;
    }
    // A group that is refused because of its order is not a chunk in any order.
    if (has_flag(flags, reshape_flags::allow_order_mismatch))
        return (!out || all_contiguous) && (why.reason != reason::group_is_not_contiguous || !all_contiguous);
    return why.reason != reason::group_is_not_contiguous;
}

TEST_CASE("law at random: view refuses exactly the shapes that have no layout") {
    check_law(52, false, [](const layout& l, const dims& to) {
        return l.volume() == 0 || l.volume() > 64 || view_is_complete(l, to);
    });
}

TEST_CASE("law at random: a view of a view has the elements of the single view") {
    random_source random(54);
    int seen = 0;
    for (int i = 0; i < 10000; ++i) {
        const layout l = random.small_layout();
        const dims by = random_shape(l, random, false), to = random_shape(l, random, false);
        const expected<layout> first = try_view(l, by),
                               last = first.and_then([&](const layout&x) { return try_view(x, to); });
        seen += last.has_value();
        if (last && (!keeps_the_elements(l, *last) || !try_view(l, to))) FAIL_CHECK(explain(l) << explain(*first));
    }
    CHECK(seen > 500);
}

TEST_CASE("law at random: extended_reshape changes only the order in a chunk, or the padding, if the flags allow it") {
    using enum reshape_flags;
    std::uint64_t seed = 55;
    for (const reshape_flags flags :
         {none, allow_order_mismatch, allow_padding_mismatch, allow_order_mismatch | allow_padding_mismatch}) {
        check_law(seed++, has_flag(flags, allow_padding_mismatch),
                  [flags](const layout& l, const dims& to) { return gives_up_only_what_it_may(l, to, flags); });
    }
}

}}  // namespace test_laws_random_reshapes
