#include <plait/interop/message_parcels.hpp>

#include "distribution/random_distributions.hpp"

#include <cstring>

namespace test_interop_message_parcels {

using namespace plait;
using namespace ranks_test;
using detail::parcel_list;

/// Runs the steps of a parcel.
void run(const parcel_list& list, const detail::parcel& p, bool pack, std::byte* memory, std::byte* other) {
    for (int k = p.first_step; k < p.first_step + p.steps; ++k) {
        const detail::parcel_step& step = list.steps[static_cast<std::size_t>(k)];
        std::byte *const in = memory + step.memory, *const out = other + step.other;
        if (pack) list.run(step, in, out);
        else list.run(step, out, in);
    }
}

TEST_CASE("parcels: packed on one rank and unpacked on another, in buffers of exactly their size") {
    random_source random(35);
    const reorder_attributes none;
    for (int pairs = 0; pairs < 400; ++pairs) {
        const int n = static_cast<int>(random.number(1, 4));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.number(1, n == 1 ? 400 : n == 2 ? 30 : 7));
        const distribution from = random_distribution(random, extents, 8), to = random_distribution(random, extents, 8);
        const dim_t ranks = detail::larger_of(from.mesh.volume(), to.mesh.volume());
        const auto most = static_cast<std::size_t>(random.number(8, 300));
        rank_memory before(from, ranks), after(to, ranks), wanted(to, ranks);
        fill(before, from);
        fill(wanted, to);
        const auto bytes = [](rank_memory& memory, dim_t rank) {
            return reinterpret_cast<std::byte*>(memory.of[static_cast<std::size_t>(rank)].data());
        };
        // f64 stands for eight bytes of any kind.
        const auto list_of = [&](const redistribution_plan& plan, const rank_message& message, auto which) {
            parcel_list out;
            REQUIRE(out.add(plan, message, which, data_type::f64, data_type::f64, none, 8, most).ok());
            return out;
        };
        for (dim_t rank = 0; rank < ranks; ++rank) {
            const redistribution_plan mine = plan_redistribution(from, to, rank);
            const parcel_list kept = list_of(mine, mine.kept, parcel_list::direction::keep);
            for (const detail::parcel& p : kept.parcels) run(kept, p, true, bytes(before, rank), bytes(after, rank));
            for (const rank_message& message : mine.sends) {
                const parcel_list sent = list_of(mine, message, parcel_list::direction::pack);
                const redistribution_plan other = plan_redistribution(from, to, message.peer);
                for (const rank_message& received : other.receives) {
                    if (received.peer != rank) continue;
                    const parcel_list unpacked = list_of(other, received, parcel_list::direction::unpack);
                    REQUIRE(unpacked.parcels.size() == sent.parcels.size());
                    for (std::size_t k = 0; k < sent.parcels.size(); ++k) {
                        REQUIRE(sent.parcels[k].bytes == unpacked.parcels[k].bytes);
                        REQUIRE(sent.parcels[k].bytes <= most);
                        std::vector<std::byte> buffer(sent.parcels[k].bytes);
                        run(sent, sent.parcels[k], true, bytes(before, rank), buffer.data());
                        if (sent.parcels[k].is_direct) {
                            const std::size_t begin =
                                sent.steps[static_cast<std::size_t>(sent.parcels[k].first_step)].memory;
                            CHECK(std::memcmp(buffer.data(), bytes(before, rank) + begin, buffer.size()) == 0);
                        }
                        run(unpacked, unpacked.parcels[k], false, bytes(after, message.peer), buffer.data());
                    }
                }
            }
        }
        CHECK(after.of == wanted.of);
    }
}

}  // namespace test_interop_message_parcels
