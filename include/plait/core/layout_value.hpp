#pragma once
// The layout: how a tensor is stored in memory, as a value. Include core/layout.hpp, which also has its functions.

#include <plait/core/digit.hpp>
#include <plait/core/format_tag.hpp>

#include <concepts>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The maximum number of digits: one outer digit per axis, and inner ones for 12 blocks and for views that split
/// digits.
inline constexpr int max_digits = 2 * max_ndims;

/// Describes where each element of a tensor is in memory, in elements. A structural value that can be lifted to a type.
///
/// If a < ndims(), digits[a] is the outermost digit of axis a. The inner blocks follow, from outer to inner. They are
/// dense in every layout made from a tag or from strides.
///
/// Pre:     check_layout(the same arguments).ok(), otherwise fails with its reason
/// Post:    offset(p) == offset0 + the sum of digit value times stride over the digits of p + padded_offsets
/// Cost:    O(ndims + blocks); no allocation
/// Source:  seeds rfc-memory-descriptor, 1 to 3; understanding-memory-formats
/// Example: examples/01_layouts.cpp
struct layout {
    format_kind kind = format_kind::undef;
    plait::dims dims;         ///< the logical extents
    plait::dims padded_dims;  ///< the extents in memory, padding included
    position padded_offsets;  ///< where the logical tensor begins within the padded one
    dim_t offset0 = 0;        ///< the offset of index 0 of the padded tensor; the lowest if no stride is negative
    inline_list<digit, max_digits> digits;

    /// The empty layout: undefined, no axes, no elements.
    constexpr layout() = default;
    /// Makes a dense layout with the axis order and inner blocks of the tag, padded to whole blocks.
    constexpr layout(const plait::dims& extents, const format_tag& tag);
    /// Makes an unblocked layout with the given strides. A stride of 0 repeats one element along its axis (broadcast).
    /// An axis with a negative stride runs backwards, like NumPy's x[::-1]; offset0 is the least with no negative
    /// offset.
    constexpr layout(const plait::dims& extents, const plait::strides& steps);
    /// Makes a layout with the inner blocks of the tag, and the given strides between the outermost blocks.
    constexpr layout(const plait::dims& extents, const format_tag& tag, const plait::strides& steps);
    /// Makes a layout from a tag that is run-time text, such as a std::string. Can also fail as check_format_tag does.
    template <detail::tag_text Text>
    constexpr layout(const plait::dims& extents, const Text& tag);
    template <detail::tag_text Text>
    constexpr layout(const plait::dims& extents, const Text& tag, const plait::strides& steps);

    constexpr int ndims() const { return dims.size(); }
    constexpr plait::strides strides() const {
        plait::strides out;
        for (int a = 0; a < outer_digits(); ++a)
            out.push_back(detail::is_known(digits[a].stride) ? digits[a].stride : dynamic);
        return out;
    }
    constexpr inline_list<inner_block, max_inner_blocks> inner_blocks() const {
        inline_list<inner_block, max_inner_blocks> out;
        for (int k = outer_digits(); k < digits.size() && !out.full(); ++k)
            out.push_back({digits[k].axis, digits[k].extent});
        return out;
    }
    /// Returns the product of the inner blocks of one axis, in elements; 1 if it is not blocked.
    constexpr dim_t block_size(int axis) const {
        dim_t product = 1;
        for (int k = outer_digits(), count = digits.size(); k < count; ++k)
            if (digits.values[k].axis == axis) detail::multiply_overflows(product, digits.values[k].extent, product);
        return product;
    }

    /// Returns the number of elements, without and with padding; `dynamic` if any extent is.
    constexpr dim_t volume() const { return kind == format_kind::undef ? 0 : plait::volume(dims); }
    constexpr dim_t padded_volume() const { return kind == format_kind::undef ? 0 : plait::volume(padded_dims); }
    constexpr bool is_padded() const { return padded_dims != dims; }
    /// Returns true if an extent or a stride is known only at run time.
    constexpr bool is_dynamic() const {
        for (const digit& d : digits)
            if (d.extent == dynamic || !detail::is_known(d.stride)) return true;
        return false;
    }
    /// Returns true if the padded elements fill all element_span() places, with one element each.
    constexpr bool is_dense() const;
    /// Returns the number of elements of memory that the tensor takes, starting at span_begin() and including padding:
    /// 1 + the largest offset - the lowest. Fails with dim_is_dynamic, stride_is_dynamic; also if the layout is
    /// undefined, any or opaque.
    constexpr std::size_t element_span() const;
    /// Returns the lowest offset: offset0, unless strides are negative. Fails as element_span does.
    constexpr dim_t span_begin() const;

    /// Returns the offset of one element, in elements. Fails with position_is_out_of_range, dim_is_dynamic, ...
    ///
    /// Each call of these five functions checks the whole layout: 50 to 100 ns. For many elements use a tensor_view,
    /// whose v(i...) and at(i...) cost as much as arithmetic by hand, or a layout_reader. For a layout_constant the
    /// offset is free.
    constexpr dim_t offset(const position& at) const;
    /// Returns the offset of an index into the padded tensor, because padding has offsets too.
    constexpr dim_t padded_offset(const position& at) const;
    /// Returns the offset of a block. `at` counts outermost blocks, and may omit the last axes.
    constexpr dim_t block_offset(const position& at) const;
    /// Returns the offset of the element with a row-major number (the last axis fastest) among the dims.
    constexpr dim_t linear_offset(dim_t number) const;
    constexpr dim_t padded_linear_offset(dim_t number) const;

    template <std::integral... Index>
        requires(sizeof...(Index) > 0)
    constexpr dim_t offset(Index... at) const;
    template <std::integral... Index>
        requires(sizeof...(Index) > 0)
    constexpr dim_t padded_offset(Index... at) const;
    template <std::integral... Index>
        requires(sizeof...(Index) > 0)
    constexpr dim_t block_offset(Index... at) const;

    /// Compares field by field. The stride of an axis with one element and no padding is ignored (RFC, section 5).
    constexpr bool operator==(const layout& other) const;

private:
    // At most the number of digits, even in a layout that was assembled by hand.
    constexpr int outer_digits() const { return dims.size() < digits.size() ? dims.size() : digits.size(); }
};

/// A type that carries a layout: layout_constant, or a named format derived from it.
template <class L>
concept layout_type = requires {
    { L::value } -> std::convertible_to<const layout&>;
};

}  // namespace plait
