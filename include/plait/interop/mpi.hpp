#pragma once
// A tensor moved from one distribution over ranks to another, by MPI. Not part of plait.hpp: include this header, and
// compile and link with MPI.

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/contract/check_attributes.hpp>
#include <plait/distribution/sharded.hpp>
#include <plait/interop/mpi_datatype.hpp>
#include <plait/interop/mpi_exchange.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the arguments as lists of numbers, which are compared on all ranks.
inline rank_argument_lists lists_of(const redistribution_arguments& of) {
    rank_argument_lists out;
    out.add(of.from_type, true);
    out.add(of.from, true);
    out.add(of.to_type, false);
    out.add(of.to, false);
    out.add(of.attributes, of.from.dims());
    return out;
}

/// Everything that a redistribution keeps.
struct redistribution_state {
    own_communicator on;
    parcel_exchange exchange;
    rank_arrays arrays;  ///< the scales and zero points that calls read
    dim_t elements_sent = 0, wire_size = 1;
    std::size_t in_bytes = 0,
                out_bytes = 0;  ///< the memory of the rank that is needed from offset 0; 0 if none is used
    verdict failed;             ///< of an earlier call, after which messages may still be on their way
    bool is_running = false;    ///< true: a move was started, and is not ended

    /// Plans the part of one rank.
    ///
    /// Refused: as make_reorder
    verdict plan(const redistribution_arguments& of, int rank) {
        // Buffers of all peers together stay below 64 MB, unless parcels would be below 16 KB.
        const dim_t ranks = larger_of(of.from.mesh.volume(), of.to.mesh.volume());
        const auto most =
            static_cast<std::size_t>(larger_of(1 << 14, smaller_of(most_parcel_bytes, (1 << 25) / ranks)));
        value_code code;
        distribution from = of.from;
        if (const verdict why = encode_values(from, code, of.attributes); !why.ok()) return why;
        const redistribution_plan plan = rank_planner(from, of.to, rank).make();
        const bool early = of.converts_early();
        const data_type wire = early ? of.to_type : of.from_type;
        const reorder_attributes none;
        wire_size = size_in_bytes(wire);
        for (const rank_message& m : plan.sends) {
            elements_sent += m.elements;
            exchange.sends.push_back({static_cast<int>(m.peer), {}, 0, 0});
            if (const verdict why =
                    exchange.sends.back().list.add(plan, m, parcel_list::direction::pack, of.from_type, wire,
                                                   early ? of.attributes : none, wire_size, most, code);
                !why.ok())
                return why;
        }
        for (const rank_message& m : plan.receives) {
            exchange.receives.push_back({static_cast<int>(m.peer), {}, 0, 0});
            if (const verdict why =
                    exchange.receives.back().list.add(plan, m, parcel_list::direction::unpack, wire, of.to_type,
                                                      early ? none : of.attributes, wire_size, most, code);
                !why.ok())
                return why;
        }
        // Peers after this rank come first, so that not all ranks send to the same one.
        for (std::vector<peer_parcels>* peers : {&exchange.sends, &exchange.receives}) {
            std::vector<peer_parcels> turned;
            for (const bool after : {true, false})
                for (peer_parcels& p : *peers)
                    if ((p.peer > rank) == after) turned.push_back(std::move(p));
            *peers = std::move(turned);
        }
        if (const verdict why = exchange.kept.add(plan, plan.kept, parcel_list::direction::keep, of.from_type,
                                                  of.to_type, of.attributes, wire_size, most_parcel_bytes, code);
            !why.ok())
            return why;
        const auto bytes_of_one = [](data_type type) { return static_cast<std::size_t>(size_in_bytes(type)); };
        const bool stays = plan.kept.elements > 0;
        if (stays || !plan.sends.empty()) in_bytes = bytes_from_offset_0(of.from.local, bytes_of_one(of.from_type));
        if (stays || !plan.receives.empty()) out_bytes = bytes_from_offset_0(of.to.local, bytes_of_one(of.to_type));
        exchange.allocate();
        arrays = rank_arrays(of.attributes, of.from.dims());
        return {};
    }
    static constexpr dim_t most_parcel_bytes = 1 << 20;
};
}  // namespace detail

/// A planned redistribution: the result of make_redistribution, to be run often. Movable; one call at a time.
class redistribution {
public:
    /// Creates a redistribution that is not planned.
    redistribution() = default;

    /// Moves a tensor: `in` and `out` point to offset 0 of this rank's memory of `from` and `to`. All ranks of the
    /// communicator call it. A rejection is thrown; attempt(...) returns it instead.
    ///
    /// Messages are packed in the order of the receiver's memory, in parcels of at most 1 MB, while others travel; what
    /// stays on the rank does not pass through MPI. Parcels that lie dense in memory are sent from there, or received
    /// there. The threads of an executor, if one is given, move a parcel each; only the calling thread calls MPI, for
    /// which MPI_THREAD_FUNNELED is enough.
    ///
    /// Refused, on all ranks alike and before anything of the tensor is sent: rank_arguments_differ, if a value of an
    /// array of scales or zero points has become another one than on rank 0; a later call may succeed.
    /// On the rank alone, before it sends anything: buffer_is_null, unless the rank has nothing there; spans_overlap;
    /// reorder_is_not_planned. Later: mpi_refuses. After a rejection on one rank the others may wait for its messages,
    /// as they do in calls of MPI: end the program by MPI_Abort
    /// Pre:     both hold what their layouts need; MPI is not finalized
    /// Post:    `out` holds this rank's part in `to`. Places without elements are not written. The bytes do not depend on
    ///          the executor
    /// Cost:    allocates nothing. If attributes have values by index: a pass over all of them and one all-reduce of 16
    ///          bytes before the messages, and one thread moves all
    const verdict& operator()(const void* in, void* out) const { return attempt(in, out).value(); }
    template <executor E>
    const verdict& operator()(E&& threads, const void* in, void* out) const {
        return attempt(threads, in, out).value();
    }
    expected<void> attempt(const void* in, void* out) const { return attempt(sequential, in, out); }
    template <executor E>
    expected<void> attempt(E&& threads, const void* in, void* out) const {
        const expected<void> started = start(threads, in, out);
        return started ? wait(threads) : started;
    }

    /// Begins a move, and returns while messages travel: what is received has a place, and parcels are sent while
    /// buffers are free. wait() ends it, and does the rest: it must be called, on all ranks, before the next move.
    ///
    /// Refused: as a call; redistribution_is_running, if wait() has not ended the move before
    /// Pre:     as a call; `in` is not changed and `out` not used until wait() returns
    /// Post:    start(in, out) and wait() do what a call does
    /// Cost:    as much of a call as needs no message of another rank: of large messages, what the buffers hold
    expected<void> start(const void* in, void* out) const { return start(sequential, in, out); }
    template <executor E>
    expected<void> start(E&& threads, const void* in, void* out) const {
        if (state_ == nullptr) return {verdict{reason::reorder_is_not_planned}};
        detail::redistribution_state& s = *state_;
        if (!s.failed.ok()) return {s.failed};
        if (s.is_running) return {verdict{reason::redistribution_is_running}};
        if (const verdict why = detail::check_mpi_runs(); !why.ok()) return {why};
        if (const verdict why = detail::check_buffer(in, s.in_bytes, s.in_bytes, detail::buffer_role::source);
            !why.ok())
            return {why};
        if (const verdict why = detail::check_buffer(out, s.out_bytes, s.out_bytes, detail::buffer_role::destination);
            !why.ok())
            return {why};
        const auto from = reinterpret_cast<std::uintptr_t>(in), to = reinterpret_cast<std::uintptr_t>(out);
        if (s.in_bytes > 0 && s.out_bytes > 0 && from < to + s.out_bytes && to < from + s.in_bytes)
            return {detail::overlap_of(s.in_bytes, s.out_bytes, static_cast<std::ptrdiff_t>(to - from))};
        if (const verdict why = s.arrays.compare(s.on.get()); !why.ok()) return {why};
        s.failed =
            s.exchange.start(threads, s.on.get(), static_cast<const std::byte*>(in), static_cast<std::byte*>(out));
        s.is_running = s.failed.ok();
        return {s.failed};
    }

    /// Ends the move that start began; without one it returns at once.
    ///
    /// Refused: reorder_is_not_planned; mpi_refuses, as a call
    expected<void> wait() const { return wait(sequential); }
    template <executor E>
    expected<void> wait(E&& threads) const {
        if (state_ == nullptr) return {verdict{reason::reorder_is_not_planned}};
        detail::redistribution_state& s = *state_;
        if (!s.is_running) return {s.failed};
        s.failed = s.exchange.wait(threads);
        s.is_running = false;
        return {s.failed};
    }

    /// Returns how many bytes this rank sends in a call.
    std::size_t bytes_sent() const {
        return state_ == nullptr ? 0 : static_cast<std::size_t>(state_->elements_sent * state_->wire_size);
    }
    /// Returns the bytes of this rank's memory, from offset 0, that a call reads and writes; 0 if it uses none.
    std::size_t in_size_in_bytes() const { return state_ == nullptr ? 0 : state_->in_bytes; }
    std::size_t out_size_in_bytes() const { return state_ == nullptr ? 0 : state_->out_bytes; }

private:
    friend expected<redistribution> make_redistribution(data_type, const distribution&, data_type, const distribution&,
                                                        MPI_Comm, const reorder_attributes&);

    struct deleter {
        void operator()(detail::redistribution_state* state) const {
            // Buffers of messages that may still be on their way are not freed.
            if (state->failed.ok() && !state->is_running) delete state;
        }
    };
    std::unique_ptr<detail::redistribution_state, deleter> state_;
};

/// Plans the move of a tensor from one distribution to another, with its elements converted on the way. All ranks of
/// the communicator call it, with equal arguments; ranks of it that no mesh has send and receive nothing.
///
/// If the result has smaller elements, they are converted before they are sent, else after. Attributes may have values
/// by index with one mask, not by group or layout. Each rank has the whole arrays, whose values may change between
/// calls: they are compared here and at each call.
///
/// Refused, on all ranks alike and before anything of the tensor is sent: rank_arguments_differ (a rank_argument, a
/// rank, and what it and rank 0 have); communicator_is_too_small; mask_is_not_sent, as check_attributes; as
/// check_plan_redistribution, check_descriptor. On the rank alone: mpi_is_not_running, mpi_refuses
/// Pre:     MPI is initialized; the destructor of the result runs on all ranks, or after MPI_Finalize
/// Post:    calls move each element as reorder does: convert_with(element, old, attributes). Between equal types,
///          elements are copied if all values that a message needs are neutral: scales 1, zero points 0, beta 0
/// Cost:    three small collective operations, a copy of the communicator, the plan, and a pass over the values of
///          attributes; allocates the buffers
/// Source:  ScaLAPACK's pdgemr2d; COSTA
/// Example: docs/distributed.md
inline expected<redistribution> make_redistribution(data_type from_type, const distribution& from, data_type to_type,
                                                    const distribution& to, MPI_Comm communicator,
                                                    const reorder_attributes& attributes = {}) {
    if (const verdict why = detail::check_mpi_runs(); !why.ok()) return why;
    redistribution out;
    out.state_.reset(new detail::redistribution_state());
    detail::redistribution_state& state = *out.state_;
    if (const verdict why = state.on.copy(communicator); !why.ok()) return why;
    const detail::redistribution_arguments arguments{from_type, from, to_type, to, attributes};
    verdict why = arguments.check();
    if (const verdict differ = detail::compare_arguments(state.on.get(), detail::lists_of(arguments)); !differ.ok())
        return differ;
    int ranks = 0, rank = 0;
    MPI_Comm_size(state.on.get(), &ranks);
    MPI_Comm_rank(state.on.get(), &rank);
    if (why.ok()) {
        const dim_t needed = detail::larger_of(from.mesh.volume(), to.mesh.volume());
        if (needed > ranks) why = {reason::communicator_is_too_small, -1, needed, ranks};
    }
    if (why.ok()) why = state.plan(arguments, rank);
    if (const verdict shared = detail::share_verdict(state.on.get(), why); !shared.ok()) return shared;
    if (const verdict shared = state.arrays.share(state.on.get()); !shared.ok()) return shared;
    return out;
}
/// Plans the move of a tensor without conversion.
inline expected<redistribution> make_redistribution(data_type type, const distribution& from, const distribution& to,
                                                    MPI_Comm communicator) {
    return make_redistribution(type, from, type, to, communicator);
}

}  // namespace plait

#pragma GCC diagnostic pop
