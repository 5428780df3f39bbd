#pragma once
// A string literal as a template argument.

namespace plait {

/// A string literal of Length characters, as a structural value.
///
/// Example: axis_names<"bhsd">
template <int Length>
struct fixed_string {
    char characters[Length + 1]{};

    consteval fixed_string(const char (&text)[Length + 1]) {
        for (int i = 0; i < Length; ++i) characters[i] = text[i];
    }
    static constexpr int size() { return Length; }
    constexpr const char* data() const { return characters; }
    constexpr char operator[](int i) const { return characters[i]; }
};

template <int N>
fixed_string(const char (&)[N]) -> fixed_string<N - 1>;

}  // namespace plait
