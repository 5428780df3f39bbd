#include <plait/io/gspmd.hpp>

#include "distribution/random_distributions.hpp"
#include "support/static_check.hpp"

#include <algorithm>
#include <string>

namespace test_io_shardings {

using namespace plait;
using namespace ranks_test;

/// Returns the ranks that have an index of a distribution along one axis.
std::vector<dim_t> ranks_of(const expected<distribution>& d) {
    std::vector<dim_t> out;
    REQUIRE(d.has_value());
    for (dim_t i = 0; i < d->dims()[0]; ++i) {
        position at{i};
        for (int a = 1; a < d->ndims(); ++a) at.push_back(0);
        out.push_back(d->rank_of(at));
    }
    return out;
}

TEST_CASE("DTensor's placements are read") {
    CHECK(*parse_dtensor("[Shard(0), Replicate()]", {8, 6}, mesh{2, 2}) ==
          sharded(dims{8, 6}, mesh{2, 2}, {shard(0, 0)}));
    CHECK(*parse_dtensor("(Shard(dim=-1),)", {8, 6}, mesh{3}) == sharded(dims{8, 6}, mesh{3}, {shard(1, 0)}));
    CHECK(*parse_dtensor("[Replicate()]", {8}, mesh{3}) == sharded(dims{8}, mesh{3}, {}));
    // torch.chunk: 5 over 4 is 2, 2, 1, 0.
    CHECK(ranks_of(parse_dtensor("[Shard(0)]", {5}, mesh{4})) == std::vector<dim_t>{0, 0, 1, 1, 2});
    // 11 over 2 is 6 and 5; over 3: 2, 2, 2 and 2, 2, 1.
    CHECK(ranks_of(parse_dtensor("[Shard(0), Shard(0)]", {11}, mesh{2, 3})) ==
          std::vector<dim_t>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5});
    // 10 over 2 is 5 and 5, and 5 over 3 is 2, 2, 1: no digits have that.
    CHECK(parse_dtensor("[Shard(0), Shard(0)]", {10}, mesh{2, 3}).error() == verdict{reason::chunks_differ, 0, 2, 6});
    CHECK(parse_dtensor("[Shard(0), Shard(0)]", {10}, mesh{3, 2}).error().reason == reason::chunks_differ);
}

TEST_CASE("DTensor's placements: refusals") {
    const auto why = [](const char* text) { return parse_dtensor(text, {8, 6}, mesh{2, 2}).error(); };
    CHECK(why("Shard(0)") == verdict{reason::notation_is_malformed, -1, 1});
    CHECK(why("[Shard(0) Shard(1)]") == verdict{reason::notation_is_malformed, -1, 11});
    CHECK(why("[Shard(x)]") == verdict{reason::notation_is_malformed, -1, 8});
    CHECK(why("[Shard(0), Shard(1)] ") == verdict{reason::notation_is_malformed, -1, 21});
    CHECK(why("[Shard(0), Shard(1)") == verdict{reason::notation_is_malformed, -1, 20});
    CHECK(why("[Partial(), Shard(1)]") == verdict{reason::notation_says_more, -1, 2});
    CHECK(why("[Shard(0)]") == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(why("[Shard(2), Shard(1)]") == verdict{reason::axis_is_out_of_range, -1, 2, 2});
    CHECK(why("[Shard(-3), Shard(1)]") == verdict{reason::axis_is_out_of_range, -1, -1, 2});
    CHECK(parse_dtensor("[Shard(0)]", {dynamic}, mesh{2}).error().reason == reason::dim_is_dynamic);
    CHECK(parse_dtensor("[Shard(0)]", {4}, mesh()).error().reason == reason::layout_is_undefined);
}

TEST_CASE("GSPMD's shardings are read") {
    CHECK(*parse_gspmd("{devices=[2,2]0,1,2,3}", {8, 6}, 4) ==
          sharded(dims{8, 6}, mesh{2, 2}, {shard(0, 0), shard(1, 1)}));
    const expected<distribution> copies = parse_gspmd("{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}", {8, 6}, 4);
    REQUIRE(copies.has_value());
    CHECK(copies->copies() == 2);
    CHECK(copies->is_on(1, {0, 0}));
    CHECK(copies->rank_of(4, 0) == 2);
    CHECK(ranks_of(parse_gspmd("{devices=[4]0,2,1,3}", {4}, 4)) == std::vector<dim_t>{0, 2, 1, 3});
    CHECK(ranks_of(parse_gspmd("{devices=[4]3,2,1,0}", {4}, 4)) == std::vector<dim_t>{3, 2, 1, 0});
    CHECK(ranks_of(parse_gspmd("{devices=[4]<=[2,2]T(1,0)}", {4}, 4)) == std::vector<dim_t>{0, 2, 1, 3});
    CHECK(ranks_of(parse_gspmd("{devices=[4,1]<=[4]}", {8, 6}, 4)) == std::vector<dim_t>{0, 0, 1, 1, 2, 2, 3, 3});
    CHECK(*parse_gspmd("{replicated}", {8, 6}, 4) == sharded(dims{8, 6}, mesh{4}, {}));
    const expected<distribution> alone = parse_gspmd("{maximal device=3}", {8, 6}, 4);
    REQUIRE(alone.has_value());
    CHECK(alone->rank_of(7, 5) == 3);
    CHECK(alone->copies() == 1);
    CHECK(check_distribution(*alone).ok());
}

TEST_CASE("GSPMD's shardings: refusals") {
    const auto why = [](const char* text) { return parse_gspmd(text, {8, 6}, 4).error(); };
    CHECK(why("devices=[2,2]0,1,2,3") == verdict{reason::notation_is_malformed, -1, 1});
    CHECK(why("{devices=[2,2]0,1,2}") == verdict{reason::volumes_differ, -1, 4, 3});
    CHECK(why("{devices=[2,2]0,1,2,2}").reason == reason::notation_says_more);
    CHECK(why("{devices=[2,2]0,1,3,2}") == verdict{reason::notation_says_more, -1, 15});
    CHECK(why("{devices=[0,2]}") == verdict{reason::notation_is_malformed, -1, 11});
    CHECK(why("{devices=[4]0,1,2,3}") == verdict{reason::rank_differs, -1, 1, 2});
    CHECK(why("{devices=[2,1]0,1}") == verdict{reason::volumes_differ, -1, 2, 4});
    CHECK(why("{manual}") == verdict{reason::notation_says_more, -1, 2});
    CHECK(why("{devices=[2,2]0,1,2,3 last_tile_dims={manual}}") == verdict{reason::notation_says_more, -1, 22});
    CHECK(why("{maximal device=4}") == verdict{reason::rank_is_outside_mesh, -1, 4, 4});
    CHECK(why("{replicated") == verdict{reason::notation_is_malformed, -1, 12});
    CHECK(why("{devices=[2,2]<=[2,2]T(1,1)}").reason == reason::not_a_permutation);
    CHECK(why("{devices=[2,2]<=[3]}") == verdict{reason::volumes_differ, -1, 4, 3});
    CHECK(parse_gspmd("{replicated}", {8}, 0).error() == verdict{reason::dim_is_negative, -1, 0, 1});
}

TEST_CASE("shardings are written") {
    CHECK(*format_dtensor(sharded(dims{8, 6}, mesh{2, 2}, {shard(0, 0)})) == "[Shard(0), Replicate()]");
    CHECK(*format_dtensor(sharded(dims{12, 6}, mesh{2, 3}, {shard(0, 0), shard(0, 1)})) == "[Shard(0), Shard(0)]");
    CHECK(*format_gspmd(sharded(dims{8, 6}, mesh{2, 2}, {shard(0, 0)})) ==
          "{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}");
    CHECK(*format_gspmd(sharded(dims{8, 6}, mesh{4}, {})) == "{replicated}");
    CHECK(*format_gspmd(sharded(dims{8, 6}, mesh(layout({2, 2}, "ba")), {shard(0, 0), shard(1, 1)})) ==
          "{devices=[2,2]0,2,1,3}");
    const distribution cyclic = block_cyclic(dims{100}, dims{8}, mesh{4});
    CHECK(format_dtensor(cyclic).error() == verdict{reason::notation_has_no_ranks, 0, 4, 1});
    CHECK(format_gspmd(cyclic).error() == verdict{reason::notation_has_no_ranks, 0, 4, 1});
    // The second mesh axis is the outer one, which DTensor's order of placements does not express.
    CHECK(format_dtensor(sharded(dims{12}, mesh{2, 3}, {shard(0, 1), shard(0, 0)})).error().reason ==
          reason::notation_has_no_ranks);
    CHECK(format_dtensor(distribution()).error().reason == reason::layout_is_undefined);
    CHECK(format_gspmd(distribution()).error().reason == reason::layout_is_undefined);
}

TEST_CASE("shardings: what is written is read back on the same ranks, by brute force") {
    random_source random(77);
    int written[2] = {0, 0};
    for (int k = 0; k < 1500; ++k) {
        const int n = static_cast<int>(random.number(1, 3));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.number(1, 24));
        const distribution d = random_distribution(random, extents, 24);
        const auto check = [&](int which, const expected<std::string>& text, const expected<distribution>& read) {
            if (!text) return;
            ++written[which];
            INFO(*text);
            REQUIRE(read.has_value());
            std::vector<dim_t> mine = brute_copies(d), theirs = brute_copies(*read);
            std::sort(mine.begin(), mine.end());
            std::sort(theirs.begin(), theirs.end());
            bool same = mine == theirs;
            for (dim_t e = 0; e < volume(extents); ++e) {
                const position at = position_of_number(extents, e);
                same = same && d.rank_of(at) == read->rank_of(at);
            }
            CHECK(same);
        };
        const expected<std::string> dtensor = format_dtensor(d), gspmd = format_gspmd(d);
        check(0, dtensor, dtensor ? parse_dtensor(*dtensor, extents, d.mesh) : expected<distribution>());
        check(1, gspmd, gspmd ? parse_gspmd(*gspmd, extents, d.mesh.volume()) : expected<distribution>());
    }
    CHECK(written[0] > 300);
    CHECK(written[1] > 300);
}

}  // namespace test_io_shardings
