#pragma once
// What a move computes: out = alpha * in + beta * out, in the arithmetic of the element type; rows and small matrices.

#include "loop_nest.hpp"

#include <complex>
#include <cstring>
#include <type_traits>

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
struct number_type {
    using real = T;
    static constexpr bool is_complex = false;
};
template <class T>
struct number_type<std::complex<T>> {
    using real = T;
    static constexpr bool is_complex = true;
};

// 16 bytes, the registers that every x86-64 and AArch64 has. The data is in L1, so that wider ones gain little.
using float_lanes [[gnu::vector_size(16)]] = float;
using double_lanes [[gnu::vector_size(16)]] = double;

/// Computes elements of a move whose alpha is not 0. Scales, Conjugates, Adds: which of the operations are not the
/// identity. If none is, bytes are moved.
///
/// Products are rounded, then their sum. A complex product (a + bi)(x + yi) is (ax - by) + (ay + bx)i, which is
/// (a, a) * (x, y) + (-b, b) * (y, x). So the result does not depend on the CPU, as it would with fused products.
template <class T, bool Scales, bool Conjugates, bool Adds>
class computation {
    using real = typename number_type<T>::real;
    static constexpr bool is_complex = number_type<T>::is_complex;

public:
    using lanes = std::conditional_t<std::is_same_v<real, float>, float_lanes, double_lanes>;
    static constexpr bool copies = !Scales && !Conjugates && !Adds;

    explicit computation(const scaling<T>& by) {
        if constexpr (is_complex) {
            const real a = by.alpha.real(), b = by.alpha.imag();
            // The conjugate of (x, y) is (x, -y): its sign goes to the factors of y.
            straight_ = Conjugates ? alternate(a, -a) : alternate(a, a);
            crossed_ = Conjugates ? alternate(b, b) : alternate(-b, b);
            straight_beta_ = alternate(by.beta.real(), by.beta.real());
            crossed_beta_ = alternate(-by.beta.imag(), by.beta.imag());
        } else {
            straight_ = alternate(by.alpha, by.alpha);
            straight_beta_ = alternate(by.beta, by.beta);
        }
    }

    /// Computes lanes of the source, and of what the destination held.
    lanes compute(lanes in, lanes held) const {
        lanes out = in;
        if constexpr (Scales) {
            out = straight_ * in;
            if constexpr (is_complex) out = out + crossed_ * swap(in);
        } else if constexpr (Conjugates) {
            out = negate_imaginary(in);
        }
        if constexpr (Adds) {
            lanes added = straight_beta_ * held;
            if constexpr (is_complex) added = added + crossed_beta_ * swap(held);
            out = out + added;
        }
        return out;
    }
    /// Computes the elements in `Bytes` bytes: 4, 8 or 16.
    template <std::size_t Bytes>
    void some(const void* in, void* out) const {
        lanes held{};
        if constexpr (Adds) held = load<Bytes>(out);
        store<Bytes>(out, compute(load<Bytes>(in), held));
    }
    void element(const T* in, T* out) const { some<sizeof(T)>(in, out); }

    /// Computes n elements that are dense on both sides. `in` and `out` may be the same row; they do not overlap
    /// otherwise.
    void row(const T* in, T* out, count n) const {
        if constexpr (copies) {
            if (in == out) return;
            if (n * static_cast<count>(sizeof(T)) >= 128) {
                std::memcpy(static_cast<void*>(out), in, static_cast<std::size_t>(n) * sizeof(T));
                return;
            }
        }
        constexpr count step = 16 / sizeof(T);
        count i = 0;
        for (; i + 4 * step <= n; i += 4 * step)
            for (count k = 0; k < 4; ++k) some<16>(in + i + k * step, out + i + k * step);
        for (; i + step <= n; i += step) some<16>(in + i, out + i);
        for (; i < n; ++i) element(in + i, out + i);
    }

    /// Computes `lines` rows of `length` elements, dense on both sides.
    void copy(count lines, count length, const T* in, count in_stride, T* out, count out_stride) const {
        if (in_stride == length && out_stride == length) return row(in, out, lines * length);
        if (length == 1) {
            for (count i = 0; i < lines; ++i) element(in + i * in_stride, out + i * out_stride);
            return;
        }
        for (count i = 0; i < lines; ++i) row(in + i * in_stride, out + i * out_stride, length);
    }
    /// Computes the transpose of `lines` rows of `length` elements, which are dense on both sides: squares of 16 bytes
    /// in registers.
    void transpose(count lines, count length, const T* in, count in_stride, T* out, count out_stride) const {
        constexpr count edge = 16 / sizeof(T);
        count i = 0;
        for (; i + edge <= lines; i += edge) {
            const T* from = in + i * in_stride;
            T* to = out + i;
            count j = 0;
            for (; j + edge <= length; j += edge) square(from + j, in_stride, to + j * out_stride, out_stride);
            for (; j < length; ++j)
                for (count k = 0; k < edge; ++k) element(from + k * in_stride + j, to + j * out_stride + k);
        }
        for (; i < lines; ++i)
            for (count j = 0; j < length; ++j) element(in + i * in_stride + j, out + j * out_stride + i);
    }

private:
    static lanes alternate(real first, real second) {
        if constexpr (sizeof(real) == 4) return lanes{first, second, first, second};
        else return lanes{first, second};
    }
    static lanes swap(lanes x) {
        if constexpr (sizeof(real) == 4) return __builtin_shufflevector(x, x, 1, 0, 3, 2);
        else return __builtin_shufflevector(x, x, 1, 0);
    }
    /// Flips the sign of every second lane, also that of a NaN, which a product would not.
    static lanes negate_imaginary(lanes x) {
        using bits [[gnu::vector_size(16)]] = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
        bits signs{};
        for (unsigned k = 1; k < 16 / sizeof(real); k += 2) signs[k] = ~(~decltype(signs[0] + 0){0} >> 1);
        return reinterpret_cast<lanes>(reinterpret_cast<bits>(x) ^ signs);
    }
    /// Loads bytes to the first lanes; the others are 0. Not by a copy to the variable, which GCC makes in memory.
    template <std::size_t Bytes = 16>
    static lanes load(const void* from) {
        std::conditional_t<Bytes == 16, lanes, std::conditional_t<Bytes == 8, double, float>> out;
        std::memcpy(&out, from, Bytes);
        if constexpr (Bytes == 16) return out;
        else if constexpr (Bytes == 8) return reinterpret_cast<lanes>(double_lanes{out, 0});
        else return reinterpret_cast<lanes>(float_lanes{out, 0, 0, 0});
    }
    template <std::size_t Bytes = 16>
    static void store(void* to, lanes x) {
        if constexpr (Bytes == 16) {
            std::memcpy(to, &x, 16);
        } else if constexpr (Bytes == 8) {
            const double first = reinterpret_cast<double_lanes>(x)[0];
            std::memcpy(to, &first, 8);
        } else {
            const float first = reinterpret_cast<float_lanes>(x)[0];
            std::memcpy(to, &first, 4);
        }
    }
    /// Computes a register of the source.
    void put(T* to, lanes x) const {
        lanes held{};
        if constexpr (Adds) held = load(to);
        store(to, compute(x, held));
    }
    /// Transposes a square of elements whose lines have 16 bytes.
    void square(const T* in, count in_stride, T* out, count out_stride) const {
        if constexpr (sizeof(T) == 16) {
            put(out, load(in));
        } else if constexpr (sizeof(T) == 8) {
            const auto first = reinterpret_cast<double_lanes>(load(in)),
                       second = reinterpret_cast<double_lanes>(load(in + in_stride));
            put(out, reinterpret_cast<lanes>(__builtin_shufflevector(first, second, 0, 2)));
            put(out + out_stride, reinterpret_cast<lanes>(__builtin_shufflevector(first, second, 1, 3)));
        } else {
            const lanes a = load(in), b = load(in + in_stride), c = load(in + 2 * in_stride),
                        d = load(in + 3 * in_stride);
            const lanes ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                        ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7),
                        cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
            put(out, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
            put(out + out_stride, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
            put(out + 2 * out_stride, __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5));
            put(out + 3 * out_stride, __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7));
        }
    }

    lanes straight_{}, crossed_{}, straight_beta_{}, crossed_beta_{};
};

/// Calls f(computation<...>(by)) with the operations of a scaling whose alpha is not 0.
template <class T, class F>
[[gnu::always_inline]] inline auto with_computation(const scaling<T>& by, const F& f) {
    const auto adding = [&]<bool Scales, bool Conjugates>() __attribute__((always_inline)) {
        return by.beta != T{0} ? f(computation<T, Scales, Conjugates, true>(by))
                               : f(computation<T, Scales, Conjugates, false>(by));
    };
    const bool scales = by.alpha != T{1};
    if constexpr (number_type<T>::is_complex)
        if (by.conjugates)
            return scales ? adding.template operator()<true, true>() : adding.template operator()<false, true>();
    return scales ? adding.template operator()<true, false>() : adding.template operator()<false, false>();
}

}  // namespace plait_drop_in
