// Pairs of pieces that permutes move: each bit goes where it goes value by value, and no byte outside of the buffers,
// and none of other values, is accessed. Tables of permutes run byte by byte, and also by the CPU's permutes if it has
// them.
#include <plait/packed/permute_program.hpp>

#include "packed/forced_movers.hpp"
#include "support/fenced_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace test_packed_byte_permutes { namespace {

using namespace plait;
using namespace plait::detail;
using kernels::fence, kernels::fenced_memory, packed_test::drawn_numbers, packed_test::drawn_tag;

/// The pairs of pieces of two records that permutes may move.
struct moved_pairs {
    record from, to;
    std::vector<std::unique_ptr<bit_pair>> pairs;

    moved_pairs(const std::string& source, const std::string& destination, const dims& extents)
        : from(*parse_record(source, extents)), to(*parse_record(destination, extents)) {
        for (const record_piece& dst : to.pieces)
            for (const record_piece& src : from.pieces) {
                const record_field &field = to.field_of(dst), &given = from.field_of(src);
                if (!(field.name == given.name)) continue;
                const piece_pair pair = pair_of(field, dst, given, src, extents);
                if (pair.is_empty()) continue;
                const pair_loops loops = pair_refinement(pair).find();
                const std::uint64_t flips =
                    (field.flipped >> pair.dst_low ^ given.flipped >> pair.src_low) & low_bits(pair.width);
                if (permute_maker::fits(pair, loops))
                    pairs.push_back(std::unique_ptr<bit_pair>(new bit_pair{{}, {}, pair, loops, flips}));
            }
    }
    /// Runs what has been chosen, and the same pairs value by value. Returns how many units there are.
    std::size_t check(fence where) const {
        permute_maker::pair_list all;
        for (const auto& p : pairs) all.push_back(p.get());
        if (all.empty()) return 0;
        const std::size_t from_bytes = from.size_in_bytes(), to_bytes = to.size_in_bytes();
        fenced_memory<std::byte> in(from_bytes, where), out(to_bytes, where);
        std::vector<std::byte> expected(to_bytes, std::byte{0xa5});
        for (std::size_t i = 0; i < from_bytes; ++i) in.data()[i] = static_cast<std::byte>(i * 37 % 251);
        std::vector<permute_program> programs;
        std::size_t units = 0;
        for (const permute_maker::choice& choice : permute_maker::choose(all)) {
            if (choice.unit.cost == 0) continue;
            permute_maker::add(choice, programs);
            for (const bit_pair* p : choice.pairs) move_values(p->pair, p->loops, p->flips, in.data(), expected.data());
            ++units;
        }
        for (permute_program& program : programs) program.settle();
        const auto run = [&] {
            std::memset(out.data(), 0xa5, to_bytes);
            for (const permute_program& program : programs) program.run(in.data(), out.data());
            CHECK(std::equal(expected.begin(), expected.end(), out.data()));
        };
        if (engine::cpu_has_byte_permutes()) run();
        for (permute_program& program : programs)
            for (permute_program::unit& unit : program.units) unit.code = packed_test::run_permutes_by_bytes;
        run();
        return units;
    }
};

std::size_t check_both(const std::string& from, const std::string& to, const dims& extents) {
    INFO(from, " -> ", to);
    const moved_pairs pairs(from, to, extents);
    return pairs.check(fence::in_front) + pairs.check(fence::behind);
}

TEST_CASE("byte permutes: records of other libraries") {
    const char* const q4_0 = "nk: nK(d:f16 /32k, q:u4 16k 2k@16)";
    const char* const q4_k =
        "nk: nK(d:f16 /256k, 4k(s:u6 2k@128=0 /32k, s.4:u2 2k@128=1 /32k), 4k(m:u6 2k@128=0 /32k, m.4:u2 2k@128=1 "
        "/32k), 4k(s:u4 2k@128=1 /32k, m:u4 2k@128=1 /32k), q:u4 4k 32k 2k@32)";
    const char* const q4_k_panels =
        "nk: NK(d:f16 8n /256k, 8k(4n(s:u6 2n@4=0 /32k, s.4:u2 2n@4=1 /32k), 4n(m:u6 2n@4=0 /32k, m.4:u2 2n@4=1 /32k), "
        "4n(s:u4 2n@4=1 /32k, m:u4 2n@4=1 /32k)), q:u4 4k 4k 8n 8k 2k@32)";
    const dims extents{64, 512};
    CHECK(check_both(q4_0, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", extents) == 4);
    CHECK(check_both(q4_0, "nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)", extents) == 4);
    CHECK(check_both(q4_0, "nk: NK(q:u4 4k 16n 4k 2k@4, d:f16 16n /32k)", extents) == 4);
    CHECK(check_both("nk: n(q:u4 k, s:bf16 K /64k)", "nk: N(K(q:u4^8 2k 2k 8n 8k 2k@16, s:bf16 8n /64k))", extents) ==
          4);
    CHECK(check_both("nk: n(q:u4 k)", "nk: N(q:u4^8 K 4k 4n 4k 2k@16)", extents) == 2);
    CHECK(check_both("nk: w:f32 nk", "nk: w:f32 NK 4k 8n", extents) == 2);
    // One run of scales in each step, of 8 and of 16 bytes.
    CHECK(check_both("nk: nK(d:f32 /32k, q:s8 32k)", "nk: NK(d:f32 2n /32k, q:s8 4k 2n 8k)", extents) == 4);
    CHECK(check_both("nk: nK(d:f32 /32k, q:s8 32k)", "nk: NK(d:f32 4n /32k, q:s8 4k 4n 8k)", extents) == 4);
    CHECK(check_both(q4_k, q4_k_panels, extents) == 6);  // the pieces of s and m together
    CHECK(check_both(q4_k_panels, q4_k, extents) >= 4);
}

TEST_CASE("byte permutes: values of all widths, in any order of their digits") {
    drawn_numbers draw;
    std::size_t units = 0;
    for (int i = 0; i < 1500; ++i) {
        const int width = 1 << draw.below(5);
        units += check_both(drawn_tag(draw, width), drawn_tag(draw, width), {16, 64});
    }
    CHECK(units > 500);
}

}}  // namespace test_packed_byte_permutes
