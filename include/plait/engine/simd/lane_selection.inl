// Which bit of a mask of lanes belongs to each byte of a register, for registers of up to 256 bits.
// Included by vector128.inl and neon.hpp, in the namespace of each instruction set.

/// Byte k of a register belongs to lane k / ElementBytes of a mask: the bit `bits[k]` of the mask's byte `bytes[k]`.
template <int ElementBytes>
struct lane_selection {
    struct table {
        alignas(32) std::uint8_t of[32];
    };
    static constexpr table make(bool bits) {
        table out{};
        for (int k = 0; k < 32; ++k) {
            const int lane = k / ElementBytes;
            out.of[k] = static_cast<std::uint8_t>(bits ? 1 << lane % 8 : lane / 8);
        }
        return out;
    }
    static constexpr table all_bytes = make(false), all_bits = make(true);
    static constexpr const std::uint8_t *bytes = all_bytes.of, *bits = all_bits.of;
};
