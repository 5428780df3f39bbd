// Sums of bytes, bits that are inverted, slots that are turned, copies of whole lines past the cache.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires registers, and arithmetic on lanes, before it.
//
// All functions are templates, so that including this file compiles nothing before it is used.

/// Vectors of bytes as words of 64 bits.
template <int Bytes>
struct byte_vector {
    using words = typename words_of<Bytes>::type;

    [[gnu::always_inline]] static inline words load(const std::byte* from) {
        words out;
        std::memcpy(&out, from, Bytes);
        return out;
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, const words& value) {
        std::memcpy(to, &value, Bytes);
    }
    [[gnu::always_inline]] static inline void flip(std::byte* at, std::uint64_t flips) { store(at, load(at) ^ flips); }

    /// Returns the numbers that are summed, as bytes: the sums of both halves have five bits.
    [[gnu::always_inline]] static inline words numbers(words bytes, std::uint64_t flips, bool halves) {
        constexpr std::uint64_t low = 0x0f0f0f0f0f0f0f0f;
        bytes ^= flips;
        return halves ? (bytes & low) + ((bytes >> 4) & low) : bytes;
    }
    /// Returns the sum of each eight bytes.
    [[gnu::always_inline]] static inline words sum_eights(const words& bytes) {
        const bits<Bytes> value = vector<Bytes>::sum_eights(as_register(bytes));
        words out;
        std::memcpy(&out, &value, Bytes);
        return out;
    }
    [[gnu::always_inline]] static inline bits<Bytes> as_register(const words& value) {
        bits<Bytes> out;
        std::memcpy(&out, &value, Bytes);
        return out;
    }
};

constexpr std::uint64_t in_every_byte(std::uint8_t value) { return value * std::uint64_t{0x0101010101010101}; }

template <class>
void flip_runs(std::byte* begin, dim_t count, dim_t step, dim_t length, std::uint8_t flips) noexcept {
    constexpr int bytes = vector_bytes(this_isa);
    const std::uint64_t word = in_every_byte(flips);
    for (; count > 0; --count, begin += step) {
        dim_t i = 0;
        for (; i + 2 * bytes <= length; i += 2 * bytes) {
            byte_vector<bytes>::flip(begin + i, word);
            byte_vector<bytes>::flip(begin + i + bytes, word);
        }
        for (; i + bytes <= length; i += bytes) byte_vector<bytes>::flip(begin + i, word);
        for (; i + 16 <= length; i += 16) byte_vector<16>::flip(begin + i, word);
        for (; i < length; ++i) begin[i] ^= static_cast<std::byte>(flips);
    }
}

/// Turns slots: each byte moves by as many slots as the masks say, by 1 and by 2.
template <int Bytes, int Extent>
[[gnu::always_inline]] inline void turn_vectors(std::byte* begin, dim_t count, dim_t step, dim_t slot,
                                                const std::byte* masks) {
    using v = byte_vector<Bytes>;
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
bool turn_slots(std::byte* begin, dim_t count, dim_t step, dim_t slot, const std::byte* masks) noexcept {
    if constexpr (vector_bytes(this_isa) >= 32)
        if (slot % 32 == 0) return turn_vectors<32, Extent>(begin, count, step, slot, masks), true;
    if (slot % 16 != 0) return false;
    return turn_vectors<16, Extent>(begin, count, step, slot, masks), true;
}

/// The sums of runs, in vectors of `Bytes` bytes.
template <int Bytes, bool Halves>
struct run_summer {
    using v = byte_vector<Bytes>;
    using words = typename v::words;
    dim_t step, bytes;
    std::uint64_t flips;
    std::uint32_t subtracted, scale;

    [[gnu::always_inline]] inline explicit run_summer(const run_sums& of)
        : step(of.step),
          bytes(of.bytes),
          flips(in_every_byte(of.numbers.flips)),
          subtracted(of.subtracted),
          scale(of.scale) {}

    [[gnu::always_inline]] inline void run(const std::byte* from, dim_t count, std::byte* sums) const {
        // A sum of eight bytes in each vector of a run has less than 32 bits, so that a word has those of two runs.
        for (; count >= 4; count -= 4, from += 4 * step, sums += 16) {
            const words a = sum(from) | sum(from + step) << 32, b = sum(from + 2 * step) | sum(from + 3 * step) << 32;
            const four_sums four = ((four_sums)fold(add_pairs(a, b)) - subtracted) * scale;
            std::memcpy(sums, &four, sizeof four);
        }
        for (; count > 0; --count, from += step, sums += 4) {
            const auto all = fold(sum(from));
            const std::uint32_t one = (static_cast<std::uint32_t>(all[0] + all[1]) - subtracted) * scale;
            std::memcpy(sums, &one, sizeof one);
        }
    }

private:
    using last_words = typename byte_vector<16>::words;
    using four_sums [[gnu::vector_size(16)]] = std::uint32_t;

    /// Returns the sums of the bytes of a run; each word has a part of them.
    [[gnu::always_inline]] inline words sum(const std::byte* from) const {
        if (bytes == Bytes) return v::sum_eights(v::numbers(v::load(from), flips, Halves));
        words out{};
        dim_t i = 0;
        for (; i + Bytes <= bytes; i += Bytes) out += v::sum_eights(v::numbers(v::load(from + i), flips, Halves));
        if (i == bytes) return out;
        if constexpr (Bytes > 16)
            for (; i + 16 <= bytes; i += 16) add(out, byte_vector<16>::load(from + i));
        if (i == bytes) return out;
        // The other bytes of the last vector are those that become zero.
        last_words last{flips, flips};
        if (i + 8 <= bytes) {
            std::uint64_t word;
            std::memcpy(&word, from + i, 8);
            last[0] = word;
            i += 8;
        }
        if (i < bytes) {
            std::uint64_t word = flips;
            copy_few_bytes<4>(reinterpret_cast<std::byte*>(&word), from + i, static_cast<std::size_t>(bytes - i));
            last[1] = word;
        }
        add(out, last);
        return out;
    }
    [[gnu::always_inline]] inline void add(words& to, const last_words& some) const {
        const last_words sums = byte_vector<16>::sum_eights(byte_vector<16>::numbers(some, flips, Halves));
        to[0] += sums[0];
        to[1] += sums[1];
    }
    /// Returns the sums of two neighbouring words, those of `a` and of `b` in turn.
    [[gnu::always_inline]] static inline words add_pairs(const words& a, const words& b) {
        if constexpr (Bytes == 16) return __builtin_shufflevector(a, b, 0, 2) + __builtin_shufflevector(a, b, 1, 3);
        else if constexpr (Bytes == 32)
            return __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
        else
            return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
                   __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    /// Adds the parts of 16 bytes. No half of a word overflows.
    [[gnu::always_inline]] static inline last_words fold(const words& value) {
        last_words out = part(value, 0);
        for (int i = 16; i < Bytes; i += 16) out += part(value, i);
        return out;
    }
    [[gnu::always_inline]] static inline last_words part(const words& value, int begin) {
        return byte_vector<16>::load(reinterpret_cast<const std::byte*>(&value) + begin);
    }
};
template <bool Halves>
[[gnu::always_inline]] inline void sum_runs_of(const run_sums& of, const std::byte* from, dim_t count,
                                               std::byte* sums) {
    constexpr int widest = vector_bytes(this_isa);
    if constexpr (widest == 64)
        if (of.bytes >= 256) return run_summer<64, Halves>(of).run(from, count, sums);
    if constexpr (widest >= 32)
        if (of.bytes % 32 == 0 || of.bytes >= 128) return run_summer<32, Halves>(of).run(from, count, sums);
    run_summer<16, Halves>(of).run(from, count, sums);
}
template <class>
void sum_runs(const run_sums& of, const std::byte* from, dim_t count, std::byte* sums) noexcept {
    if (of.numbers.halves) sum_runs_of<true>(of, from, count, sums);
    else sum_runs_of<false>(of, from, count, sums);
}

template <class>
void sum_lanes(const lane_sums& of, const std::byte* from, std::byte* sums) noexcept {
    constexpr int bytes = vector_bytes(this_isa);
    using v = byte_vector<bytes>;
    using lanes [[gnu::vector_size(bytes)]] = std::uint32_t;
    constexpr std::uint64_t pairs = 0x00ff00ff00ff00ff;
    constexpr std::size_t most = 128;  // vectors whose pairs of bytes add up to 16 bits
    const lane_sums all = of;
    const std::uint64_t flips = in_every_byte(all.numbers.flips);
    lanes totals{};
    for (std::size_t i = 0; i < all.count;) {
        typename v::words some{};
        for (const std::size_t end = all.count - i < most ? all.count : i + most; i < end; ++i) {
            const typename v::words numbers = v::numbers(v::load(from + all.begin[i]), flips, all.numbers.halves);
            some += (numbers & pairs) + ((numbers >> 8) & pairs);
        }
        totals += ((lanes)some & 0xffffu) + ((lanes)some >> 16);
    }
    totals = (totals - all.subtracted) * all.scale;
    std::memcpy(sums, &totals, sizeof totals);
}

/// Numbers of 32 bits, one for each row.
using row_numbers [[gnu::vector_size(vector_bytes(this_isa) / 2)]] = std::uint32_t;

/// Loads a number for each row to the lower half of the 64 bits that have the sum of its bytes. The upper half is 0.
template <int Bytes>
[[gnu::always_inline]] inline bits<Bytes> load_row_numbers(const float* from) {
    row_numbers of_rows;
    std::memcpy(&of_rows, from, sizeof of_rows);
    return byte_vector<Bytes>::as_register(__builtin_convertvector(of_rows, typename byte_vector<Bytes>::words));
}
template <class>
void sum_rows(const rows_of_runs& of, const std::byte* rows, float* totals) noexcept {
    constexpr int bytes = vector_bytes(this_isa), lanes = bytes / 4;
    using v = byte_vector<bytes>;
    using reg = bits<bytes>;
    const rows_of_runs all = of;
    const std::uint64_t flips = in_every_byte(all.numbers.flips);
    const bool halves = all.numbers.halves;
    const reg less = v::as_register(typename v::words{} + std::uint64_t{0 - all.subtracted});
    reg total = load_row_numbers<bytes>(totals);
    const float* factors = all.factors;
    for (std::size_t g = 0; g < all.group_count; ++g, factors += bytes / 8) {
        const reg factor = load_row_numbers<bytes>(factors);
        const std::byte* const group = rows + all.groups[g].of;
        for (std::size_t r = 0; r < all.run_count; ++r) {
            const auto sums = v::sum_eights(v::numbers(v::load(group + all.runs[r]), flips, halves));
            const reg integers = add_integers<lanes>(v::as_register(sums), less);
            const reg product = multiply<float, lanes>(convert_lanes<std::int32_t, float, lanes>(integers), factor);
            total = add<float, lanes>(total, product);
        }
    }
    typename v::words wide;
    std::memcpy(&wide, &total, bytes);
    const auto of_rows = __builtin_convertvector(wide, row_numbers);
    std::memcpy(totals, &of_rows, sizeof of_rows);
}

template <int Bytes, int... K>
[[gnu::always_inline]] inline void stream_line(const std::byte* from, std::byte* to, std::integer_sequence<int, K...>) {
    (vector<Bytes>::stream(to + K * Bytes, vector<Bytes>::load(from + K * Bytes)), ...);
}
/// Copies in vectors of `Bytes` bytes. 16 are best if the source is not aligned to cache lines: records of 84 MB took
/// 2.8 ms, and 3.4 with 64 (Zen 4).
template <int Bytes>
void stream_and_fetch(const std::byte* from, std::byte* to, dim_t bytes, const std::byte* next,
                      dim_t next_bytes) noexcept {
    constexpr int line = 64;
    // What is stored is a little less than a chunk, which may begin and end inside of a line.
    const dim_t lines_for_a_line = divide_up(next_bytes, bytes + 2 * line);
    for (dim_t i = 0, fetched = 0; i < bytes; i += line) {
        for (dim_t k = 0; k < lines_for_a_line && fetched < next_bytes; ++k, fetched += line)
            __builtin_prefetch(next + fetched, 0, 2);
        stream_line<Bytes>(from + i, to + i, std::make_integer_sequence<int, line / Bytes>());
    }
}
template <class>
void finish_streamed_bytes() noexcept {
    finish_streams();
}

template <class Byte>
inline constexpr byte_kernels every_byte_kernel{
    .vector_bytes = vector_bytes(this_isa),
    .flip_runs = flip_runs<Byte>,
    .turn_two = turn_slots<2>,
    .turn_four = turn_slots<4>,
    .sum_runs = sum_runs<Byte>,
    .sum_lanes = sum_lanes<Byte>,
    .sum_rows = sum_rows<Byte>,
    .stream = stream_and_fetch<16>,
    .finish_streams = finish_streamed_bytes<Byte>,
};
