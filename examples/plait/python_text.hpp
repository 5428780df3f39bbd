#pragma once
// Texts in quotes as Python writes them, and where a reader of a literal is.

#include <cstdint>
#include <string>

namespace tool {

/// The text that is read, and the place that is read next.
struct python_source {
    const std::string& file;
    const std::string& text;
    std::size_t at = 0;

    /// The character there, or so many further; 0 at the end.
    char peek(std::size_t further = 0) const { return at + further < text.size() ? text[at + further] : '\0'; }
    /// Throws failure with the file and the character.
    [[noreturn]] void refuse(const std::string& what) const;
};

/// The value of a hexadecimal digit; -1 for any other character.
int hexadecimal(char c);

/// Whether a text begins here: a quote, or one of the prefixes u, b, r, br, rb in front of one.
bool begins_text(const python_source& in);
/// Reads it, with its escapes, to UTF-8. Bytes are read as the characters of the same numbers.
std::string read_python_text(python_source& in);

/// Appends a character as UTF-8.
void append_utf8(std::string& out, std::uint32_t character);

}  // namespace tool
