#pragma once
// Checks that the bytes of a record are what packing its values gives.

#include <plait/packed/repack.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

namespace detail {
/// Returns the verdict for a byte that differs: the field that it belongs to, and an index that is stored there.
inline verdict damage_at(const record& r, dim_t byte) {
    for (const record_piece& piece : r.pieces) {
        position index = piece.origin;
        dim_t left = 8 * byte + 7 - piece.at;
        // From the outermost digit in memory inwards.
        for (int i = piece.digits.size() - 1; i >= 0 && left >= 0; --i) {
            const piece_digit& d = piece.digits[i];
            if (d.stride <= 0 || d.turned_by >= 0) continue;
            const dim_t value = smaller_of(left / d.stride, d.extent - 1);
            left -= value * d.stride;
            index[d.axis] += value * d.step;
        }
        if (left < 0 || left >= r.field_of(piece).width + 7) continue;
        return {reason::record_is_damaged, 0, short_name(r.field_of(piece).name), index.size() > 0 ? index[0] : 0};
    }
    return {reason::record_is_damaged, 0, 0, byte};
}
}  // namespace detail

/// Checks that the bytes of a record are those that packing its values gives: sums are those of what is stored, padding
/// and gaps are zero.
///
/// Refused: record_is_damaged, with the first field and index; as make_repack
/// Pre:     r is the result of try_record
/// Post:    ok() == (pack of unpack gives the same bytes)
/// Cost:    that of a repack, and as much memory as the record
/// Source:  docs/packed.md
/// Example: verify(packed_format::value, bytes).ok()
[[nodiscard]] inline verdict verify(const record& r, std::span<const std::byte> bytes,
                                    const repack_options& options = {}) {
    const expected<planned_repack> planned = make_repack(r, r, options);
    if (!planned.has_value()) return planned.error();
    std::vector<std::byte> again(r.size_in_bytes());
    if (const expected<void> moved = planned->attempt(bytes, again); !moved.has_value()) return moved.error();
    for (std::size_t i = 0; i < again.size(); ++i)
        if (again[i] != bytes[i]) return detail::damage_at(r, static_cast<dim_t>(i));
    return {};
}

}  // namespace plait
