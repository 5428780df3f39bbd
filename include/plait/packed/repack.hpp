#pragma once
// Moves what one record holds into another: values, scales, sums, in one pass.

#include <plait/contract/executor.hpp>
#include <plait/core/allowed.hpp>
#include <plait/core/check_buffer.hpp>
#include <plait/packed/repack_plan.hpp>

#include <bit>  // std::endian
#include <cstring>
#include <span>

static_assert(std::endian::native == std::endian::little,
              "plait: records store little-endian numbers, and are not supported on big-endian machines");

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A planned repack: the result of make_repack. Copies share the plan, and threads may share a copy.
class planned_repack {
public:
    planned_repack() = default;

    /// Moves a record. Padding and gaps of the destination are zeroed; nothing of it is read.
    ///
    /// Refused, before anything is read: buffer_is_null, buffer_is_too_small; spans_overlap; reorder_is_not_planned
    /// Post:    each bit of each value of the destination's fields is that of the source; sums are those of what is stored
    /// Cost:    no lock. Memory only for: a chunk if both records are so large that they are stored past the caches; a
    ///          row of slots if a digit is turned; the factors of some groups of f32 sums; of sums whose fields lie in
    ///          pieces, some words for each sum, and of f32 sums for each product
    const verdict& operator()(std::span<const std::byte> from, std::span<std::byte> to) const {
        return attempt(from, to).value();
    }
    expected<void> attempt(std::span<const std::byte> from, std::span<std::byte> to) const {
        return attempt(sequential, from, to);
    }
    /// Moves a record on the threads of an executor.
    ///
    /// Post:    as without threads, byte for byte
    template <executor E>
    const verdict& operator()(E&& threads, std::span<const std::byte> from, std::span<std::byte> to) const {
        return attempt(threads, from, to).value();
    }
    template <executor E>
    expected<void> attempt(E&& threads, std::span<const std::byte> from, std::span<std::byte> to) const {
        if (const verdict why = check(from, to); !why.ok()) return why;
        const std::byte* source = from.data();
        std::byte* destination = to.data();
        detail::compiled_repack::run_on(threads, *plan_, &source, &destination,
                                        static_cast<dim_t>(from_bytes_ + to_bytes_));
        return {};
    }

    std::size_t src_size_in_bytes() const { return from_bytes_; }
    std::size_t dst_size_in_bytes() const { return to_bytes_; }
    /// Returns into how many chunks the destination is cut, so that a file can be read, packed and written part by
    /// part.
    dim_t chunks() const { return chunks_; }
    /// Returns the bytes of a chunk on both sides.
    ///
    /// Pre:     0 <= number < chunks(); planned
    /// Post:    the chunks are all of the destination, one after the other
    repack_chunk chunk(dim_t number) const { return detail::compiled_repack::chunk(*plan_, number); }
    /// Moves one chunk, between buffers that begin where the chunk does.
    ///
    /// Refused: buffer_is_null, buffer_is_too_small, reorder_is_not_planned, position_is_out_of_range; record_is_not_cut if
    ///          chunk(number).src_bytes is 0
    /// Example: examples/18_packed_matmul
    const verdict& run_chunk(dim_t number, std::span<const std::byte> from, std::span<std::byte> to) const {
        return attempt_chunk(number, from, to).value();
    }
    expected<void> attempt_chunk(dim_t number, std::span<const std::byte> from, std::span<std::byte> to) const {
        if (plan_.is_empty()) return verdict{reason::reorder_is_not_planned};
        if (number < 0 || number >= chunks_) return verdict{reason::position_is_out_of_range, 0, number, chunks_};
        const repack_chunk part = chunk(number);
        if (part.src_bytes == 0 && from_bytes_ != 0) return verdict{reason::record_is_not_cut, -1, chunks_, to_bytes()};
        const auto src_bytes = static_cast<std::size_t>(part.src_bytes),
                   dst_bytes = static_cast<std::size_t>(part.dst_bytes);
        if (const verdict why = check_buffers(from, src_bytes, to, dst_bytes); !why.ok()) return why;
        detail::compiled_repack::run_chunk(*plan_, number, from.data(), to.data());
        return {};
    }

    /// Returns true if each chunk of the destination is the bytes of the same chunk of the source, so that a record can
    /// be repacked in place.
    bool fits_in_place() const {
        if (plan_.is_empty() || from_bytes_ != to_bytes_) return false;
        for (const dim_t number : {dim_t{0}, chunks_ - 1}) {
            const repack_chunk part = chunk(number);
            if (part.src_begin != part.dst_begin || part.src_bytes != part.dst_bytes) return false;
        }
        return true;
    }
    /// Moves a record within its own bytes.
    ///
    /// Refused: record_is_not_cut if fits_in_place() is false; buffer_is_null, buffer_is_too_small
    /// Post:    as between two buffers
    /// Cost:    memory for one chunk, which is copied once more
    const verdict& in_place(std::span<std::byte> bytes) const { return attempt_in_place(bytes).value(); }
    expected<void> attempt_in_place(std::span<std::byte> bytes) const {
        if (plan_.is_empty()) return verdict{reason::reorder_is_not_planned};
        if (!fits_in_place()) return verdict{reason::record_is_not_cut, -1, chunks_, to_bytes()};
        if (const verdict why =
                detail::check_buffer(bytes.data(), bytes.size(), to_bytes_, detail::buffer_role::buffer);
            !why.ok())
            return why;
        std::vector<std::byte> old(static_cast<std::size_t>(chunk(0).src_bytes));
        for (dim_t number = 0; number < chunks_; ++number) {
            const repack_chunk part = chunk(number);
            std::byte* at = bytes.data() + part.dst_begin;
            if (part.src_bytes > 0) std::memcpy(old.data(), at, static_cast<std::size_t>(part.src_bytes));
            detail::compiled_repack::run_chunk(*plan_, number, old.data(), at);
        }
        return {};
    }

private:
    friend expected<planned_repack> make_repack(const record& from, const record& to, const repack_options& options);
    friend struct detail::explained_repack;

    static verdict check_buffers(std::span<const std::byte> from, std::size_t src_bytes, std::span<std::byte> to,
                                 std::size_t dst_bytes) {
        using detail::buffer_role;
        const verdict why = detail::check_buffer(from.data(), from.size(), src_bytes, buffer_role::source);
        return why.ok() ? detail::check_buffer(to.data(), to.size(), dst_bytes, buffer_role::destination) : why;
    }
    verdict check(std::span<const std::byte> from, std::span<std::byte> to) const {
        if (plan_.is_empty()) return {reason::reorder_is_not_planned};
        if (const verdict why = check_buffers(from, from_bytes_, to, to_bytes_); !why.ok()) return why;
        const auto src = reinterpret_cast<std::uintptr_t>(from.data()),
                   dst = reinterpret_cast<std::uintptr_t>(to.data());
        const bool overlap = src < dst + to_bytes_ && dst < src + from_bytes_;
        return overlap ? detail::overlap_of(from_bytes_, to_bytes_, static_cast<std::ptrdiff_t>(dst - src)) : verdict();
    }

    dim_t to_bytes() const { return static_cast<dim_t>(to_bytes_); }

    detail::shared_plan plan_;
    std::size_t from_bytes_ = 0, to_bytes_ = 0;
    dim_t chunks_ = 1;
};

/// Plans a repack of one record into another.
///
/// Refused: rank_differs, dims_differ; field_is_missing, field_is_dropped; field_types_differ; fibre_grows;
///          parameter_is_missing; field_is_in_pieces for a sum of such a field
/// Pre:     both are results of try_record
/// Post:    as planned_repack::operator()
/// Cost:    one planned reorder for each field; allocates
/// Source:  docs/packed.md
/// Example: make_repack(record("nk: nK(d:f16 /32k, q:u4 16k 2k@16)", {64, 256}), wanted).value()(file, weights)
[[nodiscard]] inline expected<planned_repack> make_repack(const record& from, const record& to,
                                                          const repack_options& options = {}) {
    planned_repack out;
    if (const verdict why = detail::compiled_repack::plan(out.plan_, from, to, options); !why.ok()) return why;
    out.from_bytes_ = from.size_in_bytes();
    out.to_bytes_ = to.size_in_bytes();
    out.chunks_ = detail::compiled_repack::chunks(*out.plan_);
    return out;
}

/// Moves a record whose type says what it holds into another. The plan is made at the first call.
///
/// Refused: (by the compiler) rank_differs, dims_differ; field_is_dropped and field_is_missing, of which names decide;
///          parameter_is_missing, because nothing takes the number. As a rejection: what else make_repack and the
///          call of a planned repack refuse
/// Pre:     the spans do not overlap
/// Post:    as make_repack(From::value, To::value).value()(from, to)
/// Cost:    plans at the first call
/// Source:  docs/packed.md
/// Example: repack<q4_0_rows<64, 256>, q4_0_8x8<64, 256>>(file, weights)
template <class From, class To>
    requires requires { From::value.size_in_bytes() + To::value.size_in_bytes(); }
const verdict& repack(std::span<const std::byte> from, std::span<std::byte> to) {
    if constexpr (allowed<detail::check_matching_fields(From::value, To::value)>) {
        static const planned_repack planned = make_repack(From::value, To::value).value();
        return planned(from, to);
    } else {
        static const verdict refused = detail::check_matching_fields(From::value, To::value);
        return refused;
    }
}

}  // namespace plait
