#include <plait/packed/record_memory.hpp>
#include <plait/packed/record_regroup.hpp>

#include "packed/same_places.hpp"

#include <random>
#include <string>

namespace test_packed_record_regroup { namespace {

using namespace packed_test;

/// Returns the index among `from` that has the row-major number of an index among `to`.
position index_of_same_number(const position& index, const dims& to, const dims& from) {
    dim_t number = 0;
    for (int a = 0; a < to.size(); ++a) number = number * to[a] + index[a];
    position out;
    for (int a = 0; a < from.size(); ++a) out.push_back(0);
    for (int a = from.size() - 1; a >= 0; --a) {
        out[a] = number % from[a];
        number /= from[a];
    }
    return out;
}

/// Checks the places of a record with other extents. Returns true if there is one.
bool check_reshaped(const record& r, const dims& to) {
    const expected<record> out = try_reshape(r, to);
    CHECK(try_view(r, to).error() == out.error());
    if (!out) {
        const reason why = out.error().reason;
        CAPTURE(std::string(describe(out.error()).c_str()));
        CAPTURE(std::string(r.tag.text().c_str()));
        CHECK((why == reason::field_is_not_regrouped || why == reason::axis_is_padded ||
               why == reason::record_is_too_large));
        return false;
    }
    CHECK(*try_view(r, to) == *out);
    CHECK(out->dims == to);
    CHECK(out->size_in_bits == r.size_in_bits);
    check_same_places(r, *out, [&](const position& at) { return index_of_same_number(at, to, r.dims); });
    return true;
}

/// Returns extents with the same product: each prime factor stays in its place or moves to a neighbour.
dims random_extents(const dims& from, std::mt19937& engine) {
    dims out;
    for (const dim_t extent : from) {
        dim_t rest = extent, part = 1;
        for (dim_t p = 2; rest > 1; ++p)
            for (; rest % p == 0; rest /= p) {
                part *= p;
                if (engine() % 3 != 0 || out.size() > 4) continue;
                out.push_back(part);
                part = 1;
            }
        if (part > 1 && engine() % 2 == 0 && out.size() > 0) out[out.size() - 1] *= part;
        else if (part > 1 || engine() % 2 == 0 || out.empty()) out.push_back(part);
    }
    return out;
}

TEST_CASE("record_regroup: axes that are joined and split") {
    STATIC_CHECK(reshape(record("nhk: w:u4 nhk", {2, 3, 4}), {6, 4}) == record("hk: w:u4 hk", {6, 4}));
    STATIC_CHECK(reshape(record("nk: w:u4 nk", {4, 6}), {3, 8}) == record("ak: w:u4 ak", {3, 8}));
    STATIC_CHECK(reshape(record("nk: w:u4 nk", {4, 6}), {2, 2, 6, 1}) == record("anbk: w:u4 anbk", {2, 2, 6, 1}));
    constexpr record rows("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {6, 128});
    STATIC_CHECK(view(rows, {2, 3, 4, 32}) == record("anbk: anbK(d:f16 /32k, q:u4 16k 2k@16)", {2, 3, 4, 32}));
    STATIC_CHECK(view(view(rows, {2, 3, 4, 32}), {6, 128}) == rows);
    // All of one axis: rows of 768 have the same blocks.
    STATIC_CHECK(view(rows, {768}) == record("k: K(d:f16 /32k, q:u4 16k 2k@16)", {768}));
    // An axis of one element comes and goes in front of an axis with padding, and after it.
    constexpr record padded("nk: NK(s:f32 8n /4k ~n, w:u4 8n 4k)", {13, 10});
    STATIC_CHECK(reshape(padded, {1, 13, 10}) == record("ank: aNK(s:f32 8n /4k ~n, w:u4 8n 4k)", {1, 13, 10}));
    STATIC_CHECK(reshape(padded, {13, 1, 10}) == record("nak: NaK(s:f32 8n /4k ~n, w:u4 8n 4k)", {13, 1, 10}));
    STATIC_CHECK(same_memory(reshape(padded, {1, 13, 1, 10}), reshape(reshape(padded, {13, 1, 10}), {1, 13, 1, 10})));
    STATIC_CHECK(reshape(reshape(padded, {1, 13, 1, 10}), {13, 10}) == padded);
    // An axis that is not changed keeps its padding.
    STATIC_CHECK(view(record("nhk: NhK(w:u4 8n 4k)", {7, 3, 8}), {7, 24}).dims == dims{7, 24});
    STATIC_CHECK(view(record("nhk: w:u8 8n h k N", {1, 3, 8}), {1, 24}).dims == dims{1, 24});
}

TEST_CASE("record_regroup: the places are those of the same numbers") {
    int done = 0;
    std::mt19937 engine(23);
    const auto check = [&](const record& r) {
        dims all, units;
        all.push_back(volume(r.dims));
        for (const dim_t extent : r.dims) {
            units.push_back(extent);
            units.push_back(1);
        }
        CHECK(reshape(r, r.dims) == r);
        done += check_reshaped(r, all);
        CHECK(check_reshaped(r, units));
        for (int round = 0; round < 16; ++round) done += check_reshaped(r, random_extents(r.dims, engine));
    };
    for_each_record([&](const record& r) {
        if (is_small(r)) check(r);
    });
    for_each_changed_record(29, 1500, 600, check);
    CHECK(done > 400);
}

TEST_CASE("record_regroup: extents that are refused") {
    using enum reason;
    constexpr dim_t w = detail::short_name(detail::field_name_of("w"));
    constexpr record r("nk: w:u4 nk", {2, 12});
    STATIC_CHECK(check_reshape(r, {}) == verdict{rank_differs, -1, 0, 2});
    STATIC_CHECK(check_reshape(r, {2, 13}) == verdict{volumes_differ, -1, 24, 26});
    STATIC_CHECK(check_reshape(r, {-3, -8}) == verdict{dim_is_negative, 0, -3, 0});
    STATIC_CHECK(check_reshape(r, {2, dynamic}) == verdict{dim_is_dynamic, 1, dynamic, 0});
    STATIC_CHECK(check_view(record("nk: w:u4 NK 8k 2n", {2, 48}), {2, 4, 12}) ==
                 verdict{field_is_not_regrouped, 1, w, 8, 12});
    STATIC_CHECK(check_view(record("nhk: w:u4 nhK 8k", {2, 3, 48}), {6, 4, 12}) ==
                 verdict{field_is_not_regrouped, 2, w, 8, 12});
    STATIC_CHECK(check_view(record("nk: w:u4 NK 8k 2n", {2, 12}), {24}) == verdict{axis_is_padded, 1, 16, 12});
    STATIC_CHECK(check_view(record("nk: (w:u4 k[:6] nk, w:u4 k[6:] nk)", {2, 12}), {24}) ==
                 verdict{field_is_not_regrouped, 1, w, 0, 0});
    // The loop over blocks of which the last one is shorter stays outside.
    STATIC_CHECK(check_view(record("kn: w:f16 KN <512k 16n", {600, 20}), {1, 600, 20}) ==
                 verdict{field_is_not_regrouped, 0, w, 512, 600});
    // An axis without elements matches only one in its place.
    constexpr record empty("nk: w:u4 nk", {0, 4});
    STATIC_CHECK(view(empty, {0, 2, 2}) == record("nak: w:u4 nak", {0, 2, 2}));
    STATIC_CHECK(check_view(empty, {0}) == verdict{zero_extent_is_not_matched, 1, 4, 0});
    STATIC_CHECK(check_view(empty, {4, 0}) == verdict{zero_extent_is_not_matched, 1, 4, 4});
    STATIC_CHECK(check_view(record("nk: w:u4 nk", {0, 1}), {0, 0}).reason == zero_extent_is_not_matched);
}

}}  // namespace test_packed_record_regroup
