#pragma once
// What a sum of a record is over: the pieces that have its values, how stored bits become numbers, and the number that
// the sum is multiplied by.

#include <plait/engine/simd/byte_kernels.hpp>
#include <plait/packed/bit_access.hpp>
#include <plait/packed/record_chunks.hpp>
#include <plait/packed/record_grammar.hpp>
#include <plait/packed/record_places.hpp>
#include <plait/packed/record_tag.hpp>
#include <plait/packed/repack_plan.hpp>

#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// How stored bits become the number that a sum takes.
struct number_rule {
    int width = 0;                ///< of what is stored
    std::uint64_t flips = 0;      ///< bits that are inverted first
    std::int64_t subtracted = 0;  ///< then

    constexpr std::int64_t operator()(std::uint64_t stored) const {
        return static_cast<std::int64_t>((stored ^ flips) & low_bits(width)) - subtracted;
    }

    /// Returns how the bytes of a run of numbers are summed.
    ///
    /// Pre:     width is 4 or 8
    constexpr engine::summed_bytes of_bytes() const {
        return {static_cast<std::uint8_t>(width == 4 ? flips * 17 : flips), width == 4};
    }
    /// Returns how much is subtracted from the sum of a number of bytes.
    ///
    /// Pre:     width is 4 or 8
    constexpr std::int64_t subtracted_from(dim_t bytes) const { return subtracted * bytes * (width == 4 ? 2 : 1); }
};

/// Returns the rule for values that are stored as `stored` says and summed as `summed` says: a signed type, or bits of
/// which the highest is stored inverted, count from the middle of the range.
constexpr number_rule number_rule_of(const record_field& summed, const record_field& stored) {
    const std::uint64_t half = std::uint64_t{1} << (summed.low + summed.width - 1);
    const bool is_signed =
        summed.type == data_type::s4 || summed.type == data_type::s8 || summed.type == data_type::s32;
    const bool from_middle = is_signed || summed.flipped == half;
    return {stored.width, stored.flipped ^ (is_signed ? half : 0), from_middle ? static_cast<std::int64_t>(half) : 0};
}

/// Returns the rule for the values of a field in all of its pieces together, as they are before the tag inverts some.
inline number_rule rule_of_values(const record_tag& tag, const field_content& content) {
    record_field whole = *find_field(tag, content.of);
    whole.width += whole.low;
    for (const record_field& f : tag.fields)
        if (f.name == content.of && whole.width < f.low + f.width) whole.width = f.low + f.width;
    whole.low = 0;
    number_rule out = number_rule_of(whole, whole);
    out.subtracted += content.subtracted;
    out.flips ^= whole.flipped;
    return out;
}

/// A piece of a field, and where the bytes are that its places are counted from.
struct value_part {
    chunk_place from;
    record_piece piece;
    record_field field;
};

/// Returns the bits of the value at an index, as they are before the tag inverts some or subtracts. `memory_of(part)`
/// returns the bytes of a piece.
template <class MemoryOf>
std::uint64_t value_of_parts(const std::vector<value_part>& parts, const position& index, const MemoryOf& memory_of) {
    std::uint64_t out = 0;
    for (const value_part& p : parts)
        if (p.piece.holds(index)) out |= p.field.value_of(read_bits(memory_of(p), p.piece.place(index), p.field.width));
    return out;
}

/// The sums of one piece of a field.
struct summed_values {
    record_piece piece;
    record_field field;
    std::vector<value_part> of, times;  // the summed field, its factor
    std::vector<record_piece> fibres;   // pieces whose indices are summed, if these are others than those of `piece`
    plait::dims dims;
    number_rule rule;  // of values as they are before the tag inverts some
    double factor = 1;

    /// Adds the pieces of a record, or of a chunk, that have the summed field or its factor. `place_of(piece)` returns
    /// where the bytes of a piece are.
    template <class Record, class PlaceOf>
    void add_parts(const Record& r, const PlaceOf& place_of) {
        for (const record_piece& p : r.pieces) {
            const record_field& f = r.field_of(p);
            if (f.name == field.content.of) of.push_back({place_of(p), p, f});
            if (f.name == field.content.times) times.push_back({place_of(p), p, f});
        }
    }
};

/// Returns how many indices of records of a size may be visited one at a time: an index space may be larger than any
/// memory if values are shared.
constexpr dim_t most_visited(dim_t size_in_bits) {
    return (dim_t{1} << 22) + 64 * smaller_of(size_in_bits, dim_t{1} << 50);
}

/// Finds the number that a sum is multiplied by.
///
/// Refused: parameter_is_missing, also if the sum is an integer and the parameter is none
inline verdict find_factor(double& factor, const record_field& field, const repack_options& options) {
    factor = field.content.factor;
    if (field.content.parameter.size() == 0) return {};
    const verdict missing{reason::parameter_is_missing, -1, short_name(field.content.parameter)};
    const double* given = options.find(field.content.parameter);
    if (given == nullptr) return missing;
    factor *= *given;
    const bool is_whole =
        factor >= -0x1p62 && factor <= 0x1p62 && factor == static_cast<double>(static_cast<std::int64_t>(factor));
    return field.type == data_type::s32 && !is_whole ? missing : verdict();
}

}  // namespace plait::detail
