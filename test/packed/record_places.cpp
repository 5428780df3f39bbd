#include <plait/packed/record.hpp>

#include "packed/record_tags.hpp"
#include "support/static_check.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace test_packed_record_places { namespace {

using namespace packed_test;

// The places of published formats are in packed/formats.cpp, and in test/witness/record_formats.py.

constexpr dim_t up(dim_t x, dim_t by) { return (x + by - 1) / by * by; }

/// Compares the places of a field with a formula, for all indices.
template <class Formula>
void check_places(const record& r, std::string_view field, Formula formula) {
    CAPTURE(r.tag.text().c_str());
    for_each_index(r.dims, [&](const position& at) { REQUIRE(r.bit_offset(field, at) == formula(at[0], at[1])); });
}

record made(std::string_view text, dims extents) { return parse_record(text, extents).value(); }

TEST_CASE("record_places: FBGEMM's blocks, of which the last one is shorter") {
    for (const dim_t K : {0, 3, 511, 512, 513, 1024, 1200}) {
        const dim_t N = 20, NP = up(N, 16), blocks = detail::larger_of(up(K, 512) / 512, 1),
                    last = K - (blocks - 1) * 512;
        const record r = made("kn: (w:f16 KN <512k 16n)", {K, N});
        CHECK(r.size_in_bits == 16 * K * NP);
        check_places(r, "w", [=](dim_t k, dim_t n) {
            const dim_t h = k / 512 == blocks - 1 ? last : 512;
            return 16 * (k / 512 * 512 * NP + n / 16 * h * 16 + k % 512 * 16 + n % 16);
        });
    }
}

TEST_CASE("record_places: digits that run backwards, and fields that begin at a multiple") {
    const record r = made("nk: (q:u4 nK 4k 2k!, _:%16, s:f32 n /k)", {3, 20});
    check_places(r, "q", [](dim_t n, dim_t k) { return 4 * (n * 24 + k / 8 * 8 + k % 8 / 2 * 2 + 1 - k % 2); });
    check_places(r, "s", [](dim_t n, dim_t) { return 8 * (48 + 4 * n); });
    // High nibble first, in a group: each item begins where the one before it ends, if it is not aligned.
    const record odd = made("nk: n(a:u3 /k, q:u4 K 2k!, _:%2, b:u8 /k)", {2, 5});
    check_places(odd, "q", [](dim_t n, dim_t k) { return n * 40 + 3 + 4 * (k / 2 * 2 + 1 - k % 2); });
    check_places(odd, "b", [](dim_t n, dim_t) { return n * 40 + 32; });
    CHECK(odd.size_in_bytes() == 10);
}

TEST_CASE("record_places: refused extents, loops and pieces") {
    constexpr auto why = [](std::string_view text, dims extents) { return parse_record(text, extents).error(); };
    using enum reason;
    STATIC_CHECK(why("nk: w:u4 nk", {4}) == verdict{rank_differs, -1, 1, 2});
    STATIC_CHECK(why("nk: w:u4 nk", {4, -1}) == verdict{dim_is_negative, 1, -1, 0});
    STATIC_CHECK(why("nk: w:u4 nk", {4, dynamic}) == verdict{dim_is_dynamic, 1});
    STATIC_CHECK(why("nk: w:u4 nk", {dim_t{1} << 40, dim_t{1} << 40}).reason == size_overflows);
    STATIC_CHECK(why("nk: w:u4 nk", {0, 4}).ok() && why("nk: NK(d:f16 4n /32k, q:u4 4n 32k)", {4, 0}).ok());
    // A loop around two fields has one number of values.
    STATIC_CHECK(why("nk: N(w:u8 n[:4] 2n k, w:u8 n[4:] 2n k)", {8, 1}).ok());
    STATIC_CHECK(why("nk: N(w:u8 n[:4] 2n k, w:u8 n[4:] 2n k)", {10, 1}) == verdict{loop_extents_differ, -1, 5, 2, 3});
    STATIC_CHECK(why("kn: w:f16 NK <512k 16n", {600, 20}) == verdict{ragged_loop_is_not_outermost, -1, 15});
    STATIC_CHECK(why("kn: N(w:f16 K <512k 16n, b:f16 16n /k)", {600, 20}).reason == ragged_loop_is_not_outermost);
    STATIC_CHECK(why("nk: n(_:16)", {4, 4}).reason == record_is_malformed);
}

TEST_CASE("record_places: each bit of each value is stored once") {
    constexpr auto why = [](std::string_view text, dims extents) { return parse_record(text, extents).error(); };
    using enum reason;
    constexpr dim_t w = detail::short_name(detail::field_name_of("w"));
    STATIC_CHECK(why("nk: (w:u4 nk, w:u4 nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 2});
    STATIC_CHECK(why("nk: (w:u4 nk, w.4:u2 nk)", {4, 4}).ok());
    STATIC_CHECK(why("nk: (w:u4 nk, w.3:u2 nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 3, 2});
    STATIC_CHECK(why("nk: (w:u4 nk, w.5:u2 nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 4, 0});
    STATIC_CHECK(why("nk: w.4:u2 nk", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 0});
    STATIC_CHECK(why("nk: w:u4 n[:2] nk", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 0});
    STATIC_CHECK(why("nk: w:u4 n[:4] nk", {4, 4}).ok());
    STATIC_CHECK(why("nk: (w:u4 n[:2] nk, w:u4 n[2:] nk)", {4, 4}).ok());
    STATIC_CHECK(why("nk: (w:u4 n[:2] nk, w:u4 n[3:] nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 0});
    STATIC_CHECK(why("nk: (w:u4 n[:3] nk, w:u4 n[2:] nk)", {4, 4}) == verdict{bits_are_not_covered, -1, w, 0, 2});
    STATIC_CHECK(why("nk: (w:u4 2n@2=0 N 2n k, w:u4 2n@2=1 N 2n k)", {8, 4}).ok());
    STATIC_CHECK(why("nk: (w:u4 2n@2=0 N 2n k, w:u4 2n@2=0 N 2n k)", {8, 4}).reason == bits_are_not_covered);
    // Two ranges of two axes: four pieces.
    STATIC_CHECK(
        why("nk: (w:u4 n[:%4] k[:%4] nk, w:u4 n[:%4] k[%4:] nk, w:u4 n[%4:] k[:%4] nk, w:u4 n[%4:] k[%4:] nk)", {7, 9})
            .ok());
    STATIC_CHECK(
        why("nk: (w:u4 n[:%4] k[:%4] nk, w:u4 n[:%4] k[%4:] nk, w:u4 n[%4:] k[:%4] nk, w:u4 n[%4:] k[:%4] nk)", {7, 9})
            .reason == bits_are_not_covered);
    // The reference: count the pieces of each value.
    for_each_record([](const record& r) {
        CAPTURE(r.tag.text().c_str());
        for (const record_piece& piece : r.pieces)
            for_each_index(r.dims, [&](const position& at) {
                std::uint64_t once = 0;
                for (const record_piece& other : r.pieces) {
                    const record_field& f = r.field_of(other);
                    if (!(f.name == r.field_of(piece).name) || !other.holds(at)) continue;
                    for (int bit = f.low; bit < f.low + f.width; ++bit) {
                        REQUIRE((once >> bit & 1) == 0);
                        once |= std::uint64_t{1} << bit;
                    }
                }
                REQUIRE((once & (once + 1)) == 0);  // from bit 0 on, without a gap
                REQUIRE(once != 0);
            });
    });
}

TEST_CASE("record_places: bit_offset refuses other names, ranks and indices") {
    constexpr record r("nk: NK(d:f16 4n /32k, q:u4^8 4k 4n 4k 2k@16)", {8, 64});
    const auto why = [&](std::string_view name, const position& at) {
        try {
            static_cast<void>(r.bit_offset(name, at));
        } catch (const rejection& refused) {
            return refused.verdict().reason;
        }
        return reason::none;
    };
    CHECK(why("q", {7, 63}) == reason::none);
    CHECK(why("x", {0, 0}) == reason::field_is_missing);
    CHECK(why("q", {0}) == reason::rank_differs);
    CHECK(why("q", {8, 0}) == reason::position_is_out_of_range);
    CHECK(why("q", {0, -1}) == reason::position_is_out_of_range);
}

/// Returns where an index of an axis lies in a piece, relative to the first one, as the docstring of piece_digit says.
dim_t place_along(const record_piece& piece, int axis, dim_t index) {
    dim_t place = 0;
    for (const piece_digit& d : piece.digits)
        if (d.axis == axis) place += index / d.step % d.extent * d.stride;
    return place;
}

TEST_CASE("record_places: the digits of an axis say which indices share a value, and how many places there are") {
    int shared = 0, alone = 0;
    for_each_record([&](const record& r) {
        CAPTURE(r.tag.text().c_str());
        for (const record_piece& piece : r.pieces)
            for (int axis = 0; axis < r.ndims(); ++axis) {
                const detail::axis_digits digits(piece, axis);
                REQUIRE(digits.chains());
                const dim_t length = piece.extents[axis];
                bool is_fixed = false;
                for (const detail::axis_digit& d : digits.list) is_fixed = is_fixed || d.place < 0;
                for (const piece_digit& d : piece.digits) is_fixed = is_fixed || d.turned_by >= 0;
                if (is_fixed || length == 0) continue;
                const auto steps = digits.shared(length);
                std::set<dim_t> places;
                for (dim_t i = 0; i < length; ++i) {
                    places.insert(place_along(piece, axis, i));
                    REQUIRE(detail::places_of(piece, axis, length)(i) == place_along(piece, axis, i));
                    dim_t first = i;  // the first of the indices that share its value
                    for (const detail::step_range& some : steps) first -= first % some.last / some.first * some.first;
                    REQUIRE(place_along(piece, axis, first) == place_along(piece, axis, i));
                    REQUIRE(digits.count_places(i + 1) == static_cast<dim_t>(places.size()));
                }
                // No other indices share one: there are as many first ones as places.
                dim_t firsts = 0;
                for (dim_t i = 0; i < length; ++i) {
                    bool is_first = true;
                    for (const detail::step_range& some : steps) is_first = is_first && i % some.last / some.first == 0;
                    firsts += is_first;
                }
                REQUIRE(firsts == static_cast<dim_t>(places.size()));
                (steps.empty() ? alone : shared)++;
            }
    });
    CHECK(shared > 40);
    CHECK(alone > 50);
}

/// Returns the places that some digits lead to, from the first value of a piece on.
template <class Digits>
std::vector<dim_t> places_of_digits(const Digits& digits) {
    std::vector<dim_t> out = {0};
    for (const piece_digit& d : digits) {
        const std::size_t count = out.size();
        std::vector<dim_t> all;
        for (dim_t i = 0; i < d.extent; ++i)
            for (std::size_t k = 0; k < count; ++k) all.push_back(out[k] + i * d.stride);
        out = all;
    }
    return out;
}

TEST_CASE("record_places: a run has the values that lie side by side, and what is around it leads to the others") {
    int ends = 0, misses = 0;
    for_each_record([&](const record& r) {
        CAPTURE(r.tag.text().c_str());
        for (int i = 0; i < 2 * r.pieces.size(); ++i) {
            record_piece piece = r.pieces[i / 2];
            if (i % 2 != 0) std::reverse(piece.digits.begin(), piece.digits.end());
            const int width = r.field_of(piece).width;
            std::vector<dim_t> expected = places_of_digits(piece.digits);
            std::sort(expected.begin(), expected.end());
            for (int last = -1; last < piece.digits.size(); ++last) {
                const piece_digit* const end = last < 0 ? nullptr : &piece.digits[last];
                const detail::dense_run run = detail::run_of(piece, width, end);
                std::vector<dim_t> found;
                for (const dim_t begin : places_of_digits(run.around))
                    for (dim_t bit = 0; bit < run.bits; bit += width) found.push_back(begin + bit);
                std::sort(found.begin(), found.end());
                REQUIRE(found == expected);
                bool goes_on = false, is_around = false;
                for (const piece_digit& d : run.around) {
                    goes_on = goes_on || d.stride == run.bits;
                    is_around = is_around || (end != nullptr && d == *end);
                }
                REQUIRE((!goes_on || run.has_last));
                if (end == nullptr || end->extent == 1) REQUIRE(!run.has_last);
                else REQUIRE(run.has_last == !is_around);
                if (run.has_last) REQUIRE(run.bits == end->stride * end->extent);
                if (end != nullptr) (run.has_last ? ends : misses)++;
            }
        }
    });
    CHECK(ends > 40);
    CHECK(misses > 40);
}

}}  // namespace test_packed_record_places
