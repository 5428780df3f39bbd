#include <plait/distribution/sharded.hpp>
#include <plait/io/draw_distribution.hpp>

#include "support/static_check.hpp"

#include <sstream>
#include <string>

namespace test_io_distributions {

using namespace plait;

TEST_CASE("distributions as text") {
    const distribution by_rows = sharded(dims{1000, 700}, mesh{3}, {shard(0, 0)});
    CHECK(to_string(by_rows) == "1000x700 on a mesh of 3 ranks");
    CHECK(to_string(sharded(dims{8, 6}, mesh{2, 3}, {shard(1, 1)})) == "8x6 on a mesh of 2x3 ranks, 2 copies");
    CHECK(explain(by_rows) ==
          "dims      1000x700\n"
          "mesh      3, 3 ranks\n"
          "copies    1\n"
          "memory    233800 places on each rank\n"
          "digits    axis  extent    rank   place\n"
          "             a       3       1       0\n"
          "             a     334       0     700\n"
          "             b     700       0       1\n"
          "rank 0  334x700\n"
          "rank 1  334x700\n"
          "rank 2  332x700\n");
    CHECK(explain(sharded(dims{8}, mesh{20}, {})).find("copies    20: along mesh axis 0\n") != std::string::npos);
    CHECK(explain(sharded(dims{5}, mesh{4}, {shard(0, 0)})).find("rank 3  nothing\n") != std::string::npos);
    CHECK(explain(sharded(dims{80}, mesh{20}, {shard(0, 0)})).find("and 4 more ranks\n") != std::string::npos);
    CHECK(explain(distribution()).find("layout_is_undefined") == 0);
}

TEST_CASE("distributions as text: the order of ranks is said, unless it is row-major") {
    const distribution plain = sharded(dims{16, 16}, mesh{2, 4}, {shard(0, 0), shard(1, 1)}),
                       other = sharded(dims{16, 16}, mesh(layout({2, 4}, "ba")), {shard(0, 0), shard(1, 1)});
    CHECK(to_string(plain) == "16x16 on a mesh of 2x4 ranks");
    CHECK(to_string(other) == "16x16 on a mesh of 2x4 ranks in the order ba 2x4");
    CHECK(explain(plain).find("mesh      2x4, 8 ranks\n") != std::string::npos);
    CHECK(explain(other).find("mesh      2x4, 8 ranks in the order ba 2x4\n") != std::string::npos);
    // Axes of one index have no order.
    CHECK(to_string(sharded(dims{16}, mesh(layout({1, 4}, "ba")), {shard(0, 1)})) == "16 on a mesh of 1x4 ranks");
}

TEST_CASE("plans as text") {
    const distribution rows = sharded(dims{4, 4}, mesh{2}, {shard(0, 0)}),
                       columns = sharded(dims{4, 4}, mesh{2}, {shard(1, 0)});
    const redistribution_plan plan = plan_redistribution(rows, columns, 0);
    CHECK(explain(plan) ==
          "keeps 4 elements\n"
          "  2x2 from 0 by 4x1 to 0 by 2x1\n"
          "sends 4 elements to rank 1\n"
          "  2x2 from 2 by 4x1 to 0 by 2x1\n"
          "receives 4 elements from rank 1\n"
          "  2x2 from 0 by 4x1 to 4 by 2x1\n");
    std::ostringstream out;
    out << rows << '\n' << plan;
    CHECK(out.str() == "4x4 on a mesh of 2 ranks\n" + explain(plan));
    CHECK(explain(plan, 0) ==
          "keeps 4 elements\n"
          "  and 1 more parts\n"
          "sends 4 elements to rank 1\n"
          "  and 1 more parts\n"
          "receives 4 elements from rank 1\n"
          "  and 1 more parts\n");
}

TEST_CASE("what moves as text") {
    const distribution rows = sharded(dims{4, 4}, mesh{2}, {shard(0, 0)}),
                       columns = sharded(dims{4, 4}, mesh{2}, {shard(1, 0)});
    CHECK(explain(rows, columns, data_type::f32) ==
          "rank            keeps           sends        receives   to\n"
          "0                  16              16              16   1\n"
          "1                  16              16              16   0\n"
          "all  32 bytes stay on their rank, 32 bytes are sent in 2 messages\n");
    CHECK(explain(rows, sharded(dims{4, 5}, mesh{2}, {}), data_type::f32).find("dims_differ") == 0);
}

TEST_CASE("distributions as pictures: a cell for each block, with its rank") {
    const distribution cyclic = block_cyclic(dims{1000, 700}, dims{64, 64}, mesh{2, 2});
    const picture drawn = detail::picture_of(cyclic, {});
    CHECK(drawn.boxes.size() == 12 * 11);  // of 16 rows of blocks, 12 are drawn
    CHECK(drawn.boxes[0].lines == std::vector<std::string>{"0", "0-63,0-63"});
    CHECK(drawn.boxes[12].lines == std::vector<std::string>{"3", "64-127,64-127"});
    CHECK(drawn.boxes[12].tint == 3);
    // Three axes: a plane for each part of the first.
    const picture planes = detail::picture_of(sharded(dims{4, 2, 6}, mesh{2, 3}, {shard(0, 0), shard(2, 1)}), {});
    CHECK(planes.boxes.size() == 6);
    CHECK(planes.boxes[5].lines == std::vector<std::string>{"5", "0-1,4-5"});
    CHECK(detail::picture_of(sharded(dims{5}, mesh{2}, {shard(0, 0)}), {}).boxes[1].lines ==
          std::vector<std::string>{"1", "3-4"});
    CHECK(draw(cyclic).find("<svg") != std::string::npos);
    CHECK(draw_tikz(cyclic).find("tikzpicture") != std::string::npos);
    CHECK(detail::picture_of(sharded(dims{0, 5}, mesh{2}, {}), {}).boxes.empty());
    CHECK_THROWS_AS(static_cast<void>(draw(distribution())), rejection);
}

}  // namespace test_io_distributions
