#pragma once

#include <plait/algebra/complement.hpp>
#include <plait/algebra/compose.hpp>
#include <plait/algebra/concatenate.hpp>
#include <plait/algebra/operation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns copies of the tile a at the places that b gives, or why that fails. The suggested number of a failure is not
/// tested yet. Sets `of_tile` if a failure is about a, not b.
///
/// Pre:     check_static_layout is ok for both
constexpr expected<layout> product_of(const layout& a, const layout& b, composed_by how, bool& of_tile) {
    of_tile = true;
    dim_t reach = 1;
    // Places that no index of a part of one block reaches may be used by a copy.
    const layout fewest = a.padded_volume() > 0 ? with_fewest_digits(a) : a;
    for (const digit& d : fewest.digits)
        if (d.extent > 1 && step_size(d.stride) * d.extent > reach) reach = step_size(d.stride) * d.extent;
    // Finds how many free places each range of `reach` places has, then how many ranges b needs.
    const expected<layout> between = complement_of(a, reach);
    if (!between) return between;
    const checked_integer wanted = checked_integer{b.offset0 + largest_offset(b)} + 1;
    const checked_integer size = checked_integer{divide_up(wanted.value, between->volume())} * reach;
    if (!wanted.ok() || !size.ok()) return verdict{reason::size_overflows, -1, reach, b.offset0 + largest_offset(b)};
    const expected<layout> places = complement_of(a, size.value);
    if (!places) return places;
    of_tile = false;
    const expected<layout> copies = composition_of(*places, linear_digits(*places).digits, b, how);
    return copies.has_value() ? concatenation_of(*copies, a) : copies;
}

/// The rule of product.
struct product_rule {
    /// Returns copies of the tile a at the places that b gives, or why that fails.
    static constexpr expected<layout> attempt(const layout& a, const layout& b) {
        for (const layout* l : {&b, &a})
            if (const verdict why = check_static_layout(*l); !why.ok()) return why;
        bool of_tile = false;
        expected<layout> out = product_of(a, b, composed_by::listed_offsets, of_tile);
        if (out.error().reason != reason::extents_do_not_divide) return out;
        const bool in_tile = of_tile;
        out.error().third = nearest_number(in_tile ? a : b, out.error(), [&](const layout& other) {
            return product_of(in_tile ? other : a, in_tile ? b : other, composed_by::digits, of_tile).has_value();
        });
        return out;
    }
    static constexpr bool is_index_map = false;
};
}  // namespace detail

/// A copy of the tile a for each element of b, in the places that a leaves free: first the axes of b, then those of a.
///
/// Refused: as check_complement of a (the axis is that of a), check_compose of that with b (the axis is that of b), and
///          check_concatenate
/// Pre:     check_product(a, b).ok()
/// Post:    offset(result, (q, p)) == offset(a, p) + linear_offset(complement(a, size), offset(b, q)) for the least
///          size that b needs; divide(row_major({n}), a) is product(a, row_major({n / volume(a)}))
/// Cost:    O(digits squared) steps
/// Source:  the logical product of CuTe, where the tile comes first, as the fastest mode; here proved or refused
/// Example: examples/08_layouts_as_functions.cpp
inline constexpr operation<detail::product_rule> product;
/// Checks that product is allowed; the verdict has the reason if it is not.
inline constexpr operation_check<detail::product_rule> check_product;
/// Returns the result of product, or the verdict that refuses it.
inline constexpr operation_attempt<detail::product_rule> try_product;

}  // namespace plait
