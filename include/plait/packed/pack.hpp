#pragma once
// Packs plain tensors into a record, and unpacks them.

#include <plait/descriptor/descriptor.hpp>
#include <plait/packed/plain_tensors.hpp>
#include <plait/packed/record_descriptor.hpp>
#include <plait/packed/repack.hpp>
#include <plait/reorder/make_reorder.hpp>
#include <plait/reorder/zero_pad.hpp>

#include <cstring>

namespace plait::inline PLAIT_UNIT_FLAGS {

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
/// Makes a record of plain tensors, and lists their buffers.
template <class Byte, class Tensor>
verdict add_plain_tensors(record& out, std::vector<Byte*>& buffers, const record& r, std::span<const Tensor> tensors) {
    out.dims = r.dims;
    for (const Tensor& tensor : tensors) {
        if (out.tag.fields.full()) return {reason::record_is_too_large, -1, 0, out.tag.fields.capacity()};
        if (const verdict why = add_plain(out, r, tensor.name, tensor.what, tensor.data.size()); !why.ok()) return why;
        buffers.push_back(tensor.data.data());
    }
    return {};
}

/// Packs weights with the sums of a descriptor's compensation by a reorder, which sums what it moves. Returns false if
/// the record is no such descriptor.
///
/// Pre:     the sizes of all buffers are checked
template <executor E>
bool pack_as_descriptor(E&& threads, const record& to, std::span<const field_values> values, std::span<std::byte> out) {
    if (values.size() != 1 || to.tag.fields.size() < 2) return false;
    const expected<descriptor> whole = as_descriptor(to);
    if (!whole.has_value() || !whole->extra.has_buffers() || whole->type != values[0].what.type) return false;
    const std::size_t data = whole->data_size_in_bytes();
    std::memset(out.data() + data, 0, to.size_in_bytes() - data);
    const expected<planned_reorder> planned = make_reorder(values[0].what, *whole);
    return planned.has_value() && planned->attempt(threads, values[0].data.data(), out.data()).has_value();
}

/// Returns how many bytes tensors have.
template <class Tensor>
dim_t bytes_of(std::span<const Tensor> tensors) {
    dim_t out = 0;
    for (const Tensor& tensor : tensors) out += static_cast<dim_t>(tensor.data.size());
    return out;
}
}  // namespace detail

/// Packs plain tensors into a record, and computes its sums; on the threads of an executor, if one is given.
///
/// Refused: field_is_missing, dims_differ, rank_differs, buffer_is_too_small; as make_repack
/// Pre:     each element of `values` fits the bits of its field; the buffers do not overlap
/// Post:    unpack(to, out, targets) gives the same values; the bytes do not depend on the executor
/// Cost:    plans at each call; throws what the executor throws
/// Source:  docs/packed.md
/// Example: pack(record("nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", {64, 256}), values, bytes)
template <executor E>
expected<void> try_pack(E&& threads, const record& to, std::span<const field_values> values, std::span<std::byte> out,
                        const repack_options& options = {}) {
    record plain;
    std::vector<const std::byte*> buffers;
    if (const verdict why = detail::add_plain_tensors(plain, buffers, to, values); !why.ok()) return why;
    if (const verdict why =
            detail::check_buffer(out.data(), out.size(), to.size_in_bytes(), detail::buffer_role::destination);
        !why.ok())
        return why;
    if (detail::pack_as_descriptor(threads, to, values, out)) return {};
    detail::shared_plan plan;
    if (const verdict why = detail::compiled_repack::plan(plan, plain, to, options); !why.ok()) return why;
    std::byte* destination = out.data();
    detail::compiled_repack::run_on(threads, *plan, buffers.data(), &destination,
                                    detail::bytes_of(values) + static_cast<dim_t>(to.size_in_bytes()));
    return {};
}
inline expected<void> try_pack(const record& to, std::span<const field_values> values, std::span<std::byte> out,
                               const repack_options& options = {}) {
    return try_pack(sequential, to, values, out, options);
}
/// Packs plain tensors into a record, as try_pack does. A rejection is thrown; the returned verdict is always ok.
///
/// Pre:     as try_pack
/// Post:    as try_pack
/// Cost:    that of try_pack
/// Source:  docs/packed.md
/// Example: examples/18_packed_matmul
inline const verdict& pack(const record& to, std::span<const field_values> values, std::span<std::byte> out,
                           const repack_options& options = {}) {
    return try_pack(to, values, out, options).value();
}
template <executor E>
const verdict& pack(E&& threads, const record& to, std::span<const field_values> values, std::span<std::byte> out,
                    const repack_options& options = {}) {
    return try_pack(threads, to, values, out, options).value();
}

/// Copies fields of a record into plain tensors; on the threads of an executor, if one is given. Fields without a
/// target are not read.
///
/// Refused: as pack
/// Pre:     the buffers do not overlap
/// Post:    pack(from, targets, out) gives the bytes again, if no factor and no conversion of a type rounds; the padding
///          of the targets is zero; the bytes do not depend on the executor
/// Cost:    plans at each call; throws what the executor throws. One thread moves all if values of two chunks share a
///          byte, or if a target has no index of the axis that is cut
/// Source:  docs/packed.md
/// Example: unpack(record, bytes, targets), with a target for q and one for d
template <executor E>
expected<void> try_unpack(E&& threads, const record& from, std::span<const std::byte> in,
                          std::span<const field_target> targets, const repack_options& options = {}) {
    record plain;
    std::vector<std::byte*> buffers;
    if (const verdict why = detail::add_plain_tensors(plain, buffers, from, targets); !why.ok()) return why;
    if (const verdict why =
            detail::check_buffer(in.data(), in.size(), from.size_in_bytes(), detail::buffer_role::source);
        !why.ok())
        return why;
    repack_options dropping = options;
    for (const record_field& field : from.tag.fields) dropping.dropped.push_back(detail::view_of(field.name));
    detail::shared_plan plan;
    if (const verdict why = detail::compiled_repack::plan(plan, from, plain, dropping); !why.ok()) return why;
    const std::byte* source = in.data();
    detail::compiled_repack::run_on(threads, *plan, &source, buffers.data(),
                                    detail::bytes_of(targets) + static_cast<dim_t>(from.size_in_bytes()));
    // Padding that shares places with elements is refused, and stays.
    for (const field_target& target : targets)
        if (target.what.layout.is_padded()) (void)try_zero_pad(target.what, target.data.data());
    return {};
}
inline expected<void> try_unpack(const record& from, std::span<const std::byte> in,
                                 std::span<const field_target> targets, const repack_options& options = {}) {
    return try_unpack(sequential, from, in, targets, options);
}
/// Copies fields of a record into plain tensors, as try_unpack does. A rejection is thrown.
///
/// Pre:     as try_unpack
/// Post:    as try_unpack
/// Cost:    that of try_unpack
/// Source:  docs/packed.md
/// Example: docs/packed.md
inline const verdict& unpack(const record& from, std::span<const std::byte> in, std::span<const field_target> targets,
                             const repack_options& options = {}) {
    return try_unpack(from, in, targets, options).value();
}
template <executor E>
const verdict& unpack(E&& threads, const record& from, std::span<const std::byte> in,
                      std::span<const field_target> targets, const repack_options& options = {}) {
    return try_unpack(threads, from, in, targets, options).value();
}

}  // namespace plait
