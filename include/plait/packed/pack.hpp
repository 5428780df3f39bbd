#pragma once
// Packs plain tensors into a record, and unpacks them.

#include <plait/descriptor/descriptor.hpp>
#include <plait/packed/repack.hpp>

#include <initializer_list>

namespace plait {

/// A plain tensor with the values of one field. Its extents are those of the record, divided by how many indices share
/// a value: {N, K / 32} for `/32k`, {N, 1} for `/k`.
///
/// Pre:     `what` has a blocked layout without dynamic extents; values of a type of fewer bits than the element fit
struct field_values {
    std::string_view name;
    descriptor what;
    std::span<const std::byte> data;  ///< begins at offset 0
};
/// A plain tensor that takes the values of one field.
struct field_target {
    std::string_view name;
    descriptor what;
    std::span<std::byte> data;  ///< begins at offset 0
};

namespace detail {
/// Returns how many indices in a row share a value of a field, for each axis; 0 if these are not in a row.
constexpr plait::dims shares_of(const record& r, const field_name& name) {
    plait::dims out;
    for (int a = 0; a < r.ndims(); ++a) {
        dim_t least = 0;
        for (const record_piece& piece : r.pieces) {
            if (!(r.field_of(piece).name == name)) continue;
            for (const piece_digit& d : piece.digits)
                if (d.axis == a && d.extent > 1 && (least == 0 || d.step < least)) least = d.step;
            for (const piece_condition& c : piece.where)
                if (c.axis == a && c.extent != 0 && (least == 0 || c.step < least)) least = c.step;
        }
        out.push_back(least == 0 ? larger_of(r.dims[a], 1) : least);
    }
    return out;
}

/// Adds a plain tensor to a record of plain tensors.
constexpr verdict add_plain(record& out, const record& r, std::string_view text, const descriptor& what,
                            std::size_t bytes) {
    const field_name name = field_name_of(text);
    const record_field* field = nullptr;
    for (const record_field& f : r.tag.fields)
        if (f.name == name) field = &f;
    if (field == nullptr) return {reason::field_is_missing, -1, short_name(name)};
    const layout& l = what.layout;
    if (const verdict why = check_static(l); !why.ok()) return why;
    if (l.ndims() != r.ndims()) return {reason::rank_differs, -1, l.ndims(), r.ndims()};
    const plait::dims shares = shares_of(r, name);
    record_piece piece;
    piece.field = out.tag.fields.size();
    const int width = size_in_bits(what.type);
    piece.at = l.offset0 * width;
    for (int a = 0; a < l.ndims(); ++a) {
        const dim_t needed = divide_up(r.dims[a], shares[a]);
        if (l.dims[a] != needed) return {reason::dims_differ, a, l.dims[a], needed};
        if (l.padded_offsets[a] != 0) return {reason::part_is_outside_parent, a, l.padded_offsets[a], 0};
        piece.origin.push_back(0);
        piece.extents.push_back(l.padded_dims[a] * shares[a]);
    }
    for (int a = 0; a < l.ndims(); ++a) {
        dim_t step = shares[a];
        for (int k = l.digits.size() - 1; k >= 0; --k) {
            const digit& d = l.digits[k];
            if (d.axis != a) continue;
            if (d.extent > 1) {
                if (piece.digits.full())
                    return {reason::too_many_digits, -1, piece.digits.size() + 1, max_piece_digits};
                if (d.stride != 0) piece.digits.push_back({a, -1, d.extent, step, d.stride * width});
            }
            step *= d.extent;
        }
    }
    const dim_t needed = what.buffer_size_in_bytes();
    if (static_cast<dim_t>(bytes) < needed) return {reason::buffer_is_too_small, -1, static_cast<dim_t>(bytes), needed};
    record_field plain;
    plain.name = name;
    plain.type = what.type;
    plain.width = width;
    out.tag.fields.push_back(plain);
    out.pieces.push_back(piece);
    out.size_in_bits += needed * 8;
    return {};
}
}  // namespace detail

/// Packs plain tensors into a record, and computes its sums.
///
/// Refused: field_is_missing, dims_differ, rank_differs, buffer_is_too_small; as make_repack
/// Post:    unpack(to, out, targets) gives the same values
/// Cost:    plans at each call
/// Example: pack(record("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {64, 256}), values, bytes)
inline expected<void> try_pack(const record& to, std::span<const field_values> values, std::span<std::byte> out,
                               const repack_options& options = {}) {
    record plain;
    plain.dims = to.dims;
    std::vector<const std::byte*> buffers;
    for (const field_values& v : values) {
        if (plain.tag.fields.full()) return verdict{reason::record_is_too_large, -1, 0, plain.tag.fields.capacity()};
        if (const verdict why = detail::add_plain(plain, to, v.name, v.what, v.data.size()); !why.ok()) return why;
        buffers.push_back(v.data.data());
    }
    if (const verdict why =
            detail::check_buffer(out.data(), out.size(), to.size_in_bytes(), detail::buffer_role::destination);
        !why.ok())
        return why;
    std::shared_ptr<const detail::repack_plan> plan;
    if (const verdict why = detail::compiled_repack::plan(plan, plain, to, options); !why.ok()) return why;
    std::byte* destination = out.data();
    detail::compiled_repack::run(*plan, buffers.data(), &destination, 0, detail::compiled_repack::chunks(*plan));
    return {};
}
inline const verdict& pack(const record& to, std::span<const field_values> values, std::span<std::byte> out,
                           const repack_options& options = {}) {
    return try_pack(to, values, out, options).value();
}

/// Copies fields of a record into plain tensors. Fields without a target are not read.
///
/// Refused: as pack
inline expected<void> try_unpack(const record& from, std::span<const std::byte> in,
                                 std::span<const field_target> targets, const repack_options& options = {}) {
    record plain;
    plain.dims = from.dims;
    std::vector<std::byte*> buffers;
    for (const field_target& v : targets) {
        if (plain.tag.fields.full()) return verdict{reason::record_is_too_large, -1, 0, plain.tag.fields.capacity()};
        if (const verdict why = detail::add_plain(plain, from, v.name, v.what, v.data.size()); !why.ok()) return why;
        buffers.push_back(v.data.data());
    }
    if (const verdict why =
            detail::check_buffer(in.data(), in.size(), from.size_in_bytes(), detail::buffer_role::source);
        !why.ok())
        return why;
    repack_options dropping = options;
    for (const record_field& field : from.tag.fields)
        dropping.dropped.push_back(std::string_view(field.name.data(), static_cast<std::size_t>(field.name.size())));
    std::shared_ptr<const detail::repack_plan> plan;
    if (const verdict why = detail::compiled_repack::plan(plan, from, plain, dropping); !why.ok()) return why;
    const std::byte* source = in.data();
    detail::compiled_repack::run(*plan, &source, buffers.data(), 0, detail::compiled_repack::chunks(*plan));
    return {};
}
inline const verdict& unpack(const record& from, std::span<const std::byte> in, std::span<const field_target> targets,
                             const repack_options& options = {}) {
    return try_unpack(from, in, targets, options).value();
}

}  // namespace plait
