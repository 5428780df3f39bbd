#include <plait/engine/plan/make_plan.hpp>

#include <plait/io/print.hpp>

#include <doctest/doctest.h>

using namespace plait;
using namespace plait::engine;

namespace {

/// Every element of a panel lies in the stage's row that is copied to where the plan has it, and the rows are whole
/// vectors of 16 bytes.
void stage_goes_where_the_plan_says(const reorder_plan& plan) {
    const staging_buffer through(plan);
    CHECK(through.row_elements * plan.sizes.dst % 16 == 0);
    CHECK(!through.rows.empty());
    CHECK(through.bytes() <= 2 * staging_bytes);
    CHECK(plan.bounds.empty());
    dim_t panel = dim_t{1} << plan.bits.size(), wrong = 0;
    for (const plan_loop& loop : through.filling.loops) {
        CHECK(loop.overlap == 0);
        panel *= loop.extent;
    }
    for (dim_t number = 0; number < panel; ++number) {
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
    CHECK(panel == through.rows.size() * through.row_elements);
    CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("stage: each element of a panel is copied to its place") {
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
                    INFO(columns, " x ", rows, " ", std::string(name(which)), " ", sizes.src, " -> ", sizes.dst);
                    stage_goes_where_the_plan_says(*plan);
                    ++staged;
                }
    CHECK(staged > 50);
}

TEST_CASE("stage: lines of the destination are asked for where rows are apart and stores fill lines in part") {
    const auto ahead = [](const layout& src, const layout& dst, int bytes, isa which) {
        return destination_ahead(*make_plan(src, dst, bytes, which));
    };
    // Where the rows go on: the loop around two tiles takes 32 elements along them.
    const layout odd({767, 513}, "ab"), odd_transposed({767, 513}, "ba");
    CHECK(ahead(odd, odd_transposed, 2, isa::avx512) == 32);
    CHECK(ahead({{3, 179, 17, 64}, "abcd"}, {{3, 179, 17, 64}, "dbca"}, 4, isa::avx512) == 3);
    // Rows that begin at cache lines, and stores of whole lines; AVX2 stores halves.
    const layout last({1, 64, 56, 56}, "nhwc"), first({1, 64, 56, 56}, "nchw");
    CHECK(ahead(last, first, 4, isa::avx512) == 0);
    CHECK(ahead(last, first, 4, isa::avx2) > 0);
    CHECK(ahead(first, last, 4, isa::avx2) == 0);                                               // rows of 256 bytes
    CHECK(ahead({{67, 53}, "ab"}, {{67, 53}, "ba"}, 4, isa::avx512) == 0);                      // 14 KB each
    CHECK(ahead({{1, 3, 224, 224}, "nchw"}, {{1, 3, 224, 224}, "nhwc"}, 4, isa::avx512) == 0);  // they alternate
}
