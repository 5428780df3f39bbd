#include "distribution/random_distributions.hpp"
#include "support/number_from_environment.hpp"
#include "support/static_check.hpp"

namespace test_distribution_redistribution_plan {

using namespace plait;
using namespace ranks_test;

TEST_CASE("redistribution: random pairs, all ranks played in one process") {
    random_source random(20261126);
    dim_t wrong = 0, unnecessary = 0, pairs = 0;
    const auto count = static_cast<dim_t>(plait_test::number_from_environment("PLAIT_PAIRS", 2000));
    for (; pairs < count; ++pairs) {
        const int n = static_cast<int>(random.number(1, 5));
        dims extents;
        for (int a = 0; a < n; ++a)
            extents.push_back(random.number(random.one_in(50) ? 0 : 1, n == 1 ? 700 : n == 2 ? 40 : n == 3 ? 12 : 6));
        const dim_t most = random.number(1, 64);
        const distribution from = random_distribution(random, extents, most),
                           to = random_distribution(random, extents, most);
        const dim_t ranks = detail::larger_of(from.mesh.volume(), to.mesh.volume());
        rank_memory before(from, ranks), after(to, ranks), wanted(to, ranks);
        fill(before, from);
        fill(wanted, to);
        const dim_t sent = play(from, before, to, after, ranks);
        wrong += after.of != wanted.of;
        unnecessary += sent != least_sent(from, to);
    }
    CHECK(pairs == count);
    CHECK(wrong == 0);
    CHECK(unnecessary == 0);
}

/// Returns how many elements each rank sends.
std::vector<dim_t> sent_by_rank(const distribution& from, const distribution& to) {
    const dim_t ranks = detail::larger_of(from.mesh.volume(), to.mesh.volume());
    std::vector<dim_t> out(static_cast<std::size_t>(ranks));
    for (dim_t rank = 0; rank < ranks; ++rank)
        for (const rank_message& message : plan_redistribution(from, to, rank).sends)
            out[static_cast<std::size_t>(rank)] += message.elements;
    return out;
}

TEST_CASE("redistribution: ranks with copies take turns as senders") {
    const dims square{16, 16};
    const distribution halves = sharded(square, mesh{2, 2}, {shard(0, 0)});  // each half on two ranks
    CHECK(sent_by_rank(halves, sharded(square, mesh{2, 2}, {})) == std::vector<dim_t>(4, 128));
    CHECK(sent_by_rank(halves, sharded(square, mesh{2, 2}, {shard(1, 1)})) == std::vector<dim_t>(4, 64));
    CHECK(sent_by_rank(halves, sharded(square, mesh{4}, {shard(0, 0)})) == std::vector<dim_t>(4, 0));
    const distribution alternating = sharded(square, mesh(layout({2, 2}, "ba")), {shard(0, 0)});
    CHECK(sent_by_rank(alternating, sharded(square, mesh{2, 2}, {})) == std::vector<dim_t>(4, 128));
    // Four copies on ranks 0 to 3, to eight ranks: the last four receive, from one rank each.
    distribution first = sharded(square, mesh{2, 4}, {});
    first.replicated = {1};
    CHECK(sent_by_rank(first, sharded(square, mesh{8}, {})) == std::vector<dim_t>{256, 256, 256, 256, 0, 0, 0, 0});
    CHECK(sent_by_rank(first, sharded(square, mesh{8}, {shard(0, 0)})) ==
          std::vector<dim_t>{32, 32, 32, 32, 0, 0, 0, 0});
}

TEST_CASE("redistribution: random sources with copies send about the same") {
    random_source random(4);
    dim_t most = 0, least_possible = 0;
    for (int pairs = 0; pairs < 400; ++pairs) {
        // Extents that every mesh divides, so that parts are equal.
        const dims extents{24, 48};
        const mesh on{random.number(1, 4), random.number(2, 4)}, other{random.number(1, 4), random.number(1, 4)};
        const int axis = random.index(2);
        const distribution from = sharded(extents, on, {shard(random.index(2), axis)});
        const distribution to = sharded(extents, other, {shard(random.index(2), random.index(2))});
        if (from.copies() < 2) continue;
        const std::vector<dim_t> sent = sent_by_rank(from, to);
        // Only ranks with the same elements can take turns: of each such group, the mean is the least possible.
        dim_t largest = 0, largest_mean = 0;
        for (std::size_t first = 0; first < sent.size(); ++first) {
            dim_t sum = 0, members = 0;
            for (std::size_t other_rank = 0; other_rank < static_cast<std::size_t>(on.volume()); ++other_rank) {
                bool same = true;
                for (dim_t n = 0; n < volume(extents); n += 7) {
                    const position at = position_of_number(extents, n);
                    same = same &&
                           from.is_on(static_cast<dim_t>(first), at) == from.is_on(static_cast<dim_t>(other_rank), at);
                }
                sum += same ? sent[other_rank] : 0;
                members += same;
            }
            if (members > 0) largest_mean = detail::larger_of(largest_mean, detail::divide_up(sum, members));
            largest = detail::larger_of(largest, sent[first]);
        }
        most += largest;
        least_possible += largest_mean;
    }
    MESSAGE("the rank that sends most, of the least possible: ", 100 * most / least_possible, " percent");
    CHECK(most * 2 <= least_possible * 3);
}

TEST_CASE("redistribution: a plan in a constant expression") {
    // Rank 0 has rows 0 to 1 and needs columns 0 to 1.
    constexpr bool right = [] {
        const distribution rows = sharded(dims{4, 4}, mesh{2}, {shard(0, 0)});
        const distribution columns = sharded(dims{4, 4}, mesh{2}, {shard(1, 0)});
        const redistribution_plan plan = plan_redistribution(rows, columns, 0);
        bool as_wanted = plan.sends.size() == 1 && plan.receives.size() == 1 && plan.kept.elements == 4;
        plan.for_each_part(plan.sends[0], [&](const message_part& part) {
            as_wanted =
                as_wanted && part.sent.offset0 == 2 && part.sent.dims == dims{2, 2} && part.received.offset(1, 0) == 2;
        });
        return as_wanted;
    }();
    STATIC_CHECK(right);
    CHECK(check_plan_redistribution(sharded(dims{4}, mesh{2}, {}), sharded(dims{5}, mesh{2}, {})) ==
          verdict{reason::dims_differ, 0, 4, 5});
    CHECK(try_plan_redistribution(sharded(dims{4}, mesh{2}, {}), sharded(dims{4, 1}, mesh{2}, {}), 0).error() ==
          verdict{reason::rank_differs, -1, 2, 1});
}

}  // namespace test_distribution_redistribution_plan
