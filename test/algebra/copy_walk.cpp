#include <plait/algebra/copy_walk.hpp>

#include "laws/many_layouts.hpp"

#include <plait/algebra/is_injective.hpp>

#include <algorithm>
#include <vector>

namespace test_algebra_copy_walk {

using namespace plait;

namespace {

using places = std::vector<std::pair<dim_t, dim_t>>;  // in the destination, in the source

places walked(const layout& src, const layout& dst) {
    places out;
    detail::copy_walk walk(src, dst);
    while (walk.next())
        for (dim_t row = 0; row < walk.found.rows.count; ++row)
            for (const detail::copy_piece& piece : walk.found.pieces)
                for (dim_t run = 0; run < piece.runs.count; ++run)
                    for (dim_t k = 0; k < piece.length; ++k)
                        out.emplace_back(
                            walk.found.dst + row * walk.found.rows.dst + piece.dst + run * piece.runs.dst + k,
                            walk.found.src + row * walk.found.rows.src + piece.src + run * piece.runs.src + k);
    return out;
}

places all_places(const layout& src, const layout& dst) {
    places out;
    for (dim_t i = 0; i < dst.volume(); ++i) out.emplace_back(dst.linear_offset(i), src.linear_offset(i));
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

TEST_CASE("copy_walk: each element once, by ascending place in the destination") {
    const std::vector<layout> all = plait_test::many_layouts({5, 6});
    int pairs = 0;
    for (std::size_t i = 0; i < all.size(); i += 7)
        for (std::size_t j = 0; j < all.size(); j += 17) {
            if (!detail::steps_over_the_inside(all[j])) continue;
            ++pairs;
            if (walked(all[i], all[j]) != all_places(all[i], all[j])) FAIL_CHECK(explain(all[i]) << explain(all[j]));
        }
    CHECK(pairs > 300);
}

TEST_CASE("copy_walk: rows are as long as the layouts allow") {
    const layout src({4, 6, 8}, "bac"), dst({4, 6, 8}, "abc");
    detail::copy_walk walk(src, dst);
    CHECK(walk.next());
    REQUIRE(walk.found.pieces.size() == 1);
    const detail::copy_piece piece = walk.found.pieces[0];
    CHECK((piece.length == 8 && piece.runs.count == 6 && walk.found.rows.count == 4));
    CHECK((piece.runs.dst == 8 && piece.runs.src == 32 && walk.found.rows.src == 8));
    CHECK(!walk.next());
}

}  // namespace test_algebra_copy_walk
