#pragma once
// One reorder as a value: from which layout and type to which, and what happens to the values on their way.

#include <plait/algebra/same_memory.hpp>
#include <plait/contract/check_reorder.hpp>

namespace plait {

/// A reorder as data: what reorder<src, dst>(in, out, attributes) does to elements of src_type and dst_type.
///
/// Where both types are undef, the elements are of any one type, and are only moved. A structural value, so that it can
/// be a template argument.
///
/// Pre:     check_step(*this).ok(), which is asked where it is used
/// Example: reorder_step{layout({1, 64, 8, 8}, "nchw"), layout({1, 64, 8, 8}, "nhwc")}
struct reorder_step {
    layout src, dst;
    data_type src_type = data_type::undef, dst_type = data_type::undef;
    reorder_attributes attributes = {};

    /// Whether values stay what they are: one type, and attributes that change nothing.
    constexpr bool keeps_values() const { return src_type == dst_type && detail::is_trivial(attributes); }
    /// Whether each element stays what and where it is. What the padding of the source holds does not count: it is zero
    /// already, as that of every tensor.
    ///
    /// Post:    if true, reference_reorder of it leaves a tensor as it is whose padding is zero
    constexpr bool moves_nothing() const {
        return keeps_values() && (src == dst || (!dst.is_padded() && same_memory(src, dst)));
    }
    constexpr bool operator==(const reorder_step&) const = default;
};

namespace detail {
/// Whether a step is a reorder.
///
/// Refused: as check_reorder(src, dst, attributes); data_type_is_unknown: no enumerator, one type without the other, or
/// attributes that change values of no type
constexpr verdict check_step(const reorder_step& s) {
    if (const verdict why = check_reorder(s.src, s.dst, s.attributes); !why.ok()) return why;
    for (const data_type type : {s.src_type, s.dst_type})
        if (size_in_bytes(type) == 0 && (s.src_type != s.dst_type || type != data_type::undef || !s.keeps_values()))
            return {reason::data_type_is_unknown, -1, static_cast<dim_t>(type), 0};
    return {};
}
}  // namespace detail
}  // namespace plait
