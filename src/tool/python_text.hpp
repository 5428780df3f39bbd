#pragma once
// Python's quoted texts, and the position of a reader in a literal.

#include <cstdint>
#include <string>

namespace tool {

/// The text being read, and the position of the next character.
struct python_source {
    const std::string& file;
    const std::string& text;
    std::size_t at = 0;

    /// Returns the next character, or the one `further` positions later; 0 at the end.
    char peek(std::size_t further = 0) const { return at + further < text.size() ? text[at + further] : '\0'; }
    /// Throws failure with the file and the character.
    [[noreturn]] void refuse(const std::string& what) const;
};

/// Returns the value of a hexadecimal digit; -1 for any other character.
int hexadecimal(char c);

/// Checks if a text begins here: a quote, or a quote after one of the prefixes u, b, r, br, rb.
bool begins_text(const python_source& in);
/// Reads a text with its escapes, as UTF-8. Bytes are read as the characters with the same numbers.
std::string read_python_text(python_source& in);

/// Appends a character as UTF-8.
void append_utf8(std::string& out, std::uint32_t character);

}  // namespace tool
