// Networks: each pair of instructions, of which networks are made, alone and for each size of element and register;
// and one kernel of every kind.

#include "kernels.hpp"

namespace test_engine_kernel_kernels_networks {

using namespace kernels;

namespace {

/// A tile of two registers whose network is one rule.
constexpr reorder_plan plan_of(const shuffle_rule& rule, int element_bytes, int lane_bits) {
    reorder_plan plan;
    plan.sizes = element_sizes(element_bytes);
    plan.pattern.lane_bits = lane_bits;
    plan.pattern.register_bits = 1;
    bit_positions behind(plan.pattern);
    behind.apply({rule, 0});
    for (int bit = 0; bit <= lane_bits; ++bit) {
        plan.bits.push_back({dim_t{1} << bit, 0, 0});
        plan.pattern.bounds.push_back(-1);
    }
    for (int lane = 0; lane < lane_bits; ++lane) {
        plan.pattern.dst_lanes.push_back(behind.lanes[lane]);
        plan.bits[behind.lanes[lane]].dst = dim_t{1} << lane;
    }
    plan.bits[behind.registers[0]].dst = dim_t{1} << lane_bits;
    plan.loops.push_back({.extent = 1});
    plan.elements = plan.src_end = dim_t{2} << lane_bits;
    return plan;
}

template <isa Isa, int Bytes, int LaneBits, int Rule>
struct plan_of_rule {
    using types = simd::moved_elements<Bytes>;
    static constexpr reorder_plan value = plan_of(rules_of(Isa, Bytes, LaneBits)[Rule], Bytes, LaneBits);
};

template <isa Isa, int Bytes, int LaneBits, int Rule>
void rule_moves_bits() {
    constexpr const reorder_plan& plan = plan_of_rule<Isa, Bytes, LaneBits, Rule>::value;
    using element = typename simd::unsigned_of<Bytes>::type;
    alignas(64) element in[2 << LaneBits]{}, out[2 << LaneBits]{};
    for (int i = 0; i < 2 << LaneBits; ++i) in[i] = static_cast<element>(i + 1);
    const auto src = reinterpret_cast<const std::byte*>(in);
    const auto dst = reinterpret_cast<std::byte*>(out);
    using one_step = plan_of_rule<Isa, Bytes, LaneBits, Rule>;
    simd::code_of<Isa>::template run<one_step, false>(src, dst);
    int wrong = 0;
    for (int i = 0; i < 2 << LaneBits; ++i) {
        dim_t to = 0;
        for (int bit = 0; bit < plan.bits.size(); ++bit) to += (i >> bit & 1) * plan.bits[bit].dst;
        wrong += out[to] != in[i];
    }
    INFO(std::string(to_string(Isa)), ", ", Bytes, " bytes, ", 1 << LaneBits, " lanes, rule ", Rule);
    CHECK(wrong == 0);
}

template <isa Isa, int Bytes, int LaneBits>
void rules_move_bits() {
    [&]<int... R>(std::integer_sequence<int, R...>) { (rule_moves_bits<Isa, Bytes, LaneBits, R>(), ...); }
    (std::make_integer_sequence<int, rules_of(Isa, Bytes, LaneBits).size()>{});
    if constexpr (Bytes << (LaneBits + 1) <= plait::detail::vector_bytes(Isa))
        rules_move_bits<Isa, Bytes, LaneBits + 1>();
}
template <isa Isa>
void every_rule_moves_bits() {
    if constexpr (is_of_this_architecture(Isa)) {
        if (!cpu_has(Isa)) return;
        rules_move_bits<Isa, 1, 4>();
        rules_move_bits<Isa, 2, 3>();
        rules_move_bits<Isa, 4, 2>();
        rules_move_bits<Isa, 8, 1>();
    }
}

}  // namespace

TEST_CASE("networks: every instruction pair, of every instruction set, size and register") {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (every_rule_moves_bits<every_isa[I]>(), ...); }
    (std::make_index_sequence<std::size(every_isa)>{});
}

TEST_CASE("networks: blocks of half a register, and of two") {
    matches_with_every_isa<layout({1, 9, 21}, "abc"), layout({1, 9, 21}, "aBc4b"), std::uint8_t>();
    matches_with_every_isa<layout({1, 70, 5}, "aBc32b"), layout({1, 70, 5}, "abc"), bfloat16>();
    matches_with_every_isa<layout({1, 70, 5}, "abc"), layout({1, 70, 5}, "aBc64b"), std::int8_t>();
    matches_with_every_isa<layout({1, 9, 5}, "abc"), layout({1, 9, 5}, "aBc4b"), double>();
}
TEST_CASE("networks: packed weights from the reversed order, and with many levels of blocks") {
    matches_with_every_isa<layout({20, 18}, "ba"), layout({20, 18}, "AB4b16a4b"), std::int8_t>();
    matches_with_every_isa<layout({20, 18}, "ba"), layout({20, 18}, "AB8b16a2b"), bfloat16>();
    matches_with_every_isa<layout({70, 20}, "ab"), layout({70, 20}, "AB16b64a4b"), std::uint8_t>();
    matches_with_every_isa<layout({20, 70}, "ab"), layout({20, 70}, "BA16a64b2a"), float16>();
    matches_with_every_isa<layout({20, 70}, "BA16a64b4a"), layout({20, 70}, "ba"), std::int8_t>();
}

}  // namespace test_engine_kernel_kernels_networks
