#include <plait/io/print_record.hpp>

#include "packed/record_tags.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace test_io_print_record {

using namespace packed_test;

TEST_CASE("print_record: a tag and a record in one line") {
    const record r = parse_record("nk:NK( d:f16 /32k 4n, q:u4^8 4k 4n 4k 2k@16 )", {64, 256}).value();
    CHECK(to_string(r.tag) == "nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)");
    CHECK(to_string(r) == "nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16) 64x256");
    std::ostringstream out;
    out << r.tag << '\n' << r;
    CHECK(out.str() == to_string(r.tag) + '\n' + to_string(r));
    for_each_record([](const record& each) { CHECK(parse_record_tag(to_string(each.tag)) == each.tag); });
}

TEST_CASE("print_record: a table of the fields") {
    CHECK(explain(parse_record("nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)", {8, 64}).value()) ==
          "record    nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)\n"
          "dims      8x64\n"
          "size      288 bytes, of which 0 bits of padding, 0 bits between and after fields\n"
          "fields    name  type  bits  begin  share  strides in bits                       stored for  content\n"
          "             d   f16  0-15      0   1x32  n 2:1152 4:16  k 2:576                all           given\n"
          "             q  u4^8   0-3     64    1x1  n 2:1152 4:32  k 2:576 2:4 4:128 4:8  all           given\n");
    // Turned digits, padding, gaps, sums; pieces by bits and by ranges.
    const auto has = [](std::string_view text, dims extents, const char* part) {
        const std::string all = explain(parse_record(text, extents).value());
        CAPTURE(all);
        CHECK(all.find(part) != std::string::npos);
    };
    has("nk: N(bias:f32 8n /k ~n, w:f32*0.5 K 4k-n 8n, _:16)", {13, 10},
        "of which 2080 bits of padding, 256 bits between");
    has("nk: N(bias:f32 8n /k ~n, w:f32*0.5 K 4k-n 8n, _:16)", {13, 10}, "n 2:3456 8:32  k 3:1024 4:256-n");
    has("nk: N(bias:f32 8n /k ~n, w:f32*0.5 K 4k-n 8n, _:16)", {13, 10}, "given, padding repeats n");
    has("nk: N(bias:f32 8n /k ~n, w:f32*0.5 K 4k-n 8n, _:16)", {13, 10}, "f32*0.5");
    has("nk: N(b:s32 8n /k =+sum(w)*-16izp, w:s8 K 8n 8k)", {8, 8}, "given + sum of w times -16 times izp");
    has("nk: N(b:s32 8n /k =+sum(w-8)*-16izp, w:u8 K 8n 8k)", {8, 8}, "given + sum of (w - 8) times -16 times izp");
    has("nk: (w:u4 2n@2=0 N 2n k, w:u4 2n@2=1 N 2n k, w.4:u3 nk)", {8, 2}, "n/2%2=1");
    has("nk: (w:u4 2n@2=0 N 2n k, w:u4 2n@2=1 N 2n k, w.4:u3 nk)", {8, 2}, " u3   4-6");
    has("kn: w:f16 KN <512k 16n", {600, 20}, "k 512-599");
    has("nk: w:u3 nk", {3, 3}, "4 bytes, of which 0 bits of padding, 5 bits between and after fields");
    // Fields that overlap.
    record overlapping = parse_record("nk: (a:u8 nk, b:u8 nk)", {16, 8}).value();
    overlapping.pieces[1].at = 8;  // assembled by hand: the second field begins in the first one
    CHECK(explain(overlapping).find("overlap   fields_overlap: fields a and b share bit") != std::string::npos);
}

TEST_CASE("print_record: what moves each field of a repack") {
    const record rows = parse_record("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {64, 256}).value();
    const record panels =
        parse_record("nk: N(K(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16), sum:s32 4n /k =sum(q))", {64, 256}).value();
    const std::string all = explain(make_repack(rows, panels).value());
    CAPTURE(all);
    CHECK(all.starts_with("repack    9216 bytes to 9472 bytes, in "));
    CHECK(all.find("fields    name  moved by") != std::string::npos);
    for (const char* const line : {"             d  ", "             q  ", "           sum  sums of rows"})
        CHECK(all.find(line) != std::string::npos);
    CHECK(explain(planned_repack()) == "repack    not planned\n");
}

}  // namespace test_io_print_record
