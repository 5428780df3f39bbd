// Tables of bytes that are picked from windows: every instruction set of the CPU writes what is said of each byte, and
// accesses nothing else.
#include <plait/engine/kernel/compiled_kernels.hpp>
#include <plait/packed/bit_program.hpp>

#include "packed/forced_movers.hpp"
#include "support/fenced_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace test_packed_byte_windows { namespace {

using namespace plait;
using namespace plait::detail;
using kernels::fence, kernels::fenced_memory, packed_test::drawn_numbers;
using byte_list = std::vector<std::byte>;

byte_list drawn_bytes(drawn_numbers& draw, std::size_t count) {
    byte_list out(count);
    for (std::byte& b : out) b = static_cast<std::byte>(draw.below(256));
    return out;
}
template <class What>
void for_each_code(const What& what) {
    for (const isa instructions : every_isa)
        if (is_of_this_architecture(instructions) && cpu_has(instructions)) {
            INFO(to_string(instructions));
            what(engine::byte_windows_of(instructions));
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
    void run(const std::byte* src, byte_list& dst) const {
        for (std::size_t i = 0; i < targets.size(); ++i) {
            unsigned value = targets[i].flipped;
            for (std::uint32_t s = first[i]; s < first[i + 1]; ++s)
                value ^= std::to_integer<unsigned>(src[of[s].src]) << 8 >> of[s].shift & of[s].mask;
            dst[targets[i].dst] = static_cast<std::byte>(value);
        }
    }
};

TEST_CASE("shuffles write the bytes of their runs, and read no byte behind the last source") {
    for_each_code([](const engine::byte_window_code& code) {
        drawn_numbers draw;
        int made = 0;
        for (int turn = 0; turn < 300; ++turn) {
            const std::uint32_t length = 1 + draw.below(150), src_bytes = 1 + draw.below(60);
            const drawn_table table(draw, length, src_bytes);
            shuffle_program shuffles;
            if (!shuffle_maker(code, src_bytes).add(table.targets, table.first.data(), table.of.data(), shuffles)) {
                CHECK((shuffles.targets.empty() && shuffles.groups.empty() && shuffles.used == 0));
                continue;
            }
            ++made;
            const std::size_t dst_bytes = table.targets.back().dst + (turn % 2 == 0 ? 1u : 3u);
            const byte_list bytes = drawn_bytes(draw, src_bytes), before = drawn_bytes(draw, dst_bytes);
            for (const fence where : {fence::in_front, fence::behind}) {
                fenced_memory<std::byte> src(src_bytes, where), out(dst_bytes, where);
                std::copy(bytes.begin(), bytes.end(), src.data());
                std::copy(before.begin(), before.end(), out.data());
                byte_list expected = before;
                table.run(bytes.data(), expected);
                code.run(shuffles.table(), 1, 0, 0, src.data(), out.data());
                CHECK(std::equal(expected.begin(), expected.end(), out.data()));
            }
            for (const std::uint32_t begin : shuffles.terms) CHECK(begin + 16 <= src_bytes);
        }
        CHECK(made > 0);
    });
}

}}  // namespace test_packed_byte_windows
