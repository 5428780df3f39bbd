#pragma once
// The contents of a tensor as text.

#include <plait/contents/held_view.hpp>
#include <plait/io/print.hpp>

#include <cstdio>  // std::snprintf
#include <iosfwd>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the axes of a mask as text: "for all", "by axis 1", "by axes 0, 2", "by axes known at run time".
inline std::string mask_text(int mask) {
    if (mask == run_time_mask) return "by axes known at run time";
    if (mask == 0) return "for all";
    std::string out;
    for (int a = 0; a < max_ndims; ++a)
        if ((mask >> a & 1) != 0) out += (out.empty() ? "" : ", ") + std::to_string(a);
    return (out.find(',') == std::string::npos ? "by axis " : "by axes ") + out;
}
}  // namespace detail

/// Returns the contents of a tensor as text: padding, quantisation, compensation.
///
/// Pre:     none
/// Post:    different contents have different texts
/// Cost:    allocates
/// Source:  plait's own
/// Example: "padding zero; scale f32 by axis 0, zero point s32 for all; compensation s8s8 by axis 0"
inline std::string to_string(const tensor_contents& held) {
    std::string out = held.padding == padding_state::zero ? "padding zero" : "padding unknown";
    const auto add = [&out](bool is_first, const std::string& text) { out += (is_first ? "; " : ", ") + text; };
    const auto add_parameter = [&](const char* name, const detail::quantization_parameter& p, bool is_first) {
        if (p.is_present())
            add(is_first, std::string(name) + ' ' + to_string(p.type) + ' ' + detail::mask_text(p.mask));
    };
    add_parameter("scale", held.scale, true);
    add_parameter("zero point", held.zero_point, !held.scale.is_present());
    const tensor_compensation& c = held.compensation;
    if (c.s8s8) add(true, "compensation s8s8 " + detail::mask_text(c.s8s8_mask));
    if (c.asymmetric_source)
        add(!c.s8s8, (c.s8s8 ? "asymmetric source " : "compensation asymmetric source ") +
                         detail::mask_text(c.asymmetric_source_mask));
    if (c.scale_adjust_bits != tensor_compensation().scale_adjust_bits) {
        char digits[32];  // nine digits tell any two floats apart
        std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(c.scale_adjust()));
        add(true, std::string("multiplied by ") + digits);
    }
    return out;
}
/// Writes the contents of a tensor to a stream, as to_string returns it.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const tensor_contents& held) {
    return out << to_string(held).c_str();
}

/// Describes a view: the contents of its tensor, followed by its layout as in explain(layout).
///
/// Pre:     contents_of<View> is defined: View is a tensor_view or a held_view
/// Post:    ends with explain(v.plain_layout())
/// Cost:    allocates
/// Source:  plait's own
/// Example: explain(zero_pad(v)) begins with "holds     f32, padding zero"
template <class View>
    requires requires { contents_of<View>; }
std::string explain(const View& v) {
    const data_type type = data_type_of<std::remove_const_t<typename View::element_type>>;
    return "holds     " + (type == data_type::undef ? std::string() : to_string(type) + std::string(", ")) +
           to_string(contents_of<View>) + '\n' + explain(v.plain_layout());
}

}  // namespace plait
