#pragma once
// A shaped buffer without its memory: a layout, and a map from its axes to those of the framework's shape. Axes and
// positions in these functions, and the axes in verdicts, are those of the shape.

#include <plait/algebra/rename_axes.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/bridge/axis_map_of.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that m can be the axis map of l.
///
/// Refused: layout_is_undefined; layout_is_opaque (unimplemented); rank_differs, not_a_permutation
constexpr verdict check_shaped_layout(const layout& l, const axis_map& m) { return check_adapt(l, m, m); }

/// A layout and its axis map, as a structural value.
///
/// The library that moves and computes uses `layout`; the framework uses a tensor of the shape shape(). They order the
/// axes differently, and the map relates the two orders.
///
/// Pre:     check_shaped_layout(l, m).ok(); fails with its reason otherwise
/// Post:    shape()[map[i]] == layout.dims[i]; offset(p) == layout.offset(at) where at[i] == p[map[i]]
/// Source:  seeds tensor-representation, 2 and 3
/// Example: shaped_layout(layout({2, 5, 3, 4}, "nChw8c"), {0, 3, 1, 2}) has the shape {2, 3, 4, 5}
struct shaped_layout {
    plait::layout layout;  ///< axes in the library's order
    axis_map map;          ///< library axis i is axis map[i] of the shape

    constexpr shaped_layout() = default;
    constexpr shaped_layout(const plait::layout& l, const axis_map& m) : layout(l), map(m) {
        require(check_shaped_layout(l, m));
    }

    constexpr int ndims() const { return layout.ndims(); }
    /// Returns the extents in the framework's order of axes.
    constexpr dims shape() const {
        dims out = layout.dims;
        for (int i = 0; i < map.size(); ++i) out[static_cast<int>(map[i])] = layout.dims[i];
        return out;
    }
    /// Returns the offset of the element at a position of the shape; fails as layout::offset does.
    constexpr dim_t offset(const position& at) const {
        return adapt(layout, map, identity_axis_map(ndims())).offset(at);
    }

    constexpr bool operator==(const shaped_layout&) const = default;
};

/// Returns a layout with its map, or the failure of check_shaped_layout.
[[nodiscard]] constexpr expected<shaped_layout> try_shaped_layout(const layout& l, const axis_map& m) {
    const verdict why = check_shaped_layout(l, m);
    return {why.ok() ? shaped_layout(l, m) : shaped_layout(), why};
}

/// Checks that the layout and the map of s fit, even if s was filled in by hand.
constexpr verdict check_shaped_layout(const shaped_layout& s) { return check_shaped_layout(s.layout, s.map); }

/// Returns the layout of a tensor with its axes in the order of the framework's shape.
///
/// Two shaped layouts describe the same elements if and only if their framework layouts do.
///
/// Pre:     check_shaped_layout(s).ok()
/// Post:    result.dims == s.shape(); result.offset(p) == s.offset(p)
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds tensor-representation, 3
/// Example: framework_layout(shaped_layout(layout({2, 5, 3, 4}, "nhwc"), {0, 3, 1, 2})) == layout({2, 3, 4, 5}, "abcd")
[[nodiscard]] constexpr layout framework_layout(const shaped_layout& s) {
    return adapt(s.layout, s.map, identity_axis_map(s.ndims()));
}

/// True if both have the same shape, and each element in the same place. False if an extent is dynamic in only one.
///
/// Pre:     none; false if check_shaped_layout fails for either
/// Post:    result == same_memory(framework_layout(a), framework_layout(b))
/// Cost:    as same_memory of layouts
/// Source:  spec semantics 9
/// Example: same_memory(shaped_layout(layout({2, 3}, "ab"), {0, 1}), shaped_layout(layout({3, 2}, "ba"), {1, 0}))
constexpr bool same_memory(const shaped_layout& a, const shaped_layout& b) {
    return check_shaped_layout(a).ok() && check_shaped_layout(b).ok() &&
           same_memory(framework_layout(a), framework_layout(b));
}

// Passing a tensor as an operand.

/// Checks that s can be passed to an operation that needs the map `need`.
///
/// Refused: as check_shaped_layout; for `need`: rank_differs, not_a_permutation
constexpr verdict check_as_operand(const shaped_layout& s, const axis_map& need) {
    return check_adapt(s.layout, s.map, need);
}

/// Returns the layout by which an operation that needs the map `need` reads the tensor; the data does not move.
///
/// Pre:     check_as_operand(s, need).ok()
/// Post:    result == permute_axes(s.layout, axis_permutation(s.map, need)), which is perm1 * perm2^-1; for each
///          position p of the shape result.offset(at) == s.offset(p) where at[i] == p[need[i]]
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds tensor-representation, 3
/// Example: as_operand(shaped_layout(layout({2, 5, 3, 4}, "nChw8c"), {0, 3, 1, 2}), {3, 2, 0, 1}) ==
///          layout({5, 4, 2, 3}, "cAdb8a"): the result of a convolution as the weights of another
[[nodiscard]] constexpr layout as_operand(const shaped_layout& s, const axis_map& need) {
    return adapt(s.layout, s.map, need);
}

/// Returns as_operand(s, need), or the failure of check_as_operand.
[[nodiscard]] constexpr expected<layout> try_as_operand(const shaped_layout& s, const axis_map& need) {
    return try_adapt(s.layout, s.map, need);
}

// Transposing.

namespace detail {
/// Returns the map after axis names[i] of the shape has become its axis i.
///
/// Pre:     check_axis_map(m, m.size()).ok(); check_permutation(names, m.size()).ok()
/// Post:    names[result[i]] == m[i]
[[nodiscard]] constexpr axis_map transposed_map(const axis_map& m, const permutation& names) {
    const permutation to = inverse_permutation(names);
    axis_map out = m;
    for (dim_t& index : out) index = to[static_cast<int>(index)];
    return out;
}

/// Returns the axes of a shape in reverse, the default of transpose.
[[nodiscard]] constexpr permutation reversed_axes(int ndims) {
    permutation out;
    for (int i = ndims - 1; i >= 0; --i) out.push_back(i);
    return out;
}
}  // namespace detail

/// Checks that the axes of the shape can be put in the order `names`.
///
/// Refused: as check_shaped_layout; for `names`: rank_differs, not_a_permutation
constexpr verdict check_transpose(const shaped_layout& s, const permutation& names) {
    if (const verdict why = check_shaped_layout(s); !why.ok()) return why;
    return check_permutation(names, s.ndims());
}

/// Returns transpose(s, names), or the failure of check_transpose.
[[nodiscard]] constexpr expected<shaped_layout> try_transpose(const shaped_layout& s, const permutation& names) {
    if (const verdict why = check_transpose(s, names); !why.ok()) return why;
    shaped_layout made = s;
    made.map = detail::transposed_map(s.map, names);
    return {made, {}};
}

/// Makes axis names[i] of the shape its axis i, as transpose of NumPy and TensorFlow does; only the map changes.
///
/// Pre:     check_transpose(s, names).ok()
/// Post:    result.layout == s.layout; result.shape()[i] == s.shape()[names[i]];
///          framework_layout(result) == rename_axes(framework_layout(s), names)
/// Cost:    O(ndims) steps
/// Source:  seeds tensor-representation, 4.1, option 1
/// Example: transpose(shaped_layout(layout({2, 3}, "ab"), {1, 0})) == shaped_layout(layout({2, 3}, "ab"), {0, 1})
[[nodiscard]] constexpr shaped_layout transpose(const shaped_layout& s, const permutation& names) {
    return try_transpose(s, names).value();
}
/// Reverses all axes.
[[nodiscard]] constexpr shaped_layout transpose(const shaped_layout& s) {
    return transpose(s, detail::reversed_axes(s.ndims()));
}

}  // namespace plait
