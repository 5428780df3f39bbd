#pragma once
// Floating values of a type known at run time, as bits.

#include <plait/core/packed_elements.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns a floating value from its bits.
inline float float_of_bits(data_type type, std::uint64_t bits) {
    return with_element_type(type, [bits](auto element) -> float {
        std::memcpy(&element, &bits, sizeof element);
        return static_cast<float>(element);
    });
}

/// Returns the bits of the value of a floating type that is nearest to a number.
inline std::uint64_t bits_of_float(data_type type, float number) {
    return with_element_type(type, [number](auto element) -> std::uint64_t {
        std::uint64_t bits = 0;
        if constexpr (std::is_constructible_v<decltype(element), float>) {
            element = static_cast<decltype(element)>(number);
            std::memcpy(&bits, &element, sizeof element);
        }
        return bits;
    });
}

/// Returns a product that is rounded even if it is then added. GCC fuses the two where the CPU can, and the bytes of a
/// sum would depend on the CPU.
[[gnu::always_inline]] inline float rounded_product(float a, float b) {
    float product = a * b;
#if defined(__x86_64__)
    asm("" : "+x"(product));
#elif defined(__aarch64__)
    asm("" : "+w"(product));
#endif
    return product;
}

}  // namespace plait::detail
