#pragma once
// A string literal as a template argument.

#include <cstddef>  // std::size_t

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A string literal of Length characters, as a structural value.
///
/// Example: axis_names<"bhsd">
template <int Length>
struct fixed_string {
    char characters[static_cast<std::size_t>(Length) + 1]{};

    consteval fixed_string(const char (&text)[static_cast<std::size_t>(Length) + 1]) {
        for (int i = 0; i < Length; ++i) characters[i] = text[i];
    }
    static constexpr int size() { return Length; }
    constexpr const char* data() const { return characters; }
    constexpr char operator[](int i) const { return characters[i]; }
};

template <std::size_t Size>
fixed_string(const char (&)[Size]) -> fixed_string<static_cast<int>(Size) - 1>;

}  // namespace plait
