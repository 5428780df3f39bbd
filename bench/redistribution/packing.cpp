// Packs what one rank of four sends, in the order of the receivers, and compares the speed with a reorder of a whole
// tensor of as many bytes between the same orders of axes. Without MPI. Run: plait_packing_bench

#include <plait/distribution/sharded.hpp>
#include <plait/interop/message_parcels.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using namespace plait;

/// Returns the least time of a call, in seconds.
template <class Call>
double least_time(Call call) {
    double least = 1e9;
    for (int k = 0; k < 15; ++k) {
        const auto begin = std::chrono::steady_clock::now();
        call();
        least = std::fmin(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return least;
}

/// Returns the speed of packing as a share of that of the reorder. `orders` are those of the local memories.
double compare(const char* what, const distribution& from, const distribution& to, const format_tag& order_from,
               const format_tag& order_to) {
    const redistribution_plan plan = plan_redistribution(from, to, 0);
    std::vector<double> in(from.local.element_span(), 1.0);
    std::vector<std::byte> buffer(1 << 20);
    std::vector<detail::parcel_list> lists;
    dim_t elements = 0;
    for (const rank_message& message : plan.sends) {
        elements += message.elements;
        lists.emplace_back();
        if (!lists.back()
                 .add(plan, message, detail::parcel_list::direction::pack, data_type::f64, data_type::f64, {}, 8,
                      buffer.size())
                 .ok())
            return 0;
    }
    const auto pack = [&] {
        const auto* memory = reinterpret_cast<const std::byte*>(in.data());
        for (const detail::parcel_list& list : lists)
            for (const detail::parcel_step& step : list.steps)
                list.run(step, memory + step.memory, buffer.data() + step.other);
    };
    // A square of as many elements.
    const auto side = static_cast<dim_t>(std::sqrt(static_cast<double>(elements)));
    const layout src({side, side}, order_from), dst({side, side}, order_to);
    std::vector<double> out(dst.element_span());
    in.resize(std::max(in.size(), src.element_span()), 1.0);
    const planned_reorder whole = make_reorder({data_type::f64, src}, {data_type::f64, dst}).value();
    double a = 1e9, b = 1e9;
    for (int turn = 0; turn < 3; ++turn) {
        a = std::fmin(a, least_time(pack));
        b = std::fmin(b, least_time([&] { whole(in.data(), out.data()); }));
    }
    const double packing = static_cast<double>(elements) * 8e-9 / a;
    const double reorder = static_cast<double>(side * side) * 8e-9 / b;
    std::printf("%-40s %8.2f MB  packed %6.2f GB/s  reordered %6.2f GB/s  %5.2f\n", what,
                static_cast<double>(elements) * 8e-6, packing, reorder, packing / reorder);
    return packing / reorder;
}

}  // namespace

int main() {
    double product = 1, worst = 1e9;
    int rows = 0;
    for (const dim_t n : {360, 1120, 3536}) {
        const auto row = [&](const char* what, const distribution& from, const distribution& to, const format_tag& a,
                             const format_tag& b) {
            const double share = compare(what, from, to, a, b);
            product *= share;
            worst = std::fmin(worst, share);
            ++rows;
        };
        const dims square{n, n};
        const auto cyclic = [&](dim_t block, dim_t rows_of_mesh, const format_tag& order) {
            return block_cyclic(square, dims{block, block}, mesh{rows_of_mesh, 4 / rows_of_mesh}, order);
        };
        row("64 on 2x2 -> 32 on 2x2", cyclic(64, 2, "ba"), cyclic(32, 2, "ba"), "ba", "ba");
        row("64 on 2x2 -> 48 on 2x2", cyclic(64, 2, "ba"), cyclic(48, 2, "ba"), "ba", "ba");
        row("64 on 2x2 -> rows, transposed", cyclic(64, 2, "ba"), sharded(square, mesh{4}, {shard(0, 0)}), "ba", "ab");
        row("rows -> columns", sharded(square, mesh{4}, {shard(0, 0)}), sharded(square, mesh{4}, {shard(1, 0)}), "ab",
            "ab");
        row("rows -> columns, transposed", sharded(square, mesh{4}, {shard(0, 0)}),
            sharded(square, mesh{4}, {shard(1, 0)}, "ba"), "ab", "ba");
        row("32 on 4x1 -> 32 on 1x4", cyclic(32, 4, "ba"), cyclic(32, 1, "ba"), "ba", "ba");
    }
    std::printf("geometric mean %.2f, worst %.2f\n", std::pow(product, 1.0 / rows), worst);
    return 0;
}
