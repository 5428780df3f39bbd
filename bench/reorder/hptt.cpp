// HPTT: permutations of f32 and f64, planned by its estimate.

#include "peers.hpp"

#include <hptt.h>

namespace bench {
namespace {

template <class Number>
void add_of(std::vector<peer_move>& all, const row& r, const void* in, void* out) {
    // HPTT's first axis counts fastest. The plan keeps no pointer to these numbers.
    const std::vector<move_loop> loops = *loops_of(r), to(loops.rbegin(), loops.rend());
    std::vector<move_loop> from = loops;
    std::sort(from.begin(), from.end(), [](auto& x, auto& y) { return x.src_stride < y.src_stride; });
    std::vector<int> extents, permutation;
    dim_t dense = 1;
    for (const move_loop& loop : from) {
        if (loop.src_stride != dense) return;
        dense *= loop.extent;
        extents.push_back(static_cast<int>(loop.extent));
    }
    dense = 1;
    for (const move_loop& loop : to) {
        if (loop.dst_stride != dense) return;
        dense *= loop.extent;
        const auto same = [&](const move_loop& other) { return other.src_stride == loop.src_stride; };
        permutation.push_back(static_cast<int>(std::find_if(from.begin(), from.end(), same) - from.begin()));
    }
    std::shared_ptr<hptt::Transpose<Number>> plan = hptt::create_plan(
        permutation.data(), static_cast<int>(extents.size()), Number{1}, static_cast<const Number*>(in), extents.data(),
        nullptr, Number{0}, static_cast<Number*>(out), nullptr, hptt::ESTIMATE, 1);
    all.push_back({"HPTT", [plan] { plan->execute(); }});
}

}  // namespace

void add_hptt(std::vector<peer_move>& all, const row& r, const void* in, void* out) {
    if (loops_of(r)->empty()) return;
    if (r.src_type == data_type::f32) add_of<float>(all, r, in, out);
    if (r.src_type == data_type::f64) add_of<double>(all, r, in, out);
}

}  // namespace bench
