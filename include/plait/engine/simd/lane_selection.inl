// Which bit of a mask of lanes belongs to each byte of a register, for registers of up to 256 bits.
// Included by vector128.inl and neon.hpp, in the namespace of each instruction set.

/// Byte k of a register belongs to lane k / ElementBytes of a mask: the bit `bits[k]` of the mask's byte `bytes[k]`.
template <int ElementBytes>
struct lane_selection {
    alignas(32) std::uint8_t bytes[32];
    alignas(32) std::uint8_t bits[32];

    constexpr lane_selection() : bytes{}, bits{} {
        for (int k = 0; k < 32; ++k) {
            const int lane = k / ElementBytes;
            bytes[k] = static_cast<std::uint8_t>(lane / 8);
            bits[k] = static_cast<std::uint8_t>(1 << lane % 8);
        }
    }
};
template <int ElementBytes>
inline constexpr lane_selection<ElementBytes> selection_of_lanes;
