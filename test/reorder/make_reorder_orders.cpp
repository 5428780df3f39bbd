// Planned reorders that take more than 2 MB of the caches: the first calls try orders of loops and stores past the
// caches or into them, and all write the same bytes.

#include "support/executors.hpp"

#include <plait/contract/descriptor_reference.hpp>
#include <plait/engine/kernel/plan_tiles.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

namespace test_reorder_make_reorder_orders { namespace {

using namespace plait;
using namespace plait::engine;

struct large_pair {
    descriptor src, dst;
    reorder_attributes attributes;
};
/// Pairs of more than 24 MB, then of 2 to 24 MB: axes that end inside tiles, padding, and blocks; the rows of some go
/// through a staging buffer.
std::vector<large_pair> large_pairs() {
    const dims images{16, 34, 83, 75}, cubes{48, 21, 7, 11, 48};
    const auto f32 = [](const layout& l) { return descriptor{data_type::f32, l}; };
    const auto u8 = [](const layout& l) { return descriptor{data_type::u8, l}; };
    return {{f32(layout({1808, 1760}, "ab")), f32(layout({1808, 1760}, "ba")), {}},
            {f32(layout({1809, 1763}, "ab")), f32(layout({1809, 1763}, "ba")), {}},
            {f32(layout(images, "abcd")), f32(layout(images, "ABcd32a16b")), {}},
            {f32(layout(images, "aBcd16b")), f32(layout(images, "acdb")), {.src_scale = 0.5f}},
            {f32(layout(cubes, "abcde")), f32(layout(cubes, "edcba")), {}},
            {u8(layout({3584, 3653}, "ab")), u8(layout({3584, 3653}, "ba")), {}},
            {u8(layout({3584, 3584}, "ab")), u8(layout({3584, 3584}, "ba")), {}},
            {u8(layout({64, 3, 264, 256}, "abcd")), u8(layout({64, 3, 264, 256}, "acdb")), {}},
            {f32(layout({1024, 1024}, "ab")), f32(layout({1024, 1024}, "ba")), {}},
            {f32(layout({523, 777}, "ab")), f32(layout({523, 777}, "ba")), {}},
            {f32(layout({2, 34, 83, 75}, "abcd")), f32(layout({2, 34, 83, 75}, "ABcd32a16b")), {}},
            {f32(layout({2, 34, 83, 75}, "aBcd16b")), f32(layout({2, 34, 83, 75}, "acdb")), {.src_scale = 0.5f}},
            {f32(layout({9, 21, 7, 11, 48}, "abcde")), f32(layout({9, 21, 7, 11, 48}, "edcba")), {}},
            {u8(layout({1536, 1472}, "ab")), u8(layout({1536, 1472}, "ba")), {}},
            {u8(layout({8, 3, 264, 256}, "abcd")), u8(layout({8, 3, 264, 256}, "acdb")), {}},
            // Runs of the destination that tiles write in parts of lines: 12 channels; an axis around them that ends
            // inside a block; 25 channels, and places that no strip of tiles divides.
            {f32(layout({12, 90000}, "ab")), f32(layout({12, 90000}, "ba")), {}},
            {f32(layout({33, 64, 26, 28}, "ABcd32a16b")), f32(layout({33, 64, 26, 28}, "abcd")), {}},
            {f32(layout({256, 25, 22, 10}, "ABcd32a32b")), f32(layout({256, 25, 22, 10}, "acdb")), {}},
            {f32(layout({20, 52429}, "ab")), f32(layout({20, 52429}, "ba")), {}},
            // 1 MB is moved, spread over 2.5 MB of lines.
            {u8(layout({1, 128, 64, 64}, "BcdA16a64b4a")), u8(layout({1, 128, 64, 64}, "aBcd32b")), {}},
            // A copy of one loop, and conversions in cache blocks that are dense in the source and in the destination.
            {f32(layout({1024, 4096}, "ab")), f32(layout({1024, 4096}, "ab")), {}},
            {f32(layout(images, "abcd")), {data_type::bf16, layout(images, "aBcd16b")}, {.dst_scale = 0.5f}},
            {f32(layout(images, "acdb")), {data_type::bf16, layout(images, "abcd")}, {.dst_scale = 0.5f}},
            {f32(layout({64, 16, 96, 112}, "acdb")), {data_type::bf16, layout({64, 16, 96, 112}, "aBcd16b")}, {}}};
}

/// Memory whose first byte begins at a cache line, so that kernels can store past the caches.
class aligned_bytes {
public:
    explicit aligned_bytes(std::size_t bytes) : bytes_(bytes + 64) {}
    std::byte* data() { return bytes_.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64) % 64; }

private:
    std::vector<std::byte> bytes_;
};

/// A pair with its source filled and its destination as the reference writes it.
struct asked_pair {
    large_pair pair;
    std::size_t out_bytes = pair.dst.buffer_size_in_bytes();
    aligned_bytes in, out;
    std::vector<std::byte> expected;

    explicit asked_pair(const large_pair& of)
        : pair(of), in(of.src.buffer_size_in_bytes()), out(out_bytes), expected(out_bytes) {
        std::uint32_t random = 12345;
        for (std::size_t i = 0, bytes = pair.src.buffer_size_in_bytes(); i < bytes; i += 4) {
            const auto element = static_cast<float>(random = random * 1664525 + 1013904223);
            std::memcpy(in.data() + i, &element, bytes - i < 4 ? bytes - i : 4);
        }
        reference_reorder(pair.src, in.data(), pair.dst, expected.data(), pair.attributes);
    }
    planned_reorder plan(isa instructions) const {
        planned_reorder planned;
        compiled_once::plan(instructions, planned, pair.src, pair.dst, pair.attributes,
                            detail::measure_reorder(pair.src, pair.dst, pair.attributes).ends);
        return planned;
    }
    /// Makes enough calls to try all orders, and to use the one that is kept.
    void all_calls_write_the_reference(const planned_reorder& planned, int threads) {
        for (int call = 0; call <= order_trials::calls_to_try(most_orders) + 1; ++call) {
            std::memset(out.data(), 0x55 + call, out_bytes);
            if (threads == 1) planned(in.data(), out.data());
            else planned(plait_test::last_chunk_first{threads}, in.data(), out.data());
            const bool is_equal = std::memcmp(out.data(), expected.data(), out_bytes) == 0;
            INFO("threads ", threads, ", call ", call);
            CHECK(is_equal);
        }
    }
};

TEST_CASE("make_reorder: every call writes the bytes of the reference, whatever order of loops it tries") {
    int number = 0, trying = 0;
    for (const large_pair& pair : large_pairs()) {
        asked_pair asked(pair);
        ++number;
        for (const isa instructions : every_isa) {
            if (!is_of_this_architecture(instructions) || !cpu_has(instructions)) continue;
            INFO("pair ", number, ", ", std::string(to_string(instructions)));
            const planned_reorder planned = asked.plan(instructions);
            const planned_tiles* const tiles = compiled_once::tiles_of(planned);
            // With a factor some sets convert values in cache blocks instead.
            const bool moves = pair.src.type == pair.dst.type && pair.attributes.src_scale.value == 1;
            CHECK((!moves || tiles != nullptr));
            trying += tiles != nullptr && !tiles->orders.empty();
            asked.all_calls_write_the_reference(planned, 1);
            if (number % 2 == 0) asked.all_calls_write_the_reference(asked.plan(instructions), 2 + number / 2);
        }
    }
    CHECK(trying >= number - 1);
}

TEST_CASE("bind: other extents are tried anew") {
    planned_reorder planned =
        *make_reorder({data_type::f32, layout({dynamic, 1760}, "ab")}, {data_type::f32, layout({dynamic, 1760}, "ba")});
    for (const dim_t rows : {1808, 3616, 17}) {
        REQUIRE(planned.bind({rows, 1760}).ok());
        const std::size_t bytes = static_cast<std::size_t>(rows) * 1760 * 4;
        aligned_bytes in(bytes), out(bytes);
        for (std::size_t i = 0; i < bytes; i += 4) {
            const auto number = static_cast<std::uint32_t>(i);
            std::memcpy(in.data() + i, &number, 4);
        }
        for (int call = 0; call < 4; ++call) {
            std::memset(out.data(), 0x55, bytes);
            planned(in.data(), out.data());
            bool is_equal = true;
            for (dim_t r = 0; r < rows; ++r)
                for (dim_t c = 0; c < 1760; ++c)
                    is_equal = is_equal &&
                               std::memcmp(in.data() + (r * 1760 + c) * 4, out.data() + (c * rows + r) * 4, 4) == 0;
            CHECK(is_equal);
        }
    }
}

}}  // namespace test_reorder_make_reorder_orders
