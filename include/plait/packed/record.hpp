#pragma once
// A record: several layouts over one index space, in one buffer, with places in bits.

#include <plait/packed/record_cover.hpp>
#include <plait/packed/record_grammar.hpp>
#include <plait/packed/record_places.hpp>

#include <concepts>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Describes a buffer of packed weights: its fields (values, scales, sums, ...), each with a place for every index.
///
/// Pre:     try_record(tag, dims) has a value, otherwise fails with its reason
/// Post:    bit_offset(name, index) is the place of the lowest bit of the value; size_in_bytes() holds all of them
/// Cost:    O(fields * digits) steps; no allocation
/// Source:  docs/packed.md
/// Example: record("nk: NK(s:ue4m3 32n 4n@32 4k /16k)", {128, 64}).bit_offset("s", 33, 16) == 8 * (16 + 4 + 1)
struct record {
    record_tag tag;
    plait::dims dims;  ///< the extents of the index space, in the order of tag.axes
    detail::record_pieces pieces;
    dim_t size_in_bits = 0;
    dim_t size = 0;  ///< in bytes; the bits of the last one that are not used are zero

    constexpr record() = default;
    constexpr record(const record_tag& tag, const plait::dims& extents);

    constexpr int ndims() const { return dims.size(); }
    /// Returns `size` as the size of a buffer.
    constexpr std::size_t size_in_bytes() const { return static_cast<std::size_t>(size); }
    /// Returns the field of a piece: its name, its type, which bits of its values the piece has.
    constexpr const record_field& field_of(const record_piece& piece) const { return tag.fields[piece.field]; }
    /// Returns the place of the lowest bit of a value, in bits from the beginning. Fails with field_is_missing,
    /// rank_differs, position_is_out_of_range.
    constexpr dim_t bit_offset(std::string_view name, const position& index) const;
    template <std::integral... Index>
    constexpr dim_t bit_offset(std::string_view name, Index... index) const {
        return bit_offset(name, position{static_cast<dim_t>(index)...});
    }
    constexpr bool operator==(const record& other) const { return tag == other.tag && dims == other.dims; }
};

namespace detail {
/// Returns a text as the name of a field, cut to 15 letters: for messages, and for names that are known to fit.
constexpr field_name field_name_of(std::string_view text) {
    field_name out;
    for (const char c : text) out += c;
    return out;
}
/// Returns true if a field or parameter has this name, all letters of which count.
constexpr bool has_name(const field_name& name, std::string_view text) { return view_of(name) == text; }
/// Returns the refusal of a name that no field has.
constexpr verdict no_field(std::string_view text) {
    return {reason::field_is_missing, -1, short_name(field_name_of(text))};
}
}  // namespace detail

/// Returns the record of a tag for given extents, or why there is none.
///
/// Refused: rank_differs, dim_is_negative, dim_is_dynamic, size_overflows, record_is_too_large, loop_extents_differ,
///          ragged_loop_is_not_outermost; bits_are_not_covered if the pieces of a field do not hold each bit of each
///          value once; shares_differ, sum_group_is_not_shared; record_range_is_outside
/// Pre:     none
/// Post:    try_record(t, d)->tag == t
/// Cost:    O(pieces * digits) steps, and some thousand if a field has pieces; no allocation
/// Source:  docs/packed.md
/// Example: try_record("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {64, 256})->size == 64 * 8 * 18
[[nodiscard]] constexpr expected<record> try_record(const record_tag& tag, const plait::dims& extents);

/// Returns the verdict of try_record.
constexpr verdict check_record(const record_tag& tag, const plait::dims& extents) {
    return try_record(tag, extents).error();
}

/// Returns the record that a text known only at run time spells, for given extents.
///
/// Pre:     none; any text
/// Post:    has the value of try_record(*parse_record_tag(text), extents)
/// Cost:    parses the text, some microseconds; no allocation
/// Source:  docs/packed.md
/// Example: parse_record("nk: NK(q:u4 2k 8n 8k 2k@9)", {64, 256}).error().reason == reason::step_is_not_reached
[[nodiscard]] constexpr expected<record> parse_record(std::string_view text, const plait::dims& extents) {
    const expected<record_tag> tag = parse_record_tag(text);
    return tag.has_value() ? try_record(*tag, extents) : expected<record>(tag.error());
}

constexpr expected<record> try_record(const record_tag& tag, const plait::dims& extents) {
    if (extents.size() != tag.ndims())
        return detail::ranks_differ(detail::counted::extents, extents.size(), detail::counted::record_tag, tag.ndims());
    for (int a = 0; a < extents.size(); ++a) {
        if (extents[a] == dynamic) return verdict{reason::dim_is_dynamic, a};
        if (extents[a] < 0) return verdict{reason::dim_is_negative, a, extents[a], 0};
        if (extents[a] > dim_t{1} << 58) return verdict{reason::size_overflows, a, extents[a], 1};
    }
    record out;
    out.tag = tag;
    out.dims = extents;
    const expected<dim_t> size = detail::record_builder(out.tag, out.dims).build(out.pieces);
    if (!size.has_value()) return size.error();
    out.size_in_bits = *size;
    out.size = detail::divide_up(*size, 8);
    verdict why = detail::check_cover(out);
    if (why.ok()) why = detail::check_shares(out);
    return {out, why.ok() ? detail::check_sum_groups(out) : why};
}

constexpr record::record(const record_tag& from, const plait::dims& extents) {
    *this = try_record(from, extents).value();
}

constexpr dim_t record::bit_offset(std::string_view name, const position& index) const {
    require(index.size() == dims.size()
                ? verdict()
                : detail::ranks_differ(detail::counted::index, index.size(), detail::counted::record, dims.size()));
    for (int a = 0; a < dims.size(); ++a)
        if (index[a] < 0 || index[a] >= dims[a]) require({reason::position_is_out_of_range, a, index[a], dims[a]});
    int found = -1;  // not a pointer: GCC 12 compares no address inside a temporary with null in a constant
    for (int p = 0; p < pieces.size(); ++p) {
        const record_field& field = field_of(pieces[p]);
        if (detail::has_name(field.name, name) && field.low == 0 && pieces[p].holds(index)) found = p;
    }
    require(found >= 0 ? verdict() : detail::no_field(name));
    return pieces[found].place(index);
}

}  // namespace plait
