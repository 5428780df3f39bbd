#pragma once
// Format strings in oneDNN's verbose lines: "f32::blocked:aBcd16b:f0" in 2.x, "f32::blocked:aBcd16b::f0" in 3.x.

#include <plait/core/data_type.hpp>
#include <plait/io/notation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The version of oneDNN: 3.x has a field for strides between the tag and the flags.
enum class onednn_version { v2, v3 };

/// The type and the layout of a format string.
struct onednn_format {
    plait::data_type type = data_type::undef;
    plait::layout layout;
    constexpr bool operator==(const onednn_format&) const = default;
};

namespace detail {
/// Reads strides as 3.x writes them: 480x160x32x8.
constexpr verdict read_onednn_strides(notation_reader& in, strides& out) {
    do {
        dim_t step = 0;
        if (in.next() == '*') return in.says_more();
        if (const verdict why = in.take_number(step); !why.ok()) return why;
        if (out.full()) return in.malformed();
        out.push_back(step);
    } while (in.take("x"));
    return {};
}
}  // namespace detail

/// Parses a format string of either version, given the dims of the problem. The name of the argument in front ("src_",
/// in later 3.x "src:") must have been removed.
///
/// - The second field has p if there is padding. It may have a, which 3.x writes if the library chose the format, and
///   which does not affect memory.
/// - 3.x writes strides if the tensor is not dense: one per axis, between its outermost blocks.
///
/// Pre:     none; any text
/// Refused: notation_is_malformed; notation_says_more (o and 0: padded offsets and offset0, whose values are not in the
///          text; *: run-time strides; formats that are not blocked; flags other than f0; a p without padding, or
///          padding without a p); data_type_is_unknown; as check_format_tag and check_layout
/// Post:    parse_onednn_format("f32::blocked:aBcd16b:f0", d)->layout == layout(d, "aBcd16b")
/// Cost:    O(length of the text + digits squared) steps
/// Source:  oneDNN, src/common/verbose.cpp: md2fmt_str, md2fmt_tag_str and md2fmt_strides_str;
///          dt:[p|o|0]:fmt_kind:fmt:extra in 2.x, dt:[a|p|o|0]:fmt_kind:fmt:strides:extra in 3.x
/// Example: parse_onednn_format("s8:p:blocked:aBcd16b::f0", {2, 17, 5, 4})
[[nodiscard]] constexpr expected<onednn_format> parse_onednn_format(std::string_view text, const dims& extents) {
    if (const verdict why = detail::check_known_dims(extents); !why.ok()) return why;
    detail::notation_reader in(text);
    const auto type = parse_data_type(in.take_until(':'));
    if (!type) return verdict{reason::notation_is_malformed, -1, 1};
    if (!in.take(":")) return in.malformed();
    bool padded = false;
    const verdict properties = in.says_more();
    for (; in.next() != ':'; in.advance()) {
        if (in.next() == 'o' || in.next() == '0') return in.says_more();
        if (in.next() != 'p' && in.next() != 'a') return in.malformed();
        padded = padded || in.next() == 'p';
    }
    in.advance();
    const verdict kind = in.says_more();
    if (const std::string_view word = in.take_until(':'); word != "blocked")
        return word.empty() ? in.malformed() : kind;
    if (!in.take(":")) return in.malformed();
    const dim_t column = in.column();
    if (in.next() == '*') return in.says_more();
    const expected<format_tag> tag = parse_format_tag(in.take_until(':'));
    if (!tag) return verdict{tag.error().reason, -1, tag.error().first + column - 1, tag.error().second};
    if (!in.take(":")) return in.malformed();
    strides steps;
    if ((in.next() >= '0' && in.next() <= '9') || in.next() == '*')
        if (const verdict why = detail::read_onednn_strides(in, steps); !why.ok()) return why;
    if (!steps.empty() ? !in.take(":") : (in.take(":"), false)) return in.malformed();
    if (!in.take("f0") || !in.done()) return in.next() == 'f' ? in.says_more() : in.malformed();
    const expected<layout> made = steps.empty() ? try_layout(extents, *tag) : try_layout(extents, *tag, steps);
    if (!made) return made.error();
    if (made->is_padded() != padded) return properties;
    return {{*type, *made}, {}};
}

/// Returns the format string of a layout.
///
/// Pre:     none; any layout
/// Refused: check_said; notation_has_no_padding (unless it completes blocks); notation_has_no_blocks (inner blocks that
///          are not dense), notation_has_no_strides (in 2.x, which has no field for them)
/// Post:    same_memory(parse_onednn_format(*result, l.dims)->layout, l)
/// Cost:    twice canonical_form, and parsing of the result
/// Source:  as parse_onednn_format
/// Example: *format_onednn_format(data_type::f32, layout({2, 17, 5, 4}, "nChw8c")) == "f32:p:blocked:aBcd8b::f0"
[[nodiscard]] constexpr expected<layout_name> format_onednn_format(data_type type, const layout& l,
                                                                   onednn_version version = onednn_version::v3) {
    return detail::write_either(l, [type, version](const layout& form) -> expected<layout_name> {
        if (const verdict why = detail::check_said(form); !why.ok()) return why;
        const std::optional<format_tag> tag = tag_of(form);
        if (!tag)
            return verdict{reason::notation_has_no_blocks, form.digits[form.digits.size() - 1].axis,
                           form.digits.size() - form.ndims(), max_inner_blocks};
        layout_name out;
        ((out += to_string(type)) += form.is_padded() ? ":p" : ":") += ":blocked:";
        append_tag(out, *tag, axis_families[0].letters);
        out += ':';
        if (version == onednn_version::v3) {
            for (int a = 0; !detail::is_said_by_tag(form, *tag) && a < form.ndims(); ++a)
                (out += a == 0 ? "" : "x") += form.digits[a].stride;
            out += ':';
        }
        out += "f0";
        const expected<onednn_format> read =
            parse_onednn_format({out.data(), static_cast<std::size_t>(out.size())}, form.dims);
        return {out, detail::check_read_back(form, {read->layout, read.error()})};
    });
}

}  // namespace plait
