#pragma once
// Checks that the bytes of a record are what packing its values gives.

#include <plait/packed/repack.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that the bytes of a record are those that packing its values gives: sums are those of what is stored, padding
/// is zero or repeats the last value, gaps and unused bits are zero. A field that is given, with a sum added to it,
/// may have any value. With options.ignore_padding, padding may hold anything, as in buffers of packers that leave it
/// unwritten. On the threads of an executor, if one is given.
///
/// Refused: buffer_is_null, buffer_is_too_small; parameter_is_missing; record_is_damaged, with the field and an index,
///          or the bit if no value has it; indices_are_too_many if some indices share a value, but no digits say which
/// Pre:     r is the result of try_record
/// Post:    ok() == (pack of unpack gives the same bytes); the result does not depend on the executor
/// Cost:    some nanoseconds for each value that is summed as an integer, some 50 in f32; memory for the gaps, as much
///          as the record, if it has some. Throws what the executor throws
/// Source:  docs/packed.md
/// Example: verify(packed_format::value, bytes).ok()
template <executor E>
[[nodiscard]] verdict verify(E&& threads, const record& r, std::span<const std::byte> bytes,
                             const repack_options& options = {}) {
    const verdict why =
        detail::check_buffer(bytes.data(), bytes.size(), r.size_in_bytes(), detail::buffer_role::source);
    return why.ok() ? detail::compiled_repack::check_on(threads, r, bytes.data(), options) : why;
}
[[nodiscard]] inline verdict verify(const record& r, std::span<const std::byte> bytes,
                                    const repack_options& options = {}) {
    return verify(sequential, r, bytes, options);
}

}  // namespace plait
