// Look-ups of 32 elements of 4 bits in a table of 16, with registers of 128 bits.
// Included by the headers of SSE4.1, AVX2 and NEON, in their namespaces.
// Requires registers (vector<16>) and lane_shuffles before it.

/// A table of 16 numbers of `Bytes` bytes, with a register for each of their bytes.
template <int Bytes>
struct nibble_table {
    static_assert(Bytes == 1 || Bytes == 2 || Bytes == 4);
    bits<16> planes[Bytes];

    [[gnu::always_inline]] explicit nibble_table(const std::byte* numbers) {
        for (int k = 0; k < Bytes; ++k) {
            planes[k] = vector<16>::pick_bytes(vector<16>::load(numbers), picks.of[k][0]);
            for (int part = 1; part < Bytes; ++part)
                planes[k] = vector<16>::bit_or(
                    planes[k], vector<16>::pick_bytes(vector<16>::load(numbers + 16 * part), picks.of[k][part]));
        }
    }
    /// Looks up the 32 elements of 16 bytes.
    [[gnu::always_inline]] void look_up(const std::byte* from, std::byte* to) const {
        using numbers [[gnu::vector_size(16)]] = std::uint8_t;
        numbers low, high;
        std::memcpy(&low, from, sizeof(low));
        high = low >> 4;
        low &= 15;
        bits<16> first, second;
        std::memcpy(&first, &low, sizeof(first));
        std::memcpy(&second, &high, sizeof(second));
        vector<16>::shuffle<shuffle_rule{0, 3, true}, 1>(first, second);
        look_up_half(first, to);
        look_up_half(second, to + 16 * Bytes);
    }

private:
    using shuffles = lane_shuffles<16>;
    /// The bytes of a register of the table that go to each plane; 0x80: none.
    struct picks_of_planes {
        std::uint8_t of[Bytes][Bytes][16];
        constexpr picks_of_planes() : of{} {
            for (int k = 0; k < Bytes; ++k)
                for (int part = 0; part < Bytes; ++part)
                    for (int i = 0; i < 16; ++i)
                        of[k][part][i] = static_cast<std::uint8_t>(i * Bytes / 16 == part ? i * Bytes % 16 + k : 0x80);
        }
    };
    static constexpr picks_of_planes picks{};

    [[gnu::always_inline]] void look_up_half(bits<16> each, std::byte* to) const {
        bits<16> r[Bytes];
        for (int k = 0; k < Bytes; ++k) r[k] = shuffles::order_within(planes[k], each);
        if constexpr (Bytes >= 2)
            for (int k = 0; k < Bytes; k += 2) vector<16>::shuffle<shuffle_rule{0, 3, true}, 1>(r[k], r[k + 1]);
        if constexpr (Bytes == 4) {
            vector<16>::shuffle<shuffle_rule{0, 2, true}, 2>(r[0], r[2]);
            vector<16>::shuffle<shuffle_rule{0, 2, true}, 2>(r[1], r[3]);
            const bits<16> second = r[1];
            r[1] = r[2];
            r[2] = second;
        }
        for (int k = 0; k < Bytes; ++k) vector<16>::store(to + 16 * k, r[k]);
    }
};
