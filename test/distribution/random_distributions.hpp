#pragma once
// Random distributions, and all ranks of a redistribution played in one process.

#include <plait/algebra/permute_axes.hpp>
#include <plait/distribution/plan_redistribution.hpp>
#include <plait/distribution/sharded.hpp>

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

namespace ranks_test {

using namespace plait;

struct random_source {
    std::mt19937_64 engine;
    explicit random_source(std::uint64_t seed) : engine(seed) {}
    /// Returns a number from low to high.
    dim_t number(dim_t low, dim_t high) {
        return low + static_cast<dim_t>(engine() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool one_in(dim_t n) { return number(1, n) == 1; }
    int index(int end) { return static_cast<int>(number(0, end - 1)); }
    template <class List>
    void shuffle(List& list) {
        for (int k = list.size() - 1; k > 0; --k) std::swap(list[k], list[index(k + 1)]);
    }
};

/// Returns a mesh of up to `most` ranks, in row-major or another order.
inline mesh random_mesh(random_source& random, int ndims, dim_t most) {
    dims extents;
    dim_t left = most;
    for (int a = 0; a < ndims; ++a) {
        const dim_t extent = random.one_in(4) ? 1 : random.number(1, left < 9 ? left : 9);
        extents.push_back(extent);
        left /= extent;
    }
    permutation order = identity_permutation(ndims);
    random.shuffle(order);
    if (random.one_in(3)) order = identity_permutation(ndims);
    dims moved = extents;
    for (int a = 0; a < ndims; ++a) moved[a] = extents[static_cast<int>(order[a])];
    layout ranks = permute_axes(layout(moved, detail::plain_tag(ndims)), order);
    for (int a = 0; a < ndims; ++a) {
        if (!random.one_in(6) || ranks.dims[a] < 2) continue;  // backwards
        ranks.offset0 += (ranks.dims[a] - 1) * ranks.digits[a].stride;
        ranks.digits[a].stride = -ranks.digits[a].stride;
    }
    return mesh(ranks);
}

inline format_tag random_order(random_source& random, int ndims) {
    format_tag tag = detail::plain_tag(ndims);
    if (random.one_in(2)) random.shuffle(tag.axes);
    return tag;
}

/// Returns a distribution of one of the kinds that there are; refused drafts are drawn again.
inline distribution random_distribution(random_source& random, const dims& extents, dim_t most_ranks) {
    for (;;) {
        const int n = extents.size();
        const dim_t kind = random.number(0, 3);
        expected<distribution> made;
        if (kind == 0) {
            dims block;
            for (int a = 0; a < n; ++a) block.push_back(random.number(1, random.one_in(3) ? 3 : 9));
            made = try_block_cyclic(extents, block, random_mesh(random, n, most_ranks), random_order(random, n));
        } else {
            const mesh on = random_mesh(random, static_cast<int>(random.number(1, 4)), most_ranks);
            detail::mesh_axes axes;
            for (int m = 0; m < on.ndims(); ++m) axes.push_back(m);
            random.shuffle(axes);
            detail::shard_list shards;
            for (const int m : axes)
                if (!random.one_in(3)) shards.push_back(shard(random.index(n), m));
            made = try_sharded(extents, on, shards, random_order(random, n));
        }
        if (!made) continue;
        if (kind == 3) {
            // Each rank has room for the whole tensor, in blocks, possibly backwards, and does not begin at 0.
            format_tag tag = random_order(random, n);
            if (random.one_in(2)) tag.blocks.push_back({random.index(n), random.number(2, 4)});
            layout local(extents, tag);
            local.offset0 += random.number(0, 3);
            made = try_distribute(made->ranks, local, made->mesh, made->replicated);
            if (!made) continue;
        }
        return *made;
    }
}

/// Returns the ranks that the copies of an element are on, if the first is on rank 0, by brute force.
inline std::vector<dim_t> brute_copies(const distribution& d) {
    std::vector<dim_t> out{0};
    for (const int axis : d.replicated) {
        std::vector<dim_t> more;
        position at;
        for (int a = 0; a < d.mesh.ndims(); ++a) at.push_back(0);
        for (at[axis] = 0; at[axis] < d.mesh.ranks.dims[axis]; ++at[axis])
            for (const dim_t before : out) more.push_back(before + d.mesh.ranks.offset(at) - d.mesh.ranks.offset0);
        out = more;
    }
    return out;
}

inline position position_of_number(const dims& extents, dim_t number) {
    position at;
    for (int a = 0; a < extents.size(); ++a) at.push_back(0);
    for (int a = extents.size() - 1; a >= 0; --a) {
        at[a] = number % extents[a];
        number /= extents[a];
    }
    return at;
}

/// Memory of all ranks: -1 where nothing was written.
struct rank_memory {
    std::vector<std::vector<dim_t>> of;
    rank_memory(const distribution& d, dim_t ranks)
        : of(static_cast<std::size_t>(ranks),
             std::vector<dim_t>(static_cast<std::size_t>(d.local.offset0) + d.local.element_span(), -1)) {}
    dim_t& at(dim_t rank, dim_t place) {
        return of.at(static_cast<std::size_t>(rank)).at(static_cast<std::size_t>(place));
    }
};

/// Writes the number of each element where it is; returns how many there are on all ranks.
inline dim_t fill(rank_memory& memory, const distribution& d) {
    dim_t count = 0;
    const std::vector<dim_t> copies = brute_copies(d);
    for (dim_t n = 0; n < volume(d.dims()); ++n) {
        const position at = position_of_number(d.dims(), n);
        const dim_t rank = d.ranks.offset(at), place = d.local.offset(at);
        for (const dim_t copy : copies) {
            memory.at(rank + copy, place) = n;
            ++count;
        }
    }
    return count;
}

/// Returns how many elements have to be sent: those that a rank needs and does not have.
inline dim_t least_sent(const distribution& from, const distribution& to) {
    dim_t count = 0;
    const std::vector<dim_t> before = brute_copies(from), after = brute_copies(to);
    for (dim_t n = 0; n < volume(from.dims()); ++n) {
        const position at = position_of_number(from.dims(), n);
        const dim_t has = from.ranks.offset(at), needs = to.ranks.offset(at);
        for (const dim_t copy : after) {
            bool there = false;
            for (const dim_t other : before) there = there || has + other == needs + copy;
            count += !there;
        }
    }
    return count;
}

/// Plays all ranks: what each sends arrives at the receiver in the order of its own plan. Returns how many elements
/// were sent, or -1 if a message has no counterpart.
inline dim_t play(const distribution& from, rank_memory& memory, const distribution& to, rank_memory& out, dim_t ranks,
                  std::vector<dim_t>* sent_by = nullptr) {
    std::vector<redistribution_plan> plans;
    for (dim_t rank = 0; rank < ranks; ++rank) plans.push_back(plan_redistribution(from, to, rank));
    dim_t sent = 0;
    dim_t expected_messages = 0, messages = 0;
    const auto collect = [&](const redistribution_plan& plan, const rank_message& message, dim_t rank) {
        std::vector<dim_t> packed;
        plan.for_each_part(message, [&](const message_part& part) {
            REQUIRE(part.sent.dims == part.received.dims);
            for (dim_t n = 0; n < part.sent.volume(); ++n)
                packed.push_back(memory.at(rank, part.sent.offset(position_of_number(part.sent.dims, n))));
        });
        return packed;
    };
    const auto spread = [&](const redistribution_plan& plan, const rank_message& message, dim_t rank,
                            const std::vector<dim_t>& packed) {
        std::size_t at = 0;
        plan.for_each_part(message, [&](const message_part& part) {
            for (dim_t n = 0; n < part.received.volume(); ++n) {
                dim_t& place = out.at(rank, part.received.offset(position_of_number(part.received.dims, n)));
                REQUIRE(place == -1);  // no place is written twice
                place = packed.at(at++);
            }
        });
        REQUIRE(at == packed.size());
    };
    for (dim_t rank = 0; rank < ranks; ++rank) {
        const redistribution_plan& mine = plans[static_cast<std::size_t>(rank)];
        spread(mine, mine.kept, rank, collect(mine, mine.kept, rank));
        expected_messages += mine.receives.size();
        for (const rank_message& message : mine.sends) {
            const std::vector<dim_t> packed = collect(mine, message, rank);
            REQUIRE(static_cast<dim_t>(packed.size()) == message.elements);
            sent += message.elements;
            if (sent_by != nullptr) (*sent_by)[static_cast<std::size_t>(rank)] += message.elements;
            const redistribution_plan& other = plans.at(static_cast<std::size_t>(message.peer));
            for (const rank_message& received : other.receives)
                if (received.peer == rank) {
                    REQUIRE(received.elements == message.elements);
                    spread(other, received, message.peer, packed);
                    ++messages;
                }
        }
    }
    return messages == expected_messages ? sent : -1;
}

}  // namespace ranks_test
