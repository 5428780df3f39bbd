// The inner loops of steps on bytes: every instruction set of the CPU does what is said of each byte.
#include <plait/packed/wide_steps.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <vector>

namespace {
using namespace plait::detail;
using plait::dim_t;
using wide_bytes = std::vector<std::byte>;

struct drawn_numbers {
    std::uint32_t state = 1;
    std::uint32_t below(std::uint32_t limit) { return (state = state * 1664525 + 1013904223) / 65536 % limit; }
    wide_bytes bytes(std::size_t count) {
        wide_bytes out(count);
        for (std::byte& b : out) b = static_cast<std::byte>(below(256));
        return out;
    }
};
template <class What>
void for_each_code(const What& what) {
    for (const plait::isa instructions : plait::every_isa)
        if (plait::is_of_this_architecture(instructions) && plait::cpu_has(instructions)) {
            INFO(plait::to_string(instructions));
            what(step_code_of(instructions));
        }
}

TEST_CASE("bits of all bytes of runs are inverted, and none between them") {
    for_each_code([](const step_code& code) {
        drawn_numbers draw;
        for (dim_t length = 1; length < 200; length += 1 + length / 7) {
            const dim_t count = 3, step = length + 5;
            wide_bytes data = draw.bytes(static_cast<std::size_t>(count * step - 5)), expected = data;
            for (std::size_t i = 0; i < data.size(); ++i)
                if (static_cast<dim_t>(i) % step < length) expected[i] ^= std::byte{0x88};
            code.flip_runs(data.data(), count, step, length, 0x88);
            CHECK(data == expected);
        }
    });
}

TEST_CASE("each byte of a slot comes from the slot that its mask says") {
    for_each_code([](const step_code& code) {
        drawn_numbers draw;
        for (const std::size_t extent : {std::size_t{2}, std::size_t{4}})
            for (const std::size_t slot : {std::size_t{16}, std::size_t{32}, std::size_t{48}, std::size_t{64}}) {
                const std::size_t run = extent * slot, step = run + 16;
                wide_bytes data = draw.bytes(2 * run + 16), masks(run), expected = data;
                for (std::size_t i = 0; i < slot; ++i) {
                    const std::size_t j = draw.below(static_cast<std::uint32_t>(extent));
                    masks[j * slot + i] = std::byte{0xff};
                    for (const std::size_t begin : {std::size_t{0}, step})
                        for (std::size_t t = 0; t < extent; ++t)
                            expected[begin + t * slot + i] = data[begin + (t + j) % extent * slot + i];
                }
                step_code::turn* const turn = extent == 2 ? code.turn_two : code.turn_four;
                CHECK(turn(data.data(), 2, static_cast<dim_t>(step), static_cast<dim_t>(slot), masks.data()));
                CHECK(data == expected);
            }
        std::byte none[64]{}, masks[64]{};
        CHECK(!code.turn_four(none, 1, 64, 8, masks));  // slots of eight bytes
    });
}

TEST_CASE("sums are those of the bytes, or of the halves of each") {
    for_each_code([](const step_code& code) {
        drawn_numbers draw;
        for (const int vectors : {1, 2, 9}) {
            wide_bytes data = draw.bytes(static_cast<std::size_t>(vectors * code.vector_bytes));
            data.back() = std::byte{0xff};
            std::uint64_t whole = 0, halves = 0;
            for (const std::byte b : data) {
                const auto value = std::to_integer<unsigned>(b ^ std::byte{0x88});
                whole += value, halves += value % 16 + value / 16;
            }
            const auto count = static_cast<dim_t>(data.size());
            CHECK(code.sum_bytes(data.data(), count, 0x88, false) == whole);
            CHECK(code.sum_bytes(data.data(), count, 0x88, true) == halves);
        }
    });
}

TEST_CASE("sums of runs that lie apart are those of their bytes, or of the halves of each") {
    for_each_code([](const step_code& code) {
        if (code.sum_runs == nullptr) return;
        drawn_numbers draw;
        for (const dim_t run_bytes : {16, 32, 48, 224}) {
            const dim_t count = 8, step = run_bytes + 5;
            const wide_bytes data = draw.bytes(static_cast<std::size_t>(count * step - 5));
            for (const bool halves : {false, true}) {
                std::vector<std::int32_t> sums(count), expected(count);
                for (dim_t i = 0; i < static_cast<dim_t>(data.size()); ++i) {
                    if (i % step >= run_bytes) continue;
                    const auto value = std::to_integer<int>(data[static_cast<std::size_t>(i)] ^ std::byte{0x88});
                    expected[static_cast<std::size_t>(i / step)] += halves ? value % 16 + value / 16 : value;
                }
                code.sum_runs(data.data(), count, step, run_bytes, 0x88, halves, sums.data());
                CHECK(sums == expected);
            }
        }
    });
}

TEST_CASE("sums of lanes are those of their four bytes, or of the halves of each") {
    for_each_code([](const step_code& code) {
        drawn_numbers draw;
        const auto vector = static_cast<std::size_t>(code.vector_bytes);
        for (const std::size_t count : {std::size_t{1}, std::size_t{128}, std::size_t{300}})
            for (const bool halves : {false, true}) {
                wide_bytes data = draw.bytes(count * (vector + 3));
                if (count == 300) std::fill(data.begin(), data.end(), std::byte{0x77});  // the largest numbers
                std::vector<dim_t> begin(count);
                std::vector<std::uint32_t> sums(vector / 4), expected(vector / 4, 0U - 30);
                for (std::size_t i = 0; i < count; ++i) {
                    begin[i] = static_cast<dim_t>(i * (vector + 3));
                    for (std::size_t k = 0; k < vector; ++k) {
                        const auto value = std::to_integer<unsigned>(data[i * (vector + 3) + k] ^ std::byte{0x88});
                        expected[k / 4] += 3 * (halves ? value % 16 + value / 16 : value);
                    }
                }
                const lane_sums how{begin.data(), count, 0x88, halves, 10, 3};
                code.sum_lanes(how, data.data(), reinterpret_cast<std::byte*>(sums.data()));
                CHECK(sums == expected);
            }
    });
}

TEST_CASE("sums of rows are rounded after each product and each sum") {
    for_each_code([](const step_code& code) {
        if (code.sum_rows == nullptr) return;
        drawn_numbers draw;
        const auto lanes = static_cast<std::size_t>(code.vector_bytes / 8);
        const row_group groups[] = {{0, 0}, {static_cast<dim_t>(2 * lanes * 8), 0}};
        const dim_t runs[] = {0, static_cast<dim_t>(lanes * 8)};
        const wide_bytes row_bytes = draw.bytes(4 * lanes * 8);
        std::vector<float> factors(2 * lanes), totals(lanes, 0.25f), expected = totals;
        for (float& factor : factors) factor = 1.0f / static_cast<float>(3 + draw.below(1000));
        for (std::size_t row = 0; row < lanes; ++row)
            for (std::size_t run = 0; run < 4; ++run) {
                int sum = -128;
                for (std::size_t i = 0; i < 8; ++i) {
                    const auto value = std::to_integer<int>(row_bytes[(run * lanes + row) * 8 + i] ^ std::byte{0x88});
                    sum += value % 16 + value / 16;
                }
                volatile float product = static_cast<float>(sum) * factors[run / 2 * lanes + row];
                expected[row] += product;
            }
        code.sum_rows({groups, 2, runs, 2, factors.data(), 0x8888888888888888, 128}, row_bytes.data(), totals.data());
        CHECK(totals == expected);
    });
}
}  // namespace
