// The inner loops of steps on bytes, in the vectors of one instruction set.
// Included by wide_steps.hpp once for each set, in its namespace, after `vector_bytes` and `shuffles`.

template <int Bytes>
struct vector_of {
    using words [[gnu::vector_size(Bytes)]] = std::uint64_t;

    [[gnu::always_inline]] static inline words load(const std::byte* from) {
        words out;
        std::memcpy(&out, from, Bytes);
        return out;
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, const words& value) {
        std::memcpy(to, &value, Bytes);
    }
    [[gnu::always_inline]] static inline void flip(std::byte* at, std::uint64_t flips) { store(at, load(at) ^ flips); }
};

/// Prevents that a product is not rounded because it is added.
template <class Vector>
[[gnu::always_inline]] inline void round_before_adding([[maybe_unused]] Vector& product) {
#if defined(__x86_64__)
    if constexpr (vector_bytes == 64) asm("" : "+v"(product));
    else asm("" : "+x"(product));
#endif
}

/// Inverts bits of `count` runs of bytes, `step` bytes apart.
inline void flip_runs(std::byte* begin, dim_t count, dim_t step, dim_t length, std::uint8_t flips) {
    const std::uint64_t word = flips * std::uint64_t{0x0101010101010101};
    for (; count > 0; --count, begin += step) {
        dim_t i = 0;
        for (; i + 2 * vector_bytes <= length; i += 2 * vector_bytes) {
            vector_of<vector_bytes>::flip(begin + i, word);
            vector_of<vector_bytes>::flip(begin + i + vector_bytes, word);
        }
        for (; i + vector_bytes <= length; i += vector_bytes) vector_of<vector_bytes>::flip(begin + i, word);
        for (; i + 16 <= length; i += 16) vector_of<16>::flip(begin + i, word);
        for (; i < length; ++i) begin[i] ^= static_cast<std::byte>(flips);
    }
}

/// Turns `count` runs of `Extent` slots: each byte moves by as many slots as the masks say, by 1 and by 2.
template <int Bytes, int Extent>
inline void turn_slots(std::byte* begin, dim_t count, dim_t step, dim_t slot, const std::byte* masks) {
    using v = vector_of<Bytes>;
    for (dim_t i = 0; i < slot; i += Bytes) {
        std::byte* at = begin + i;
        const std::byte* rows = masks + i;
        if constexpr (Extent == 2) {
            const typename v::words by_one = v::load(rows + slot);
            for (dim_t n = 0; n < count; ++n, at += step) {
                const typename v::words a = v::load(at), b = v::load(at + slot), changed = (a ^ b) & by_one;
                v::store(at, a ^ changed), v::store(at + slot, b ^ changed);
            }
        } else {
            const typename v::words third = v::load(rows + 3 * slot), by_one = v::load(rows + slot) | third,
                                    by_two = v::load(rows + 2 * slot) | third;
            for (dim_t n = 0; n < count; ++n, at += step) {
                const typename v::words in[] = {v::load(at), v::load(at + slot), v::load(at + 2 * slot),
                                                v::load(at + 3 * slot)};
                const typename v::words a = in[0] ^ ((in[0] ^ in[1]) & by_one), b = in[1] ^ ((in[1] ^ in[2]) & by_one),
                                        c = in[2] ^ ((in[2] ^ in[3]) & by_one), d = in[3] ^ ((in[3] ^ in[0]) & by_one);
                const typename v::words ac = (a ^ c) & by_two, bd = (b ^ d) & by_two;
                v::store(at, a ^ ac), v::store(at + slot, b ^ bd);
                v::store(at + 2 * slot, c ^ ac), v::store(at + 3 * slot, d ^ bd);
            }
        }
    }
}
template <int Extent>
inline bool turn_any_slots(std::byte* begin, dim_t count, dim_t step, dim_t slot, const std::byte* masks) {
    if constexpr (vector_bytes >= 32)
        if (slot % 32 == 0) return turn_slots<32, Extent>(begin, count, step, slot, masks), true;
    if (slot % 16 != 0) return false;
    return turn_slots<16, Extent>(begin, count, step, slot, masks), true;
}

/// Adds the sums of vector_bytes / 8 rows.
template <class Shuffles>
inline void sum_rows([[maybe_unused]] const rows_of_runs& of, [[maybe_unused]] const std::byte* rows,
                     [[maybe_unused]] float* totals) {
    if constexpr (vector_bytes >= 32) {
        using v = vector_of<vector_bytes>;
        using integers [[gnu::vector_size(vector_bytes / 2)]] = std::int32_t;
        using floats [[gnu::vector_size(vector_bytes / 2)]] = float;
        constexpr std::uint64_t low = 0x0f0f0f0f0f0f0f0f;
        const rows_of_runs all = of;
        floats total;
        std::memcpy(&total, totals, sizeof total);
        const float* factors = all.factors;
        for (std::size_t g = 0; g < all.group_count; ++g, factors += vector_bytes / 8) {
            floats factor;
            std::memcpy(&factor, factors, sizeof factor);
            const std::byte* const group = rows + all.groups[g].of;
            for (std::size_t r = 0; r < all.run_count; ++r) {
                typename v::words bytes = v::load(group + all.runs[r]) ^ all.flips;
                bytes = (bytes & low) + ((bytes >> 4) & low);
                const auto sums =
                    (typename v::words)Shuffles::sum(typename Shuffles::reg{}, (typename Shuffles::reg)bytes);
                const integers sum = __builtin_convertvector(sums, integers) - all.middle;
                floats product = __builtin_convertvector(sum, floats) * factor;
                round_before_adding(product);
                total += product;
            }
        }
        std::memcpy(totals, &total, sizeof total);
    }
}

/// Returns the sum of bytes, each after `flips` is applied, or of both halves of each.
///
/// Pre:     count is a multiple of vector_bytes
template <class Shuffles>
inline std::uint64_t sum_bytes(const std::byte* from, dim_t count, std::uint8_t flips, bool halves) {
    using v = vector_of<vector_bytes>;
    constexpr std::uint64_t every_byte = 0x0101010101010101, low = 0x0f * every_byte;
    const std::uint64_t word = flips * every_byte;
    typename v::words totals{};
    for (dim_t i = 0; i < count; i += vector_bytes) {
        typename v::words bytes = v::load(from + i) ^ word;
        if (halves) bytes = (bytes & low) + ((bytes >> 4) & low);
        if constexpr (Shuffles::exist) {
            totals = (typename v::words)Shuffles::sum((typename Shuffles::reg)totals, (typename Shuffles::reg)bytes);
        } else {
            constexpr std::uint64_t every_other = 0x00ff00ff00ff00ff, every_fourth = 0x0000ffff0000ffff;
            bytes = (bytes & every_other) + ((bytes >> 8) & every_other);
            bytes = (bytes & every_fourth) + ((bytes >> 16) & every_fourth);
            totals += bytes;
        }
    }
    std::uint64_t out = 0;
    for (int i = 0; i < vector_bytes / 8; ++i)
        out += Shuffles::exist ? totals[i] : (totals[i] & 0xffffffff) + (totals[i] >> 32);
    return out;
}

/// Sums the bytes of runs, of four at once.
template <class Shuffles>
inline void sum_runs([[maybe_unused]] const std::byte* from, [[maybe_unused]] dim_t count, [[maybe_unused]] dim_t step,
                     [[maybe_unused]] dim_t bytes, [[maybe_unused]] std::uint8_t flips, [[maybe_unused]] bool halves,
                     [[maybe_unused]] std::int32_t* sums) {
    if constexpr (vector_bytes >= 32) {
        using v = vector_of<32>;
        using words = typename v::words;
        using totals [[gnu::vector_size(16)]] = std::int32_t;
        constexpr std::uint64_t every_byte = 0x0101010101010101, low = 0x0f * every_byte;
        const std::uint64_t flipped = flips * every_byte;
        const auto sum = [&](const std::byte* at) {
            words out{}, last{};
            dim_t i = 0;
            const auto add = [&](words run) {
                run ^= flipped;
                if (halves) run = (run & low) + ((run >> 4) & low);
                return (words)Shuffles::sum_words((typename Shuffles::half_reg)run);
            };
            for (; i + 32 <= bytes; i += 32) out += add(v::load(at + i));
            if (i == bytes) return out;
            std::memcpy(&last, at + i, 16);
            const words rest = add(last);
            return out + words{rest[0], rest[1], 0, 0};
        };
        for (dim_t i = 0; i < count; i += 4, from += 4 * step, sums += 4) {
            const words a = sum(from) | sum(from + step) << 32, b = sum(from + 2 * step) | sum(from + 3 * step) << 32;
            const words all = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
            totals lower, upper;
            std::memcpy(&lower, &all, 16);
            std::memcpy(&upper, reinterpret_cast<const std::byte*>(&all) + 16, 16);
            lower += upper;
            std::memcpy(sums, &lower, 16);
        }
    }
}

inline void sum_lanes(const lane_sums& of, const std::byte* from, std::byte* sums) {
    using v = vector_of<vector_bytes>;
    using lanes [[gnu::vector_size(vector_bytes)]] = std::uint32_t;
    constexpr std::uint64_t every_byte = 0x0101010101010101, low = 0x0f * every_byte, pairs = 0x00ff00ff00ff00ff;
    constexpr std::size_t most = 128;  // vectors whose pairs of bytes add up to 16 bits
    const lane_sums all = of;
    const std::uint64_t flipped = all.flips * every_byte;
    lanes totals{};
    for (std::size_t i = 0; i < all.count;) {
        typename v::words some{};
        for (const std::size_t end = all.count - i < most ? all.count : i + most; i < end; ++i) {
            typename v::words bytes = v::load(from + all.begin[i]) ^ flipped;
            if (all.halves) bytes = (bytes & low) + ((bytes >> 4) & low);
            some += (bytes & pairs) + ((bytes >> 8) & pairs);
        }
        totals += ((lanes)some & 0xffffu) + ((lanes)some >> 16);
    }
    totals = (totals - all.subtracted) * all.scale;
    std::memcpy(sums, &totals, sizeof totals);
}

struct code {
    static constexpr step_code functions = {vector_bytes,        flip_runs,
                                            turn_any_slots<2>,   turn_any_slots<4>,
                                            sum_bytes<shuffles>, vector_bytes >= 32 ? sum_runs<shuffles> : nullptr,
                                            sum_lanes,           vector_bytes >= 32 ? sum_rows<shuffles> : nullptr};
};
