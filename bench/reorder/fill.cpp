// Elements to move.

#include "row.hpp"

namespace bench {

void fill(data_type type, void* memory, std::size_t bytes) {
    std::uint64_t state = 88172645463325252u;
    const auto next = [&] {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return static_cast<std::uint32_t>(state >> 20);
    };
    const auto each = [&]<class Element>(Element, auto make) {
        auto* const elements = static_cast<Element*>(memory);
        for (std::size_t i = 0; i < bytes / sizeof(Element); ++i) elements[i] = static_cast<Element>(make(next()));
    };
    switch (type) {
        case data_type::f64: return each(double{}, [](std::uint32_t x) { return (x % 65536 - 32768.0) / 128; });
        case data_type::f32:
            return each(float{}, [](std::uint32_t x) { return (static_cast<float>(x % 65536) - 32768) / 128; });
        case data_type::bf16:
        case data_type::f16:  // both signs, two exponents
            return each(std::uint16_t{}, [](std::uint32_t x) { return 0x3c00u | (x & 0x87ffu); });
        case data_type::s32: return each(std::int32_t{}, [](std::uint32_t x) { return x % 200000 - 100000; });
        case data_type::f8_e5m2:
        case data_type::f8_e4m3: return each(std::uint8_t{}, [](std::uint32_t x) { return 0x30u | (x & 0x8fu); });
        default: return each(std::uint8_t{}, [](std::uint32_t x) { return x; });
    }
}

}  // namespace bench
