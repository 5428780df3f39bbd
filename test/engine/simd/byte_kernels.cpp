// The functions for bytes as they are stored: every instruction set of the CPU does what is said of each byte.
#include <plait/engine/kernel/compiled_kernels.hpp>

#include <doctest/doctest.h>

#include "support/with_each_isa.hpp"

#include <cstring>
#include <vector>

namespace test_engine_simd_byte_kernels { namespace {

using namespace plait;
using namespace plait::engine;
using bytes = std::vector<std::byte>;

struct drawn_numbers {
    std::uint32_t state = 1;
    std::uint32_t below(std::uint32_t limit) { return (state = state * 1664525 + 1013904223) / 65536 % limit; }
    bytes draw(dim_t count) {
        bytes out(static_cast<std::size_t>(count));
        for (std::byte& b : out) b = static_cast<std::byte>(below(256));
        return out;
    }
};
/// Calls check for the functions of each instruction set that this CPU has, as the library compiles them.
template <class Check>
void for_each_code(const Check& check) {
    plait_test::with_each_isa([&]<isa Isa>() {
        if constexpr (has_compiled_kernels(Isa)) {
            INFO(to_string(Isa));
            const byte_kernels& code = byte_kernels_of(Isa);
            CHECK(code.vector_bytes == detail::vector_bytes(Isa));
            check(code);
        }
    });
}
constexpr std::uint32_t number_of(std::byte byte, const summed_bytes& numbers) {
    const auto value = std::to_integer<std::uint32_t>(byte) ^ numbers.flips;
    return numbers.halves ? value % 16 + value / 16 : value;
}

TEST_CASE("byte_kernels: bits of all bytes of runs are inverted, and none between them") {
    for_each_code([](const byte_kernels& code) {
        drawn_numbers random;
        for (dim_t length = 1; length < 200; length += 1 + length / 7) {
            const dim_t count = 3, step = length + 5;
            bytes data = random.draw(count * step - 5), expected = data;
            for (std::size_t i = 0; i < data.size(); ++i)
                if (static_cast<dim_t>(i) % step < length) expected[i] ^= std::byte{0x88};
            code.flip_runs(data.data(), count, step, length, 0x88);
            CHECK(data == expected);
        }
    });
}

TEST_CASE("byte_kernels: each byte of a slot comes from the slot that its mask says") {
    for_each_code([](const byte_kernels& code) {
        drawn_numbers random;
        for (const std::size_t extent : {std::size_t{2}, std::size_t{4}})
            for (const std::size_t slot : {std::size_t{16}, std::size_t{32}, std::size_t{48}, std::size_t{64}}) {
                const std::size_t run = extent * slot, step = run + 16;
                bytes data = random.draw(static_cast<dim_t>(2 * run + 16)), masks(run), expected = data;
                for (std::size_t i = 0; i < slot; ++i) {
                    const std::size_t j = random.below(static_cast<std::uint32_t>(extent));
                    masks[j * slot + i] = std::byte{0xff};
                    for (const std::size_t begin : {std::size_t{0}, step})
                        for (std::size_t t = 0; t < extent; ++t)
                            expected[begin + t * slot + i] = data[begin + (t + j) % extent * slot + i];
                }
                byte_kernels::turn* const turn = extent == 2 ? code.turn_two : code.turn_four;
                CHECK(turn(data.data(), 2, static_cast<dim_t>(step), static_cast<dim_t>(slot), masks.data()));
                CHECK(data == expected);
            }
        std::byte none[64]{}, masks[64]{};
        CHECK(!code.turn_four(none, 1, 64, 8, masks));  // slots of eight bytes
    });
}

TEST_CASE("byte_kernels: sums of runs are those of their bytes, or of the halves of each") {
    for_each_code([](const byte_kernels& code) {
        drawn_numbers random;
        for (dim_t run = 1; run < 700; run += run < 80 ? 1 : 37)
            for (const dim_t count : {1, 3, 4, 7})
                for (const summed_bytes numbers : {summed_bytes{0x88, false}, summed_bytes{0x88, true}}) {
                    const dim_t step = run + 5;
                    const bytes data = random.draw(count * step - 5);
                    std::vector<std::uint32_t> sums(static_cast<std::size_t>(count)), expected = sums, scaled = sums;
                    for (std::size_t i = 0; i < data.size(); ++i)
                        if (static_cast<dim_t>(i) % step < run)
                            expected[i / static_cast<std::size_t>(step)] += number_of(data[i], numbers);
                    auto* const to = reinterpret_cast<std::byte*>(sums.data());
                    code.sum_runs({step, run, numbers}, data.data(), count, to);
                    CHECK(sums == expected);
                    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] = (expected[i] - 1000) * 3;
                    code.sum_runs({step, run, numbers, 1000, 3}, data.data(), count, to);
                    CHECK(sums == scaled);
                    CHECK(sum_of_run(code.sum_runs, data.data(), run, numbers) == expected[0]);
                }
    });
}

TEST_CASE("byte_kernels: the sum of the longest run of the largest numbers has 32 bits, that of a longer one more") {
    const bytes data(static_cast<std::size_t>(byte_kernels::most_summed + 3), std::byte{0xff});
    for_each_code([&](const byte_kernels& code) {
        std::uint32_t sums[4];
        code.sum_runs({1, byte_kernels::most_summed, {}}, data.data(), 4, reinterpret_cast<std::byte*>(sums));
        for (const std::uint32_t sum : sums) CHECK(sum == 255u << 24);
        CHECK(sum_of_run(code.sum_runs, data.data(), byte_kernels::most_summed + 3, {}) ==
              std::uint64_t{255} * ((1 << 24) + 3));
    });
}

TEST_CASE("byte_kernels: sums of lanes are those of their four bytes, or of the halves of each") {
    for_each_code([](const byte_kernels& code) {
        drawn_numbers random;
        const auto vector = static_cast<std::size_t>(code.vector_bytes);
        for (const std::size_t count : {std::size_t{1}, std::size_t{128}, std::size_t{300}})
            for (const summed_bytes numbers : {summed_bytes{0x88, false}, summed_bytes{0x88, true}}) {
                bytes data = random.draw(static_cast<dim_t>(count * (vector + 3)));
                if (count == 300) std::fill(data.begin(), data.end(), std::byte{0x77});  // the largest numbers
                std::vector<dim_t> begin(count);
                std::vector<std::uint32_t> sums(vector / 4), expected(vector / 4, 0U - 30);
                for (std::size_t i = 0; i < count; ++i) {
                    begin[i] = static_cast<dim_t>(i * (vector + 3));
                    for (std::size_t k = 0; k < vector; ++k)
                        expected[k / 4] += 3 * number_of(data[i * (vector + 3) + k], numbers);
                }
                code.sum_lanes({begin.data(), count, numbers, 10, 3}, data.data(),
                               reinterpret_cast<std::byte*>(sums.data()));
                CHECK(sums == expected);
            }
    });
}

TEST_CASE("byte_kernels: sums of rows are rounded after each product and each sum") {
    for_each_code([](const byte_kernels& code) {
        drawn_numbers random;
        for (const summed_bytes numbers : {summed_bytes{0x88, true}, summed_bytes{0x80, false}}) {
            const auto rows = static_cast<std::size_t>(code.vector_bytes / 8);
            const row_group groups[] = {{0, 0}, {static_cast<dim_t>(2 * rows * 8), 0}};
            const dim_t runs[] = {0, static_cast<dim_t>(rows * 8)};
            const bytes data = random.draw(static_cast<dim_t>(4 * rows * 8));
            std::vector<float> factors, totals(rows, 0.25f), expected = totals;
            for (std::size_t i = 0; i < 2 * rows; ++i)
                factors.push_back(1.0f / static_cast<float>(3 + random.below(1000)));
            for (std::size_t row = 0; row < rows; ++row)
                for (std::size_t run = 0; run < 4; ++run) {
                    int sum = -128;
                    for (std::size_t i = 0; i < 8; ++i)
                        sum += static_cast<int>(number_of(data[(run * rows + row) * 8 + i], numbers));
                    volatile float product = static_cast<float>(sum) * factors[run / 2 * rows + row];
                    expected[row] += product;
                }
            code.sum_rows({groups, 2, runs, 2, factors.data(), numbers, 128}, data.data(), totals.data());
            CHECK(totals == expected);
        }
    });
}

TEST_CASE("byte_kernels: whole lines are copied, whatever is fetched meanwhile") {
    for_each_code([](const byte_kernels& code) {
        drawn_numbers random;
        const bytes from = random.draw(64 * 5 + 1), next(1000);
        alignas(64) std::byte to[64 * 7]{};
        for (const dim_t next_bytes : {dim_t{0}, dim_t{1}, dim_t{1000}})
            for (const dim_t lines : {0, 1, 5}) {
                std::memset(to, 0, sizeof(to));
                code.stream(from.data() + 1, to + 64, lines * 64, next.data(), next_bytes);
                code.finish_streams();
                CHECK(std::memcmp(to + 64, from.data() + 1, static_cast<std::size_t>(lines * 64)) == 0);
                CHECK(to[63] == std::byte{0});
                CHECK(to[64 + lines * 64] == std::byte{0});
            }
    });
}

}  // namespace
}  // namespace test_engine_simd_byte_kernels
