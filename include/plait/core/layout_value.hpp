#pragma once
// The layout: what a tensor looks like in memory, as a value. Include core/layout.hpp, which has its functions too.

#include <plait/core/digit.hpp>
#include <plait/core/format_tag.hpp>

#include <concepts>

namespace plait {

/// One outer digit an axis, then inner ones: enough for 12 blocks, and for views that split digits further.
inline constexpr int max_digits = 2 * max_ndims;

/// Where each element of a tensor lies in memory, in elements; a structural value that lifts into a type.
///
/// digits[a] for a < ndims() is the outermost digit of axis a. The inner blocks follow, from outer to inner; in every
/// layout made from a tag or from strides they are dense.
///
/// Pre:     check_layout(the same arguments).ok(), else refused with its reason
/// Post:    offset(p) == offset0 + the sum of digit value times stride over the digits of p + padded_offsets
/// Cost:    O(ndims + blocks); no allocation
/// Source:  seeds rfc-memory-descriptor, 1 to 3; understanding-memory-formats
/// Example: examples/01_layouts.cpp
struct layout {
    format_kind kind = format_kind::undef;
    plait::dims dims;         ///< the logical extents
    plait::dims padded_dims;  ///< the extents in memory, padding included
    position padded_offsets;  ///< where the logical tensor begins within the padded one
    dim_t offset0 = 0;        ///< the offset of index 0 of the padded tensor, in elements: the lowest, or span_begin()
    inline_list<digit, max_digits> digits;

    /// The empty layout: undefined, no axes, no elements.
    constexpr layout() = default;
    /// Dense in memory, in the order and with the inner blocks of the tag; padded to whole blocks.
    constexpr layout(const plait::dims& extents, const format_tag& tag);
    /// Not blocked, with the strides given; a stride of 0 repeats one element along its axis (broadcast). An axis of
    /// negative stride runs backwards, as NumPy's x[::-1]: offset0 is then as low as it can be, no offset negative.
    constexpr layout(const plait::dims& extents, const plait::strides& steps);
    /// The inner blocks of the tag, and the strides given between the outermost blocks.
    constexpr layout(const plait::dims& extents, const format_tag& tag, const plait::strides& steps);
    /// The same with a tag that is text of the run time, as a std::string; refused besides: as check_format_tag.
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
    /// The product of the inner blocks of one axis, in elements; 1 if it is not blocked.
    constexpr dim_t block_size(int axis) const {
        dim_t product = 1;
        for (int k = outer_digits(), count = digits.size(); k < count; ++k)
            if (digits.values[k].axis == axis) detail::multiply_overflows(product, digits.values[k].extent, product);
        return product;
    }

    /// The number of elements, and the same with padding; `dynamic` if an extent is.
    constexpr dim_t volume() const { return kind == format_kind::undef ? 0 : plait::volume(dims); }
    constexpr dim_t padded_volume() const { return kind == format_kind::undef ? 0 : plait::volume(padded_dims); }
    constexpr bool is_padded() const { return padded_dims != dims; }
    /// Whether an extent or a stride is known only at run time.
    constexpr bool is_dynamic() const {
        for (const digit& d : digits)
            if (d.extent == dynamic || !detail::is_known(d.stride)) return true;
        return false;
    }
    /// Whether the padded elements fill element_span() places, each exactly one.
    constexpr bool is_dense() const;
    /// How many elements of memory the tensor takes, from span_begin() on, padding included: 1 + the largest offset -
    /// the lowest. Refused: dim_is_dynamic, stride_is_dynamic; undefined, any and opaque layouts.
    constexpr std::size_t element_span() const;
    /// The lowest offset: offset0, but where strides are negative. Refused: as element_span.
    constexpr dim_t span_begin() const;

    /// The offset of one element, in elements. Refused: position_is_out_of_range, rank_differs, dim_is_dynamic, ...
    ///
    /// These five look at the whole layout each time: 50 to 100 ns. For many elements make a tensor_view, whose v(i...)
    /// and at(i...) cost as much as arithmetic by hand, or a layout_reader; the offset of a layout_constant is free.
    constexpr dim_t offset(const position& at) const;
    /// The same for an index into the padded tensor: padding has offsets too.
    constexpr dim_t padded_offset(const position& at) const;
    /// The offset of a block: `at` counts outermost blocks, and may leave out the last axes.
    constexpr dim_t block_offset(const position& at) const;
    /// The offset of the element with a row-major number (the last axis fastest) among the dims.
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

    /// RFC, section 5: field by field, but the stride of an axis with one element and no padding does not count.
    constexpr bool operator==(const layout& other) const;

private:
    // Never more than there are digits, whatever a layout put together by hand says.
    constexpr int outer_digits() const { return dims.size() < digits.size() ? dims.size() : digits.size(); }
};

/// A type that carries a layout: layout_constant, or a named format derived from it.
template <class L>
concept layout_type = requires {
    { L::value } -> std::convertible_to<const layout&>;
};

}  // namespace plait
