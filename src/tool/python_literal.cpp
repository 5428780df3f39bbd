#include "python_literal.hpp"

#include "python_text.hpp"

#include <plait/support/checked_arithmetic.hpp>

namespace tool {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Reads a literal from left to right.
class literal_reader {
public:
    literal_reader(const std::string& file, const std::string& text, bool longs) : in_{file, text, 0}, longs_(longs) {}

    python_value read() {
        python_value out = value(0);
        skip_blanks();
        if (in_.at != in_.text.size()) in_.refuse("has text after its closing brace");
        return out;
    }

private:
    /// Skips white space, comments, and line ends after a backslash.
    void skip_blanks() {
        while (in_.at < in_.text.size()) {
            const char c = in_.peek();
            if (c == '#') {
                while (in_.at < in_.text.size() && in_.peek() != '\n') ++in_.at;
            } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
                ++in_.at;
            } else if (c == '\\' && (in_.peek(1) == '\n' || in_.peek(1) == '\r')) {
                in_.at += 2;
            } else {
                return;
            }
        }
    }
    bool accept(char wanted) {
        skip_blanks();
        if (in_.peek() != wanted || in_.at == in_.text.size()) return false;
        ++in_.at;
        return true;
    }
    /// Checks if the bracket closes here; rejects a text that ends before it.
    bool ends(char bracket) {
        if (accept(bracket)) return true;
        if (in_.at == in_.text.size()) expect(bracket);
        return false;
    }
    void expect(char wanted) {
        if (!accept(wanted)) in_.refuse("lacks a '" + std::string(1, wanted) + "'");
    }

    python_value value(int depth) {
        constexpr int deepest = 32;
        skip_blanks();
        if (depth > deepest) in_.refuse("has brackets in more than 32 others");
        python_value out;
        out.at = in_.at + 1;
        if (accept('(')) return tuple(out, depth);
        if (accept('[')) return out.what = python_value::kind::list, items(out, ']', depth), out;
        if (accept('{')) return dictionary(out, depth);
        if (begins_text(in_)) {
            out.what = python_value::kind::text;
            for (; begins_text(in_); skip_blanks()) out.text += read_python_text(in_);  // adjacent texts are joined
            return out;
        }
        const char first = in_.peek();
        if (is_digit(first) || first == '-' || first == '+') return number(out);
        if (!is_letter(first)) in_.refuse("lacks a value");
        while (is_letter(in_.peek()) || is_digit(in_.peek())) out.text += in_.text[in_.at++];
        return out;
    }
    /// Reads items up to the bracket; returns true if there was a comma, which makes a tuple of one value.
    bool items(python_value& out, char end, int depth) {
        bool comma = false;
        while (!ends(end)) {
            out.items.push_back(value(depth + 1));
            if (!accept(',')) return expect(end), comma;
            comma = true;
        }
        return comma;
    }
    python_value tuple(python_value out, int depth) {
        out.what = python_value::kind::tuple;
        const bool comma = items(out, ')', depth);
        if (out.items.size() != 1 || comma) return out;
        python_value inner = std::move(out.items[0]);  // a value in parentheses
        return inner;
    }
    python_value dictionary(python_value out, int depth) {
        out.what = python_value::kind::dictionary;
        while (!ends('}')) {
            out.items.push_back(value(depth + 1));
            expect(':');
            out.items.push_back(value(depth + 1));
            if (accept(',')) continue;
            expect('}');
            break;
        }
        return out;
    }
    /// Reads a number: 12, 1_000, 0x1F, 0o17, 0b11, 2L, with or without a sign.
    python_value number(python_value out) {
        out.what = python_value::kind::number;
        const std::size_t start = in_.at;
        const bool negative = in_.peek() == '-';
        if (negative || in_.peek() == '+') ++in_.at, skip_blanks();
        int base = 10;
        const char letter = static_cast<char>(in_.peek(1) | 0x20);
        if (in_.peek() == '0' && (letter == 'x' || letter == 'o' || letter == 'b')) {
            base = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
            in_.at += 2;
        }
        const std::size_t first = in_.at;
        plait::detail::checked_integer value;
        for (int digit = 0; (digit = hexadecimal(in_.peek())) >= 0 && digit < base; ++in_.at) {
            value = value * base + digit;
            if (in_.peek(1) == '_' && hexadecimal(in_.peek(2)) >= 0) ++in_.at;
        }
        if (in_.at == first) in_.refuse("lacks a digit");
        if (base == 10 && in_.text[first] == '0' && (value.value != 0 || !value.ok()))
            in_.at = first, in_.refuse("has a number that begins with 0");
        out.fits = value.ok();
        out.number = negative ? -value.value : value.value;
        if (longs_ && in_.peek() == 'L') ++in_.at;
        if (is_letter(in_.peek()) || is_digit(in_.peek()) || in_.peek() == '.')
            in_.refuse("has '" + std::string(1, in_.peek()) + "' within a whole number");
        out.text = in_.text.substr(start, in_.at - start);
        return out;
    }

    python_source in_;
    bool longs_;
};

}  // namespace

python_value read_python_literal(const std::string& file, const std::string& text, bool longs) {
    return literal_reader(file, text, longs).read();
}

}  // namespace tool
