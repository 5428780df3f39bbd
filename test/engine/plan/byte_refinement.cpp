// Refinements of elements smaller than a byte in bytes: every element reaches its place, and only its place.

#include "laws/random_pairs.hpp"
#include "support/small_layouts.hpp"
#include "support/static_check.hpp"

#include <plait/contract/check_reorder.hpp>
#include <plait/engine/plan/byte_refinement.hpp>
#include <plait/io/print.hpp>

#include <doctest/doctest.h>

#include <map>

namespace test_engine_plan_byte_refinement { namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;
using namespace plait_test;

/// The place of the source that each place of the destination comes from; -1: it is padding.
using element_map = std::map<dim_t, dim_t>;

element_map map_of(const layout& src, const layout& dst) {
    element_map out;
    for (dim_t number = 0; number < dst.padded_volume(); ++number) {
        const position at = unravel(dst.padded_dims, number);
        bool inside = true;
        for (int a = 0; a < dst.ndims(); ++a) inside = inside && at[a] < dst.dims[a];
        out[dst.padded_offset(at)] = inside ? src.offset(at) : -1;
    }
    return out;
}

/// The map of elements that a refinement in bytes makes.
class byte_walk {
public:
    /// `bytes` bytes hold `count` elements.
    byte_walk(const refinement& r, int bits) : r_(r), bytes_(bits == 6 ? 3 : 1), count_(bits == 6 ? 4 : 8 / bits) {
        for (int a = 0; a < r.bounds.size(); ++a) index_.push_back(0);
        visit(0, r.src_offset, r.dst_offset);
    }
    element_map found;

private:
    const refinement& r_;
    const dim_t bytes_, count_;
    std::vector<dim_t> index_;

    void visit(int k, dim_t src, dim_t dst) {
        if (k == r_.nodes.size()) return move(src, dst);
        if (k == r_.half_bytes) return visit(k + 1, src, dst);
        const reorder_node& n = r_.nodes[k];
        dim_t& index = index_[static_cast<std::size_t>(n.axis)];
        const dim_t before = index;
        for (dim_t i = 0; i < n.extent; ++i) {
            index = before + i * n.index_step;
            uneven_offsets more;
            if (n.is_uneven) more = uneven_within(r_.uneven_steps, n.axis, i);
            visit(k + 1, src + i * n.src + more.src, dst + i * n.dst + more.dst);
        }
        index = before;
    }
    void move(dim_t src, dim_t dst) {
        bool valid = true;
        for (const reorder_node& n : r_.nodes) {
            const dim_t index = index_[static_cast<std::size_t>(n.axis)];
            if (index >= r_.bounds[n.axis].stored) return;
            valid = valid && index < r_.bounds[n.axis].valid;
        }
        if (r_.half_bytes < 0) {
            if (dst % bytes_ != 0) return;  // the first byte of a group stands for all
            for (dim_t k = 0; k < count_; ++k) put(dst / bytes_ * count_ + k, src / bytes_ * count_ + k, valid);
            return;
        }
        const reorder_node& pair = r_.nodes[r_.half_bytes];
        put_half(2 * dst, 2 * src, valid);
        put_half(2 * dst + 1, 2 * (src + pair.src), valid);
        put_half(2 * (dst + pair.dst), 2 * src + 1, valid);
        put_half(2 * (dst + pair.dst) + 1, 2 * (src + pair.src) + 1, valid);
    }
    void put_half(dim_t dst, dim_t src, bool valid) {
        const dim_t count = count_ / 2;
        for (dim_t k = 0; k < count; ++k) put(dst * count + k, src * count + k, valid);
    }
    void put(dim_t dst, dim_t src, bool valid) { found[dst] = valid ? src : -1; }
};

constexpr refinement refined(const layout& src, const layout& dst, int bits) {
    refinement r;
    const bool found = refine_in_bits(r, src, dst, end_of_elements(src), bits);
    return found && count_in_bytes(r, bits) ? r : refinement{};
}

TEST_CASE("byte_refinement: every element of random pairs reaches its place, and only its place") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 3));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 3000);
    int whole = 0, halves = 0, halves_of_several = 0, groups = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        dims extents;
        for (dim_t n = random.between(1, 4); n > 0; --n)
            extents.push_back(random.once_in(4) ? random.between(1, 7) : 2 * random.between(1, 6));
        const layout src = random_layout(random, extents, true), dst = random_layout(random, extents, false);
        if (!check_reorder(src, dst).ok() || dst.padded_volume() == 0 || dst.padded_volume() > 20000) continue;
        refinement r;
        constexpr int every_size[] = {4, 4, 4, 2, 1, 6};
        const int bits = every_size[random.between(0, 5)];
        if (!refine_in_bits(r, src, dst, end_of_elements(src), bits)) continue;
        if (!count_in_bytes(r, bits)) continue;
        INFO(to_string(src), " -> ", to_string(dst), " of ", bits, " bits");
        CHECK(byte_walk(r, bits).found == map_of(src, dst));
        halves += r.half_bytes >= 0;
        halves_of_several += r.half_bytes >= 0 && bits < 4;
        groups += bits == 6;
        whole += r.half_bytes < 0;
    }
    CHECK(whole > 20);
    CHECK(halves > 20);
    CHECK(halves_of_several > 0);
    CHECK(groups > 0);
}

TEST_CASE("byte_refinement: neighbours in a byte on both sides, and on one") {
    constexpr layout rows({64, 96}, "ab"), columns({64, 96}, "ba"), blocks({64, 96}, "AB16b64a2b");
    STATIC_CHECK(refined(rows, rows, 4).nodes.size() == 1 && refined(rows, rows, 4).nodes[0].extent == 64 * 96 / 2);
    STATIC_CHECK(refined(rows, blocks, 4).half_bytes == -1 && refined(rows, blocks, 4).nodes.size() > 1);
    STATIC_CHECK(refined(rows, columns, 4).nodes.size() == 3 && refined(rows, columns, 4).half_bytes == 2);
    // The second byte of a pair lies a row of 48 bytes on, and goes a column of 32 bytes on.
    const reorder_node pair = refined(rows, columns, 4).nodes[2];
    CHECK(pair.extent == 2);
    CHECK(pair.src == 48);
    CHECK(pair.dst == 32);
    // 2 bits: four elements in a byte have no other order.
    STATIC_CHECK(refined(rows, columns, 2).nodes.empty());
    // Pairs of 2 bits stay together, and four elements of 1 bit.
    constexpr layout pairs({64, 96, 2}, "abc"), turned_pairs({64, 96, 2}, "bac");
    STATIC_CHECK(refined(pairs, turned_pairs, 2).half_bytes == 2);
    STATIC_CHECK(refined(layout({64, 96, 4}, "abc"), layout({64, 96, 4}, "bac"), 1).half_bytes == 2);
    // Rows of 3 x 8 halves of bytes are 12 bytes.
    STATIC_CHECK(refined(layout({64, 8, 3}, "abc"), layout({64, 8, 3}, "bac"), 4).nodes.empty());
    STATIC_CHECK(refined(layout({64, 8, 3, 2}, "abcd"), layout({64, 8, 3, 2}, "bacd"), 4).half_bytes == -1);
    // A tensor may end in the first or second byte of a group of three.
    constexpr layout few({10, 4}, strides{4, 1});
    refinement ends_early;
    CHECK(refine_in_bits(ends_early, few, few, 40, 6));
    ends_early.src_end = 41 * 6;
    CHECK(count_in_bytes(ends_early, 6));
    CHECK(ends_early.src_end == 31);
    STATIC_CHECK(refined(rows, rows, 6).nodes.size() == 1 && refined(rows, rows, 6).src_end == 64 * 96 / 4 * 3);
}

TEST_CASE("byte_rests: an axis whose padding ends inside a byte is moved by tiles up to its last whole byte") {
    const layout src({2, 4}, "ab"), dst = by_hand({2, 4}, {2, 5}, {1, 2});
    refinement r;
    byte_rests rests;
    REQUIRE(refine_in_bytes(r, rests, src, dst, 8, 4));
    REQUIRE(rests.axes.size() == 1);
    CHECK(rests.axes[0] == 1);
    CHECK(rests.moved[0] == 4);
    const element_map all = map_of(src, dst), found = byte_walk(r, 4).found;
    CHECK(found.size() == 8);
    for (const auto& [to, from] : found) CHECK(all.at(to) == from);
}

TEST_CASE("byte_refinement: refuses what ends or begins inside a byte") {
    const auto is_refused = [](const layout& src, const layout& dst) {
        refinement r;
        CHECK(refine_in_bits(r, src, dst, end_of_elements(src), 4));
        return !count_in_bytes(r, 4);
    };
    layout moved({4, 6}, "ab");
    moved.offset0 = 1;
    CHECK(is_refused(layout({4, 5}, "ab"), layout({4, 5}, "ba")));
    CHECK(is_refused(layout({4, 5}, strides{6, 1}), layout({4, 5}, strides{8, 1})));
    CHECK(is_refused(layout({4, 5}, strides{6, 1}), layout({4, 5}, "aB8b")));
    CHECK(is_refused(layout({4, 6}, strides{7, 1}), layout({4, 6}, "ab")));
    CHECK(is_refused(moved, layout({4, 6}, "ab")));
    CHECK(is_refused(layout({4, 6}, "ab"), moved));
    CHECK_FALSE(is_refused(layout({4, 6}, strides{8, 1}), layout({4, 6}, "aB8b")));
}

}}  // namespace test_engine_plan_byte_refinement
