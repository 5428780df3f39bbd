// Every length of a tail, for kernels whose network is a table, with every instruction set, size and tile.

#include "table_kernels.hpp"

#include <set>

namespace test_engine_kernel_table_kernels_tails { namespace {

using namespace kernels;

inline constexpr dim_t longest = 70;  // more than a register of bytes

/// A pair of layouts with extents `length` and a second one that does not fill registers either.
struct transpose {
    static constexpr layout src(dim_t length) { return {{length, 21}, "ab"}; }
    static constexpr layout dst(dim_t length) { return {{length, 21}, "ba"}; }
};
struct transpose_back {
    static constexpr layout src(dim_t length) { return {{21, length}, "ab"}; }
    static constexpr layout dst(dim_t length) { return {{21, length}, "ba"}; }
};
struct into_blocks {  // with padding
    static constexpr layout src(dim_t length) { return {{length, 37}, "ab"}; }
    static constexpr layout dst(dim_t length) { return {{length, 37}, "Ab16a"}; }
};
struct out_of_blocks {
    static constexpr layout src(dim_t length) { return {{length, 37}, "Ab16a"}; }
    static constexpr layout dst(dim_t length) { return {{length, 37}, "ab"}; }
};
struct along_blocks {  // the tail is along the places
    static constexpr layout src(dim_t length) { return {{19, length}, "ab"}; }
    static constexpr layout dst(dim_t length) { return {{19, length}, "Ab16a"}; }
};
struct along_blocks_back {
    static constexpr layout src(dim_t length) { return {{19, length}, "Ab16a"}; }
    static constexpr layout dst(dim_t length) { return {{19, length}, "ab"}; }
};

struct between_blocks {  // registers are copied, with other padding
    static constexpr layout src(dim_t length) { return {{length, 19}, "Ab16a"}; }
    static constexpr layout dst(dim_t length) { return {{length, 19}, "Ab32a"}; }
};
struct between_blocks_back {
    static constexpr layout src(dim_t length) { return {{length, 19}, "Ab32a"}; }
    static constexpr layout dst(dim_t length) { return {{length, 19}, "Ab16a"}; }
};

/// Runs all lengths of a pair of layouts with each of its tiles; adds the kernels that ran to the set.
template <class T, class Pair>
void run_lengths(isa which, const simd::table_kernels& all, std::set<const run_time_kernel*>& ran) {
    int run = 0;
    for (dim_t length = 1; length <= longest; ++length) {
        const layout src = Pair::src(length), dst = Pair::dst(length);
        const std::vector<table_plan> plans = every_table_plan(src, dst, static_cast<int>(sizeof(T)), which, all);
        match_reference<T>(src, dst, which, plans);
        for (const table_plan& plan : plans) ran.insert(plan.kernel);
        run += plans.empty() ? 0 : 1;
    }
    INFO(std::string(to_string(which)), ", ", sizeof(T), " bytes");
    CHECK(run >= longest - 16);  // the shortest fill no vector
}

/// Checks with each instruction set of the CPU that the pairs have tiles of at least `kernels` kinds.
template <class T, class... Pair>
void every_length(std::size_t least_kernels) {
    for (const isa which : every_isa) {
        const simd::table_kernels* const all = table_kernels_with(which);
        if (all == nullptr) continue;
        std::set<const run_time_kernel*> ran;
        (run_lengths<T, Pair>(which, *all, ran), ...);
        INFO(std::string(to_string(which)), ", ", sizeof(T), " bytes: ", ran.size(), " kernels");
        CHECK(ran.size() >= least_kernels);
    }
}

TEST_CASE("tails: transposed") {
    every_length<std::uint8_t, transpose, transpose_back>(4);
    every_length<bfloat16, transpose, transpose_back>(4);
    every_length<float, transpose, transpose_back>(4);
    every_length<double, transpose, transpose_back>(4);
}
TEST_CASE("tails: into blocks") {
    every_length<std::uint8_t, into_blocks, along_blocks>(4);
    every_length<bfloat16, into_blocks, along_blocks>(3);  // 16 bytes: no interleave, too many of its tiles end
    every_length<float, into_blocks, along_blocks>(4);
    every_length<double, into_blocks, along_blocks>(4);
}
TEST_CASE("tails: out of blocks") {
    every_length<std::uint8_t, out_of_blocks, along_blocks_back>(4);
    every_length<bfloat16, out_of_blocks, along_blocks_back>(4);
    every_length<float, out_of_blocks, along_blocks_back>(4);
    every_length<double, out_of_blocks, along_blocks_back>(4);
}

TEST_CASE("tails: between blocks") {  // of two registers, or four
    every_length<std::uint8_t, between_blocks, between_blocks_back>(1);
    every_length<bfloat16, between_blocks, between_blocks_back>(1);
    every_length<float, between_blocks, between_blocks_back>(1);
    every_length<double, between_blocks, between_blocks_back>(1);
}

}}  // namespace test_engine_kernel_table_kernels_tails
