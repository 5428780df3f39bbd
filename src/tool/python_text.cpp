#include "python_text.hpp"

#include "errors.hpp"

#include <cstring>

namespace tool {

namespace {

/// Returns the number of letters before the quote; npos if no quote follows them, or if they are not a prefix.
std::size_t prefix_of(const python_source& in) {
    std::string letters;
    while (letters.size() < 3 && in.peek(letters.size()) != '\'' && in.peek(letters.size()) != '"')
        letters += static_cast<char>(in.peek(letters.size()) | 0x20);
    for (const char* const known : {"", "u", "b", "r", "br", "rb"})
        if (letters == known) return letters.size();
    return std::string::npos;
}

/// Reads `count` hexadecimal digits.
std::uint32_t hexadecimal_digits(python_source& in, int count) {
    std::uint32_t out = 0;
    for (int i = 0; i < count; ++i, ++in.at) {
        if (hexadecimal(in.peek()) < 0) in.refuse("lacks a hexadecimal digit");
        out = out << 4 | static_cast<std::uint32_t>(hexadecimal(in.peek()));
    }
    return out;
}

/// Appends the character of an escape. As in Python, an unknown escape is kept with its backslash.
void append_escape(python_source& in, std::string& out, bool is_bytes) {
    constexpr char names[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
    const char c = in.peek();
    if (c == '\n') {
        ++in.at;
        return;
    }
    if (const char* const known = c == '\0' ? nullptr : std::strchr(names, c); known != nullptr) {
        out += values[known - names];
        ++in.at;
    } else if (c >= '0' && c <= '7') {
        std::uint32_t number = 0;
        for (int i = 0; i < 3 && in.peek() >= '0' && in.peek() <= '7'; ++i, ++in.at)
            number = number * 8 + static_cast<std::uint32_t>(in.peek() - '0');
        append_utf8(out, is_bytes ? number & 0xff : number);
    } else if (c == 'x' || (!is_bytes && (c == 'u' || c == 'U'))) {
        ++in.at;
        const std::uint32_t number = hexadecimal_digits(in, c == 'x' ? 2 : c == 'u' ? 4 : 8);
        if (number > 0x10ffff) in.refuse("has an escape for a character that does not exist");
        append_utf8(out, number);
    } else if (!is_bytes && c == 'N') {
        in.refuse("has the escape \\N, which is not read");
    } else {
        out += '\\';
    }
}

}  // namespace

void python_source::refuse(const std::string& what) const {
    throw failure(file + ": the .npy header " + what + " at character " + std::to_string(at + 1));
}

int hexadecimal(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void append_utf8(std::string& out, std::uint32_t character) {
    if (character < 0x80) {
        out += static_cast<char>(character);
        return;
    }
    const int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    constexpr unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    out += static_cast<char>(first[more] | character >> (6 * more));
    for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (character >> (6 * i) & 0x3f));
}

bool begins_text(const python_source& in) { return prefix_of(in) != std::string::npos; }

std::string read_python_text(python_source& in) {
    const std::size_t begin = in.at, prefix = prefix_of(in);
    const std::string letters = in.text.substr(in.at, prefix);
    const bool raw = letters.find_first_of("rR") != letters.npos,
               is_bytes = letters.find_first_of("bB") != letters.npos;
    in.at += prefix;
    const char quote = in.peek();
    const std::size_t quotes = in.peek(1) == quote && in.peek(2) == quote ? 3 : 1;
    const std::string end(quotes, quote);
    in.at += quotes;
    std::string out;
    while (in.text.compare(in.at, quotes, end) != 0) {
        if (in.at >= in.text.size() || (quotes == 1 && in.peek() == '\n'))
            in.at = begin, in.refuse("has a text without its closing quote");
        const char c = in.text[in.at++];
        if (c != '\\') {
            out += c;
        } else if (!raw) {
            append_escape(in, out, is_bytes);
        } else {  // in a raw text a backslash protects the quote after it, and is kept
            out += c;
            if (in.at < in.text.size()) out += in.text[in.at++];
        }
    }
    in.at += quotes;
    return out;
}

}  // namespace tool
