#pragma once
// The laws of reshape and related operations, and a search by trial that view is compared with.

#include "laws/layout_laws.hpp"

#include <plait/algebra/extended_reshape.hpp>
#include <plait/algebra/flatten.hpp>
#include <plait/algebra/view.hpp>

namespace plait_test {

using plait::dims, plait::reason, plait::verdict;

/// True if `out` is a valid layout in which each element number has its old place.
constexpr bool keeps_the_elements(const layout& l, const layout& out) {
    if (!check_layout(out).ok() || out.volume() != l.volume() || out.offset0 != l.offset0) return false;
    if (l.volume() == 0) return true;
    position before = origin(l.ndims()), after = origin(out.ndims());
    do {
        position from = before, to = after;
        for (int a = 0; a < l.ndims(); ++a) from[a] += l.padded_offsets[a];
        for (int a = 0; a < out.ndims(); ++a) to[a] += out.padded_offsets[a];
        if (plait::detail::evaluate_digits(l, from) != plait::detail::evaluate_digits(out, to)) return false;
        advance(after, out.dims);
    } while (advance(before, l.dims));
    return true;
}

/// Calls law(shape) for each list of `ndims` positive extents with this product, until it returns false.
template <class Law>
constexpr bool for_each_shape(dim_t volume, int ndims, const Law& law, const dims& begun = {}) {
    if (ndims == 0) return volume != 1 || law(begun);
    for (dim_t extent = 1; extent <= volume; ++extent) {
        if (volume % extent != 0) continue;
        dims more = begun;
        more.push_back(extent);
        if (!for_each_shape(volume / extent, ndims - 1, law, more)) return false;
    }
    return true;
}

/// True if reshape is refused, or has the given dims and keeps the elements.
constexpr bool reshaping_keeps_the_elements(const layout& l, const dims& to) {
    const plait::expected<layout> out = plait::try_reshape(l, to);
    return !out || (out->dims == to && keeps_the_elements(l, *out));
}
constexpr bool viewing_keeps_the_elements(const layout& l, const dims& to) {
    const plait::expected<layout> out = plait::try_view(l, to);
    return !out || (out->dims == to && keeps_the_elements(l, *out));
}

/// True if view equals reshape whenever reshape succeeds, and extended_reshape without flags always equals reshape.
constexpr bool others_are_reshape(const layout& l, const dims& to) {
    const plait::expected<layout> out = plait::try_reshape(l, to);
    return (!out || l.volume() == 0 || plait::try_view(l, to) == out) &&
           plait::try_extended_reshape(l, to, plait::reshape_flags::none) == out &&
           plait::check_extended_reshape(l, to, plait::reshape_flags::none) == plait::check_reshape(l, to);
}

/// True if an axis of one element has padding or a block: reshape keeps it, at the nearest place for such an axis.
constexpr bool has_blocked_unit(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] == 1 && !plait::detail::is_single_place(l, a)) return true;
    return false;
}

/// True if `again` equals l. If l has no elements, only dims are compared. If an axis of one element has a block, the
/// block may be on another axis, so only dims and elements are compared.
constexpr bool is_again(const layout& l, const plait::expected<layout>& again) {
    if (l.volume() == 0) return again && again->dims == l.dims;
    return again && (*again == l || (has_blocked_unit(l) && again->dims == l.dims && keeps_the_elements(l, *again)));
}

/// True if a reshaped layout can be reshaped back to l. The stride of an axis of one element may differ.
constexpr bool reshapes_back(const layout& l, const dims& to) {
    const plait::expected<layout> out = plait::try_reshape(l, to);
    return !out || is_again(l, plait::try_reshape(*out, l.dims));
}

/// True if some digits map the indices to f(0), ..., f(extent - 1): tries every innermost digit. f(0) is 0.
constexpr bool is_made_of_digits(const dim_t* f, dim_t extent) {
    if (extent == 1) return true;
    for (dim_t radix = 2; radix <= extent; ++radix) {
        if (extent % radix != 0) continue;
        bool fits = true;
        dim_t outer[64]{};
        for (dim_t i = 0; i < extent && fits; ++i) {
            fits = f[i] == f[i / radix * radix] + i % radix * f[1];
            outer[i / radix] = f[i / radix * radix];
        }
        if (fits && is_made_of_digits(outer, extent / radix)) return true;
    }
    return false;
}

/// True if an unpadded layout with these dims has each element at its place in l: the offset has to be a sum over the
/// axes, and digits have to produce each summand. For up to 64 elements.
constexpr bool can_be_seen_as(const layout& l, const dims& to) {
    if (l.volume() != volume(to) || l.volume() > 64) return false;
    dim_t offsets[64]{}, parts[plait::max_ndims][64]{};
    for (dim_t i = 0; i < l.volume(); ++i) offsets[i] = l.linear_offset(i) - l.linear_offset(0);
    dim_t step = 1;
    for (int a = to.size() - 1; a >= 0; step *= to[a--])
        for (dim_t i = 0; i < to[a]; ++i) parts[a][i] = offsets[i * step];
    position at = origin(to.size());
    dim_t number = 0;
    do {
        dim_t sum = 0;
        for (int a = 0; a < to.size(); ++a) sum += parts[a][at[a]];
        if (sum != offsets[number++]) return false;
    } while (advance(at, to));
    for (int a = 0; a < to.size(); ++a)
        if (!is_made_of_digits(parts[a], to[a])) return false;
    return true;
}

/// True if no axis of l is padded, and none is a part of one block that ends inside one of its digits.
constexpr bool is_unpadded(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (!is_whole_digits(l, a)) return false;
    return true;
}

/// True if view refuses exactly the dims that have no layout, for an unpadded layout.
constexpr bool view_is_complete(const layout& l, const dims& to) {
    const verdict why = plait::check_view(l, to);
    if (!is_unpadded(l)) return true;
    return why.ok() == can_be_seen_as(l, to) && (why.ok() || why.reason == reason::extents_do_not_divide);
}

}  // namespace plait_test
