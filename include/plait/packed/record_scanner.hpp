#pragma once
// Reads the characters of a record's tag: names, numbers, signs.

#include <plait/packed/record_tag.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A text, and how far it has been read. Columns count from 1, for people.
class record_scanner {
public:
    constexpr explicit record_scanner(std::string_view text) : text_(text) {}

    constexpr int column() const { return static_cast<int>(at_) + 1; }
    constexpr verdict refuse() const { return refuse(column()); }
    static constexpr verdict refuse(int column) { return {reason::record_is_malformed, -1, column}; }

    /// Returns a character that comes, or 0 behind the end.
    constexpr char peek(int ahead = 0) const { return char_at(at_ + static_cast<std::size_t>(ahead)); }
    constexpr void next() { at_ += at_ < text_.size(); }
    constexpr bool accept(char c) {
        const bool found = peek() == c;
        if (found) next();
        return found;
    }
    constexpr void skip_blanks() {
        while (peek() == ' ') next();
    }
    constexpr bool at_end() {
        skip_blanks();
        return at_ >= text_.size();
    }
    constexpr bool is_at_end_of_item() const { return at_ >= text_.size() || peek() == ',' || peek() == ')'; }
    constexpr bool is_digit() const { return is_digit(peek()); }
    constexpr bool is_letter() const { return is_letter(peek()); }

    /// Returns true if a name comes and then a colon or a point, as at the beginning of a field.
    constexpr bool is_at_field() const {
        std::size_t at = at_;
        if (!is_letter()) return false;
        while (is_letter(char_at(at)) || is_digit(char_at(at)) || char_at(at) == '_') ++at;
        return char_at(at) == ':' || char_at(at) == '.';
    }

    /// Reads a name of at most 15 characters.
    constexpr bool name(field_name& out) {
        if (!is_letter()) return false;
        for (; is_letter() || is_digit() || peek() == '_'; next()) {
            if (out.size() == 15) return false;
            out += peek();
        }
        return true;
    }
    /// Reads a number without a sign that fits in 62 bits.
    constexpr bool number(dim_t& out) {
        if (!is_digit()) return false;
        for (out = 0; is_digit(); next()) {
            if (out > (dim_t{1} << 62) / 10 - 1) return false;
            out = 10 * out + (peek() - '0');
        }
        return true;
    }
    /// Reads a number with a fraction of at most 15 digits in all.
    constexpr bool real(double& out) {
        const bool minus = accept('-');
        dim_t digits = 0, scale = 1;
        int count = 0;
        if (!is_digit()) return false;
        for (bool behind_point = false; is_digit() || (peek() == '.' && !behind_point); next()) {
            if (peek() == '.') {
                behind_point = true;
                continue;
            }
            if (++count > 15) return false;
            digits = 10 * digits + (peek() - '0');
            if (behind_point) scale *= 10;
        }
        out = static_cast<double>(digits) / static_cast<double>(scale) * (minus ? -1 : 1);
        return true;
    }

private:
    constexpr char char_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
    static constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace plait::detail
