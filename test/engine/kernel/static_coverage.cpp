// The table of static kernels is complete: each pair of values of coverage.hpp occurs in a row, or no plan has it.

#include "engine/kernel/coverage.hpp"
#include "engine/kernel/static_rows.hpp"
#include "laws/random_pairs.hpp"

#include <plait/io/print.hpp>

#include <doctest/doctest.h>

namespace test_engine_kernel_static_coverage { namespace {

using namespace coverage;
using kernels::static_rows::few_rows, kernels::static_rows::table;

/// Returns the pairs of the first `count` rows, with every instruction set, whatever the CPU has.
value_pairs pairs_of(std::size_t count) {
    value_pairs out;
    for (std::size_t row = 0; row < count; ++row)
        for (const isa with : every_isa) add_row(out, table[row], with);
    return out;
}

TEST_CASE("static kernels: each pair of values occurs in the table, or no plan has it") {
    const value_pairs found = pairs_of(std::size(table));
    int pairs = 0;
    for_each_pair([&](const value& a, const value& b) {
        const char* const never = why_never(a, b);
        pairs += never == nullptr ? 1 : 0;
        if (found.has(a, b) == (never == nullptr)) return;
        if (never == nullptr) FAIL_CHECK("no row has: ", a.name(), ", ", b.name());
        else FAIL_CHECK("a row has: ", a.name(), ", ", b.name(), ", although ", std::string(never));
    });
    MESSAGE(std::size(table), " rows, ", pairs, " pairs");
    CHECK(std::size(table) <= 90);
}

TEST_CASE("static kernels: the first rows have each value with each instruction set") {
    const value_pairs found = pairs_of(few_rows);
    for_each_pair([&](const value& a, const value& b) {
        if (a.of != instructions || b.of == factor || why_never(a, b) != nullptr) return;
        CHECK_MESSAGE(found.has(a, b), a.name(), ", ", b.name());
    });
}

TEST_CASE("static kernels: no plan of random layouts has a pair that no plan should have") {
    plait_test::random_source random(plait_test::number_from_environment("PLAIT_RANDOM_SEED", 5));
    const std::uint64_t count = plait_test::number_from_environment("PLAIT_RANDOM_PLANS", 3000);
    constexpr data_type types[] = {data_type::f64, data_type::f32, data_type::s32, data_type::bf16, data_type::f16,
                                   data_type::u8,  data_type::s8,  data_type::u4,  data_type::u2};
    value_pairs found;
    for (std::uint64_t i = 0; i < count; ++i) {
        const dims extents = plait_test::random_extents(random);
        static_row row{types[random.between(0, 8)], types[random.between(0, 6)],
                       plait_test::random_layout(random, extents, true),
                       plait_test::random_layout(random, extents, false)};
        if (plait::detail::is_packed(row.from) || random.once_in(2)) row.to = row.from;
        row.kind = random.once_in(3) ? row_kind::attributed : row_kind::in_parts;
        if (row.dst.padded_volume() == 0 || !check_reorder(row.src, row.dst).ok()) continue;
        if (!make_scalar_plan(row.src, row.dst, element_sizes(4))) continue;
        value_pairs pairs;
        for (const isa with : every_isa) add_row(pairs, row, with);
        for_each_pair([&](const value& a, const value& b) {
            if (!pairs.has(a, b)) return;
            if (const char* const never = why_never(a, b))
                FAIL_CHECK(to_string(row.src), " -> ", to_string(row.dst), " has: ", a.name(), ", ", b.name(),
                           ", although ", std::string(never));
        });
        found.add(pairs);
    }
    int pairs = 0, missing = 0;
    for_each_pair([&](const value& a, const value& b) {
        if (why_never(a, b) != nullptr) return;
        ++pairs;
        missing += found.has(a, b) ? 0 : 1;
    });
    MESSAGE("random layouts have ", pairs - missing, " of the ", pairs, " pairs of the table");
    CHECK(missing * 4 < pairs);  // the random layouts are a question about most pairs
}

}}  // namespace test_engine_kernel_static_coverage
