#include <plait/packed/record_laws.hpp>

#include "packed/record_tags.hpp"
#include "support/static_check.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace test_packed_record_laws { namespace {

using namespace packed_test;

// The digits of an index in a piece, as the docstring of piece_digit says: indices with equal digits have one value.
std::vector<dim_t> digits_of(const record_piece& piece, const position& index) {
    std::vector<dim_t> out;
    for (const piece_digit& d : piece.digits)
        if (d.stride != 0) out.push_back((index[d.axis] - piece.origin[d.axis]) / d.step % d.extent);
    return out;
}

/// Finds a bit that two values share by writing down the owner of each bit: the number of a value.
bool shares_a_bit(const record& r) {
    constexpr dim_t before = 10'000;  // pieces that were changed may begin before the record
    std::vector<int> owners(static_cast<std::size_t>(2 * before + r.size_in_bits), 0);
    int values = 0;
    bool shared = false;
    for (const record_piece& piece : r.pieces) {
        std::map<std::vector<dim_t>, int> numbers;
        for_each_index(piece.extents, [&](position index) {
            for (int a = 0; a < index.size(); ++a) index[a] += piece.origin[a];
            for (const piece_condition& c : piece.where)
                if (c.extent != 0 && !c.holds(index)) return;
            const auto [at, added] = numbers.try_emplace(digits_of(piece, index), values + 1);
            values += added;
            for (int bit = 0; bit < r.field_of(piece).width; ++bit) {
                int& owner = owners.at(static_cast<std::size_t>(before + piece.place(index) + bit));
                shared = shared || (owner != 0 && owner != at->second);
                owner = at->second;
            }
        });
    }
    return shared;
}

/// Checks the answer against all bits, and its post-condition. Returns false if it was not decided.
bool check_answer(const record& r) {
    const verdict why = check_fields_disjoint(r);
    if (why.reason == reason::fields_are_not_decided) return false;
    REQUIRE(shares_a_bit(r) == !why.ok());
    const auto found = find_field_overlap(r);
    REQUIRE(found.has_value() == !why.ok());
    if (!found) return true;
    REQUIRE(why.reason == reason::fields_overlap);
    REQUIRE(why.third == found->bit);
    int holders = 0;
    for (const record_piece& piece : r.pieces)
        for (const auto& [name, index] :
             {std::pair(found->first_field, found->first), std::pair(found->second_field, found->second)}) {
            if (!(r.field_of(piece).name == name)) continue;
            const dim_t begin = piece.place(index);
            holders += begin <= found->bit && found->bit < begin + r.field_of(piece).width;
        }
    REQUIRE(holders >= 2);
    return true;
}

struct random_numbers {
    std::mt19937_64 engine;
    dim_t operator()(dim_t low, dim_t high) {
        return low + static_cast<dim_t>(engine() % static_cast<std::uint64_t>(high - low + 1));
    }
};

/// Returns a record of one to three small pieces over two axes, with any strides.
record random_pieces(random_numbers& random, bool chains) {
    record r = parse_record("nk: (a:u8 nk, b:u3 nk, c:u1 nk)", {24, 24}).value();
    const dim_t count = random(1, 3);
    while (r.pieces.size() > count) r.pieces.erase(r.pieces.size() - 1);
    for (record_piece& piece : r.pieces) {
        piece.at = random(0, 60);
        while (!piece.digits.empty()) piece.digits.erase(piece.digits.size() - 1);
        for (int axis = 0; axis < 2; ++axis) {
            dim_t step = 1;
            for (dim_t k = random(0, 3); k > 0; --k) {
                const dim_t extent = !chains && random(0, 4) == 0 ? random(1, 6) : random(1, 3);
                dim_t stride = random(1, 40) * (random(0, 4) == 0 ? -1 : 1);
                if (random(0, 2) == 0) stride = stride < 0 ? -8 * random(1, 8) : 8 * random(1, 8);
                if (random(0, 3) != 0) piece.digits.push_back({axis, -1, extent, step, stride});
                step = chains ? step * extent : random(1, 4);
            }
            piece.extents[axis] = chains ? step : random(1, 8);
        }
        if (random(0, 3) == 0 && !piece.digits.empty()) {
            const int which = static_cast<int>(random(0, piece.digits.size() - 1));
            piece.digits[which].turned_by = 1 - piece.digits[which].axis;
        }
    }
    return r;
}

TEST_CASE("record_laws: pieces of tags share no bit, within bounds") {
    for_each_record([](const record& r) {
        CAPTURE(r.tag.text().c_str());
        CHECK(check_fields_disjoint(r).ok());
        CHECK_FALSE(find_field_overlap(r).has_value());
        CHECK_FALSE(shares_a_bit(r));
        for (const record_piece& piece : r.pieces)
            for_each_index(piece.extents, [&](position index) {
                for (int a = 0; a < index.size(); ++a) index[a] += piece.origin[a];
                const dim_t place = piece.place(index);
                REQUIRE(place >= 0);
                REQUIRE(place + r.field_of(piece).width <= r.size_in_bits);
            });
    });
}

TEST_CASE("record_laws: each piece that is moved or changed is found") {
    random_numbers random{std::mt19937_64(7)};
    int overlaps = 0;
    for (int round = 0; round < 6; ++round)
        for_each_record([&](record r) {
            if (r.size_in_bits > 20'000) return;
            record_piece& piece = r.pieces[static_cast<int>(random(0, r.pieces.size() - 1))];
            const dim_t change = random(0, 2);
            if (change == 0) piece.at += random(-40, 40);
            if (change == 1) piece.at += 8 * random(-20, 20);
            if (change == 2 && !piece.digits.empty()) {
                piece_digit& d = piece.digits[static_cast<int>(random(0, piece.digits.size() - 1))];
                d.stride += random(-1, 1) * 8;
            }
            CAPTURE(r.tag.text().c_str());
            REQUIRE(check_answer(r));  // always decided
            overlaps += !check_fields_disjoint(r).ok();
        });
    CHECK(overlaps > 60);
}

TEST_CASE("record_laws: random small pieces against all of their bits") {
    random_numbers random{std::mt19937_64(11)};
    int open = 0, disjoint = 0;
    for (int round = 0; round < 4000; ++round) {
        const record r = random_pieces(random, round % 4 != 0);
        CAPTURE(round);
        const bool decided = check_answer(r);
        bool turned = false;
        for (const record_piece& piece : r.pieces)
            for (const piece_digit& d : piece.digits) turned = turned || d.turned_by >= 0;
        if (round % 4 != 0 && !turned) REQUIRE(decided);
        open += !decided;
        disjoint += check_fields_disjoint(r).ok();
    }
    CHECK(open < 800);
    CHECK(disjoint > 200);
}

TEST_CASE("record_laws: records of changed texts are decided, and lie within their size") {
    int records = 0;
    for_each_changed_record(5, 10000, 2500, [&](const record& r) {
        ++records;
        CAPTURE(r.tag.text().c_str());
        REQUIRE(check_answer(r));
        std::vector<bool> used(static_cast<std::size_t>(r.size_in_bits));
        for (const record_piece& piece : r.pieces)
            for_each_index(r.dims, [&](const position& index) {
                if (!piece.holds(index)) return;
                const dim_t place = piece.place(index), width = r.field_of(piece).width;
                REQUIRE(place >= 0);
                REQUIRE(place + width <= r.size_in_bits);
                for (dim_t bit = place; bit < place + width; ++bit) used[static_cast<std::size_t>(bit)] = true;
            });
        const dim_t count = std::count(used.begin(), used.end(), true);
        if (check_fields_disjoint(r).ok()) REQUIRE(detail::usage_of(r).values == count);
    });
    CHECK(records > 500);
}

TEST_CASE("record_laws: a digit turned by an axis whose values are shared") {
    // XNNPACK's order where one value serves eight rows: rows 0 and 1 would have other k in one slot.
    STATIC_CHECK(parse_record_tag("nk: w:f32 N K 4k-n /8n").error().reason == reason::digit_does_not_turn);
    // The search finds it in pieces that are made by hand.
    record turned("nk: w:f32 N K 4k-n 8n", {16, 8});
    record_piece& piece = turned.pieces[0];
    for (int i = 0; i < piece.digits.size(); ++i)
        if (piece.digits[i].axis == 0 && piece.digits[i].extent == 8) piece.digits.erase(i);
    CHECK(check_fields_disjoint(turned).reason == reason::fields_overlap);
}

TEST_CASE("record_laws: large records cost no more, and sums that may overflow are not decided") {
    constexpr record large("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {dim_t{1} << 20, dim_t{1} << 20});
    STATIC_CHECK(check_fields_disjoint(large).ok());
    record far = large;
    far.pieces[0].at = INT64_MAX;
    CHECK(check_fields_disjoint(far).reason == reason::fields_are_not_decided);
    far = large;
    far.pieces[1].digits[0].axis = 7;
    CHECK(check_fields_disjoint(far).reason == reason::fields_are_not_decided);
    far = large;
    far.pieces[1].digits[0].stride = INT64_MIN;
    CHECK(check_fields_disjoint(far).reason == reason::fields_are_not_decided);
}

TEST_CASE("record_laws: dense records, and the bits that no value has") {
    STATIC_CHECK(is_dense(record("nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", {64, 256})));
    STATIC_CHECK(!is_dense(record("nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", {63, 256})));
    STATIC_CHECK(!is_dense(record("nk: N(d:f16 8n /k, _:2)", {64, 256})));
    // One row more is 7 rows of padding: of scales and of values.
    constexpr record padded("nk: N(d:f16 8n /k, q:u4 8n k, _:2)", {9, 10});
    STATIC_CHECK(detail::usage_of(padded) == detail::bit_usage{9 * (16 + 40), 7 * (16 + 40), 2 * 16});
    // All bits that some index has, counted one by one.
    for_each_record([](const record& r) {
        CAPTURE(r.tag.text().c_str());
        std::vector<bool> used(static_cast<std::size_t>(r.size_in_bits));
        for (const record_piece& piece : r.pieces)
            for_each_index(r.dims, [&](const position& index) {
                for (int bit = 0; piece.holds(index) && bit < r.field_of(piece).width; ++bit)
                    used[static_cast<std::size_t>(piece.place(index) + bit)] = true;
            });
        const detail::bit_usage usage = detail::usage_of(r);
        const dim_t count = std::count(used.begin(), used.end(), true);
        CHECK(usage.values == count);
        CHECK(usage.values + usage.padding + usage.gaps == r.size_in_bits);
        CHECK(is_dense(r) == (count == r.size_in_bits));
    });
}

TEST_CASE("record_laws: the fibre of a field") {
    constexpr record packed("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {64, 256});
    STATIC_CHECK(fibre(packed, "d") == dims{1, 32} && fibre(packed, "q") == dims{1, 1});
    STATIC_CHECK(fibre(record("nk: N(q:s8 K 4n 4k, sum:s32 4n /k)", {8, 40}), "sum") == dims{1, 40});
    STATIC_CHECK(fibre(record("nk: (w:u4 n[:%64] N k 32n 2n@32, w:u4 n[%64:] k n)", {80, 6}), "w") == dims{1, 1});
    STATIC_CHECK(fibre(record("nk: (w:u4 n[:%64] N k 4n /16n, w:u4 n[%64:] k N /16n)", {100, 6}), "w") == dims{16, 1});
    CHECK_THROWS_AS(static_cast<void>(fibre(packed, "x")), rejection);
    for_each_record([](const record& r) {
        for (const record_piece& piece : r.pieces) {
            const dims same = fibre(r, r.field_of(piece).name.c_str());
            CAPTURE(r.tag.text().c_str());
            for_each_index(r.dims, [&](const position& index) {
                position first = index;
                for (int a = 0; a < first.size(); ++a) first[a] -= first[a] % same[a];
                REQUIRE(piece.holds(index) == piece.holds(first));
                if (piece.holds(index)) REQUIRE(piece.place(index) == piece.place(first));
            });
        }
    });
}

}}  // namespace test_packed_record_laws
