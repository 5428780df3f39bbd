#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/io/explain.hpp>

#include "laws/random_layouts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

namespace test_io_explain {

using namespace plait;
using namespace plait::engine;

TEST_CASE("explain: a transpose within registers") {
    CHECK(explain(layout({1, 64, 56, 56}, "nchw"), layout({1, 64, 56, 56}, "nChw16c"), data_type::f32, data_type::f32,
                  isa::avx512) ==
          "reorder   f32 abcd 1x64x56x56 -> f32 aBcd16b 1x64x56x56, avx512\n"
          "memory    200704 elements: 802816 bytes read, 802816 written\n"
          "stores    into the cache: fewer than 25165824 bytes in all\n"
          "loops     times   from     to\n"
          "              4  50176  50176\n"
          "            196     16    256\n"
          "tile      256 elements in 16 registers of 16 lanes of 4 bytes\n"
          "           bit   0   1   2    3     4     5      6      7\n"
          "          from   1   2   4    8  3136  6272  12544  25088\n"
          "            to  16  32  64  128     1     2      4      8\n"
          "load      16 segments of 16 lanes\n"
          "network   lanes    registers\n"
          "          0 1 2 3  4 5 6 7    as loaded\n"
          "          4 0 2 3  1 5 6 7    unpack 4 bytes, register bit 0\n"
          "          4 5 2 3  1 0 6 7    unpack 8 bytes, register bit 1\n"
          "          4 5 3 6  1 0 2 7    shuffle quarters, even and odd, register bit 2\n"
          "          4 5 6 7  1 0 2 3    shuffle quarters, even and odd, register bit 3\n"
          "store     16 segments of 16 lanes; 1024 bytes without a gap\n"
          "cost      16 loads, 64 shuffles, 16 stores: 0.38 instructions an element\n");
}

TEST_CASE("explain: three interleaved channels, with a table of shuffles") {
    CHECK(explain(layout({1, 3, 4096, 2160}, "nhwc"), layout({1, 3, 4096, 2160}, "nchw"), data_type::u8, data_type::u8,
                  isa::sse41) ==
          "reorder   u8 acdb 1x3x4096x2160 -> u8 abcd 1x3x4096x2160, sse41\n"
          "memory    26542080 elements: 26542080 bytes read, 26542080 written\n"
          "stores    into the cache: runs of 16 bytes are no cache line\n"
          "loops      times  from  to\n"
          "          552960    48  16\n"
          "tile      48 elements in 3 registers of 16 lanes of 1 byte\n"
          "          3 alternate in the source; from 1, to 8847360\n"
          "           bit  0  1   2   3\n"
          "          from  3  6  12  24\n"
          "            to  1  2   4   8\n"
          "load      3 segments of 16 lanes\n"
          "table     0 =  0.0  0.3  0.6   0.9  0.12  0.15  1.2  1.5   1.8  1.11  1.14  2.1  2.4  2.7  2.10  2.13\n"
          "          1 =  0.1  0.4  0.7  0.10  0.13   1.0  1.3  1.6   1.9  1.12  1.15  2.2  2.5  2.8  2.11  2.14\n"
          "          2 =  0.2  0.5  0.8  0.11  0.14   1.1  1.4  1.7  1.10  1.13   2.0  2.3  2.6  2.9  2.12  2.15\n"
          "store     3 segments of 16 lanes; 16 bytes without a gap\n"
          "cost      3 loads, 15 shuffles, 3 stores: 0.44 instructions an element\n");
}

TEST_CASE("explain: uneven steps, a bounded axis and a conversion") {
    CHECK(explain(layout({1, 100, 5, 5}, "aBcd32b"), layout({1, 100, 5, 5}, "aBcd48b"), data_type::f32, data_type::bf16,
                  isa::avx2) ==
          "reorder   f32 aBcd32b 1x100x5x5 -> bf16 aBcd48b 1x100x5x5, avx2\n"
          "memory    2500 elements: 10000 bytes read, 7200 written\n"
          "stores    into the cache: fewer than 25165824 bytes in all\n"
          "loops     times  from  to\n"
          "             25    32  48\n"
          "              9    16  16  along x; after every 2: from +768; after every 3: to +1152\n"
          "bounds    x  100 elements, 144 stored\n"
          "tile      16 elements in 1 register of 16 lanes of 2 bytes\n"
          "            bit  0  1  2  3\n"
          "           from  1  2  4  8\n"
          "             to  1  2  4  8\n"
          "          bound  x  x  x  x\n"
          "load      1 segment of 16 lanes, converted 8 at once\n"
          "network   none: lanes stay where they are\n"
          "store     1 segment of 16 lanes; 32 bytes without a gap\n"
          "cost      1 load, 1 store: 0.13 instructions an element, and the conversions\n");
}

TEST_CASE("explain: elements with gaps on both sides are loaded and stored one by one") {
    CHECK(explain(layout({5, 7}, strides{20, 2}), layout({5, 7}, strides{30, 3}), data_type::f64, data_type::f64,
                  isa::avx2) ==
          "reorder   f64 ab:20x2 5x7 -> f64 ab:30x3 5x7, avx2\n"
          "memory    35 elements: 280 bytes read, 280 written\n"
          "stores    into the cache: fewer than 25165824 bytes in all\n"
          "loops     times  from  to\n"
          "              3    40  60  the last begins 1 earlier\n"
          "              7     2   3\n"
          "tile      2 elements in 1 register of 2 lanes of 8 bytes\n"
          "           bit   0\n"
          "          from  20\n"
          "            to  30\n"
          "load      2 segments of 1 lane\n"
          "network   none: lanes stay where they are\n"
          "store     2 segments of 1 lane; 8 bytes without a gap\n"
          "cost      2 loads, 1 join, 1 split, 2 stores: 3.00 instructions an element\n");
}

TEST_CASE("explain: gives the reason why a tensor is stored into the cache") {
    const auto stores = [](const dims& extents, const char* from, const char* to, int bytes) {
        return describe_stores(*make_plan(layout(extents, *parse_format_tag(from)),
                                          layout(extents, *parse_format_tag(to)), element_sizes(bytes), isa::avx512));
    };
    CHECK(explain(layout({1, 3, 8, 8}, "nchw"), layout({1, 3, 8, 8}, "nhwc"), data_type::u8, data_type::u8, isa::sse41)
              .find("48 bytes without a gap") != std::string::npos);
    CHECK(stores({1, 64, 56, 56}, "nchw", "nChw16c", 4).find("fewer than 25165824 bytes") != std::string::npos);
    CHECK(stores({32, 256, 56, 56}, "nchw", "nChw16c", 4).starts_with("past the cache"));
    CHECK(stores({64, 256, 55, 55}, "nChw16c", "nchw", 4).find("begin at multiples of 4 bytes") != std::string::npos);
    // Each of four million rows has two elements, so no run is as long as a cache line.
    const layout rows({4096, 1024, 2}, strides{2048, 2, 1}), apart({4096, 1024, 2}, strides{4096, 4, 1});
    CHECK(describe_stores(*make_plan(rows, apart, element_sizes(4), isa::avx512)).find("no cache line") !=
          std::string::npos);
}

TEST_CASE("sizes_between: equals the sizes of the kernels, for every pair of types") {
    const auto same = []<class T>(T) {
        const auto to = []<class U>(U) {
            CHECK(sizes_between(data_type_of<T>, data_type_of<U>) == element_types_of<T, U>::sizes);
        };
        to(double{}), to(float{}), to(bfloat16{}), to(float16{}), to(float8_e5m2{}), to(float8_e4m3{});
        to(std::int32_t{}), to(std::int8_t{}), to(std::uint8_t{});
    };
    same(double{}), same(float{}), same(bfloat16{}), same(float16{}), same(float8_e5m2{}), same(float8_e4m3{});
    same(std::int32_t{}), same(std::int8_t{}), same(std::uint8_t{});
}

TEST_CASE("explain: elements that share bytes are moved as bytes, in pairs of bytes, or as bits") {
    const auto text = [](const char* to, data_type from, data_type type, dim_t columns) {
        return explain(layout({64, columns}, "ab"), layout({64, columns}, to), from, type, isa::avx2);
    };
    const auto has = [](const std::string& in, const char* part) { return in.find(part) != std::string::npos; };
    const std::string rows = text("AB16b64a2b", data_type::u4, data_type::u4, 96);
    CHECK(has(rows, "u4 ab 64x96 -> u4 AB16b64a2b 64x96, avx2"));
    CHECK(has(rows, "6144 elements: 3072 bytes read, 3072 written"));
    CHECK(has(rows, "the same elements share a byte on both sides"));
    CHECK(has(text("ba", data_type::s4, data_type::s4, 96), "pairs of bytes, which exchange halves"));
    CHECK(has(text("ba", data_type::u1, data_type::u1, 96), "bits: elements that share a byte"));
    CHECK(has(text("ba", data_type::f4_e2m1, data_type::f32, 96), "3072 bytes read, 24576 written"));
    CHECK(has(text("ba", data_type::f32, data_type::f6_e2m3, 96), "rows are unpacked, converted and packed"));
    CHECK(has(text("ab", data_type::u4, data_type::u4, 0), "0 elements: 0 bytes read"));
    CHECK(has(text("ba", data_type::boolean, data_type::boolean, 96), "register bit"));
}

TEST_CASE("explain: contains every loop, bit and bound of a plan, and each step of its network") {
    plait_test::random_source random(9);
    for (int i = 0; i < 200; ++i) {
        dims extents;
        for (dim_t n = random.between(1, 4); n > 0; --n) extents.push_back(random.between(1, 90));
        const layout src(extents, random.tag(extents.size(), 2, 16)), dst(extents, random.tag(extents.size(), 2, 16));
        const isa which = every_isa[random.between(0, std::ssize(every_isa) - 1)];
        const auto plan =
            make_plan(src, dst, engine::element_sizes(static_cast<int>(dim_t{1} << random.between(0, 3))), which);
        if (!plan) continue;
        const std::string text = detail::explain_plan(*plan, which);
        INFO(text);
        // Rows are compared as words, because columns are aligned with spaces.
        std::istringstream stream(text);
        std::vector<std::string> words;
        for (std::string word; stream >> word;) words.push_back(word);
        const auto has_row = [&](const std::vector<std::string>& row) {
            for (std::size_t at = 0; at + row.size() <= words.size(); ++at)
                if (std::equal(row.begin(), row.end(), words.begin() + static_cast<std::ptrdiff_t>(at))) return true;
            return false;
        };
        for (const plan_loop& loop : plan->loops) {
            CHECK(has_row({std::to_string(loop.extent), std::to_string(loop.src), std::to_string(loop.dst)}));
            for (const uneven_step& carry : plan->uneven_steps)
                CHECK((!loop.is_uneven || carry.axis != loop.axis ||
                       has_row({"every", std::to_string(carry.period) + ":", carry.src != 0 ? "from" : "to"})));
            if (loop.overlap != 0) CHECK(has_row({"last", "begins", std::to_string(loop.overlap), "earlier"}));
        }
        for (const plan_bound& limit : plan->bounds)
            CHECK(has_row({std::to_string(limit.valid), "elements,", std::to_string(limit.stored), "stored"}));
        std::vector<std::string> from{"from"}, to{"to"};
        for (const tile_bit& bit : plan->bits) {
            from.push_back(std::to_string(bit.src));
            to.push_back(std::to_string(bit.dst));
        }
        CHECK((plan->bits.empty() || (has_row(from) && has_row(to))));
        const tile_instructions tile(*plan, which);
        std::size_t steps = 0;
        for (std::size_t at = 0; (at = text.find("register bit", at)) != std::string::npos; ++at) ++steps;
        CHECK(steps == static_cast<std::size_t>(tile.network.steps.size()));
        CHECK(text.back() == '\n');
        CHECK(std::count(text.begin(), text.end(), '\n') <= 40);
        CHECK(text.find(" \n") == std::string::npos);
    }
}

}  // namespace test_io_explain
