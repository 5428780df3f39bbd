#pragma once
// One reorder as a value: its layouts, its types, and its attributes.

#include <plait/algebra/same_memory.hpp>
#include <plait/contract/check_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A reorder as data: what reorder<src, dst>(in, out, attributes) does to elements of src_type and dst_type.
///
/// If both types are undef, the elements have any one type and are only moved. The type is structural, so that a step
/// can be a template argument.
///
/// Pre:     check_step(*this).ok(); the functions that take a step check it
/// Example: reorder_step{layout({1, 64, 8, 8}, "nchw"), layout({1, 64, 8, 8}, "nhwc")}
struct reorder_step {
    layout src, dst;
    data_type src_type = data_type::undef, dst_type = data_type::undef;
    reorder_attributes attributes = {};

    /// True if values do not change: both types are the same, and the attributes change nothing.
    constexpr bool keeps_values() const { return src_type == dst_type && detail::is_trivial(attributes); }
    /// True if each element keeps its value and its place. Padding of the source is assumed to be zero, as always.
    ///
    /// Post:    if true, reference_reorder of it does not change a tensor whose padding is zero
    constexpr bool moves_nothing() const {
        return keeps_values() && (src == dst || (!dst.is_padded() && same_memory(src, dst)));
    }
    constexpr bool operator==(const reorder_step&) const = default;
};

namespace detail {
/// Checks that a step is a valid reorder.
///
/// Refused: what check_reorder(src, dst, attributes) refuses; data_type_is_unknown: not an enumerator, only one of the
/// two types is known, or attributes change values although no type is known
constexpr verdict check_step(const reorder_step& s) {
    if (const verdict why = check_reorder(s.src, s.dst, s.attributes); !why.ok()) return why;
    for (const data_type type : {s.src_type, s.dst_type})
        if (size_in_bits(type) == 0 && (s.src_type != s.dst_type || type != data_type::undef || !s.keeps_values()))
            return {reason::data_type_is_unknown, -1, static_cast<dim_t>(type), 0};
    return {};
}
}  // namespace detail
}  // namespace plait
