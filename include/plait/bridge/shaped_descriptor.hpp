#pragma once
// A framework's tensor whose element type, too, is known only at run time, as an integration stores it for each buffer.
// Works as shaped_layout, with a descriptor instead of the layout.

#include <plait/bridge/shaped_reshape.hpp>
#include <plait/descriptor/operations.hpp>
#include <plait/reorder/make_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that m can be the axis map of d.
///
/// Refused: as check_descriptor; as check_shaped_layout(d.layout, m)
constexpr verdict check_shaped_descriptor(const descriptor& d, const axis_map& m) {
    if (const verdict why = check_descriptor(d); !why.ok()) return why;
    return check_shaped_layout(d.layout, m);
}

/// A descriptor and its axis map.
///
/// Masks of compensation and of attributes use the axes of the descriptor; positions and shapes the framework's.
///
/// Pre:     check_shaped_descriptor(d, m).ok(); fails with its reason otherwise
/// Post:    shaped() == shaped_layout(d.layout, m)
/// Source:  seeds tensor-representation, 5: not only a descriptor, but also a permutation
/// Example: shaped_descriptor(descriptor(data_type::f32, layout({2, 5, 3, 4}, "nChw8c")), {0, 3, 1, 2})
struct shaped_descriptor {
    plait::descriptor descriptor;  ///< type, layout, extra; axes in the library's order
    axis_map map;                  ///< library axis i is axis map[i] of the shape

    constexpr shaped_descriptor() = default;
    constexpr shaped_descriptor(const plait::descriptor& d, const axis_map& m) : descriptor(d), map(m) {
        require(check_shaped_descriptor(d, m));
    }
    constexpr int ndims() const { return descriptor.ndims(); }
    constexpr shaped_layout shaped() const { return {descriptor.layout, map}; }
    constexpr dims shape() const { return shaped().shape(); }
    constexpr bool operator==(const shaped_descriptor&) const = default;
};

/// Returns a descriptor with its map, or the failure of check_shaped_descriptor.
[[nodiscard]] constexpr expected<shaped_descriptor> try_shaped_descriptor(const descriptor& d, const axis_map& m) {
    const verdict why = check_shaped_descriptor(d, m);
    return {why.ok() ? shaped_descriptor(d, m) : shaped_descriptor(), why};
}

/// Returns as_operand(s, need), or the failure of check_as_operand.
[[nodiscard]] constexpr expected<descriptor> try_as_operand(const shaped_descriptor& s, const axis_map& need) {
    return try_adapt(s.descriptor, s.map, need);
}
/// Checks that s can be passed to an operation that needs the map `need`.
///
/// Refused: as check_as_operand of the layout; descriptor_has_extra, as by permute_axes
constexpr verdict check_as_operand(const shaped_descriptor& s, const axis_map& need) {
    return try_as_operand(s, need).error();
}
/// Returns the descriptor to pass, with the unchanged pointer, to an operation that needs the map `need`.
///
/// Pre:     check_as_operand(s, need).ok()
/// Post:    result == permute_axes(s.descriptor, axis_permutation(s.map, need));
///          result.layout == as_operand(s.shaped(), need)
[[nodiscard]] constexpr descriptor as_operand(const shaped_descriptor& s, const axis_map& need) {
    return try_as_operand(s, need).value();
}

/// Returns transpose(s, names), or the failure of check_transpose.
[[nodiscard]] constexpr expected<shaped_descriptor> try_transpose(const shaped_descriptor& s,
                                                                  const permutation& names) {
    if (const verdict why = check_shaped_descriptor(s.descriptor, s.map); !why.ok()) return why;
    if (const verdict why = check_permutation(names, s.ndims()); !why.ok()) return why;
    return {shaped_descriptor(s.descriptor, detail::transposed_map(s.map, names)), {}};
}
constexpr verdict check_transpose(const shaped_descriptor& s, const permutation& names) {
    return try_transpose(s, names).error();
}
/// Makes axis names[i] of the shape its axis i. Only the map changes, even if compensation follows the data.
///
/// Pre:     check_transpose(s, names).ok()
/// Post:    result.descriptor == s.descriptor; result.shaped() == transpose(s.shaped(), names)
[[nodiscard]] constexpr shaped_descriptor transpose(const shaped_descriptor& s, const permutation& names) {
    return try_transpose(s, names).value();
}

/// Applies an operation to a shaped descriptor by the axes of its shape; the type is kept. reshape is the framework's.
///
/// Refused: as on the shaped layout; descriptor_has_extra
/// Post:    result->shaped() == NAME(s.shaped(), arguments...); the type is that of s
template <class Rule, class... Arguments>
    requires(detail::makes_layout_with<Rule, Arguments...>)
constexpr expected<shaped_descriptor> attempt_on(const shaped_descriptor& s, operation<Rule>,
                                                 const Arguments&... arguments) {
    const expected<descriptor> in_order = try_as_operand(s, identity_axis_map(s.ndims()));
    if (!in_order) return in_order.error();
    const expected<descriptor> attempt =
        attempt_on(*in_order, operation<typename detail::framework_rule<Rule>::type>(), arguments...);
    if (!attempt) return attempt.error();
    return {shaped_descriptor(*attempt, identity_axis_map(attempt->ndims())), {}};
}

/// Calls reorder(src, in, dst, out, attributes), but returns a failure instead of throwing it.
inline expected<void> try_reorder(const shaped_descriptor& src, const void* in, const shaped_descriptor& dst, void* out,
                                  const reorder_attributes& attributes = {}) {
    const expected<descriptor> from = try_as_operand(src, dst.map);
    if (!from) return {from.error()};
    return try_reorder(*from, in, dst.descriptor, out, attributes);
}
/// Copies a framework's tensor from one buffer to another; the types, formats and orders of axes may differ.
///
/// Fails, having written nothing, as check_as_operand(src, dst.map), and as reorder of the two descriptors. The axes in
/// its verdicts and in the masks of the attributes are those of the descriptors.
///
/// Post:    as reorder(as_operand(src, dst.map), in, dst.descriptor, out, attributes)
/// Cost:    as that reorder: makes a plan at each call; no allocation
inline const verdict& reorder(const shaped_descriptor& src, const void* in, const shaped_descriptor& dst, void* out,
                              const reorder_attributes& attributes = {}) {
    return try_reorder(src, in, dst, out, attributes).value();
}

}  // namespace plait
