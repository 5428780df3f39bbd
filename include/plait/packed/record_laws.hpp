#pragma once
// The laws of a record: no two values share a bit; which bits no value has.

#include <plait/packed/record_disjoint.hpp>
#include <plait/packed/record_reach.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns two values of a record that share a bit, or that there are none, or why the search cannot decide.
constexpr field_overlap_search search_field_overlap(const record& r) {
    field_overlap_search out;
    const int count = r.pieces.size();
    piece_reach reach[max_record_pieces]{};
    for (int p = 0; p < count; ++p) reach[p] = piece_reach(r, r.pieces.values[p]);
    for (int p = 0; p < count; ++p)
        for (int q = p; q < count; ++q) {
            if (p == q ? reach[p].nests() : reach[p].lies_apart(reach[q])) continue;
            const field_overlap_search two = field_overlap_finder(r, r.pieces.values[p], r.pieces.values[q]).search();
            if (two.found) return two;
            if (out.why.ok()) out.why = two.why;
        }
    return out;
}

/// Where the bits of a record are: their sum is its size.
struct bit_usage {
    dim_t values = 0;   ///< bits of values that some index has
    dim_t padding = 0;  ///< places of pieces that no index has
    dim_t gaps = 0;     ///< in no piece: `_:16`, and what aligns the next item
    constexpr bool operator==(const bit_usage&) const = default;
};

/// Returns how many bits of a piece hold values, and how many there are.
struct piece_usage {
    dim_t values = 0, all = 0;
};
constexpr piece_usage usage_of(const record& r, const record_piece& piece) {
    const dim_t width = r.field_of(piece).width;
    piece_usage out{width, width};
    for (const piece_digit& d : piece.digits) out.all *= d.extent;
    for (int a = 0; a < r.ndims(); ++a) {
        dim_t first = 0, last = r.dims[a];
        for (const piece_condition& c : piece.where) {
            if (c.axis != a || c.extent != 0) continue;
            first = larger_of(first, c.first);
            last = c.last < last ? c.last : last;
        }
        out.values *= axis_digits(piece, a).places_of(last - first);
    }
    return out;
}

/// Returns where the bits of a record are.
///
/// Pre:     the fields of r do not overlap, and the digits of each piece chain, as in a record that was made of a tag
constexpr bit_usage usage_of(const record& r) {
    bit_usage out{0, 0, r.size_in_bits};
    for (const record_piece& piece : r.pieces) {
        const piece_usage one = usage_of(r, piece);
        out.values += one.values;
        out.padding += one.all - one.values;
        out.gaps -= one.all;
    }
    return out;
}
}  // namespace detail

/// Checks that no bit of a record belongs to two values: that no two pieces share a bit, and that within a piece two
/// indices share a bit only if they share the value.
///
/// Refused: fields_overlap (both names, the bit); fields_are_not_decided (both names) only if a search was given up, or
///          if the pieces were changed by hand so that their digits do not count all indices
/// Pre:     none; any record, also one whose pieces were changed by hand
/// Post:    ok() == !find_field_overlap(r).has_value() for all records that can be decided
/// Cost:    O(pieces squared times digits squared) steps for records made of tags; at most
///          field_overlap_finder::most_steps differences for two pieces
/// Source:  docs/packed.md
/// Example: check_fields_disjoint(record("nk: NK(d:f16 4n /32k, q:u4 4k 4n 4k 2k@16)", {64, 256})).ok()
constexpr verdict check_fields_disjoint(const record& r) {
    const detail::field_overlap_search search = detail::search_field_overlap(r);
    if (!search.found) return search.why;
    return {reason::fields_overlap, -1, detail::short_name(search.found->first_field),
            detail::short_name(search.found->second_field), search.found->bit};
}

/// Returns two values of a record that share a bit, or an empty optional if there are none. Fails with
/// fields_are_not_decided.
///
/// Pre:     check_fields_disjoint(r) is ok or names an overlap
/// Post:    both fields have a place for their index, and the bit lies in both values; the fields differ, or the
///          indices have different values; empty if and only if check_fields_disjoint(r).ok()
/// Cost:    that of check_fields_disjoint
/// Source:  docs/packed.md
/// Example: test/packed/record_disjoint.cpp
[[nodiscard]] constexpr std::optional<field_overlap> find_field_overlap(const record& r) {
    const detail::field_overlap_search search = detail::search_field_overlap(r);
    if (!search.found) require(search.why);
    return search.found;
}

/// Returns true if each bit of a record belongs to a value that some index has: no gaps, no padding, no shared bits.
///
/// Pre:     r is the result of try_record
/// Post:    true if the bits of all values are those of the record
/// Cost:    that of check_fields_disjoint
/// Source:  docs/packed.md
/// Example: is_dense(record("nk: NK(d:f16 4n /32k, q:u4 4k 4n 4k 2k@16)", {64, 256}))
[[nodiscard]] constexpr bool is_dense(const record& r) {
    for (const record_piece& piece : r.pieces)
        for (int a = 0; a < r.ndims(); ++a)
            if (!detail::axis_digits(piece, a).chains) return false;
    const detail::bit_usage usage = detail::usage_of(r);
    return usage.padding == 0 && usage.gaps == 0 && check_fields_disjoint(r).ok();
}

/// Returns how many consecutive indices of each axis have one value of a field: the extent of the axis if all have.
///
/// Pre:     the record has the field, otherwise fails with field_is_missing
/// Post:    indices whose quotients by these numbers are equal have the same value; at least 1 each
/// Cost:    O(pieces times digits) steps
/// Source:  docs/packed.md
/// Example: fibre(record("nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", {64, 256}), "d") == dims{1, 32}
[[nodiscard]] constexpr dims fibre(const record& r, std::string_view name) {
    dims out;
    const field_name wanted = detail::field_name_of(name);
    bool found = false;
    for (int a = 0; a < r.ndims(); ++a) {
        dim_t steps = 0;
        for (const record_piece& piece : r.pieces) {
            if (!(r.field_of(piece).name == wanted)) continue;
            found = true;
            for (const piece_digit& d : piece.digits) {
                if (d.axis == a && d.extent != 1) steps = detail::greatest_common_divisor(steps, d.step);
                if (d.turned_by == a) steps = 1;
            }
            for (const piece_condition& c : piece.where)
                if (c.axis == a) steps = detail::greatest_common_divisor(steps, c.extent != 0 ? c.step : c.first);
        }
        const dim_t extent = detail::larger_of(r.dims[a], 1);
        out.push_back(steps == 0 || steps > extent ? extent : steps);
    }
    require(found ? verdict() : verdict{reason::field_is_missing, -1, detail::short_name(wanted)});
    return out;
}

}  // namespace plait
