#pragma once
// Contiguous copies between tensors that are described by descriptors.

#include <plait/algebra/count_copies.hpp>
#include <plait/descriptor/descriptor.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that a tensor can be moved from one descriptor to another by copies.
///
/// Refused: as check_descriptor; data_types_differ (copies do not convert); descriptor_has_extra (of either: copies
///          compute no compensation); as check_copies of the layouts
/// Pre:     none; any descriptors
/// Post:    if ok, check_copies(src.layout, dst.layout).ok() and src.type == dst.type
/// Cost:    that of check_copies of the layouts
/// Source:  spec semantics 12
/// Example: of f32 and bf16: verdict{reason::data_types_differ, -1, ...}
constexpr verdict check_copies(const descriptor& src, const descriptor& dst) {
    for (const descriptor* d : {&src, &dst}) {
        if (const verdict why = check_descriptor(*d); !why.ok()) return why;
        if (!d->extra.empty()) return {reason::descriptor_has_extra};
    }
    if (src.type != dst.type)
        return {reason::data_types_differ, -1, static_cast<dim_t>(src.type), static_cast<dim_t>(dst.type)};
    return check_copies(src.layout, dst.layout);
}

/// Returns the least number of contiguous copies, or the verdict that refuses it.
[[nodiscard]] constexpr expected<dim_t> try_count_copies(const descriptor& src, const descriptor& dst) {
    if (const verdict why = check_copies(src, dst); !why.ok()) return why;
    return try_count_copies(src.layout, dst.layout);
}
/// Returns the least number of contiguous copies that move a tensor from one descriptor to another.
///
/// Refused: as check_copies
/// Pre:     check_copies(src, dst).ok()
/// Post:    count_copies(src.layout, dst.layout)
/// Cost:    that of count_copies of the layouts
/// Source:  as count_copies of layouts
/// Example: count_copies(descriptor(data_type::f32, l), descriptor(data_type::f32, l)) == 1 for a dense l
[[nodiscard]] constexpr dim_t count_copies(const descriptor& src, const descriptor& dst) {
    return try_count_copies(src, dst).value();
}

/// Calls action(copy) for each contiguous copy, or returns the verdict that refuses it.
template <class Action>
constexpr expected<void> try_for_each_copy(const descriptor& src, const descriptor& dst, Action&& action) {
    if (const verdict why = check_copies(src, dst); !why.ok()) return why;
    return try_for_each_copy(src.layout, dst.layout, action);
}
/// Calls action(copy) for each of the fewest contiguous copies that move a tensor from one descriptor to another.
/// Offsets and counts are in elements of the type, also of types smaller than a byte.
///
/// Refused: as check_copies
/// Pre:     check_copies(src, dst).ok()
/// Post:    for_each_copy(src.layout, dst.layout, action)
/// Cost:    that of for_each_copy of the layouts
/// Source:  as for_each_copy of layouts
/// Example: test/algebra/for_each_copy.cpp
template <class Action>
constexpr void for_each_copy(const descriptor& src, const descriptor& dst, Action&& action) {
    try_for_each_copy(src, dst, action).value();
}

}  // namespace plait
