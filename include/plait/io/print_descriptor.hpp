#pragma once
// Descriptors as text.

#include <plait/descriptor/descriptor.hpp>
#include <plait/io/print_contents.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns the element type, the name and the extents of the layout, and extra as text.
///
/// Pre:     none; d may be invalid
/// Post:    begins with to_string(d.type), a blank and to_string(d.layout)
/// Cost:    allocates
/// Source:  plait's own; the type and the name are as in verbose lines of oneDNN
/// Example: to_string(descriptor(data_type::s8, layout({32, 4}, "AB16b32a"))) begins with "s8 AB16b32a 32x4"
inline std::string to_string(const descriptor& d) {
    std::string out = std::string(to_string(d.type)) + ' ' + to_string(d.layout);
    const extra& e = d.extra;
    if (e.s8s8_compensation) out += "; compensation s8s8 " + detail::mask_text(e.s8s8_mask);
    if (e.asymmetric_source_compensation)
        out += "; compensation asymmetric source " + detail::mask_text(e.asymmetric_source_mask);
    if (e.scale_adjust != 1) {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", static_cast<double>(e.scale_adjust));
        out += std::string("; scale_adjust ") + text;
    }
    return out;
}

/// Writes a descriptor to a stream, as to_string returns it.
///
/// Example: std::cout << descriptor(data_type::f32, layout({2, 3}, "ab")) writes "f32 ab 2x3"
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const descriptor& d) {
    return out << to_string(d).c_str();
}

}  // namespace plait
