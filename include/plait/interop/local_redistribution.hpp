#pragma once
// A tensor moved between distributions whose ranks have their memories in this process: threads of one program, or
// files that are mapped (rank_files.hpp). Needs no library that carries bytes.

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/contract/check_reorder.hpp>
#include <plait/contract/executor.hpp>
#include <plait/interop/message_parcels.hpp>

#include <algorithm>
#include <span>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// A parcel that goes from the memory of one rank to that of another, which may be the same rank.
struct local_parcel {
    dim_t from = 0, to = 0;
    int parcel = 0;
};

/// Checks that no memory of a list overlaps one of the other. Empty ones overlap nothing. Fails with spans_overlap.
inline verdict check_apart(std::span<const std::span<const std::byte>> in, std::span<const std::span<std::byte>> out) {
    struct range {
        std::uintptr_t begin, bytes;
        bool is_read;
    };
    std::vector<range> all;
    const auto add = [&](const void* data, std::size_t bytes, bool is_read) {
        if (bytes > 0) all.push_back({reinterpret_cast<std::uintptr_t>(data), bytes, is_read});
    };
    for (const auto& memory : in) add(memory.data(), memory.size(), true);
    for (const auto& memory : out) add(memory.data(), memory.size(), false);
    std::sort(all.begin(), all.end(), [](const range& a, const range& b) { return a.begin < b.begin; });
    range reach[2] = {{0, 0, false}, {0, 0, true}};  // of each side, the one that ends last so far
    for (const range& now : all) {
        const range& other = reach[now.is_read ? 0 : 1];
        const range& same = reach[now.is_read ? 1 : 0];
        // Ranks may read the same memory; what is written belongs to one rank.
        const bool meets_other = other.bytes > 0 && now.begin < other.begin + other.bytes,
                   meets_same = !now.is_read && same.bytes > 0 && now.begin < same.begin + same.bytes;
        if (meets_other || meets_same) {
            const range& before = meets_other ? other : same;
            const range &src = now.is_read ? now : before, &dst = now.is_read ? before : now;
            return overlap_of(src.bytes, dst.bytes, static_cast<std::ptrdiff_t>(dst.begin - src.begin));
        }
        range& mine = reach[now.is_read ? 1 : 0];
        if (mine.bytes == 0 || now.begin + now.bytes > mine.begin + mine.bytes) mine = now;
    }
    return {};
}
}  // namespace detail

/// A planned redistribution whose ranks have their memories in this process: the result of make_local_redistribution,
/// to be run often. Movable. Threads may share one, unless attributes have values by index.
class local_redistribution {
public:
    /// Creates a redistribution that is not planned.
    local_redistribution() = default;

    /// Moves a tensor, from `in`, the memory of each rank of `from` in order, to `out`, that of each rank of `to`; each
    /// begins at offset 0. A rejection is thrown; attempt(...) returns it instead. Each element goes from the memory of
    /// its sender to that of its receiver, in one reorder for each part. The threads of an executor, if one is given,
    /// move parcels of at most 1 MB.
    ///
    /// Refused, before anything is written: reorder_is_not_planned; rank_memories_differ (the ranks, and how many are
    /// given); rank_memory_is_too_small (the rank, and how many bytes less it has than needed); spans_overlap, if a
    /// memory that is written shares bytes with any other
    /// Pre:     none
    /// Post:    each rank of `to` has its part; places without elements are not written. The bytes do not depend on the
    ///          executor
    /// Cost:    allocates a list of the memories. One thread moves all if attributes have values by index
    const verdict& operator()(std::span<const std::span<const std::byte>> in,
                              std::span<const std::span<std::byte>> out) const {
        return attempt(in, out).value();
    }
    template <executor E>
    const verdict& operator()(E&& threads, std::span<const std::span<const std::byte>> in,
                              std::span<const std::span<std::byte>> out) const {
        return attempt(threads, in, out).value();
    }
    expected<void> attempt(std::span<const std::span<const std::byte>> in,
                           std::span<const std::span<std::byte>> out) const {
        return attempt(sequential, in, out);
    }
    template <executor E>
    expected<void> attempt(E&& threads, std::span<const std::span<const std::byte>> in,
                           std::span<const std::span<std::byte>> out) const {
        if (!is_planned_) return verdict{reason::reorder_is_not_planned};
        if (const verdict why = check(in, in_bytes_, detail::buffer_role::source); !why.ok()) return why;
        if (const verdict why = check(out, out_bytes_, detail::buffer_role::destination); !why.ok()) return why;
        if (const verdict why = detail::check_apart(in, out); !why.ok()) return why;
        const auto count = static_cast<dim_t>(parcels_.size());
        const int at_once = list_.shares_arrays() ? 1 : detail::chunks_for(bytes_, threads.concurrency());
        const dim_t chunks = detail::smaller_of(at_once, detail::larger_of(count, 1));
        threads.run(static_cast<int>(chunks), [&, in, out](int chunk) noexcept {
            for (dim_t k = count * chunk / chunks; k < count * (chunk + 1) / chunks; ++k)
                move(parcels_[static_cast<std::size_t>(k)], in, out);
        });
        return {};
    }

    /// Returns how many ranks the two distributions have.
    dim_t in_ranks() const { return static_cast<dim_t>(in_bytes_.size()); }
    dim_t out_ranks() const { return static_cast<dim_t>(out_bytes_.size()); }
    /// Returns the bytes of a rank's memory, from offset 0, that are read or written; 0 if it has no elements.
    ///
    /// Pre:     0 <= rank < in_ranks(), out_ranks()
    std::size_t in_size_in_bytes(dim_t rank) const { return in_bytes_[static_cast<std::size_t>(rank)]; }
    std::size_t out_size_in_bytes(dim_t rank) const { return out_bytes_[static_cast<std::size_t>(rank)]; }

private:
    friend expected<local_redistribution> make_local_redistribution(data_type, const distribution&, data_type,
                                                                    const distribution&, const reorder_attributes&);

    template <class Memory>
    static verdict check(std::span<const Memory> memories, const std::vector<std::size_t>& needed,
                         detail::buffer_role role) {
        const auto third = static_cast<dim_t>(role);
        if (memories.size() != needed.size())
            return {reason::rank_memories_differ, -1, static_cast<dim_t>(needed.size()),
                    static_cast<dim_t>(memories.size()), third};
        for (std::size_t rank = 0; rank < needed.size(); ++rank)
            if (memories[rank].size() < needed[rank])
                return {reason::rank_memory_is_too_small, -1, static_cast<dim_t>(rank),
                        static_cast<dim_t>(needed[rank] - memories[rank].size()), third};
        return {};
    }
    void move(const detail::local_parcel& one, std::span<const std::span<const std::byte>> in,
              std::span<const std::span<std::byte>> out) const {
        const detail::parcel& p = list_.parcels[static_cast<std::size_t>(one.parcel)];
        const std::byte* const from = in[static_cast<std::size_t>(one.from)].data();
        std::byte* const to = out[static_cast<std::size_t>(one.to)].data();
        for (int j = p.first_step; j < p.first_step + p.steps; ++j) {
            const detail::parcel_step& step = list_.steps[static_cast<std::size_t>(j)];
            list_.run(step, from + step.memory, to + step.other);
        }
    }

    detail::parcel_list list_;
    std::vector<detail::local_parcel> parcels_;
    std::vector<std::size_t> in_bytes_, out_bytes_;
    dim_t bytes_ = 0;  // read and written
    bool is_planned_ = false;
};

/// Plans the move of a tensor from one distribution to another, with its elements converted on the way, if the memories
/// of all ranks are in this process. Attributes may have values by index with one mask, not by group or layout; they
/// are read at each call.
///
/// Refused: as check_plan_redistribution, check_attributes, check_descriptor; mask_is_not_sent; as make_reorder
/// Pre:     none
/// Post:    calls move each element as reorder does: convert_with(element, old, attributes)
/// Cost:    the plans of all ranks; allocates
/// Source:  plait's own
/// Example: docs/distributed.md
[[nodiscard]] inline expected<local_redistribution> make_local_redistribution(
    data_type from_type, const distribution& from, data_type to_type, const distribution& to,
    const reorder_attributes& attributes = {}) {
    using detail::parcel_list;
    constexpr std::size_t most_parcel_bytes = 1 << 20;
    const detail::redistribution_arguments arguments{from_type, from, to_type, to, attributes};
    if (const verdict why = arguments.check(); !why.ok()) return why;
    detail::value_code code;
    distribution encoded = from;
    if (const verdict why = detail::encode_values(encoded, code, attributes); !why.ok()) return why;
    local_redistribution out;
    const dim_t from_size = size_in_bytes(from_type), to_size = size_in_bytes(to_type);
    out.in_bytes_.resize(static_cast<std::size_t>(from.mesh.volume()));
    out.out_bytes_.resize(static_cast<std::size_t>(to.mesh.volume()));
    verdict why;
    const auto bytes_of = [](const distribution& d, dim_t size) {
        return detail::bytes_from_offset_0(d.local, static_cast<std::size_t>(size));
    };
    for (dim_t rank = 0; rank < to.mesh.volume(); ++rank) {
        const redistribution_plan plan = detail::rank_planner(encoded, to, rank).make();
        const auto add = [&](const rank_message& message, dim_t sender) {
            if (!why.ok() || message.elements == 0) return;
            const std::size_t before = out.list_.parcels.size();
            out.list_.end_parcel();
            why = out.list_.add(plan, message, parcel_list::direction::keep, from_type, to_type, attributes,
                                detail::larger_of(from_size, to_size), most_parcel_bytes, code);
            for (std::size_t k = before; k < out.list_.parcels.size(); ++k)
                out.parcels_.push_back({sender, rank, static_cast<int>(k)});
            out.bytes_ += message.elements * (from_size + to_size);
            out.in_bytes_[static_cast<std::size_t>(sender)] = bytes_of(from, from_size);
            out.out_bytes_[static_cast<std::size_t>(rank)] = bytes_of(to, to_size);
        };
        add(plan.kept, rank);
        for (const rank_message& message : plan.receives) add(message, message.peer);
    }
    out.is_planned_ = why.ok();
    return {std::move(out), why};
}

}  // namespace plait

#pragma GCC diagnostic pop
