#include "proofs/counted_tiles.hpp"

#include "proofs/listed_tiles.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace listed_tiles {
namespace {

/// Counters that processes share, and a bit for each kind of tile that was seen, by a hash.
struct shared_counts {
    std::atomic<std::uint64_t> networks, halves, interleaves, elements, kinds;
    std::atomic<std::uint32_t> seen[std::size_t{1} << 21];
};
shared_counts& counts() {
    static shared_counts* const all = [] {
        const char* const file = std::getenv("PLAIT_COUNTED_TILES");
        const int handle = file == nullptr ? -1 : open(file, O_RDWR | O_CREAT, 0644);
        if (handle >= 0 && ftruncate(handle, sizeof(shared_counts)) != 0) std::abort();
        void* const memory = mmap(nullptr, sizeof(shared_counts), PROT_READ | PROT_WRITE,
                                  handle < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, handle, 0);
        if (memory == MAP_FAILED) std::abort();
        return static_cast<shared_counts*>(memory);
    }();
    return *all;
}

std::uint64_t hash_of(isa instructions, int element_bytes, const tile_pattern& p) {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](int value) {
        hash = (hash ^ static_cast<std::uint64_t>(value + 2)) * 0x9e3779b97f4a7c15 >> 3;
    };
    for (const int value : {static_cast<int>(instructions), element_bytes, p.lane_bits, p.register_bits,
                            p.src_upper_bits, p.interleave, static_cast<int>(p.interleaves_source), p.half_bytes})
        add(value);
    for (const int lane : p.dst_lanes) add(lane);
    return hash;
}

}  // namespace

void count_tile(plait::isa instructions, int element_bytes, const tile_pattern& p) {
    if (!is_listed(network_kind::table, instructions, element_bytes, p)) {
        std::fprintf(stderr,
                     "WRONG: a plan has a tile that is not on the list: %s, elements of %d bytes, 2^%d lanes, 2^%d "
                     "registers, segments of 2^%d and 2^%d, interleave %d, half bytes %d\n",
                     to_string(instructions), element_bytes, p.lane_bits, p.register_bits, p.segment_bits(side::source),
                     p.dst_lanes.size(), p.interleave, p.half_bytes);
        std::abort();
    }
    shared_counts& all = counts();
    ++(p.interleave != 0   ? all.interleaves
       : !p.has_vectors()  ? all.elements
       : p.half_bytes >= 0 ? all.halves
                           : all.networks);
    const std::uint64_t hash = hash_of(instructions, element_bytes, p);
    const std::uint32_t bit = std::uint32_t{1} << (hash & 31);
    if ((all.seen[hash >> 5 & ((std::uint64_t{1} << 21) - 1)].fetch_or(bit) & bit) == 0) ++all.kinds;
}
tile_counts counted_tiles() {
    const shared_counts& all = counts();
    return {all.networks, all.halves, all.interleaves, all.elements, all.kinds};
}

}  // namespace listed_tiles
