#pragma once
// What a move computes: out = alpha * in + beta * out, in the arithmetic of the element type.

#include "loop_nest.hpp"

#include <complex>
#include <cstring>

namespace plait_drop_in {

/// The numbers of a move: destination = alpha * source + beta * destination. If beta is 0, the destination is not read;
/// if alpha is 0, the source is not.
template <class T>
struct scaling {
    T alpha{1}, beta{0};
    bool conjugates = false;  ///< the source, before it is multiplied; has no effect on real numbers

    bool moves_bytes() const { return alpha == T{1} && beta == T{0} && !conjugates; }
};

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

/// The operations of a scaling that are not the identity.
template <bool Scales, bool Conjugates, bool Adds>
struct steps {
    static constexpr bool copies = !Scales && !Conjugates && !Adds;

    /// Computes one element. Products are rounded, then their sum. A complex product (a + bi)(x + yi) is (ax - by) +
    /// (ay + bx)i. So the result does not depend on the CPU, as it would with fused multiplications.
    template <class T>
    static void element(const T* in, T* out, const T& alpha, const T& beta) {
        if constexpr (!is_complex<T>) {
            T value = *in;
            if constexpr (Scales) value = alpha * value;
            if constexpr (Adds) value = value + beta * *out;
            *out = value;
        } else {
            using real = typename T::value_type;
            // By the standard, a std::complex is accessed as an array of two numbers.
            const real* const from = reinterpret_cast<const real*>(in);
            real* const to = reinterpret_cast<real*>(out);
            real x = from[0], y = from[1];
            if constexpr (Conjugates) y = -y;
            if constexpr (Scales) {
                const real scaled = alpha.real() * x - alpha.imag() * y;
                y = alpha.real() * y + alpha.imag() * x;
                x = scaled;
            }
            if constexpr (Adds) {
                const real u = to[0], v = to[1];
                x = x + (beta.real() * u - beta.imag() * v);
                y = y + (beta.real() * v + beta.imag() * u);
            }
            to[0] = x;
            to[1] = y;
        }
    }
    /// Computes n elements that are dense on both sides. `in` and `out` may be the same row; they do not overlap
    /// otherwise.
    template <class T>
    static void row(const T* in, T* out, count n, T alpha, T beta) {
        if constexpr (copies) {
            if (in != out) std::memcpy(static_cast<void*>(out), in, static_cast<std::size_t>(n) * sizeof(T));
        } else {
#pragma omp simd
            for (count i = 0; i < n; ++i) element(in + i, out + i, alpha, beta);
        }
    }
};

/// Calls f(steps<...>()) with the operations of a scaling whose alpha is not 0.
template <class T, class F>
auto with_steps(const scaling<T>& by, const F& f) {
    const auto adding = [&]<bool Scales, bool Conjugates>() {
        return by.beta != T{0} ? f(steps<Scales, Conjugates, true>()) : f(steps<Scales, Conjugates, false>());
    };
    const bool scales = by.alpha != T{1};
    if constexpr (is_complex<T>)
        if (by.conjugates)
            return scales ? adding.template operator()<true, true>() : adding.template operator()<false, true>();
    return scales ? adding.template operator()<true, false>() : adding.template operator()<false, false>();
}

}  // namespace plait_drop_in
