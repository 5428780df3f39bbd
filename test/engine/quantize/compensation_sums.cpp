// The sums of compensation: where they are added, and their final values. The functions of rows are plain loops here.

#include "engine/quantize/plain_row_functions.hpp"

#include <plait/engine/quantize/compensation_sums.hpp>

#include <doctest/doctest.h>

#include <array>

namespace test_engine_quantize_compensation_sums {

using namespace plait;
using namespace plait::engine;

namespace {

/// Three sums after 8 bytes of data, followed by 4 bytes; for one compensation, or followed by the other.
struct summed {
    converting_plan plan;
    std::array<std::byte, 36> memory;

    explicit summed(bool s8s8, bool asymmetric, int other_mask = 1) {
        memory.fill(std::byte{7});
        plan.conversion.rows = &plait_test::row_functions<float>;
        if (s8s8) plan.s8s8 = {8, 3, 1};
        if (asymmetric) plan.asymmetric_source = {20, 3, other_mask};
    }
    std::int32_t at(std::size_t byte) const {
        std::int32_t out;
        std::memcpy(&out, memory.data() + byte, 4);
        return out;
    }
};

constexpr std::byte bytes_of[] = {std::byte{1},    std::byte{2}, std::byte{3},
                                  std::byte{0xff}, std::byte{5}, std::byte{6}};
constexpr dim_t none[value_arrays]{};

row_block rows_of(dim_t count, dim_t rows, dim_t step) {
    row_block out;
    out.count = count;
    out.rows = rows;
    out.from_step = out.to_step = step;
    return out;
}

}  // namespace

TEST_CASE("sums_in_place: only the sums are cleared, not the bytes before or after them") {
    summed s(true, false);
    sums_in_place(s.plan, s.memory.data()).begin();
    for (std::size_t i = 0; i < s.memory.size(); ++i)
        CHECK(s.memory[i] == static_cast<std::byte>(i < 8 || i >= 20 ? 7 : 0));
}

TEST_CASE("sums_in_place: s8s8 is -128 times the sum, asymmetric source is -1 times the sum") {
    // 1 + 2 + 3 - 1 = 5, in place 2
    dim_t places[value_arrays]{};
    places[4] = places[5] = 2;
    summed s(true, false), a(false, true);
    for (summed* const one : {&s, &a}) {
        sums_in_place sums(one->plan, one->memory.data());
        sums.begin();
        sums.add(bytes_of, rows_of(4, 1, 4), places, none, none);
        sums.finish();
    }
    CHECK(s.at(8 + 2 * 4) == -128 * 5);
    CHECK(s.at(8) == 0);
    CHECK(a.at(20 + 2 * 4) == -5);
    CHECK(a.at(20) == 0);
}

TEST_CASE("sums_in_place: each element is added to its place, adjacent or apart") {
    for (const dim_t step : {1, 2}) {
        summed s(true, false);
        sums_in_place sums(s.plan, s.memory.data());
        sums.begin();
        dim_t steps[value_arrays]{};
        steps[4] = step;
        sums.add(bytes_of, rows_of(2, 1, 2), none, steps, none);
        sums.finish();
        CHECK(s.at(8) == -128 * 1);
        CHECK(s.at(8 + 4 * static_cast<std::size_t>(step)) == -128 * 2);
        CHECK(s.at(8 + 4 * static_cast<std::size_t>(3 - step)) == 0);
    }
}

TEST_CASE("sums_in_place: rows are added to separate places or to one, with or without gaps") {
    dim_t by_row[value_arrays]{};
    by_row[4] = 1;
    const auto sums_of = [](const row_block& block, const dim_t* row_steps) {
        summed s(true, false);
        sums_in_place sums(s.plan, s.memory.data());
        sums.begin();
        sums.add(bytes_of, block, none, none, row_steps);
        sums.finish();
        return std::array{s.at(8), s.at(12), s.at(16)};
    };
    using three = std::array<std::int32_t, 3>;
    CHECK(sums_of(rows_of(2, 3, 2), by_row) == three{-128 * 3, -128 * 2, -128 * 11});  // 1 + 2, 3 - 1, 5 + 6
    CHECK(sums_of(rows_of(2, 3, 2), none) == three{-128 * 16, 0, 0});
    CHECK(sums_of(rows_of(1, 3, 2), none) == three{-128 * 9, 0, 0});  // 1, 3 and 5
    CHECK(sums_of(rows_of(1, 3, 2), by_row) == three{-128 * 1, -128 * 3, -128 * 5});
}

TEST_CASE(
    "sums_in_place: sums of both compensations by one mask are made once, and copied before they are multiplied") {
    for (const int other_mask : {1, 2}) {
        summed s(true, true, other_mask);
        CHECK(s.plan.has_equal_sums() == (other_mask == 1));
        sums_in_place sums(s.plan, s.memory.data());
        sums.begin();
        dim_t places[value_arrays]{};
        places[4] = 1;
        places[5] = other_mask == 1 ? 1 : 2;
        sums.add(bytes_of, rows_of(4, 1, 4), places, none, none);
        sums.finish();
        CHECK(s.at(8 + 4) == -128 * 5);
        CHECK(s.at(20 + 4 * static_cast<std::size_t>(places[5])) == -5);
        CHECK(s.at(20) == 0);
    }
}

}  // namespace test_engine_quantize_compensation_sums
