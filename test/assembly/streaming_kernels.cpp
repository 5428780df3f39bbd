// Kernels that use non-temporal stores, for each instruction set. check_streaming.py reads their object code.
// - Three kernels of each set have constants. Their sizes are multiples of a tile, because a remainder is stored in
// another way.
// - The kernels whose network is a table have 1, 4, and 8 or 16 of the widest registers.
// - Two copy whole cache lines: those of records, and those of rows of values. Their tile is a line.

#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/engine/quantize/constant_cache_blocks.hpp>
#include <plait/engine/simd/sse41_rows.hpp>

using plait::isa, plait::layout, plait::engine::run_time_offsets, plait::engine::reorder_plan,
    plait::engine::kernel_walk, std::byte;

namespace streaming {

using path = plait::engine::element_types_of<float, float>;

inline constexpr layout numbers({4194304}, "a"), ab({4096, 4096}, "ab"), ba({4096, 4096}, "ba");
inline constexpr layout nchw({16, 256, 56, 56}, "nchw"), nChw16c({16, 256, 56, 56}, "nChw16c");

template <isa Isa>
using copy = plait::engine::static_plan<numbers, numbers, path, Isa>;
template <isa Isa>
using block = plait::engine::static_plan<nchw, nChw16c, path, Isa>;
template <isa Isa>
using transpose = plait::engine::static_plan<ab, ba, path, Isa>;

/// The number of stores that write a tile.
template <class Plan>
inline constexpr int stores =
    Plan::value.pattern.registers() * Plan::value.pattern.segments(plait::engine::side::destination);

/// Runs the kernel of the plan with constants only.
template <class Plan, isa Isa>
void run(const byte* src, byte* dst) {
    static_assert(plait::engine::may_stream(Plan::value) && Plan::value.bounds.empty());
    plait::engine::run_plan<Isa, Plan, true>(src, dst);
}

}  // namespace streaming

using namespace streaming;

// Each has a name that says what it is: static_, a kernel with constants; run_time_, a kernel for plans that are data;
// stores_of_, an array with one element for each store of a tile.
#define STREAMING_STATIC(instruction_set, move)                                                       \
    extern "C" const char stores_of_##move##_##instruction_set[stores<move<isa::instruction_set>>]{}; \
    extern "C" void static_##move##_##instruction_set(const byte* src, byte* dst) {                   \
        run<move<isa::instruction_set>, isa::instruction_set>(src, dst);                              \
    }
#define STREAMING_DATA(instruction_set, bits)                                                                                   \
    extern "C" const char stores_of_registers_##bits##_##instruction_set[1 << bits]{};                                          \
    extern "C" void run_time_registers_##bits##_##instruction_set(                                                              \
        const reorder_plan& plan, const run_time_offsets& at, const kernel_walk& walk, const byte* src, byte* dst) {            \
        plait::engine::simd::instruction_set::table_kernel_for<plait::detail::vector_bytes(isa::instruction_set), bits>.stream( \
            plan, at, walk, src, dst);                                                                                          \
    }
#define STREAMING_NETWORK(instruction_set, bytes, number)                                                             \
    extern "C" const char stores_of_network_##number##_##instruction_set                                              \
        [1 << plait::engine::simd::instruction_set::lane_shuffles<bytes>::frequent_networks[number].register_bits]{}; \
    extern "C" void run_time_network_##number##_##instruction_set(                                                    \
        const reorder_plan& plan, const run_time_offsets& at, const kernel_walk& walk, const byte* src, byte* dst) {  \
        plait::engine::simd::instruction_set::known_kernel_for<bytes, number>.stream(plan, at, walk, src, dst);       \
    }
#define STREAMING_LINES(instruction_set, move, bytes)                                                     \
    extern "C" const char stores_of_##move##_##instruction_set[64 / bytes]{};                             \
    extern "C" void static_##move##_##instruction_set(const byte* from, byte* to, plait::dim_t count,     \
                                                      const byte* next, plait::dim_t next_count) {        \
        plait::engine::simd::instruction_set::stream_and_fetch<bytes>(from, to, count, next, next_count); \
    }

#if defined(__x86_64__)
STREAMING_LINES(avx512, records, 16)
STREAMING_LINES(avx512, rows, 64)
STREAMING_LINES(avx2, records, 16)
STREAMING_LINES(avx2, rows, 32)
STREAMING_LINES(sse41, records, 16)
STREAMING_STATIC(avx512, copy)
STREAMING_STATIC(avx512, block)
STREAMING_STATIC(avx512, transpose)
STREAMING_DATA(avx512, 0)
STREAMING_DATA(avx512, 2)
STREAMING_DATA(avx512, 4)
STREAMING_NETWORK(avx512, 64, 0)
STREAMING_NETWORK(avx512, 64, 8)
STREAMING_STATIC(avx2, copy)
STREAMING_STATIC(avx2, block)
STREAMING_STATIC(avx2, transpose)
STREAMING_DATA(avx2, 0)
STREAMING_DATA(avx2, 2)
STREAMING_DATA(avx2, 3)
STREAMING_NETWORK(avx2, 32, 0)
STREAMING_NETWORK(avx2, 32, 2)
STREAMING_NETWORK(avx2, 32, 11)
STREAMING_STATIC(sse41, copy)
STREAMING_STATIC(sse41, block)
STREAMING_STATIC(sse41, transpose)
#elif defined(__aarch64__)
STREAMING_LINES(neon, records, 16)
STREAMING_STATIC(neon, copy)
STREAMING_STATIC(neon, block)
STREAMING_STATIC(neon, transpose)
STREAMING_DATA(neon, 0)
STREAMING_DATA(neon, 2)
STREAMING_DATA(neon, 4)
#endif
