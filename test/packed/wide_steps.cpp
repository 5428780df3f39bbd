// The inner loops of tables of bits: every instruction set of the CPU does what is said of each byte.
#include <plait/packed/bit_program.hpp>

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

/// Bytes of the destination side by side, with random sources of their bits.
struct drawn_table {
    std::vector<bit_target> targets;
    std::vector<std::uint32_t> first = {0};
    std::vector<bit_source> of;

    drawn_table(drawn_numbers& draw, std::uint32_t length, std::uint32_t src_bytes) {
        const std::uint32_t begin = draw.below(5), around = draw.below(src_bytes);
        for (std::uint32_t i = 0; i < length; ++i) {
            targets.push_back({begin + i, 0, static_cast<std::uint8_t>(draw.below(256))});
            for (int low = 0; low < 8;) {
                // Bits from low to high come from another byte, as low as bit `from`.
                const int width = 1 + static_cast<int>(draw.below(static_cast<std::uint32_t>(8 - low)));
                const int from = static_cast<int>(draw.below(static_cast<std::uint32_t>(9 - width)));
                of.push_back({(around + draw.below(12)) % src_bytes, static_cast<std::uint8_t>(8 + from - low),
                              static_cast<std::uint8_t>(((1u << width) - 1) << low)});
                low += width;
            }
            first.push_back(static_cast<std::uint32_t>(of.size()));
        }
    }
    void run(const wide_bytes& src, wide_bytes& dst) const {
        for (std::size_t i = 0; i < targets.size(); ++i) {
            unsigned value = targets[i].flipped;
            for (std::uint32_t s = first[i]; s < first[i + 1]; ++s)
                value ^= std::to_integer<unsigned>(src[of[s].src]) << 8 >> of[s].shift & of[s].mask;
            dst[targets[i].dst] = static_cast<std::byte>(value);
        }
    }
};

TEST_CASE("shuffles write the bytes of their runs, and read no byte behind the last source") {
    for_each_code([](const step_code& code) {
        drawn_numbers draw;
        int made = 0;
        for (int turn = 0; turn < 300; ++turn) {
            const std::uint32_t length = 1 + draw.below(150), src_bytes = 1 + draw.below(60);
            const drawn_table table(draw, length, src_bytes);
            shuffle_table shuffles;
            if (!shuffle_maker(code, src_bytes).add(table.targets, table.first.data(), table.of.data(), shuffles)) {
                CHECK((shuffles.targets.empty() && shuffles.groups.empty() && shuffles.bytes.empty()));
                continue;
            }
            ++made;
            const wide_bytes src = draw.bytes(src_bytes);
            wide_bytes out = draw.bytes(table.targets.back().dst + 3), expected = out;
            table.run(src, expected);
            code.run_shuffles(shuffles, src.data(), out.data());
            CHECK(out == expected);
            for (const std::uint32_t begin : shuffles.terms) CHECK(begin + 16 <= src_bytes);
        }
        CHECK((made > 0) == code.has_shuffles);
    });
}
}  // namespace
