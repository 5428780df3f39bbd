#include <plait/io/kv_layout.hpp>

#include "support/small_layouts.hpp"

namespace test_io_kv_layout {

using namespace plait;

namespace {

constexpr verdict malformed(dim_t column) { return {reason::notation_is_malformed, -1, column}; }

}  // namespace

TEST_CASE("kv_layout: the six names of vLLM, and those of one block") {
    constexpr dims cache{4, 7, 2, 16, 8};  // layers, blocks, heads, tokens, content
    STATIC_CHECK(parse_kv_layout("LBNHC", cache) == layout(cache, "abdce"));
    STATIC_CHECK(parse_kv_layout("LBHNC", cache) == layout(cache, "abcde"));
    STATIC_CHECK(parse_kv_layout("LHBNC", cache) == layout(cache, "acbde"));
    STATIC_CHECK(parse_kv_layout("BLHNC", cache) == layout(cache, "bacde"));
    STATIC_CHECK(parse_kv_layout("BLNHC", cache) == layout(cache, "badce"));
    STATIC_CHECK(parse_kv_layout("BHLNC", cache) == layout(cache, "bcade"));
    STATIC_CHECK(parse_kv_layout("NHD", {2, 16, 8}) == layout({2, 16, 8}, "bac"));
    STATIC_CHECK(parse_kv_layout("HND", {2, 16, 8}) == layout({2, 16, 8}, "abc"));
}

TEST_CASE("kv_layout: names of LMCache") {
    constexpr dims layer{7, 2, 16, 8}, pairs{7, 2, 16, 2, 8};  // blocks, heads, tokens, content; with keys and values
    STATIC_CHECK(parse_kv_layout("NL_X_NB_NH_BS_CS", layer) == layout(layer, "abcd"));
    STATIC_CHECK(parse_kv_layout("NL_X_NB_BS_NH_CS", layer) == layout(layer, "acbd"));
    STATIC_CHECK(parse_kv_layout("NB_NL_NH_BS_CS", {4, 7, 2, 16, 8}) == layout({4, 7, 2, 16, 8}, "bacde"));
    STATIC_CHECK(parse_kv_layout("NL_X_TWO_NB_BS_NH_HS", pairs) == layout(pairs, "dacbe"));
    STATIC_CHECK(parse_kv_layout("NL_X_NB_TWO_BS_NH_HS", pairs) == layout(pairs, "adcbe"));
    STATIC_CHECK(parse_kv_layout("NL_X_TWO_NB_NH_BS_HS", pairs) == layout(pairs, "dabce"));
    STATIC_CHECK(parse_kv_layout("NL_X_NB_TWO_NH_BS_HS", pairs) == layout(pairs, "adbce"));
    STATIC_CHECK(parse_kv_layout("NL_X_NB_NH_BS_TWO_HS", pairs) == layout(pairs, "abcde"));
    STATIC_CHECK(parse_kv_layout("NB_NL_TWO_BS_NH_HS", {4, 7, 2, 16, 2, 8}) == layout({4, 7, 2, 16, 2, 8}, "baedcf"));
    STATIC_CHECK(parse_kv_layout("NL_X_NB_BS_HS", {7, 16, 8}) == layout({7, 16, 8}, "abc"));
    STATIC_CHECK(parse_kv_layout("TWO_X_NL_X_NBBS_NH_HS", layer) == layout(layer, "acbd"));
    STATIC_CHECK(parse_kv_layout("NL_X_TWO_X_NB_BS_NH_HS", layer) == layout(layer, "acbd"));
    STATIC_CHECK(parse_kv_layout("NL_X_NBBS_ONE_HS", {7, 16, 8}) == layout({7, 16, 8}, "abc"));
    STATIC_CHECK(parse_kv_layout("NL_X_NP_X_NB_BS_ONE_HS", {7, 16, 8}) == layout({7, 16, 8}, "abc"));
}

TEST_CASE("kv_layout: what is refused, with the column") {
    constexpr dims layer{7, 2, 16, 8};
    STATIC_CHECK(parse_kv_layout("", layer).error() == malformed(1));
    STATIC_CHECK(parse_kv_layout("LBXNC", layer).error() == malformed(3));
    STATIC_CHECK(parse_kv_layout("LBHHC", layer).error() == malformed(4));
    STATIC_CHECK(parse_kv_layout("LBHCD", layer).error() == malformed(5));
    STATIC_CHECK(parse_kv_layout("lbhnc", layer).error() == malformed(1));
    STATIC_CHECK(parse_kv_layout("NL_X_NB_BV_CS", layer).error() == malformed(9));
    STATIC_CHECK(parse_kv_layout("NL_X_NB_BS_NL_CS", layer).error() == malformed(12));
    STATIC_CHECK(parse_kv_layout("NB_BS_HS_CS", layer).error() == malformed(10));
    STATIC_CHECK(parse_kv_layout("NL_X", layer).error() == malformed(5));
    STATIC_CHECK(parse_kv_layout("NL_X_", layer).error() == malformed(6));
    STATIC_CHECK(parse_kv_layout("X_NB", layer).error() == malformed(1));
    STATIC_CHECK(parse_kv_layout("NL_NP_NB", layer).error() == malformed(7));
    STATIC_CHECK(parse_kv_layout("NL_X_NB_BS_NH_", layer).error() == malformed(15));
    STATIC_CHECK(parse_kv_layout("LBHNC", layer).error().reason == reason::rank_differs);
    STATIC_CHECK(parse_kv_layout("NL_X_TWO_NB_BS_HS", {7, 16, 3, 8}).error() == verdict{reason::dims_differ, 2, 3, 2});
    STATIC_CHECK(parse_kv_layout("BHNC", {7, 2, dynamic, 8}).error() == verdict{reason::dim_is_dynamic, 2});
}

}  // namespace test_io_kv_layout
