#pragma once
// Text of limited length that needs no allocation, at compile time and at run time.

#include <cstddef>
#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Text of up to Capacity characters, zero-terminated. Characters that do not fit are cut off.
///
/// Post:    c_str() is a null-terminated string of size() characters
template <int Capacity>
struct inline_text {
    char characters[static_cast<std::size_t>(Capacity) + 1]{};
    int count = 0;

    constexpr int size() const { return count; }
    constexpr const char* c_str() const { return characters; }
    constexpr const char* data() const { return characters; }
    constexpr char operator[](int i) const { return characters[i]; }

    constexpr inline_text& operator+=(char c) {
        if (count < Capacity) characters[count++] = c;
        return *this;
    }
    constexpr inline_text& operator+=(const char* text) {
        for (; *text != 0; ++text) *this += *text;
        return *this;
    }
    constexpr inline_text& operator+=(std::int64_t number) {
        char reversed[20];
        int digits = 0;
        // Negative remainders, because the absolute value of the smallest number does not fit.
        if (number < 0) *this += '-';
        do reversed[digits++] = static_cast<char>('0' + (number < 0 ? -(number % 10) : number % 10));
        while ((number /= 10) != 0);
        while (digits > 0) *this += reversed[--digits];
        return *this;
    }

    constexpr bool operator==(const inline_text&) const = default;
    constexpr bool operator==(const char* text) const {
        for (int i = 0; i < count; ++i)
            if (text[i] != characters[i] || text[i] == 0) return false;
        return text[count] == 0;
    }
};

}  // namespace plait
