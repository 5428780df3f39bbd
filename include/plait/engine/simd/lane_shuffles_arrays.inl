// The shuffles of a network that is a table, with registers that are arrays: two words of 64 bits, whose bytes are
// moved by shifts and masks. This assumes the byte order of little-endian machines; others move single elements. Lanes
// are bytes. Included by portable.hpp, in its namespace. Requires the registers of portable.hpp before it.

/// One vector of a network, as a register.
template <int Bytes>
inline bits<Bytes> load_vector(const lane_vector& from) {
    bits<Bytes> out{};
    std::memcpy(out.all, from.words, 16);
    return out;
}

template <int Bytes>
struct lane_shuffles {
    using reg = bits<Bytes>;
    static constexpr bool goes_across = false;

    static void exchange_within(reg& low, reg& high, const reg& ones, const reg& shift) {
        exchange_by(low, high, read_lane<std::uint64_t>(ones, 0), read_lane<std::uint32_t>(shift, 0));
    }
    /// Exchanges the high halves of the bytes of the first register with the low halves of the second.
    static void exchange_half_bytes(reg& low, reg& high) { exchange_by(low, high, 0xf0f0f0f0f0f0f0f0, 4); }
    template <int Lane>
    static void exchange(reg& low, reg& high, const reg&, const reg&) {
        if constexpr (Lane == 2) {
            exchange_by(low, high, 0xffffffff00000000, 32);
        } else {
            const auto a = read_lane<std::uint64_t>(low, 1), b = read_lane<std::uint64_t>(high, 0);
            write_lane(low, 1, b);
            write_lane(high, 0, a);
        }
    }
    static reg order_within(const reg& value, const reg& from) {
        reg out{};
        for (int i = 0; i < 16; ++i) out.all[i] = value.all[static_cast<int>(from.all[i])];
        return out;
    }
    static reg order_across(const reg& value, const reg&) { return value; }

private:
    static void exchange_by(reg& low, reg& high, std::uint64_t ones, std::uint32_t shift) {
        for (int word = 0; word < 2; ++word) {
            const auto a = read_lane<std::uint64_t>(low, word), b = read_lane<std::uint64_t>(high, word);
            write_lane(low, word, (a & ~ones) | (b << shift & ones));
            write_lane(high, word, (a >> shift & ~ones) | (b & ones));
        }
    }
};

inline constexpr bool exchanges_by_table = false;
