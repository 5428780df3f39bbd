#pragma once
// Calls of MPI whose errors become verdicts, and the comparison of arguments on all ranks.

#include <plait/algebra/hash.hpp>
#include <plait/contract/attributes.hpp>
#include <plait/distribution/distribution.hpp>

#include <mpi.h>

#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the verdict of an MPI call. Fails with mpi_refuses (the class and the code of the error).
inline verdict mpi_verdict(int code) {
    if (code == MPI_SUCCESS) return {};
    int error_class = code;
    MPI_Error_class(code, &error_class);
    return {reason::mpi_refuses, -1, error_class, code};
}

/// Checks that MPI can be called. Fails with mpi_is_not_running.
inline verdict check_mpi_runs() {
    int initialized = 0, finalized = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    return initialized != 0 && finalized == 0 ? verdict{} : verdict{reason::mpi_is_not_running};
}

/// A copy of a communicator, so that messages are not confused with those of others, and errors are returned.
class own_communicator {
public:
    own_communicator() = default;
    own_communicator(own_communicator&& other) noexcept : handle_(std::exchange(other.handle_, MPI_COMM_NULL)) {}
    own_communicator& operator=(own_communicator&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~own_communicator() {
        // After MPI_Finalize nothing is left to be freed.
        if (handle_ != MPI_COMM_NULL && check_mpi_runs().ok()) MPI_Comm_free(&handle_);
    }
    verdict copy(MPI_Comm from) {
        if (from == MPI_COMM_NULL) return {reason::mpi_refuses, -1, MPI_ERR_COMM, MPI_ERR_COMM};
        if (const verdict why = mpi_verdict(MPI_Comm_dup(from, &handle_)); !why.ok()) return why;
        return mpi_verdict(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN));
    }
    MPI_Comm get() const { return handle_; }

private:
    MPI_Comm handle_ = MPI_COMM_NULL;
};

/// A number that differs, almost certainly, for different arguments.
class argument_hash {
public:
    void add(std::uint64_t number) {
        for (std::uint64_t& state : states_) {
            state = (state ^ number) + 0x9e3779b97f4a7c15U;
            state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9U;
            state = (state ^ state >> 27) * 0x94d049bb133111ebU;
            state ^= state >> 31;
        }
    }
    void add(const distribution& d) {
        for (const layout* l : {&d.ranks, &d.local, &d.mesh.ranks}) add(hash_of(*l));
        add(static_cast<std::uint64_t>(d.replicated.size()));
        for (const int axis : d.replicated) add(static_cast<std::uint64_t>(axis));
    }
    void add(const reorder_attributes& attributes) {
        const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
        for (const auto* scale : {&src_scale, &dst_scale}) {
            add(static_cast<std::uint64_t>(scale->mask));
            add(scale->mask == 0 ? std::bit_cast<std::uint32_t>(value_for_tensor(*scale)) : 0);
        }
        for (const auto* zero_point : {&src_zero_point, &dst_zero_point}) {
            add(static_cast<std::uint64_t>(zero_point->mask));
            add(zero_point->mask == 0 ? static_cast<std::uint64_t>(value_for_tensor(*zero_point)) : 0);
        }
        add(std::bit_cast<std::uint32_t>(beta));
    }
    const std::uint64_t* states() const { return states_; }

private:
    std::uint64_t states_[2] = {0, 0x243f6a8885a308d3U};
};

/// Compares the arguments of all ranks. Returns the same verdict on all of them.
///
/// Refused: rank_arguments_differ (the first rank whose arguments differ from those of rank 0, and 0); mpi_refuses
inline verdict compare_arguments(MPI_Comm on, const argument_hash& mine) {
    int ranks = 0;
    if (const verdict why = mpi_verdict(MPI_Comm_size(on, &ranks)); !why.ok()) return why;
    std::vector<std::uint64_t> all(2 * static_cast<std::size_t>(ranks));
    if (const verdict why = mpi_verdict(MPI_Allgather(mine.states(), 2, MPI_UINT64_T, all.data(), 2, MPI_UINT64_T, on));
        !why.ok())
        return why;
    for (std::size_t rank = 1; rank < static_cast<std::size_t>(ranks); ++rank)
        if (all[2 * rank] != all[0] || all[2 * rank + 1] != all[1])
            return {reason::rank_arguments_differ, -1, static_cast<dim_t>(rank), 0};
    return {};
}

/// Returns on all ranks the verdict of the first rank whose verdict is not ok.
inline verdict share_verdict(MPI_Comm on, const verdict& mine) {
    int ranks = 0;
    if (const verdict why = mpi_verdict(MPI_Comm_size(on, &ranks)); !why.ok()) return why;
    const dim_t numbers[5] = {static_cast<dim_t>(mine.reason), mine.axis, mine.first, mine.second, mine.third};
    std::vector<dim_t> all(5 * static_cast<std::size_t>(ranks));
    if (const verdict why = mpi_verdict(MPI_Allgather(numbers, 5, MPI_INT64_T, all.data(), 5, MPI_INT64_T, on));
        !why.ok())
        return why;
    for (std::size_t at = 0; at < all.size(); at += 5)
        if (all[at] != 0)
            return {static_cast<reason>(all[at]), static_cast<int>(all[at + 1]), all[at + 2], all[at + 3], all[at + 4]};
    return {};
}

}  // namespace plait::detail
