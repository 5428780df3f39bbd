// The destination of each byte of an interleave.

#include <plait/engine/plan/byte_table.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace test_engine_plan_byte_table {

using namespace plait::engine;

namespace {

/// Runs the tables on the bytes 0, 1, 2, ... of registers of 16, to split or merge channels.
std::vector<int> moved(int count, int element_bytes, bool deal) {
    std::vector<int> out(static_cast<std::size_t>(16 * count), -1);
    for (int to = 0; to < count; ++to)
        for (int from = 0; from < count; ++from) {
            const byte_table table = make_byte_table(count, element_bytes, to, from, deal);
            bool any = false;
            for (int i = 0; i < 16; ++i) {
                if (table.from[i] == 0x80) continue;
                any = true;
                int& byte = out[static_cast<std::size_t>(16 * to + i)];
                CHECK(byte == -1);  // each from one register alone
                byte = 16 * from + table.from[i];
            }
            CHECK(table.any == any);
        }
    return out;
}

}  // namespace

TEST_CASE("make_byte_table: RGB in bytes, each channel in a register of its own") {
    const std::vector<int> bytes = moved(3, 1, true);
    for (int channel = 0; channel < 3; ++channel)
        for (int pixel = 0; pixel < 16; ++pixel)
            CHECK(bytes[static_cast<std::size_t>(16 * channel + pixel)] == 3 * pixel + channel);
}

TEST_CASE("make_byte_table: merging undoes splitting, for every count and size of elements") {
    for (const int count : {3, 5, 6, 7})
        for (const int element_bytes : {1, 2, 4, 8}) {
            const std::vector<int> dealt = moved(count, element_bytes, true), back = moved(count, element_bytes, false);
            for (std::size_t i = 0; i < back.size(); ++i)
                CHECK(dealt[static_cast<std::size_t>(back[i])] == static_cast<int>(i));
        }
}

}  // namespace test_engine_plan_byte_table
