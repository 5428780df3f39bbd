#pragma once
// Pointers to elements that are smaller than a byte, from which views are made, and the proxies of such elements.

#include <plait/core/packed_elements.hpp>

#include <cstddef>
#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// An element that is smaller than a byte, in memory: reads and writes its bits, and keeps those beside it.
///
/// Pre:     the byte exists as long as the proxy is used. Two threads do not write elements of the same byte
template <packed_element T>
class packed_reference {
public:
    constexpr packed_reference(std::byte* memory, dim_t place) : memory_(memory), place_(place) {}
    constexpr packed_reference(const packed_reference&) = default;

    constexpr operator T() const { return get_element<T>(memory_, place_); }
    template <class Number>
        requires(std::is_arithmetic_v<Number>)
    constexpr explicit operator Number() const { return static_cast<Number>(get_element<T>(memory_, place_)); }
    constexpr const packed_reference& operator=(T value) const {
        set_element<T>(memory_, place_, value);
        return *this;
    }
    constexpr const packed_reference& operator=(const packed_reference& other) const {
        return *this = static_cast<T>(other);
    }
    constexpr packed_reference& operator=(const packed_reference& other) {
        set_element<T>(memory_, place_, static_cast<T>(other));
        return *this;
    }
    friend constexpr bool operator==(const packed_reference& a, T b) { return static_cast<T>(a) == b; }
    friend constexpr void swap(packed_reference a, packed_reference b) {
        const T before = a;
        a = static_cast<T>(b);
        b = before;
    }

private:
    std::byte* memory_;
    dim_t place_;
};

/// A pointer to elements that are smaller than a byte: to element `place` of memory. Elements of const T are values,
/// others are proxies.
template <class T>
    requires packed_element<std::remove_const_t<T>>
struct packed_pointer {
    using element = std::remove_const_t<T>;
    using byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    using reference = std::conditional_t<std::is_const_v<T>, element, packed_reference<element>>;

    byte* memory = nullptr;
    dim_t place = 0;

    constexpr packed_pointer() = default;
    constexpr packed_pointer(std::nullptr_t) {}
    constexpr packed_pointer(byte* begin, dim_t first) : memory(begin), place(first) {}
    template <class U>
        requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
    constexpr packed_pointer(const packed_pointer<U>& other) : memory(other.memory), place(other.place) {}

    [[gnu::always_inline]] constexpr reference operator[](dim_t i) const {
        if constexpr (std::is_const_v<T>) return get_element<element>(memory, place + i);
        else return reference(memory, place + i);
    }
    constexpr reference operator*() const { return (*this)[0]; }
    constexpr packed_pointer operator+(dim_t i) const { return {memory, place + i}; }
    constexpr packed_pointer operator-(dim_t i) const { return {memory, place - i}; }
    constexpr bool operator==(const packed_pointer&) const = default;
    constexpr bool operator==(std::nullptr_t) const { return memory == nullptr; }
};

/// The pointer, the reference and the memory of a block that a view of elements of type T has.
template <class T>
struct view_access {
    using pointer = T*;
    using reference = T&;
    template <std::size_t Elements>
    using block = std::span<T, Elements>;
    template <std::size_t Elements>
    static constexpr block<Elements> block_of(pointer first) {
        return block<Elements>(first, Elements);
    }
};
template <class T>
    requires packed_element<std::remove_const_t<T>>
struct view_access<T> {
    using pointer = packed_pointer<T>;
    using reference = typename pointer::reference;
    static constexpr dim_t bits = size_in_bits(data_type_of<std::remove_const_t<T>>);
    template <std::size_t Elements>
    using block = std::span<typename pointer::byte, Elements* static_cast<std::size_t>(bits) / 8>;
    /// Pre:     the block begins at a byte
    template <std::size_t Elements>
    static constexpr block<Elements> block_of(pointer first) {
        static_assert(Elements * static_cast<std::size_t>(bits) % 8 == 0, "a block of the layout ends inside a byte");
        return block<Elements>(first.memory + first.place * bits / 8, block<Elements>::extent);
    }
};
}  // namespace detail

/// Returns a pointer to elements of type T that share bytes, for a tensor_view.
///
/// Pre:     T is smaller than a byte; memory holds the elements of the view, the first in the low bits of byte 0
/// Post:    nibbles<T>(memory)[i] is the element in the size_in_bits bits from bit i * size_in_bits on
/// Cost:    none; an element costs a shift and a mask, and to write it also its byte is read
/// Source:  design of elements below a byte
/// Example: tensor_view(nibbles<u4>(bytes.data()), layout_c<layout({64, 96}, "ab")>)
template <detail::packed_element T>
[[nodiscard]] constexpr detail::packed_pointer<T> nibbles(std::byte* memory) {
    return {memory, 0};
}
template <detail::packed_element T>
[[nodiscard]] constexpr detail::packed_pointer<const T> nibbles(const std::byte* memory) {
    return {memory, 0};
}

}  // namespace plait
