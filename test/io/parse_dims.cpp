#include <plait/io/parse_dims.hpp>
#include <plait/io/print.hpp>

#include "support/static_check.hpp"

namespace test_io_parse_dims { namespace {

using namespace plait;

constexpr bool malformed_at(std::string_view text, dim_t column) {
    return check_parse_dims(text) == verdict{reason::notation_is_malformed, -1, column};
}

TEST_CASE("parse_dims: reads extents in the format that to_string writes, and with commas") {
    STATIC_CHECK(*parse_dims("2x17x5x4") == dims{2, 17, 5, 4});
    STATIC_CHECK(*parse_dims("2,17,5,4") == dims{2, 17, 5, 4});
    STATIC_CHECK(*parse_dims("7") == dims{7});
    STATIC_CHECK(*parse_dims("0x3") == dims{0, 3});
    STATIC_CHECK(*parse_dims("?x3") == dims{dynamic, 3});
    STATIC_CHECK(*parse_dims("9223372036854775807") == dims{9223372036854775807});
    for (const dims& extents : {dims{1}, dims{2, dynamic, 3}, dims{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, dims{0, 0}})
        CHECK(*parse_dims(to_string(extents)) == extents);
}

TEST_CASE("parse_dims: refuses malformed text, with the column") {
    STATIC_CHECK(malformed_at("", 1));
    STATIC_CHECK(malformed_at("x2", 1));
    STATIC_CHECK(malformed_at("2x", 3));
    STATIC_CHECK(malformed_at("2xx3", 3));
    STATIC_CHECK(malformed_at("2x-3", 3));
    STATIC_CHECK(malformed_at("+2", 1));
    STATIC_CHECK(malformed_at("2 x3", 2));
    STATIC_CHECK(malformed_at("2x3 ", 4));
    STATIC_CHECK(malformed_at("2.5", 2));
    STATIC_CHECK(malformed_at("2x3?", 4));
    STATIC_CHECK(malformed_at("2x9223372036854775808", 3));
    STATIC_CHECK(check_parse_dims("1x1x1x1x1x1x1x1x1x1x1x1x1") == verdict{reason::too_many_axes, -1, 13, 12});
    STATIC_CHECK(check_parse_dims(std::string_view("2x3\0", 4)) == verdict{reason::notation_is_malformed, -1, 4});
    STATIC_CHECK(check_parse_dims("2x3").ok());
}

}}  // namespace test_io_parse_dims
