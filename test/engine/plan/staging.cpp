#include <plait/engine/plan/make_plan.hpp>

#include <plait/io/print.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace test_engine_plan_staging { namespace {

using namespace plait;
using namespace plait::engine;

/// Checks that every staged element is in the row that is copied to its place in the plan, and that rows are whole
/// vectors of 16 bytes.
void stage_goes_where_the_plan_says(const reorder_plan& plan) {
    const staging_buffer through(plan);
    CHECK(through.row_elements * plan.sizes.dst % 16 == 0);
    CHECK(!through.rows.empty());
    CHECK(through.bytes() <= 2 * staging_bytes);
    CHECK(plan.bounds.empty());
    dim_t elements = dim_t{1} << plan.bits.size(), wrong = 0;
    for (const plan_loop& loop : through.filling.loops) {
        CHECK(loop.overlap == 0);
        elements *= loop.extent;
    }
    for (dim_t number = 0; number < elements; ++number) {
        dim_t rest = number, planned = 0, staged = 0, src = 0, same_src = 0;
        for (int b = 0; b < plan.bits.size(); ++b, rest /= 2) {
            planned += rest % 2 * plan.bits[b].dst, staged += rest % 2 * through.filling.bits[b].dst;
            src += rest % 2 * plan.bits[b].src, same_src += rest % 2 * through.filling.bits[b].src;
        }
        for (int k = 0; k < through.filling.loops.size(); ++k) {
            const plan_loop &outer = plan.loops[plan.staged_from + k], &inner = through.filling.loops[k];
            planned += rest % inner.extent * outer.dst, staged += rest % inner.extent * inner.dst;
            src += rest % inner.extent * outer.src, same_src += rest % inner.extent * inner.src;
            rest /= inner.extent;
        }
        const dim_t row = staged / through.pitch, column = staged % through.pitch;
        wrong += row >= through.rows.size() || column >= through.row_elements || src != same_src ||
                 through.rows[static_cast<int>(row)] + column != planned;
    }
    CHECK(elements == through.rows.size() * through.row_elements);
    CHECK(wrong == 0);
}

TEST_CASE("staging_buffer: each element that is staged is copied to its place") {
    int staged = 0;
    for (const dim_t columns : {dim_t{512}, dim_t{1021}, dim_t{1024}, dim_t{2048}, dim_t{4096}})
        for (const dim_t rows : {dim_t{130}, dim_t{512}, dim_t{1023}, dim_t{1024}, dim_t{2000}, dim_t{4096}})
            for (const isa which : every_isa)
                for (const element_sizes& sizes : {element_sizes(1), element_sizes(2), element_sizes(4),
                                                   element_sizes(8), element_sizes(4, 2, 2), element_sizes(1, 8, 1)}) {
                    const auto plan =
                        make_plan(layout({columns, rows}, "ab"), layout({columns, rows}, "ba"), sizes, which);
                    REQUIRE(plan);
                    if (plan->staged_from < 0) continue;
                    INFO(columns, " x ", rows, " ", std::string(to_string(which)), " ", sizes.src, " -> ", sizes.dst);
                    stage_goes_where_the_plan_says(*plan);
                    ++staged;
                }
    CHECK(staged > 50);
}

/// Each instruction set, with elements of one and of two bytes.
std::vector<std::pair<isa, int>> every_isa_and_size() {
    std::vector<std::pair<isa, int>> out;
    for (const isa which : every_isa)
        for (const int bytes : {1, 2}) out.push_back({which, bytes});
    return out;
}

TEST_CASE("staged_source: a tile reads the same elements from the copy, also if rows or columns run backwards") {
    int copied[2]{};
    for (const dim_t columns : {dim_t{512}, dim_t{1024}, dim_t{2048}, dim_t{4096}})
        for (const dim_t rows : {dim_t{512}, dim_t{1024}, dim_t{4096}})
            for (const strides& from : {strides{rows, 1}, strides{-rows, 1}, strides{rows, -1}, strides{-rows, -1}})
                for (const auto& [which, bytes] : every_isa_and_size()) {
                    const auto plan = make_plan(layout({columns, rows}, from), layout({columns, rows}, "ba"),
                                                element_sizes(bytes), which);
                    REQUIRE(plan);
                    if (plan->staged_from < 0) continue;
                    const reorder_plan direct = staging_buffer(*plan).filling;
                    reorder_plan through = direct;
                    const staged_source copy(through);
                    if (copy.rows.empty()) continue;
                    ++copied[bytes - 1];
                    INFO(columns, " x ", rows, ", strides ", from[0], " and ", from[1]);
                    dim_t elements = dim_t{1} << direct.bits.size(), wrong = 0;
                    for (const plan_loop& loop : direct.loops) elements *= loop.extent;
                    for (dim_t number = 0; number < elements; ++number) {
                        dim_t rest = number, src = 0, place = 0;
                        for (int b = 0; b < direct.bits.size(); ++b, rest /= 2)
                            src += rest % 2 * direct.bits[b].src, place += rest % 2 * through.bits[b].src;
                        for (int k = 0; k < direct.loops.size(); ++k) {
                            src += rest % direct.loops[k].extent * direct.loops[k].src;
                            place += rest % direct.loops[k].extent * through.loops[k].src;
                            rest /= direct.loops[k].extent;
                        }
                        const dim_t row = place * bytes / copy.row_bytes, column = place * bytes % copy.row_bytes;
                        wrong += place < 0 || row >= copy.rows.size() ||
                                 copy.rows[static_cast<int>(row)] + column != src * bytes;
                    }
                    CHECK(wrong == 0);
                }
    CHECK(copied[0] > 0);
    CHECK(copied[1] > 0);
}

TEST_CASE(
    "destination_ahead: lines of the destination are asked for where rows are apart and stores fill lines in part") {
    const auto ahead = [](const layout& src, const layout& dst, int bytes, isa which) {
        return destination_ahead(*make_plan(src, dst, element_sizes(bytes), which));
    };
    // Where the rows continue: the loop around two tiles takes 32 elements along them.
    const layout odd({767, 513}, "ab"), odd_transposed({767, 513}, "ba");
    CHECK(ahead(odd, odd_transposed, 2, isa::avx512) == 32);
    CHECK(ahead({{3, 179, 17, 64}, "abcd"}, {{3, 179, 17, 64}, "dbca"}, 4, isa::avx512) == 3);
    // Rows that begin at cache lines, and stores of whole lines; AVX2 stores halves.
    const layout last({1, 64, 56, 56}, "nhwc"), first({1, 64, 56, 56}, "nchw");
    CHECK(ahead(last, first, 4, isa::avx512) == 0);
    CHECK(ahead(last, first, 4, isa::avx2) > 0);
    CHECK(ahead(first, last, 4, isa::avx2) == 0);                                               // rows of 256 bytes
    CHECK(ahead({{67, 53}, "ab"}, {{67, 53}, "ba"}, 4, isa::avx512) == 0);                      // 14 KB each
    CHECK(ahead({{1, 3, 224, 224}, "nchw"}, {{1, 3, 224, 224}, "nhwc"}, 4, isa::avx512) == 0);  // interleaved
}

TEST_CASE("destination_rows: repeated rows are all sums of the steps, in order") {
    destination_rows rows;
    rows.offset.push_back(0);
    rows.repeat(2, 100);
    rows.repeat(3, 1000);
    const dim_t wanted[] = {0, 100, 1000, 1100, 2000, 2100};
    REQUIRE(rows.offset.size() == 6);
    for (int row = 0; row < 6; ++row) CHECK(rows.offset[row] == wanted[row]);
    CHECK_FALSE(rows.too_many);
    rows.repeat(10, 1);  // 60, of at most 64
    CHECK_FALSE(rows.too_many);
    rows.repeat(2, 1);
    CHECK(rows.too_many);
    CHECK(rows.offset.size() == 60);
}

TEST_CASE("destination_rows: a set of the cache has room for eight lines, and nine rows a period apart crowd") {
    const auto crowd = [](int count, dim_t step, dim_t first, int bytes) {
        destination_rows rows;
        for (int row = 0; row < count; ++row) rows.offset.push_back(first + row * step);
        return rows.crowd(bytes);
    };
    CHECK(crowd(9, 1024, 0, 4));  // 4096 bytes
    CHECK_FALSE(crowd(8, 1024, 0, 4));
    CHECK_FALSE(crowd(9, 1024, 0, 1));   // every fourth is one period further: three in a set
    CHECK_FALSE(crowd(16, 1040, 0, 4));  // 65 lines: the next set
    CHECK(crowd(9, -1024, 3, 4));
    // Half a line further, each row is in two sets: 5 rows, and 4 from the previous set, are nine lines in one.
    destination_rows rows;
    for (int row = 0; row < 5; ++row) rows.offset.push_back(row * 1024);
    for (int row = 1; row < 5; ++row) rows.offset.push_back(row * 1024 - 8);
    CHECK(rows.crowd(4));
    destination_rows aligned;
    for (int row = 0; row < 5; ++row) aligned.offset.push_back(row * 1024);
    for (int row = 1; row < 5; ++row) aligned.offset.push_back(row * 1024 - 16);
    CHECK_FALSE(aligned.crowd(4));
}

TEST_CASE("rows_of_tile: one for each value of the bits that are not in the tile's run") {
    // A transpose of 4 x 4: lanes of the destination are its run of 4, the other two bits step 100 and 200.
    reorder_plan plan;
    plan.sizes = element_sizes(4);
    plan.pattern.lane_bits = plan.pattern.register_bits = 2;
    for (const dim_t dst : {100, 200, 1, 2}) plan.bits.push_back({0, dst, 0, 0});
    for (const int lane : {2, 3}) plan.pattern.dst_lanes.push_back(lane);
    const dim_t run = plan.run_of_tile(side::destination);
    const destination_rows rows = rows_of_tile(plan, run);
    CHECK(rows_in_tile(plan, run) == 4);
    const dim_t wanted[] = {0, 100, 200, 300};
    REQUIRE(rows.offset.size() == 4);
    for (int row = 0; row < 4; ++row) CHECK(rows.offset[row] == wanted[row]);
}

}}  // namespace test_engine_plan_staging
