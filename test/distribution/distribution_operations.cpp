#include <plait/distribution/distribution_operations.hpp>

#include "distribution/random_distributions.hpp"
#include "laws/operation_samples.hpp"
#include "support/static_check.hpp"

#include <plait/io/print_layout.hpp>

#include <algorithm>

namespace test_distribution_distribution_operations {

using namespace plait;
using namespace ranks_test;

constexpr distribution by_rows = sharded(dims{1000, 700}, mesh{4}, {shard(0, 0)});
constexpr distribution thirds = sharded(dims{1000, 700}, mesh{3}, {shard(0, 0)});

TEST_CASE("operations on distributions: examples, in every form") {
    constexpr distribution columns = permute_axes(by_rows, {1, 0});
    STATIC_CHECK(columns.dims() == dims{700, 1000} && columns.rank_of(5, 250) == 1);
    STATIC_CHECK(columns.local.offset(5, 251) == 705 && check_permute_axes(by_rows, {1, 0}).ok());
    // 250 rows of a rank are 2 times 125.
    constexpr distribution split = reshape(by_rows, {8, 125, 700});
    STATIC_CHECK(split.rank_of(2, 0, 0) == 1 && split.local.offset(3, 1, 2) == 126 * 700 + 2);
    STATIC_CHECK(try_reshape(by_rows, {700000})->rank_of(175000) == 1);
    STATIC_CHECK(split_axis(by_rows, 0, {4, 250}).rank_of(3, 0, 0) == 3 && flatten(by_rows).rank_of(699999) == 3);
    // One row is on one rank; one column is on all.
    constexpr distribution row = slice(by_rows, 0, 510);
    STATIC_CHECK(row.rank_of(699) == 2 && row.local.offset(3) == 10 * 700 + 3 && row.extents_of(0) == dims{0});
    STATIC_CHECK(slice(by_rows, 1, 3).rank_of(999) == 3);
    STATIC_CHECK(submemory(by_rows, {500, 700}, {250, 0}).rank_of(250, 0) == 2);
    // Every second row is on the rank it was on; of each rank's 250 rows, 125 remain.
    constexpr distribution even = strided_slice(by_rows, 0, 0, 1000, 2);
    STATIC_CHECK(even.rank_of(124, 0) == 0 && even.rank_of(125, 0) == 1 && even.local.offset(126, 3) == 2 * 700 + 3);
    STATIC_CHECK(strided_slice(by_rows, 1, 699, -1, -1).local.offset(1, 0) == 1399);
}

TEST_CASE("operations on distributions: refused if a part would cross ranks, with the rank and the numbers") {
    CHECK(check_reshape(by_rows, {10, 100, 700}) == verdict{reason::part_crosses_ranks, 0, 0, 250, 100});
    CHECK(check_split_axis(by_rows, 0, {10, 100}) == verdict{reason::part_crosses_ranks, 0, 0, 250, 100});
    // 232 columns are on the last of three ranks, and 234 on the others: in row-major order, runs differ.
    constexpr distribution by_columns = sharded(dims{1000, 700}, mesh{3}, {shard(1, 0)});
    CHECK(check_reshape(by_columns, {700000}) == verdict{reason::part_crosses_ranks, 1, 2, 232, 0});
    CHECK(describe(check_reshape(by_columns, {700000})) ==
          "part_crosses_ranks: rank 2 has 232 indices in a row along axis 1, and the result would cross their end");
    CHECK(check_submemory(by_rows, {300, 700}, {100, 0}) == verdict{reason::part_crosses_ranks, 0, 0, 250, 0});
    CHECK(check_strided_slice(by_rows, 0, 0, 1000, 3) == verdict{reason::part_crosses_ranks, 0, 0, 250, 0});
    CHECK(check_strided_slice(by_rows, 0, 0, 1000, 0).reason == reason::step_leads_away);
    // What is wrong with the arguments keeps its reason.
    CHECK(check_reshape(by_rows, {7, 7}).reason == reason::volumes_differ);
    CHECK(check_slice(by_rows, 0, 1000).reason == reason::position_is_out_of_range);
    constexpr distribution other = sharded(dims{8, 6}, mesh{2}, {shard(0, 0)}, "ba");
    CHECK(reshape(other, {48}).local.offset(7) == other.local.offset(1, 1));  // local memory may be column-major
    CHECK(check_permute_axes(distribution(), {0}).reason == reason::layout_is_undefined);
}

// Each element of a result is on the rank and at the place that it had. A dense layout says which element it is.
template <class Operation, class... Arguments>
void keeps_elements(const distribution& d, Operation apply, const Arguments&... arguments) {
    const expected<distribution> made = apply.attempt(d, arguments...);
    if (!made) return;
    const expected<layout> numbers = apply.attempt(layout(d.dims(), detail::plain_tag(d.ndims())), arguments...);
    REQUIRE(numbers.has_value());
    REQUIRE(numbers->dims == made->dims());
    bool same = true;
    for (dim_t n = 0; n < volume(made->dims()); ++n) {
        const position at = position_of_number(made->dims(), n);
        const position before = position_of_number(d.dims(), numbers->offset(at));
        same = same && made->ranks.offset(at) == d.ranks.offset(before) &&
               made->local.offset(at) == d.local.offset(before);
    }
    CHECK(same);
}

TEST_CASE("every operation: works on distributions if it says which index becomes which, and on no others") {
    int allowed = 0;
    plait_test::for_each_sample([&]<class Rule>(operation<Rule> apply, const auto&... constants) {
        constexpr bool works =
            detail::tried_operand<distribution, Rule, std::remove_cvref_t<decltype(constants.value)>...>;
        CHECK(works == detail::moves_indices<Rule>);
        if constexpr (works) {
            const layout operand = plait_test::sample_operand<Rule>;
            // The outermost index of the first axis is on ranks of its own.
            const dims extents(operand.dims.begin(), static_cast<std::size_t>(operand.ndims()));
            keeps_elements(sharded(extents, mesh{2}, {shard(0, 0)}), apply, constants.value...);
            keeps_elements(sharded(extents, mesh{3}, {shard(0, 0)}), apply, constants.value...);
            ++allowed;
        }
    });
    CHECK(allowed >= 13);
}

TEST_CASE("operations on distributions: a shorter last part is the end of the result") {
    // pytorch/pytorch#143372: 2, 2, 2 and 0 rows of 256 on four ranks are 512, 512, 512 and 0 elements.
    for (const dim_t rows : {5, 6, 7}) {
        const distribution d = sharded(dims{rows, 256}, mesh{4}, {shard(0, 0)}),
                           wanted = block_cyclic(dims{rows * 256}, dims{512}, mesh{4});
        const distribution flat = flatten(d);
        CHECK(flat.dims() == wanted.dims());
        for (dim_t i = 0; i < rows * 256; ++i)
            CHECK((flat.rank_of(i) == wanted.rank_of(i) && flat.local.offset(i) == wanted.local.offset(i)));
        for (dim_t rank = 0; rank < 4; ++rank) CHECK(flat.extents_of(rank) == wanted.extents_of(rank));
        CHECK(check_join_axes(d, 0, 1).ok());
        CHECK(check_reshape(d, {rows, 16, 16}).ok());
    }
    CHECK(reshape(sharded(dims{6, 256}, mesh{4}, {shard(0, 0)}), {3, 2, 256}).rank_of(2, 1, 255) == 2);
    CHECK(check_reshape(sharded(dims{6, 256}, mesh{4}, {shard(0, 0)}), {2, 3, 256}) ==
          verdict{reason::part_crosses_ranks, 0, 0, 2, 3});
    CHECK(reshape(sharded(dims{12, 5}, mesh{7}, {shard(0, 0)}), {3, 20}).rank_of(2, 10) == 5);
    // Three of four ranks have two columns each: nothing is shorter.
    CHECK(flatten(sharded(dims{3, 6}, mesh{4}, {shard(1, 0)})).rank_of(8) == 1);
    CHECK(flatten(thirds).rank_of(699999) == 2);
    CHECK(flatten(block_cyclic(dims{10, 3}, dims{4, 4}, mesh{2, 1})).rank_of(4 * 3) == 1);
}

/// Returns the borders at which a place of numbers 0 to n - 1 jumps: it is the sum of by * (i / border), in one way.
std::vector<dim_t> borders_of(std::vector<dim_t> places) {
    std::vector<dim_t> out;
    const auto n = static_cast<dim_t>(places.size());
    for (dim_t i = n - 1; i >= 0; --i) places[static_cast<std::size_t>(i)] -= places[0];
    for (dim_t border = 1; border < n; ++border) {
        const dim_t by = places[static_cast<std::size_t>(border)];
        if (by == 0) continue;
        out.push_back(border);
        for (dim_t i = border; i < n; ++i) places[static_cast<std::size_t>(i)] -= by * (i / border);
    }
    return out;
}

/// True if a rank has exactly `count` indices in a row along an axis, at some position.
bool has_run(const distribution& d, int axis, dim_t rank, dim_t count) {
    for (dim_t n = 0; n < volume(d.dims()); ++n) {
        position at = position_of_number(d.dims(), n);
        const dim_t first = at[axis];
        const auto is_on = [&](dim_t index) {
            at[axis] = index;
            return index >= 0 && index < d.dims()[axis] && d.ranks.offset(at) == rank;
        };
        bool all = !is_on(first - 1) && !is_on(first + count);
        for (dim_t i = 0; i < count; ++i) all = all && is_on(first + i);
        if (all) return true;
    }
    return false;
}

TEST_CASE("operations on distributions: flatten is refused only if no digits have the ranks and places") {
    random_source random(45);
    int made = 0, refused = 0;
    for (int k = 0; k < 1500; ++k) {
        dims extents;
        for (dim_t a = random.number(1, 3); a > 0; --a) extents.push_back(random.number(1, 9));
        const distribution d = random_distribution(random, extents, 12);
        if (!check_distribution(d).ok()) continue;
        std::vector<dim_t> ranks, places;
        for (dim_t n = 0; n < volume(extents); ++n) {
            ranks.push_back(d.ranks.offset(position_of_number(extents, n)));
            places.push_back(d.local.offset(position_of_number(extents, n)));
        }
        std::vector<dim_t> borders = borders_of(ranks);
        for (const dim_t border : borders_of(places)) borders.push_back(border);
        std::sort(borders.begin(), borders.end());
        bool nest = true;
        for (std::size_t i = 1; i < borders.size(); ++i) nest = nest && borders[i] % borders[i - 1] == 0;
        const verdict why = check_flatten(d);
        INFO(to_string(extents), ", number ", k, ": ", std::string(describe(why).c_str()));
        CHECK(why.ok() == nest);
        ++(why.ok() ? made : refused);
        if (why.reason == reason::part_crosses_ranks) CHECK(has_run(d, why.axis, why.first, why.second));
    }
    CHECK(made > 300);
    CHECK(refused > 100);
}

TEST_CASE("operations on distributions: random ones keep the rank and the place of each element") {
    random_source random(16);
    int made = 0;
    for (int k = 0; k < 400; ++k) {
        const int n = static_cast<int>(random.number(1, 4));
        dims extents;
        for (int a = 0; a < n; ++a) extents.push_back(random.one_in(2) ? 4 * random.number(1, 3) : random.number(1, 9));
        const distribution d = random_distribution(random, extents, 12);
        permutation order = identity_permutation(n);
        random.shuffle(order);
        keeps_elements(d, permute_axes, order);
        const int axis = random.index(n);
        if (n > 1) keeps_elements(d, slice, axis, random.number(0, extents[axis] - 1));
        dims part = extents;
        position offsets;
        for (int a = 0; a < n; ++a) {
            offsets.push_back(random.one_in(2) ? 0 : random.number(0, extents[a] - 1));
            part[a] = random.number(1, extents[a] - offsets[a]);
        }
        keeps_elements(d, submemory, part, offsets);
        keeps_elements(d, strided_slice, axis, random.number(0, extents[axis]), extents[axis], random.number(1, 4));
        keeps_elements(d, strided_slice, axis, extents[axis] - 1, -1, -random.number(1, 4));
        for (const dim_t inner : {2, 3, 4})
            if (extents[axis] % inner == 0) {
                keeps_elements(d, split_axis, axis, dims{extents[axis] / inner, inner});
                made += check_split_axis(d, axis, dims{extents[axis] / inner, inner}).ok();
            }
        keeps_elements(d, flatten);
    }
    CHECK(made > 100);
}

}  // namespace test_distribution_distribution_operations
