#pragma once
// CuTe's layouts, with shapes and strides as nested tuples: "(4,(2,8)):(2,(1,8))".

#include <plait/io/notation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The numbers of one mode, fastest first. CuTe counts nested tuples from left to right.
using cute_mode = inline_list<dim_t, max_digits>;
/// The modes of a nested tuple.
using cute_modes = inline_list<cute_mode, max_ndims>;

/// Reads one mode: a number (_8 for a compile-time constant of CuTe), or a tuple of modes.
///
/// Appends its parentheses and commas to `form`, so that the forms of shape and stride can be compared.
constexpr verdict read_cute_mode(notation_reader& in, cute_mode& out, layout_name& form) {
    int depth = 0;
    do {
        in.skip_blanks();
        while (in.take("(")) {
            ++depth, form += '(';
            in.skip_blanks();
        }
        const verdict here = in.malformed();
        dim_t number = 0;
        in.take("_");
        if (in.next() == '-' || in.next() == '?') return in.says_more();
        if (const verdict why = in.take_number(number); !why.ok()) return why;
        if (in.next() == '@') return in.says_more();
        if (out.full()) return here;
        out.push_back(number);
        form += 'n';
        for (in.skip_blanks(); depth > 0 && in.take(")"); in.skip_blanks()) --depth, form += ')';
        if (depth == 0) return {};
        form += ',';
    } while (in.take(","));
    return in.malformed();
}

/// Reads all modes of a shape or a stride; without parentheses there is one mode.
constexpr verdict read_cute_tuple(notation_reader& in, cute_modes& out, layout_name& form) {
    in.skip_blanks();
    const bool several = in.take("(");
    do {
        if (out.full()) return {reason::too_many_axes, -1, max_ndims + 1, max_ndims};
        cute_mode mode;
        if (const verdict why = read_cute_mode(in, mode, form); !why.ok()) return why;
        out.push_back(mode);
        form += ';';
    } while (several && in.take(","));
    if (several && !in.take(")")) return in.malformed();
    return in.skip_blanks(), verdict{};
}
}  // namespace detail

/// Parses a layout as CuTe prints it. Mode a becomes axis a; the first part of a nested mode varies fastest.
///
/// Pre:     none; any text
/// Refused: notation_is_malformed (also if strides are not nested as the shape); notation_says_more (swizzles, strides
///          of a basis such as 1@0, negative strides, run-time numbers as "?"); too_many_axes, size_overflows,
///          too_many_digits, stride_is_negative: as check_layout
/// Post:    parse_cute_layout("((2,4),3):((1,6),2)") has the dims {8, 3}, and index 3 of axis 0 is 1 + 1 * 2, at 1 + 6
/// Cost:    O(length of the text + digits squared) steps
/// Source:  CUTLASS, media/docs/cpp/cute/01_layout.md: coordinates are ordered colexicographically, first mode fastest,
///          and a coordinate is congruent to the shape
/// Example: parse_cute_layout("(_4,_8):(_8,_1)") == layout({4, 8}, "ab")
[[nodiscard]] constexpr expected<layout> parse_cute_layout(std::string_view text) {
    detail::notation_reader in(text);
    if (in.next() == 'S') return in.says_more();
    detail::cute_modes shape, stride;
    layout_name shape_form, stride_form;
    if (const verdict why = detail::read_cute_tuple(in, shape, shape_form); !why.ok()) return why;
    if (!in.take(":")) return in.malformed();
    const verdict begin = in.malformed();
    if (const verdict why = detail::read_cute_tuple(in, stride, stride_form); !why.ok()) return why;
    if (!in.done()) return in.malformed();
    if (shape_form != stride_form) return begin;
    layout out;
    out.kind = format_kind::blocked;
    inline_list<digit, max_digits * max_ndims> inner;
    for (int a = 0; a < shape.size(); ++a) {
        detail::checked_integer extent{1};
        for (dim_t part : shape[a]) extent *= part;
        if (!extent.ok()) return verdict{reason::size_overflows, a, shape[a][0], 1};
        // The outermost digit is the last one with an extent above 1; an empty axis keeps one digit.
        int last = shape[a].size() - 1;
        while (last > 0 && shape[a][last] == 1) --last;
        out.dims.push_back(extent.value);
        out.padded_dims.push_back(extent.value);
        out.padded_offsets.push_back(0);
        out.digits.push_back({a, extent.value == 0 ? 0 : shape[a][last], stride[a][last]});
        for (int k = last - 1; extent.value != 0 && k >= 0; --k)
            if (shape[a][k] != 1) inner.push_back({a, shape[a][k], stride[a][k]});
    }
    for (const digit& d : inner) {
        if (out.digits.full()) return verdict{reason::too_many_digits, -1, max_digits + 1, max_digits};
        out.digits.push_back(d);
    }
    detail::sort_inner_digits(out);
    return {out, check_layout(out)};
}

namespace detail {
/// Appends the numbers of one axis, fastest first; in parentheses if there are several.
constexpr void append_cute_mode(layout_name& out, const layout& l, int axis, dim_t digit::*which) {
    int count = 1;
    for (int k = l.ndims(); k < l.digits.size(); ++k) count += l.digits[k].axis == axis;
    if (count > 1) out += '(';
    for (int k = l.digits.size() - 1; k >= l.ndims(); --k)
        if (l.digits[k].axis == axis) (out += l.digits[k].*which) += ',';
    out += l.digits[axis].*which;
    if (count > 1) out += ')';
}
}  // namespace detail

/// Returns the layout as CuTe prints it.
///
/// Pre:     none; any layout
/// Refused: check_said; notation_has_no_padding (an axis with more places than elements)
/// Post:    same_memory(*parse_cute_layout(*result), l)
/// Cost:    twice canonical_form, and parsing of the result
/// Source:  as parse_cute_layout
/// Example: *format_cute_layout(layout({4, 32}, "Ba16b")) == "(4,(16,2)):(16,(1,64))"
[[nodiscard]] constexpr expected<layout_name> format_cute_layout(const layout& l) {
    return detail::write_either(l, [](const layout& form) -> expected<layout_name> {
        if (const verdict why = detail::check_said(form); !why.ok()) return why;
        for (int a = 0; a < form.ndims(); ++a)
            if (const dim_t places = form.digits[a].extent * form.block_size(a); places != form.dims[a])
                return verdict{reason::notation_has_no_padding, a, places, form.dims[a]};
        layout_name out;
        // Also for one axis with several digits, because (4,2) is two modes and ((4,2)) is one.
        const bool several = form.digits.size() > 1;
        for (dim_t digit::*which : {&digit::extent, &digit::stride}) {
            out += which == &digit::extent ? "" : ":";
            if (several) out += '(';
            for (int a = 0; a < form.ndims(); ++a) {
                if (a > 0) out += ',';
                detail::append_cute_mode(out, form, a, which);
            }
            if (several) out += ')';
        }
        return {out,
                detail::check_read_back(form, parse_cute_layout({out.data(), static_cast<std::size_t>(out.size())}))};
    });
}

}  // namespace plait
