#pragma once
// A list of up to Capacity values inside the object. It is a structural type, so it can be part of a template argument.

#include <cstddef>  // std::size_t

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A list of up to Capacity values of a structural type, kept inside the object.
///
/// Pre:     push_back: size() < Capacity; operator[]: 0 <= i < size()
/// Post:    values beyond size() are T{}, so equal lists are equal template arguments
/// Cost:    no allocation
template <class T, int Capacity>
struct inline_list {
    // Public because a structural type cannot have private members. Use the functions instead.
    T values[static_cast<std::size_t>(Capacity)]{};
    int count = 0;

    static constexpr int capacity() { return Capacity; }
    // Clamped, so that a list assembled by hand is never read out of bounds.
    constexpr int size() const { return count < 0 ? 0 : count > Capacity ? Capacity : count; }
    constexpr bool empty() const { return size() == 0; }
    constexpr bool full() const { return size() == Capacity; }

    constexpr T& operator[](int i) { return values[i]; }
    constexpr const T& operator[](int i) const { return values[i]; }
    constexpr T* begin() { return values; }
    constexpr T* end() { return values + size(); }
    constexpr const T* begin() const { return values; }
    constexpr const T* end() const { return values + size(); }
    constexpr const T& back() const { return values[size() - 1]; }

    // By value: if lists are given copies of named objects, GCC 12 makes a different template argument of them.
    constexpr void push_back(T value) { values[count++] = value; }
    constexpr void erase(int at) {
        for (int i = at; i + 1 < size(); ++i) values[i] = values[i + 1];
        values[--count] = T{};
    }

    constexpr bool operator==(const inline_list&) const = default;
};

}  // namespace plait
