#pragma once
// Conversions from one element type to all others.

#include "kernels.hpp"

namespace kernels {

// Rows of one register and a part of one, with gaps on both sides: the least code with every access and conversion.
inline constexpr layout rows({2, 21}, strides{30, 1}), others({2, 21}, strides{40, 1});

template <class T, class... U>
void converts_to() {
    (matches_with_every_isa<rows, others, T, U>(), ...);
}
template <class T>
void converts_to_every_type() {
    converts_to<T, double, float, std::int32_t, bfloat16, float16, float8_e5m2, float8_e4m3, std::int8_t,
                std::uint8_t>();
}

}  // namespace kernels
