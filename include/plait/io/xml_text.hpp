#pragma once
// Text in XML.

#include <string>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Escapes a text for use between XML tags.
///
/// Pre:     none
/// Post:    no < > & or double quote is left: each becomes its entity; characters that XML does not allow become spaces
/// Cost:    O(length); allocates
/// Source:  XML 1.0, 2.4
/// Example: xml_text("a < b") == "a &lt; b"
inline std::string xml_text(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        // XML does not allow U+FFFE and U+FFFF, which are not characters.
        if (text.compare(i, 3, "\xEF\xBF\xBE") == 0 || text.compare(i, 3, "\xEF\xBF\xBF") == 0) {
            out += ' ';
            i += 2;
        } else if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else if (static_cast<unsigned char>(c) < 0x20) out += ' ';
        else out += c;
    }
    return out;
}

}  // namespace plait::detail
