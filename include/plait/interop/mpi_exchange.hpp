#pragma once
// Carries the parcels of one rank: nonblocking messages, some packed while others travel. Threads of an executor pack
// and unpack; only the calling thread calls MPI.

#include <plait/contract/executor.hpp>
#include <plait/interop/message_parcels.hpp>
#include <plait/interop/mpi_agreement.hpp>

#include <memory>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The parcels that go to or come from a peer, and how far they are.
struct peer_parcels {
    int peer = 0;
    parcel_list list;
    std::size_t next = 0;   ///< the next parcel to be posted
    std::size_t bytes = 0;  ///< of the largest parcel
};

/// A message that is on its way, and its buffer.
struct parcel_slot {
    int peer = -1;           ///< index into the list of peers; -1 if the slot is free
    std::size_t parcel = 0;  ///< index into the parcels of the peer
    std::unique_ptr<std::byte[]> buffer;
};

/// The exchange of one redistribution. Each peer has slots for receiving that are always posted, so that every parcel
/// that is sent is received, in whatever order the ranks send.
class parcel_exchange {
public:
    std::vector<peer_parcels> sends, receives;
    parcel_list kept;

    /// Allocates the buffers; the lists do not change afterwards.
    void allocate() {
        for (std::vector<peer_parcels>* peers : {&sends, &receives})
            for (peer_parcels& p : *peers)
                for (const parcel& one : p.list.parcels) p.bytes = p.bytes < one.bytes ? one.bytes : p.bytes;
        for (std::size_t k = 0; k < receives.size(); ++k)
            for (std::size_t slot = 0; slot < smaller(slots_per_peer, receives[k].list.parcels.size()); ++slot)
                add_slot(static_cast<int>(k), receives[k].bytes);
        receiving_ = slots_.size();
        std::size_t parcels = 0, largest = 0;
        for (const peer_parcels& p : sends) {
            parcels += p.list.parcels.size();
            largest = largest < p.bytes ? p.bytes : largest;
        }
        for (std::size_t slot = 0; slot < smaller(parcels, slots_per_peer * smaller(sends.size(), most_send_peers));
             ++slot)
            add_slot(-1, largest);
        requests_.assign(slots_.size(), MPI_REQUEST_NULL);
        done_.resize(slots_.size());
        filled_.reserve(slots_.size());
        received_.reserve(slots_.size());
    }

    /// Begins a move: what is received has a place, and parcels are sent while buffers are free. As many parcels as
    /// threads can run are packed at a time, each by one thread.
    ///
    /// Refused: mpi_refuses; messages may then still be on their way, so the buffers must stay
    template <executor E>
    verdict start(E&& threads, MPI_Comm on, const std::byte* in, std::byte* out) {
        in_ = in;
        out_ = out;
        on_ = on;
        for (std::vector<peer_parcels>* peers : {&sends, &receives})
            for (peer_parcels& p : *peers) p.next = 0;
        turn_ = 0;
        kept_done_ = open_ = 0;
        for (std::size_t slot = 0; slot < receiving_; ++slot)
            if (const verdict why = post_receive(slot); !why.ok()) return why;
        for (const peer_parcels& p : receives) open_ += p.list.parcels.size();
        for (const peer_parcels& p : sends) open_ += p.list.parcels.size();
        for (bool busy = true; busy;) {
            busy = false;
            if (const verdict why = send_next(threads, at_once(threads), busy); !why.ok()) return why;
        }
        return {};
    }
    /// Ends the move that was started.
    ///
    /// Refused: as start
    template <executor E>
    verdict wait(E&& threads) {
        const std::size_t most = at_once(threads);
        while (open_ > 0 || kept_done_ < kept.parcels.size()) {
            bool busy = false;
            if (const verdict why = send_next(threads, most, busy); !why.ok()) return why;
            if (const std::size_t left = smaller(most, kept.parcels.size() - kept_done_); !busy && left > 0) {
                threads.run(static_cast<int>(left), [this](int number) noexcept {
                    keep(kept.parcels[kept_done_ + static_cast<std::size_t>(number)]);
                });
                kept_done_ += left;
                busy = true;
            }
            if (open_ == 0) continue;
            if (const verdict why = progress(threads, most, busy); !why.ok()) return why;
        }
        return {};
    }

private:
    static constexpr std::size_t slots_per_peer = 2, most_send_peers = 8;
    static constexpr int tag = 0x706c;

    static std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }
    /// Returns how many parcels threads move at a time.
    template <executor E>
    std::size_t at_once(E&& threads) const {
        return static_cast<std::size_t>(larger_of(1, shares_arrays() ? 1 : threads.concurrency()));
    }
    /// True if parcels share the arrays that values by index are gathered in, so that one thread must move them.
    bool shares_arrays() const {
        bool out = kept.shares_arrays();
        for (const std::vector<peer_parcels>* peers : {&sends, &receives})
            for (const peer_parcels& p : *peers) out = out || p.list.shares_arrays();
        return out;
    }
    void add_slot(int peer, std::size_t bytes) {
        slots_.push_back({peer, 0, std::unique_ptr<std::byte[]>(new std::byte[bytes])});
    }

    verdict post_receive(std::size_t slot) {
        parcel_slot& s = slots_[slot];
        peer_parcels& from = receives[static_cast<std::size_t>(s.peer)];
        if (from.next == from.list.parcels.size()) return {};
        s.parcel = from.next++;
        const parcel& p = from.list.parcels[s.parcel];
        std::byte* const to = p.is_direct ? out_ + first_step(from.list, p).memory : s.buffer.get();
        return mpi_verdict(MPI_Irecv(to, static_cast<int>(p.bytes), MPI_BYTE, from.peer, tag, on_, &requests_[slot]));
    }

    /// Packs and sends up to `most` parcels, one for each free slot; peers take turns. `busy` becomes true if there was
    /// one.
    template <executor E>
    verdict send_next(E&& threads, std::size_t most, bool& busy) {
        filled_.clear();
        for (std::size_t slot = receiving_; slot < slots_.size() && filled_.size() < most; ++slot)
            if (slots_[slot].peer < 0 && takes_parcel(slots_[slot])) filled_.push_back(slot);
        if (filled_.empty()) return {};
        busy = true;
        threads.run(static_cast<int>(filled_.size()),
                    [this](int number) noexcept { pack(slots_[filled_[static_cast<std::size_t>(number)]]); });
        for (const std::size_t slot : filled_) {
            const parcel_slot& s = slots_[slot];
            const peer_parcels& to = sends[static_cast<std::size_t>(s.peer)];
            const parcel& p = to.list.parcels[s.parcel];
            const std::byte* const from = p.is_direct ? in_ + first_step(to.list, p).memory : s.buffer.get();
            if (const verdict why = mpi_verdict(
                    MPI_Isend(from, static_cast<int>(p.bytes), MPI_BYTE, to.peer, tag, on_, &requests_[slot]));
                !why.ok())
                return why;
        }
        return {};
    }
    /// Gives the next parcel to a free slot. Returns false if there is none.
    bool takes_parcel(parcel_slot& s) {
        for (std::size_t k = 0; k < sends.size(); ++k) {
            const std::size_t index = (turn_ + k) % sends.size();
            peer_parcels& to = sends[index];
            if (to.next == to.list.parcels.size()) continue;
            turn_ = index + 1;
            s.peer = static_cast<int>(index);
            s.parcel = to.next++;
            return true;
        }
        return false;
    }

    void pack(const parcel_slot& s) const {
        const parcel_list& list = sends[static_cast<std::size_t>(s.peer)].list;
        const parcel& p = list.parcels[s.parcel];
        if (p.is_direct) return;
        for (int j = p.first_step; j < p.first_step + p.steps; ++j) {
            const parcel_step& step = list.steps[static_cast<std::size_t>(j)];
            list.run(step, in_ + step.memory, s.buffer.get() + step.other);
        }
    }
    void unpack(const parcel_slot& s) const {
        const parcel_list& list = receives[static_cast<std::size_t>(s.peer)].list;
        const parcel& p = list.parcels[s.parcel];
        if (p.is_direct) return;
        for (int j = p.first_step; j < p.first_step + p.steps; ++j) {
            const parcel_step& step = list.steps[static_cast<std::size_t>(j)];
            list.run(step, s.buffer.get() + step.other, out_ + step.memory);
        }
    }
    void keep(const parcel& p) const {
        for (int j = p.first_step; j < p.first_step + p.steps; ++j) {
            const parcel_step& step = kept.steps[static_cast<std::size_t>(j)];
            kept.run(step, in_ + step.memory, out_ + step.other);
        }
    }

    /// Handles the messages that are complete; waits for one if there is nothing else to do.
    template <executor E>
    verdict progress(E&& threads, std::size_t most, bool busy) {
        int count = 0;
        const int size = static_cast<int>(requests_.size());
        const int code = busy ? MPI_Testsome(size, requests_.data(), &count, done_.data(), MPI_STATUSES_IGNORE)
                              : MPI_Waitsome(size, requests_.data(), &count, done_.data(), MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS) return mpi_verdict(code);
        received_.clear();
        for (int k = 0; k < count; ++k) {
            const auto slot = static_cast<std::size_t>(done_[static_cast<std::size_t>(k)]);
            --open_;
            if (slot >= receiving_) slots_[slot].peer = -1;
            else received_.push_back(slot);
        }
        for (std::size_t first = 0; first < received_.size(); first += most) {
            const std::size_t some = smaller(most, received_.size() - first);
            threads.run(static_cast<int>(some), [this, first](int number) noexcept {
                unpack(slots_[received_[first + static_cast<std::size_t>(number)]]);
            });
            for (std::size_t k = first; k < first + some; ++k)
                if (const verdict why = post_receive(received_[k]); !why.ok()) return why;
        }
        return {};
    }
    static const parcel_step& first_step(const parcel_list& list, const parcel& p) {
        return list.steps[static_cast<std::size_t>(p.first_step)];
    }

    std::vector<parcel_slot> slots_;  ///< those for receiving first
    std::size_t receiving_ = 0;
    std::vector<MPI_Request> requests_;
    std::vector<int> done_;
    std::vector<std::size_t> filled_, received_;  ///< the slots that threads pack and unpack
    std::size_t turn_ = 0, kept_done_ = 0;
    std::size_t open_ = 0;  ///< messages that are not complete
    const std::byte* in_ = nullptr;
    std::byte* out_ = nullptr;
    MPI_Comm on_ = MPI_COMM_NULL;
};

}  // namespace plait::detail
