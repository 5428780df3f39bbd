// Plans reorders, and checks that each tile is on the list that plait_moved_tiles decides: of the lines of the standard
// input, and of random pairs of layouts and types. Static plans are checked here; tiles of run-time plans are counted
// where they are made. A line: two types, then the tag, the extents and the strides (or -) of both layouts.
//
// usage: plait_listed_plans [--count COUNT] [--seed SEED] <ROWS
#include "counted_tiles.hpp"
#include "laws/random_pairs.hpp"
#include "listed_tiles.hpp"
#include "staged_plans.hpp"

#include <plait/engine/kernel/packed_move.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string_view>

namespace {

using namespace plait;
using namespace plait::detail;
using namespace plait::engine;

struct plan_counts {
    std::uint64_t pairs = 0, refused = 0, static_plans = 0, static_networks = 0, staged = 0, wrong = 0;
};

/// Checks the staging buffer of a plan, if it has one.
void check_staging(plan_counts& counts, const reorder_plan& plan, isa instructions) {
    if (plan.staged_from < 0) return;
    ++counts.staged;
    if (listed_tiles::is_staged_right(plan)) return;
    if (counts.wrong++ < 5)
        std::printf("WRONG: a staging buffer is not right: %s, elements of %d bytes\n", to_string(instructions),
                    plan.sizes.work);
}

/// Checks the static plan of a pair, if there is one.
void check_static(plan_counts& counts, const std::optional<reorder_plan>& plan, isa instructions) {
    if (!plan) return;
    ++counts.static_plans;
    check_staging(counts, *plan, instructions);
    counts.static_networks += plan->pattern.has_vectors() && plan->pattern.interleave == 0;
    const network_kind network = plan->pattern.half_bytes >= 0 ? network_kind::table : network_kind::constant;
    if (listed_tiles::is_listed(network, instructions, plan->sizes.work, plan->pattern)) return;
    if (counts.wrong++ < 5)
        std::printf("WRONG: a static plan has a tile that is not on the list: %s, elements of %d bytes, 2^%d lanes\n",
                    to_string(instructions), plan->sizes.work, plan->pattern.lane_bits);
}
/// True if a type and a layout are a descriptor, whose constructor throws otherwise: elements may have more than 2^63
/// bytes.
bool is_descriptor(data_type type, const layout& l) {
    descriptor out;
    out.type = type;
    out.layout = l;
    return check_descriptor(out).ok();
}
void check(plan_counts& counts, data_type from, data_type to, const layout& src, const layout& dst) {
    ++counts.pairs;
    bool made = false;
    if (!is_descriptor(from, src) || !is_descriptor(to, dst)) {
        ++counts.refused;
        return;
    }
    for (const isa set : every_isa) {
        if (!is_of_this_architecture(set) || !cpu_has(set)) continue;
        const auto planned = compiled_once::make(set, {from, src}, {to, dst}, {});
        made = made || planned.has_value();
        const planned_tiles* const tiles = planned ? compiled_once::tiles_of(*planned) : nullptr;
        if (tiles == nullptr) continue;
        check_staging(counts, tiles->plan, set);
        for (const loop_order& order : tiles->orders) check_staging(counts, in_order(tiles->plan, order), set);
    }
    if (!made || !check_reorder(src, dst).ok()) {
        ++counts.refused;
        return;
    }
    for (const isa set : every_isa) {
        if (!is_of_this_architecture(set)) continue;
        if (size_in_bits(from) >= 8 && size_in_bits(to) >= 8) {
            const int in = size_in_bytes(from), out = size_in_bytes(to);
            check_static(counts, make_plan(src, dst, element_sizes{in, out, in < out ? in : out}, set), set);
        } else if (from == to) {
            const static_packed_tiles tiles = plan_static_packed(src, dst, size_in_bits(from), set);
            if (tiles.exist) check_static(counts, tiles.plan, set);
        }
    }
}

template <class Numbers>
Numbers numbers_of(const std::string& text) {
    Numbers out;
    std::istringstream in(text);
    for (std::string one; std::getline(in, one, 'x');) out.push_back(std::strtoll(one.c_str(), nullptr, 10));
    return out;
}
std::optional<data_type> type_of(const std::string& name) {
    for (int k = 1; k < element_type_count; ++k)
        if (name == element_types[k].name) return static_cast<data_type>(k);
    return std::nullopt;
}
/// Returns a layout of a line; empty if it is wrong, which fails the program.
std::optional<layout> layout_of(std::istream& in) {
    std::string tag, extents, steps;
    in >> tag >> extents >> steps;
    if (!in) return std::nullopt;
    const auto made = steps == "-" ? try_layout(numbers_of<dims>(extents), tag)
                                   : try_layout(numbers_of<dims>(extents), tag, numbers_of<strides>(steps));
    if (!made) return std::nullopt;
    return *made;
}
/// Returns a layout of larger extents than random_layout has: no memory is needed to plan.
layout large_layout(plait_test::random_source& random, const dims& extents) {
    constexpr dim_t blocks[] = {2, 4, 4, 8, 8, 16, 16, 32, 64, 3, 5, 6, 12, 24, 48};
    for (;;) {
        format_tag tag = random.tag(extents.size(), 0, 2);
        for (dim_t count = random.between(0, 3); count > 0; --count)
            tag.blocks.push_back(
                {static_cast<int>(random.between(0, extents.size() - 1)), blocks[random.between(0, 14)]});
        if (const auto made = try_layout(extents, tag)) return *made;
    }
}

}  // namespace

int main(int count, char** words) {
    std::uint64_t pairs = 1000000, seed = 50;
    for (int k = 1; k + 1 < count; k += 2)
        (std::string_view(words[k]) == "--count" ? pairs : seed) = std::strtoull(words[k + 1], nullptr, 10);

    plan_counts rows;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream in(line);
        std::string from, to;
        in >> from >> to;
        const std::optional<data_type> src_type = type_of(from), dst_type = type_of(to);
        const std::optional<layout> src = layout_of(in), dst = layout_of(in);
        if (!src_type || !dst_type || !src || !dst) {
            std::printf("WRONG: this line is no reorder: %s\n", line.c_str());
            ++rows.wrong;
            continue;
        }
        check(rows, *src_type, *dst_type, *src, *dst);
    }

    plan_counts drawn;
    plait_test::random_source random(seed);
    const auto any_type = [&] { return static_cast<data_type>(random.between(1, element_type_count - 1)); };
    for (std::uint64_t k = 0; k < pairs; ++k) {
        dims extents = plait_test::random_extents(random);
        const bool is_large = random.once_in(2);
        if (is_large)
            for (dim_t& extent : extents) extent *= random.once_in(3) ? random.between(1, 100) : 1;
        const data_type from = any_type(), to = random.once_in(4) ? any_type() : from;
        const layout src = is_large ? large_layout(random, extents) : plait_test::random_layout(random, extents, true),
                     dst = is_large ? large_layout(random, extents) : plait_test::random_layout(random, extents, false);
        check(drawn, from, to, src, dst);
    }

    const auto print = [](const char* what, const plan_counts& c) {
        std::printf(
            "%s: %llu pairs, %llu of them refused; %llu static plans, %llu of them with a network; %llu "
            "orders with staging buffers\n",
            what, static_cast<unsigned long long>(c.pairs), static_cast<unsigned long long>(c.refused),
            static_cast<unsigned long long>(c.static_plans), static_cast<unsigned long long>(c.static_networks),
            static_cast<unsigned long long>(c.staged));
    };
    print("rows of suites", rows);
    print("random pairs", drawn);
    const listed_tiles::tile_counts tiles = listed_tiles::counted_tiles();
    std::printf(
        "tiles of run-time plans: %llu with a network, %llu that exchange halves of bytes, %llu interleaves, "
        "%llu single elements; %llu kinds\n",
        static_cast<unsigned long long>(tiles.networks), static_cast<unsigned long long>(tiles.halves),
        static_cast<unsigned long long>(tiles.interleaves), static_cast<unsigned long long>(tiles.elements),
        static_cast<unsigned long long>(tiles.kinds));
    const std::uint64_t wrong = rows.wrong + drawn.wrong;
    std::printf("%llu tiles are not on the list, or staged wrongly\n", static_cast<unsigned long long>(wrong));
    return wrong == 0 && rows.pairs > 0 && tiles.networks > 0 ? 0 : 1;
}
