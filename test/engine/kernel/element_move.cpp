// Rows of elements smaller than a byte: what is moved, and that all other bits are kept.

#include <plait/engine/kernel/element_move.hpp>

#include <doctest/doctest.h>

#include <array>

namespace test_engine_kernel_element_move { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

using memory = std::array<std::byte, 24>;

memory numbered(unsigned seed) {
    memory out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>((i + seed) * 2654435761u >> 13);
    return out;
}
/// Writes bits one by one: those of a place of `from`, or zeros.
void put(memory& to, dim_t place, int bits, const memory* from, dim_t source) {
    for (int k = 0; k < bits; ++k) {
        const auto bit_of = [k](dim_t begin) { return std::byte{1} << static_cast<int>((begin + k) % 8); };
        const auto at = [k](dim_t begin) { return static_cast<std::size_t>((begin + k) / 8); };
        to[at(place)] &= ~bit_of(place);
        if (from != nullptr && ((*from)[at(source)] & bit_of(source)) != std::byte{}) to[at(place)] |= bit_of(place);
    }
}

TEST_CASE("move_row: elements of each size at all distances, and zeros after them") {
    const memory from = numbered(3), before = numbered(4);
    for (const int bits : {1, 2, 4, 6})
        for (dim_t src_step = 1; src_step <= 3; ++src_step)
            for (dim_t dst_step = 1; dst_step <= 3; ++dst_step)
                for (dim_t first = 0; first < 4; ++first)
                    for (dim_t valid = 0; valid <= 6; ++valid)
                        for (const dim_t stored : {valid, dim_t{7}}) {
                            memory wanted = before, moved = before;
                            const element_row row{(2 - first / 2) * bits, src_step * bits, first * bits,
                                                  dst_step * bits,        valid,           stored};
                            for (dim_t k = 0; k < row.stored; ++k)
                                put(wanted, row.dst + k * row.dst_step, bits, k < valid ? &from : nullptr,
                                    row.src + k * row.src_step);
                            move_row(from.data(), moved.data(), row, bits);
                            REQUIRE(moved == wanted);
                        }
}

}}  // namespace test_engine_kernel_element_move
