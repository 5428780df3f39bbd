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
    for (const int count : {3, 5, 6, 7, 9})
        for (const int element_bytes : {1, 2, 4, 8}) {
            const std::vector<int> dealt = moved(count, element_bytes, true), back = moved(count, element_bytes, false);
            for (std::size_t i = 0; i < back.size(); ++i)
                CHECK(dealt[static_cast<std::size_t>(back[i])] == static_cast<int>(i));
        }
}

namespace {

/// Runs the tables of an odd count, to compare them with the others.
template <int Count>
std::vector<int> blended(int element_bytes, bool deal) {
    const blend_tables<Count> tables(element_bytes, deal);
    std::vector<int> out;
    for (int to = 0; to < Count; ++to)
        for (int i = 0; i < 16; ++i) {
            int byte = -1;
            for (int from = 0; from < Count; ++from) {
                const auto channel = static_cast<std::size_t>(deal ? to : from),
                           part = static_cast<std::size_t>(deal ? from : to);
                const auto place = static_cast<std::size_t>(deal ? tables.order[channel][i] : i);
                CHECK((tables.selected[part][channel][place] == 0 || tables.selected[part][channel][place] == 0xff));
                if (tables.selected[part][channel][place] == 0) continue;
                CHECK(byte == -1);  // each place is of one register alone
                byte = 16 * from + static_cast<int>(deal ? place : tables.order[channel][place]);
            }
            out.push_back(byte);
        }
    return out;
}

}  // namespace

TEST_CASE("blend_tables: the bytes of make_byte_table, for every odd count and size of elements") {
    for (const bool deal : {false, true})
        for (const int element_bytes : {1, 2, 4, 8}) {
            CHECK(blended<3>(element_bytes, deal) == moved(3, element_bytes, deal));
            CHECK(blended<5>(element_bytes, deal) == moved(5, element_bytes, deal));
            CHECK(blended<7>(element_bytes, deal) == moved(7, element_bytes, deal));
        }
}

}  // namespace test_engine_plan_byte_table
