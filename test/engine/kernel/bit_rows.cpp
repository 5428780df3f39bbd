// Rows of bits: what is copied, and that all other bits are kept.

#include <plait/engine/kernel/bit_rows.hpp>

#include <doctest/doctest.h>

#include <array>

namespace test_engine_kernel_bit_rows { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

using memory = std::array<std::byte, 24>;

memory numbered(unsigned seed) {
    memory out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>((i + seed) * 2654435761u >> 13);
    return out;
}
bool bit_of(const memory& m, dim_t bit) { return load_bits(m.data(), bit, 1) != 0; }

TEST_CASE("copy_bits and zero_bits: every run of bits, and no other bit") {
    const memory from = numbered(1), before = numbered(2);
    for (dim_t begin = 0; begin < 10; ++begin)
        for (dim_t to = 0; to < 10; ++to)
            for (dim_t count = 0; count < 60; ++count) {
                memory copied = before, zeroed = before;
                copy_bits(from.data(), begin, copied.data(), {to, count});
                zero_bits(zeroed.data(), {to, count});
                bool right = true;
                for (dim_t bit = 0; bit < 8 * 24; ++bit) {
                    const bool inside = bit >= to && bit < to + count;
                    right =
                        right && bit_of(copied, bit) == (inside ? bit_of(from, bit - to + begin) : bit_of(before, bit));
                    right = right && bit_of(zeroed, bit) == (!inside && bit_of(before, bit));
                }
                REQUIRE(right);
            }
}

TEST_CASE("move_row: elements of each size at all distances, and zeros after them") {
    const memory from = numbered(3), before = numbered(4);
    for (const int bits : {1, 2, 4, 6})
        for (dim_t src_step = 1; src_step <= 3; ++src_step)
            for (dim_t dst_step = 1; dst_step <= 3; ++dst_step)
                for (dim_t first = 0; first < 4; ++first)
                    for (dim_t valid = 0; valid <= 6; ++valid) {
                        memory wanted = before, moved = before;
                        const element_row row{2 - first / 2, src_step, first, dst_step, valid, 7};
                        for (dim_t k = 0; k < row.stored; ++k)
                            store_bits(wanted.data(), (row.dst + k * dst_step) * bits, bits,
                                       k < valid ? load_bits(from.data(), (row.src + k * src_step) * bits, bits)
                                                 : std::uint8_t{0});
                        move_row(from.data(), moved.data(), row, bits);
                        REQUIRE(moved == wanted);
                    }
}

}}  // namespace test_engine_kernel_bit_rows
