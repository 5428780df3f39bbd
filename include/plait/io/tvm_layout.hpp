#pragma once
// TVM's layouts: "NCHW16c", "OIHW4i16o4i", and the newer form with brackets, "OIHW[4o4i]".

#include <plait/io/notation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the axis of a letter, or -1; upper-case letters are axes, lower-case letters their blocks.
constexpr int tvm_axis(std::string_view axes, char letter) {
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (axis_family::lower(axes[a]) == axis_family::lower(letter)) return static_cast<int>(a);
    return -1;
}

/// Checks that `axes` has at most 12 distinct upper-case letters, one for each extent.
///
/// Refused: too_many_axes, rank_differs, notation_is_malformed (the column in `axes`)
constexpr verdict check_tvm_axes(std::string_view axes, int ndims) {
    if (axes.size() > max_ndims) return {reason::too_many_axes, -1, static_cast<dim_t>(axes.size()), max_ndims};
    if (static_cast<int>(axes.size()) != ndims)
        return ranks_differ(counted::notation, static_cast<dim_t>(axes.size()), counted::extents, ndims);
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (axes[a] < 'A' || axes[a] > 'Z' || tvm_axis(axes.substr(0, a), axes[a]) >= 0)
            return {reason::notation_is_malformed, -1, static_cast<dim_t>(a) + 1};
    return {};
}
}  // namespace detail

/// Parses a layout as TVM writes it: letters from the outermost in memory to the innermost, upper case for axes and
/// <number><lower case> for their blocks.
///
/// `axes` maps letters to axes: "NCHW" for activations with dims {n, c, h, w}. Of several blocks of one axis the first
/// is the most significant. Brackets around blocks, the newer form, make one dimension of them in TVM; the memory is
/// the same. Extents are padded to whole blocks.
///
/// Pre:     none; any text
/// Refused: notation_is_malformed (also for a repeated axis, a block below 1, and a missing axis: the column after the
///          end); check_tvm_axes; size_overflows; as check_layout
/// Post:    parse_tvm_layout("NCHW16c", d, "NCHW") == layout(d, "nChw16c")
/// Cost:    O(length of the text + digits squared) steps
/// Source:  TVM, src/tir/ir/data_layout.cc: Layout(name), FactorOf, GetStoreRule; pull requests 9996 (several blocks of
///          one axis) and 18869 (brackets)
/// Example: parse_tvm_layout("OIHW4i16o4i", {64, 64, 3, 3}, "OIHW") == layout({64, 64, 3, 3}, "OIhw4i16o4i")
[[nodiscard]] constexpr expected<layout> parse_tvm_layout(std::string_view text, const dims& extents,
                                                          std::string_view axes) {
    if (const verdict why = detail::check_tvm_axes(axes, extents.size()); !why.ok()) return why;
    if (const verdict why = detail::check_known_dims(extents); !why.ok()) return why;
    detail::notation_reader in(text);
    detail::memory_digits list;
    int outer[max_ndims]{};
    detail::checked_integer block[max_ndims];
    for (int& place : outer) place = -1;
    for (detail::checked_integer& all : block) all = detail::checked_integer{1};
    bool bracket = false;
    while (!in.done()) {
        if (in.next() == '[' || in.next() == ']') {
            if ((in.next() == '[') == bracket) return in.malformed();
            bracket = !bracket;
            in.advance();
            continue;
        }
        dim_t size = 0;
        const bool is_block = in.next() >= '0' && in.next() <= '9';
        if (const verdict why = is_block ? in.take_number(size) : verdict{}; !why.ok()) return why;
        const int axis = detail::tvm_axis(axes, in.next());
        if (axis < 0 || axis_family::is_upper(in.next()) == is_block) return in.malformed();
        if (is_block ? size < 1 || list.full() : outer[axis] >= 0) return in.malformed();
        if (is_block) block[axis] *= size;
        else outer[axis] = list.size();
        list.push_back({axis, size, 0});
        in.advance();
    }
    for (int a = 0; a < extents.size(); ++a) {
        if (bracket || outer[a] < 0) return in.malformed();
        if (!block[a].ok()) return verdict{reason::size_overflows, a, extents[a], 0};
        list[outer[a]].extent = detail::divide_up(extents[a], block[a].value);
    }
    return detail::make_from_digits(extents, list, outer);
}

/// Returns the layout in TVM's letters.
///
/// Pre:     none; any layout
/// Refused: check_tvm_axes; check_said; notation_has_no_padding (unless it completes blocks), notation_has_no_strides
///          (also if the less significant of two blocks of one axis is the outer one in memory)
/// Post:    same_memory(*parse_tvm_layout(*result, l.dims, axes), l)
/// Cost:    twice canonical_form, and parsing of the result
/// Source:  as parse_tvm_layout
/// Example: *format_tvm_layout(layout({1, 32, 8, 8}, "nChw16c"), "NCHW") == "NCHW16c"
[[nodiscard]] constexpr expected<layout_name> format_tvm_layout(const layout& l, std::string_view axes) {
    return detail::write_either(l, [axes](const layout& form) -> expected<layout_name> {
        if (const verdict why = detail::check_said(form); !why.ok()) return why;
        if (const verdict why = detail::check_tvm_axes(axes, form.ndims()); !why.ok()) return why;
        layout_name out;
        for (int k : detail::digits_in_order(form)) {
            const char letter = axes[static_cast<std::size_t>(form.digits[k].axis)];
            if (k < form.ndims()) out += letter;
            else (out += form.digits[k].extent) += axis_family::lower(letter);
        }
        return {out, detail::check_read_back(
                         form, parse_tvm_layout({out.data(), static_cast<std::size_t>(out.size())}, form.dims, axes))};
    });
}

}  // namespace plait
