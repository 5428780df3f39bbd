// Random pairs of layouts: every pair that has a common refinement has a plan for every instruction set and size, and
// each plan is right. PLAIT_RANDOM_PLANS=100000 asks for more pairs, PLAIT_RANDOM_SEED for others.

#include "laws/random_layouts.hpp"
#include "run_plan.hpp"

#include <plait/algebra/submemory.hpp>

#include <cstdlib>

using namespace plait;
using plait_test::random_source;

namespace {

dims random_extents(random_source& random) {
    dims out;
    dim_t volume = 1;
    const dim_t largest = random.once_in(20) ? 40000 : 600;  // loops are cut into panels in large tensors only
    for (dim_t n = random.between(1, 5); n > 0; --n) {
        dim_t extent = random.once_in(60)  ? 0
                       : random.once_in(4) ? 1
                       : random.once_in(3) ? dim_t{1} << random.between(1, 8)
                       : largest > 600     ? random.between(50, 400)
                       : random.once_in(3) ? 8 * random.between(1, 9)
                                           : random.between(2, 70);
        while (extent > 1 && extent * volume > largest) extent = (extent + 1) / 2;
        volume *= extent > 0 ? extent : 1;
        out.push_back(extent);
    }
    return out;
}

/// Blocks as formats have them, and any; views of larger tensors, parts of one block, gaps, and broadcasts.
layout random_layout(random_source& random, const dims& extents, bool source) {
    constexpr dim_t blocks[] = {2, 4, 4, 8, 8, 16, 16, 32, 64, 3, 5, 6, 12, 24, 48};
    const int n = extents.size();
    for (;;) {
        format_tag tag = random.tag(n, 0, 2);
        for (dim_t count = random.once_in(3) ? 0 : random.between(1, 3); count > 0; --count)
            tag.blocks.push_back({static_cast<int>(random.between(0, n - 1)), blocks[random.between(0, 14)]});
        dims whole = extents;
        position first;
        for (int a = 0; a < n; ++a) first.push_back(0);
        for (int a = 0; a < n; ++a) {
            if (!random.once_in(6)) continue;
            first[a] = random.between(0, 2) * (random.once_in(2) ? tag.block_size(a) : 1);
            whole[a] += first[a] + random.between(0, 20);
        }
        const auto parent = try_layout(whole, tag);
        if (!parent || parent->element_span() > 90000) continue;
        const auto part = try_submemory(*parent, extents, first);
        if (!part) continue;
        layout out = *part;
        if (random.once_in(6)) {  // wider from one axis on
            const dim_t factor = random.between(1, 3), more = random.between(0, 3);
            const dim_t least = out.digits[static_cast<int>(random.between(0, n - 1))].stride;
            for (int a = 0; a < n; ++a)
                if (out.digits[a].stride >= least) out.digits[a].stride = out.digits[a].stride * factor + more;
        }
        if (source && random.once_in(8)) out.digits[static_cast<int>(random.between(0, n - 1))].stride = 0;
        if (random.once_in(10)) out.offset0 += random.between(1, 70);
        if (!check_layout(out).ok() || out.element_span() > 90000) continue;
        return out;
    }
}

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

TEST_CASE("plan: random pairs of layouts") {
    random_source random(number_from_environment("PLAIT_RANDOM_SEED", 4));
    const std::uint64_t count = number_from_environment("PLAIT_RANDOM_PLANS", 300);
    // A plan knows sizes alone: moves of each, and conversions in the type that is narrower, whichever side it is on.
    const element_sizes sizes[] = {1, 2, 4, 8, {4, 1, 1}, {1, 4, 1}, {2, 4, 2}, {8, 2, 2}, {2, 8, 2}, {8, 4, 4}};
    std::uint64_t planned = 0, vectors = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const dims extents = random_extents(random);
        const layout src = random_layout(random, extents, true),
                     dst = random.once_in(20) ? src : random_layout(random, extents, false);
        if (!check_reorder(src, dst).ok() || !make_scalar_plan(src, dst, 4)) continue;
        ++planned;
        const plait_test::wanted_result wanted(src, dst);
        for (const isa which : {isa::sse41, isa::avx2, isa::avx512}) {
            // All sizes would take long: which one of them a pair is tried with is random, too.
            const element_sizes& size = sizes[random.between(0, std::size(sizes) - 1)];
            plan_moves_everything(wanted, src, dst, which, size, random.once_in(4));
            vectors += make_plan(src, dst, size, which)->pattern.lane_bits > 0;
        }
    }
    MESSAGE(planned, " of ", count, " pairs planned, ", vectors, " of their plans with vectors");
    CHECK(planned * 2 > count);
    CHECK(vectors > planned);
}
