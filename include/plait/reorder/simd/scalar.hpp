#pragma once
// What all files of simd/ build on: how an element passes through a tile, and masks for sizes that have no masked
// instruction.

#include <plait/reorder/convert.hpp>
#include <plait/reorder/split_plan.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>  // std::memcpy
#include <utility>  // std::integer_sequence

namespace plait::simd {

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

/// What an element is in the source, in the registers and in the destination.
template <class From, class Work, class To>
struct element_path {
    using from = From;
    using work = Work;
    using to = To;
    static constexpr element_sizes sizes{sizeof(From), sizeof(To), sizeof(Work)};
};

/// Elements that are only moved: all types of a size share their code.
template <int Bytes>
using moved_elements = element_path<typename unsigned_of<Bytes>::type, typename unsigned_of<Bytes>::type,
                                    typename unsigned_of<Bytes>::type>;

/// One element as another type; itself where it is only moved.
template <class To, class From>
constexpr To convert_element(From value) {
    if constexpr (std::is_same_v<From, To>) return value;
    else return convert<To>(value);
}

/// Loads and stores the lanes of a mask one by one, for sizes that have no masked instruction. A register passes
/// through memory of its size: a function outside the target regions neither takes nor returns one.
template <int ElementBytes, int Bytes>
struct lanes_in_memory {
    alignas(Bytes) std::byte all[Bytes]{};

    // Not inlined: a tile at an end would else hold dozens of copies.
    [[gnu::noinline]] void load(const std::byte* from, std::uint64_t lanes) {
        for (int i = 0; i < Bytes; i += ElementBytes, lanes >>= 1)
            if ((lanes & 1) != 0) std::memcpy(all + i, from + i, ElementBytes);
    }
    [[gnu::noinline]] void store(std::byte* to, std::uint64_t lanes) const {
        for (int i = 0; i < Bytes; i += ElementBytes, lanes >>= 1)
            if ((lanes & 1) != 0) std::memcpy(to + i, all + i, ElementBytes);
    }
};

}  // namespace plait::simd
