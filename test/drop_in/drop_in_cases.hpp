#pragma once
// What the tests of both drop-ins share: random numbers, and memory between pages that cannot be accessed.

#include "support/fenced_memory.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <random>
#include <vector>

namespace drop_in {

using count = std::int64_t;

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

using random_bits = std::mt19937_64;

/// Returns a number from `least` to `most`.
inline int number(random_bits& bits, int least, int most) {
    return least + static_cast<int>(bits() % static_cast<unsigned>(most - least + 1));
}
template <class T>
T random_value(random_bits& bits) {
    const auto real = [&] { return static_cast<double>(static_cast<std::int64_t>(bits())) / 1e18; };
    if constexpr (is_complex<T>) {
        using part = typename T::value_type;
        return {static_cast<part>(real()), static_cast<part>(real())};
    } else {
        return static_cast<T>(real());
    }
}
/// Returns 0, 1 or a random number.
template <class T>
T random_factor(random_bits& bits) {
    const int kind = number(bits, 0, 3);
    return kind == 0 ? T{0} : kind == 1 ? T{1} : random_value<T>(bits);
}

/// Returns alpha * a, rounded as two real products and their sum.
template <class T>
T product(const T& alpha, const T& a) {
    if constexpr (is_complex<T>)
        return {alpha.real() * a.real() - alpha.imag() * a.imag(), alpha.real() * a.imag() + alpha.imag() * a.real()};
    else return alpha * a;
}
template <class T>
T conjugate_of(const T& a) {
    if constexpr (is_complex<T>) return {a.real(), -a.imag()};
    else return a;
}
/// Returns what a drop-in has to write. A factor of 1 leaves the bits as they are.
template <class T>
T expected_element(const T& alpha, T a, bool conjugates, const T& beta, const T& b) {
    if (alpha == T{0}) return beta == T{0} ? T{0} : product(beta, b);
    if (conjugates) a = conjugate_of(a);
    if (alpha != T{1}) a = product(alpha, a);
    if (beta == T{0}) return a;
    const T added = product(beta, b);
    return a + added;
}

/// Memory of random numbers next to a page that cannot be accessed.
template <class T>
class fenced_numbers {
public:
    fenced_numbers(std::size_t size, kernels::fence where, random_bits& bits)
        : size_(size), memory_(size * sizeof(T), where) {
        for (std::size_t i = 0; i < size; ++i) data()[i] = random_value<T>(bits);
    }
    T* data() { return reinterpret_cast<T*>(memory_.data()); }
    std::vector<T> values() { return {data(), data() + size_}; }
    bool equals(const std::vector<T>& other) {
        return other.size() == size_ && (size_ == 0 || std::memcmp(data(), other.data(), size_ * sizeof(T)) == 0);
    }

private:
    std::size_t size_;
    kernels::fenced_memory<unsigned char> memory_;
};

inline kernels::fence random_fence(random_bits& bits) {
    return bits() % 2 == 0 ? kernels::fence::in_front : kernels::fence::behind;
}

}  // namespace drop_in
