#pragma once
// What all files of simd/ build on: the types of an element on its way through a tile, and masks for element sizes
// without masked instructions.

#include <plait/contract/attributes.hpp>
#include <plait/engine/plan/network.hpp>
#include <plait/engine/plan/run_time_kernel.hpp>
#include <plait/engine/plan/split_plan.hpp>
#include <plait/engine/plan/staging.hpp>
#include <plait/engine/plan/tile_ends.hpp>
#include <plait/engine/simd/byte_kernels.hpp>
#include <plait/engine/simd/byte_windows.hpp>
#include <plait/engine/simd/row_conversions.hpp>
#include <plait/engine/simd/table_kernels.hpp>

#include <bit>  // std::countr_one
#include <cstddef>
#include <cstdint>
#include <cstring>  // std::memcpy
#include <utility>  // std::integer_sequence

namespace plait::inline PLAIT_UNIT_FLAGS::engine::simd {

/// True if the first byte of a number in memory has its lowest bits.
inline constexpr bool is_little_endian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

/// The functions that move tiles with an instruction set. The header of each set specialises it at its end, with the
/// `code` of instruction_set.inl.
template <isa Isa>
struct code_of;
/// The functions that convert rows with an instruction set, and those for bytes. NAME_rows.hpp specialises it at its
/// end, with the `row_code` of row_functions.inl.
template <isa Isa>
struct row_code_of;

template <int Bytes>
struct unsigned_of;
template <>
struct unsigned_of<1> {
    using type = std::uint8_t;
};
template <>
struct unsigned_of<2> {
    using type = std::uint16_t;
};
template <>
struct unsigned_of<4> {
    using type = std::uint32_t;
};
template <>
struct unsigned_of<8> {
    using type = std::uint64_t;
};

/// A register of floats. It is a template specialised by size, because EDG's front end computes with a vector type only
/// if its size is no template argument.
template <int Bytes>
struct floats_of;
template <>
struct floats_of<16> {
    using type [[gnu::vector_size(16)]] = float;
};
template <>
struct floats_of<32> {
    using type [[gnu::vector_size(32)]] = float;
};
template <>
struct floats_of<64> {
    using type [[gnu::vector_size(64)]] = float;
};

/// A register as words of 64 bits, for arithmetic on bytes that is alike in all instruction sets. It is specialised by
/// size too.
template <int Bytes>
struct words_of;
template <>
struct words_of<16> {
    using type [[gnu::vector_size(16)]] = std::uint64_t;
};
template <>
struct words_of<32> {
    using type [[gnu::vector_size(32)]] = std::uint64_t;
};
template <>
struct words_of<64> {
    using type [[gnu::vector_size(64)]] = std::uint64_t;
};

/// Loaded instead of absent elements. It has the size of the largest segment, 64 lanes of 8 bytes.
alignas(64) inline constexpr std::byte zero_elements[512]{};

/// True if the store past the cache is inline assembly (past_cache.inl): with Clang, unless a sanitizer is on.
#if !defined(__clang__)
inline constexpr bool stores_are_text = false;
#elif __has_feature(address_sanitizer) || __has_feature(hwaddress_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
inline constexpr bool stores_are_text = false;
#else
inline constexpr bool stores_are_text = true;
#endif

/// True if the compiler flags include AVX. Then all code with 128-bit registers uses AVX encodings, SSE4.1 kernels too.
#if defined(__AVX__)
inline constexpr bool has_avx_everywhere = true;
#else
inline constexpr bool has_avx_everywhere = false;
#endif

/// The types of an element in the source, in the registers, and in the destination.
template <class From, class Work, class To>
struct element_types {
    using from = From;
    using work = Work;
    using to = To;
    static constexpr element_sizes sizes{sizeof(From), sizeof(To), sizeof(Work)};
};

/// Returns the lower register of pair p of a step of a network: p with a zero inserted at the register bit.
constexpr int lower_of_pair(int p, int register_bit) {
    return (p >> register_bit << (register_bit + 1)) | (p & ((1 << register_bit) - 1));
}

/// Elements that are only moved. All types of the same size share their code.
template <int Bytes>
using moved_elements = element_types<typename unsigned_of<Bytes>::type, typename unsigned_of<Bytes>::type,
                                     typename unsigned_of<Bytes>::type>;

/// The types of an element that is scaled. The arithmetic is done where the type changes, so that the narrower type
/// passes through the network.
template <element T, element U>
struct scaled_types : element_types<T, std::conditional_t<(sizeof(U) <= sizeof(T)), U, T>, U> {
    using number = arithmetic_type<T, U>;
    static constexpr bool at_load = sizeof(U) <= sizeof(T);
};

/// Converts one element to another type; returns it unchanged if it is only moved.
template <class To, class From>
constexpr To convert_element(From value) {
    if constexpr (std::is_same_v<From, To>) return value;
    else return convert<To>(value);
}

/// Returns true if a mask has the first lanes only, or none.
constexpr bool are_first_lanes(std::uint64_t lanes) { return (lanes & (lanes + 1)) == 0; }

/// Copies up to Most bytes, of at most 32, as its first and last bytes, in two copies that overlap. Sizes above Most
/// are not compiled, so GCC does not warn of them.
template <int Most>
[[gnu::always_inline]] inline void copy_few_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
    const auto twice = [&](auto size) {
        std::memcpy(to, from, size);
        std::memcpy(to + bytes - size, from + bytes - size, size);
    };
    if (Most >= 16 && bytes >= 16) twice(std::integral_constant<std::size_t, 16>{});
    else if (Most >= 8 && bytes >= 8) twice(std::integral_constant<std::size_t, 8>{});
    else if (Most >= 4 && bytes >= 4) twice(std::integral_constant<std::size_t, 4>{});
    else if (Most >= 2 && bytes >= 2) twice(std::integral_constant<std::size_t, 2>{});
    else if (bytes == 1) *to = *from;
}

/// Loads and stores the lanes of a mask, for sizes without masked instructions. If they are the first lanes, which is
/// nearly always so, one copy moves them; others are moved one by one. A register passes through memory of its size,
/// because a function outside of the target regions cannot take or return one.
template <int ElementBytes, int Bytes>
struct lanes_in_memory {
    alignas(Bytes) std::byte all[static_cast<std::size_t>(Bytes)]{};

    // Inlined only if the mask is a constant, as with 9 of 16 lanes in every tile. Otherwise a tile at an end would
    // contain dozens of copies.
    [[gnu::always_inline]] void load(const std::byte* from, std::uint64_t lanes) {
        if (__builtin_constant_p(lanes)) copy(all, from, lanes);
        else load_apart(from, lanes);
    }
    [[gnu::always_inline]] void store(std::byte* to, std::uint64_t lanes) const {
        if (__builtin_constant_p(lanes)) copy(to, all, lanes);
        else store_apart(to, lanes);
    }

private:
    [[gnu::noinline]] void load_apart(const std::byte* from, std::uint64_t lanes) { copy(all, from, lanes); }
    [[gnu::noinline]] void store_apart(std::byte* to, std::uint64_t lanes) const { copy(to, all, lanes); }
    [[gnu::always_inline]] static void copy(std::byte* to, const std::byte* from, std::uint64_t lanes) {
        if constexpr (Bytes <= 32)
            if (are_first_lanes(lanes))
                return copy_few_bytes<Bytes>(to, from, static_cast<std::size_t>(std::countr_one(lanes)) * ElementBytes);
        for (int i = 0; i < Bytes; i += ElementBytes, lanes >>= 1)
            if ((lanes & 1) != 0) std::memcpy(to + i, from + i, ElementBytes);
    }
};

// Tiles that pass ends, without masked instructions: the tile is stored to memory, and what exists of its segments is
// copied from there. A store of some lanes is a call with branches, around which no register is kept; copies of known
// sizes are neither.
//
// Example: f16 ABcd32a32b -> bcad of 332 b, AVX2: segments of 16 b, of which 12 exist in the last tiles: of each, 16
//          bytes and 8 bytes are copied. 17x332x3x3 takes 40 us instead of 111 (Zen)

/// Returns how many segments of a tile exist only in part; 0 if any lacks bytes before its last existing one.
inline int segments_that_end(const std::uint64_t* lanes, int segments, std::uint64_t all_bytes) {
    int ends = 0;
    for (int segment = 0; segment < segments; ++segment) {
        const std::uint64_t here = lanes[segment];
        if (!are_first_lanes(here)) return 0;
        ends += here != 0 && here != all_bytes ? 1 : 0;
    }
    return ends;
}

/// The first bytes of each segment of a tile, as copies of 16, 8, 4, 2 and 1 bytes, sorted by size. The last two of a
/// segment may overlap.
class masked_pieces {
public:
    /// From how many equal tiles on they pay, and, out of registers, from how many segments that end.
    static constexpr dim_t least_tiles = 8;
    static constexpr int least_ends = 4;

    /// Pre:     each mask has the first bytes of its segment; a segment has up to 32 bytes, a tile up to max_segments
    /// Post:    operator() copies them from from[segment] to to[segment]; or out of a tile in memory if `from` is null
    masked_pieces(const std::uint64_t* lanes, const dim_t* from, const dim_t* to, int segments, int segment_bytes) {
        int count[sizes]{};
        for (int segment = 0; segment < segments; ++segment) {
            const int bytes = std::countr_one(lanes[segment]);
            if (bytes != 0) count[place_of(bytes)] += pieces_of(bytes);
        }
        piece* next[sizes];
        piece* end = pieces_;
        for (int k = 0; k < sizes; ++k) {
            next[k] = end;
            ends_[k] = end += count[k];
        }
        for (int segment = 0; segment < segments; ++segment) {
            const int bytes = std::countr_one(lanes[segment]);
            if (bytes == 0) continue;
            const dim_t start = from != nullptr ? from[segment] : dim_t{segment} * segment_bytes;
            const int k = place_of(bytes), size = largest >> k;
            for (int left = pieces_of(bytes), at = 0; left > 0; --left, at += size) {
                const int here = left == 1 ? bytes - size : at;
                *next[k]++ = {start + here, to[segment] + here};
            }
        }
    }
    masked_pieces(const masked_pieces&) = delete;

    [[gnu::always_inline]] inline void operator()(const std::byte* src, std::byte* dst) const {
        copy_all(src, dst, std::make_integer_sequence<int, sizes>{});
    }

private:
    static constexpr int largest = 16, sizes = 5;
    struct piece {
        dim_t from, to;
    };
    piece* ends_[sizes];  ///< one past the last piece of each size, the largest first
    piece pieces_[2 * max_segments];

    /// Returns the place of the largest size of which copies do not pass the last of some bytes.
    static int place_of(int bytes) {
        return bytes >= largest ? 0 : std::countl_zero(static_cast<unsigned>(bytes)) - 27;
    }
    static int pieces_of(int bytes) {
        const int size = largest >> place_of(bytes);
        return (bytes + size - 1) / size;
    }
    template <int... K>
    [[gnu::always_inline]] inline void copy_all(const std::byte* src, std::byte* dst,
                                                std::integer_sequence<int, K...>) const {
        const piece* next = pieces_;
        (copy<(largest >> K)>(src, dst, next, ends_[K]), ...);
    }
    template <int Size>
    [[gnu::always_inline]] static inline void copy(const std::byte* src, std::byte* dst, const piece*& next,
                                                   const piece* end) {
        for (; next != end; ++next) std::memcpy(dst + next->to, src + next->from, Size);
    }
};

}  // namespace plait::engine::simd
