#pragma once
// Elements of another size, of descriptors: the type is the descriptor's own, and changes with the layout.

#include <plait/algebra/recast.hpp>
#include <plait/descriptor/lift.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns the result of recast, or the verdict that refuses it.
[[nodiscard]] constexpr expected<descriptor> try_recast(const descriptor& d, data_type to) {
    if (const verdict why = check_descriptor(d); !why.ok()) return why;
    return detail::with_made_layout(d, to, sums_rule::refuse, try_recast(d.layout, d.type, to));
}
/// Checks that recast is allowed; the verdict has the reason if it is not.
[[nodiscard]] constexpr verdict check_recast(const descriptor& d, data_type to) { return try_recast(d, to).error(); }
/// Returns the descriptor of the same memory as elements of another type. Nothing is converted.
///
/// Refused: as check_descriptor; as recast of the layout; descriptor_has_extra
/// Pre:     check_recast(d, to).ok()
/// Post:    result.layout == recast(d.layout, d.type, to), result.type == to
/// Cost:    O(digits squared) steps
/// Source:  CuTe, recast_layout
/// Example: recast(descriptor(data_type::f32, layout({2, 8}, "ab")), data_type::u8).dims() == dims{2, 32}
[[nodiscard]] constexpr descriptor recast(const descriptor& d, data_type to) { return try_recast(d, to).value(); }

}  // namespace plait
