// check_distribution of random pairs of layouts, beside brute force: what it allows is right, and what it refuses as
// wrong is wrong.

#include "distribution/random_distributions.hpp"

#include <map>
#include <set>

namespace test_distribution_random_checks {

using namespace plait;
using namespace ranks_test;

/// Returns a layout of these dims with small random strides, sometimes in blocks, backwards, or with a begin.
layout random_layout(random_source& random, const dims& extents, dim_t most_stride) {
    for (;;) {
        format_tag tag = detail::plain_tag(extents.size());
        if (random.one_in(2)) tag.blocks.push_back({random.index(extents.size()), random.number(2, 3)});
        strides steps;
        for (int a = 0; a < extents.size(); ++a) steps.push_back(random.one_in(3) ? 0 : random.number(-1, most_stride));
        expected<layout> made = try_layout(extents, tag, steps);
        if (!made) continue;
        // Blocks are dense at first: any stride, as long as no offset is negative.
        if (made->digits.size() > made->ndims()) made->digits[made->ndims()].stride = random.number(0, most_stride);
        made->offset0 += random.one_in(4) ? random.number(0, 2) : 0;
        if (check_layout(*made).ok()) return *made;
    }
}

enum class brute { right, outside, shared };

/// Returns what is wrong with a distribution, by visiting each element and each copy.
brute find_wrong(const distribution& d) {
    std::set<std::pair<dim_t, dim_t>> used;
    bool outside = false, shared = false;
    const std::vector<dim_t> copies = brute_copies(d);
    for (dim_t n = 0; n < volume(d.dims()); ++n) {
        const position at = position_of_number(d.dims(), n);
        for (const dim_t copy : copies) {
            const dim_t rank = d.ranks.offset(at) + copy;
            outside = outside || rank < 0 || rank >= d.mesh.volume();
            shared = shared || !used.insert({rank, d.local.offset(at)}).second;
        }
    }
    return outside ? brute::outside : shared ? brute::shared : brute::right;
}

TEST_CASE("check_distribution: random pairs of layouts, beside brute force") {
    random_source random(1611);
    std::map<reason, int> seen;
    for (int k = 0; k < 20000; ++k) {
        const int n = static_cast<int>(random.number(1, 3));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.number(1, 7));
        distribution d;
        d.ranks = random_layout(random, extents, 4);
        d.local = random_layout(random, extents, 9);
        d.mesh = random_mesh(random, static_cast<int>(random.number(1, 2)), random.number(1, 30));
        for (int m = 0; m < d.mesh.ndims(); ++m)
            if (random.one_in(4)) d.replicated.push_back(m);
        const verdict why = check_distribution(d);
        ++seen[why.reason];
        const brute wrong = find_wrong(d);
        if (why.ok()) CHECK(wrong == brute::right);
        if (why.reason == reason::rank_is_outside_mesh) CHECK(wrong == brute::outside);
        if (why.reason == reason::elements_share_a_place) {
            CHECK(wrong == brute::shared);
            // The verdict names a rank and a place that have two elements.
            int there = 0;
            for (dim_t e = 0; e < volume(extents); ++e) {
                const position at = position_of_number(extents, e);
                for (const dim_t copy : brute_copies(d))
                    there += d.ranks.offset(at) + copy == why.first && d.local.offset(at) == why.second;
            }
            CHECK(there > 1);
        }
    }
    CHECK(seen[reason::none] > 500);
    CHECK(seen[reason::rank_is_outside_mesh] > 500);
    CHECK(seen[reason::elements_share_a_place] > 500);
    CHECK(seen[reason::digits_do_not_nest] > 20);
    // A search for two elements of one place may be given up, but not often.
    CHECK(seen[reason::strides_do_not_nest] < 20);
}

TEST_CASE("extents_of: random distributions, beside brute force") {
    random_source random(7);
    for (int k = 0; k < 600; ++k) {
        const int n = static_cast<int>(random.number(1, 3));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.number(1, 20));
        const distribution d = random_distribution(random, extents, 12);
        std::map<dim_t, dim_t> elements;
        for (dim_t e = 0; e < volume(extents); ++e)
            for (const dim_t copy : brute_copies(d)) ++elements[d.rank_of(position_of_number(extents, e)) + copy];
        for (dim_t rank = 0; rank < d.mesh.volume(); ++rank) CHECK(volume(d.extents_of(rank)) == elements[rank]);
    }
}

}  // namespace test_distribution_random_checks
