#pragma once
// Calls of MPI whose errors become verdicts, and the comparison of arguments on all ranks.

#include <plait/contract/check_attributes.hpp>
#include <plait/distribution/distribution.hpp>
#include <plait/support/number_hash.hpp>

// Open MPI's header includes its C++ interface, which casts functions and converts signs, unless OMPI_SKIP_MPICXX is
// defined.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-function-type"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include <mpi.h>
#pragma GCC diagnostic pop

#include <array>
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

/// Returns a value of an attribute as a number; all NaN are one.
inline dim_t number_of_value(float value) {
    return std::bit_cast<std::uint32_t>(value == value ? value : std::numeric_limits<float>::quiet_NaN());
}
inline dim_t number_of_value(std::int32_t value) { return value; }

/// The arguments of a redistribution as lists of numbers, one list for each rank_argument. Only what matters is in
/// them: no values that no position has, and one number for all NaN.
class rank_argument_lists {
public:
    void add(data_type type, bool is_source) {
        at(is_source ? rank_argument::from_type : rank_argument::to_type).push_back(static_cast<dim_t>(type));
    }
    void add(const distribution& d, bool is_source) {
        constexpr auto first = static_cast<int>(rank_argument::from_extents);
        constexpr auto more = static_cast<int>(rank_argument::to_type) - static_cast<int>(rank_argument::from_type);
        const int extents = first + (is_source ? 0 : more);
        add(lists_[extents], d.dims());
        std::vector<dim_t>& mesh = lists_[extents + 1];
        add(mesh, d.mesh.ranks);
        mesh.push_back(d.replicated.size());
        for (const int axis : d.replicated) mesh.push_back(axis);
        add(lists_[extents + 2], d.ranks);
        add(lists_[extents + 3], d.local);
    }
    void add(const reorder_attributes& attributes, const dims& extents) {
        const auto& [src_scale, dst_scale, src_zero_point, dst_zero_point, beta] = attributes;
        add<float>(src_scale, {.src_scale = src_scale}, rank_argument::src_scale, extents);
        // As one of the source, so that no divisor is checked: a rank may have a scale that is refused.
        add<float>(dst_scale, {.src_scale = dst_scale}, rank_argument::dst_scale, extents);
        add<std::int32_t>(src_zero_point, {.src_zero_point = src_zero_point}, rank_argument::src_zero_point, extents);
        add<std::int32_t>(dst_zero_point, {.dst_zero_point = dst_zero_point}, rank_argument::dst_zero_point, extents);
        at(rank_argument::beta).push_back(number_of_value(beta));
    }
    const std::vector<dim_t>& operator[](int argument) const { return lists_[argument]; }

    /// Returns a number that differs, almost certainly, for lists whose first numbers differ.
    std::uint64_t hash(int argument, std::size_t first_numbers) const {
        number_hash out;
        for (std::size_t k = 0; k < first_numbers; ++k) out.add(lists_[argument][k]);
        return out.value();
    }

private:
    std::vector<dim_t> lists_[rank_argument_count];

    std::vector<dim_t>& at(rank_argument argument) { return lists_[static_cast<int>(argument)]; }
    static void add(std::vector<dim_t>& to, const dims& numbers) {
        to.push_back(numbers.size());
        for (const dim_t number : numbers) to.push_back(number);
    }
    static void add(std::vector<dim_t>& to, const layout& l) {
        to.push_back(static_cast<dim_t>(l.kind));
        for (const dims* list : {&l.dims, &l.padded_dims}) add(to, *list);
        for (const dim_t offset : l.padded_offsets) to.push_back(offset);
        to.push_back(l.digits.size());
        for (const digit& d : l.digits)
            for (const dim_t number : {dim_t{d.axis}, d.extent, d.stride}) to.push_back(number);
        to.push_back(l.offset0);
    }
    /// Adds the mask, the number of values and the values of an attribute. Values that cannot be read are none.
    template <class Value>
    void add(values_of_attribute<Value> values, const reorder_attributes& alone, rank_argument argument,
             const dims& extents) {
        const int number = static_cast<int>(argument);
        const bool is_readable = check_attributes(alone, extents).ok();
        lists_[number - 2].push_back(values.mask);
        if (is_readable) {
            forget_unused_values(values, extents);
            visit_used_values(values, [&](Value value, dim_t) {
                lists_[number].push_back(number_of_value(value));
                return true;
            });
        }
        lists_[number - 1].push_back(static_cast<dim_t>(lists_[number].size()));
    }
};

/// Gathers one number of each rank.
template <class Number>
verdict gather(MPI_Comm on, const Number& mine, std::vector<Number>& all) {
    int ranks = 0;
    if (const verdict why = mpi_verdict(MPI_Comm_size(on, &ranks)); !why.ok()) return why;
    all.resize(static_cast<std::size_t>(ranks));
    constexpr int bytes = sizeof(Number);
    return mpi_verdict(MPI_Allgather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, on));
}

/// Returns the verdict on an argument that differs between rank 0 and another rank, with the first number that does.
/// All ranks call it.
inline verdict find_difference(MPI_Comm on, const rank_argument_lists& mine, int argument, std::size_t rank) {
    const std::vector<dim_t>& list = mine[argument];
    std::vector<dim_t> all;
    if (const verdict why = gather(on, static_cast<dim_t>(list.size()), all); !why.ok()) return why;
    dim_t equal = 0, end = smaller_of(all[0], all[rank]);
    const verdict by_size{reason::rank_arguments_differ, argument, static_cast<dim_t>(rank), all[rank], all[0]};
    while (equal < end) {  // the first `equal` numbers are equal; the first `end` are not, or end the shorter list
        const dim_t middle = equal + (end - equal) / 2;
        std::vector<std::uint64_t> hashes;
        const auto some = static_cast<std::size_t>(smaller_of(middle + 1, static_cast<dim_t>(list.size())));
        if (const verdict why = gather(on, mine.hash(argument, some), hashes); !why.ok()) return why;
        if (hashes[rank] == hashes[0]) equal = middle + 1;
        else end = middle;
    }
    if (equal >= smaller_of(all[0], all[rank])) return by_size;
    const auto at = static_cast<std::size_t>(equal);
    if (const verdict why = gather(on, at < list.size() ? list[at] : 0, all); !why.ok()) return why;
    return {reason::rank_arguments_differ, argument, static_cast<dim_t>(rank), all[rank], all[0]};
}

/// Compares the arguments of all ranks. Returns the same verdict on all of them.
///
/// Refused: rank_arguments_differ (a rank_argument, the first rank that has another one than rank 0, and the number on
///          either); mpi_refuses
inline verdict compare_arguments(MPI_Comm on, const rank_argument_lists& mine) {
    using hash_list = std::array<std::uint64_t, rank_argument_count>;
    hash_list hashes{};
    for (int k = 0; k < rank_argument_count; ++k)
        hashes[static_cast<std::size_t>(k)] = mine.hash(k, mine[k].size()) + mine[k].size();
    std::vector<hash_list> all;
    if (const verdict why = gather(on, hashes, all); !why.ok()) return why;
    for (std::size_t rank = 1; rank < all.size(); ++rank)
        for (std::size_t k = 0; k < rank_argument_count; ++k)
            if (all[rank][k] != all[0][k]) return find_difference(on, mine, static_cast<int>(k), rank);
    return {};
}

/// The arrays of scales and zero points that a planned redistribution reads at each call. All ranks must have the same
/// values at a call, else the ranks that convert an element would not agree on it.
class rank_arrays {
public:
    rank_arrays() = default;
    /// Pre:     check_attributes(attributes, extents).ok()
    rank_arrays(const reorder_attributes& attributes, const dims& extents) : given_(attributes), extents_(extents) {
        forget_unused_values(given_, extents);
    }

    /// Finds out whether any rank has an array: one rank may give as an array of one value what another gives as a
    /// number. All ranks call it.
    verdict share(MPI_Comm on) {
        const int mine = given_.src_scale.has_values() || given_.dst_scale.has_values() ||
                         given_.src_zero_point.has_values() || given_.dst_zero_point.has_values();
        return mpi_verdict(MPI_Allreduce(&mine, &any_, 1, MPI_INT, MPI_MAX, on));
    }
    /// Compares the values of all ranks, if one has an array. Returns the same verdict on all of them.
    ///
    /// Refused: rank_arguments_differ, mpi_refuses, as compare_arguments
    /// Cost:    a pass over the values and one MPI_Allreduce of 16 bytes; allocates only if values differ
    verdict compare(MPI_Comm on) const {
        if (!any_) return {};
        const std::uint64_t mine = hash();
        // All hashes are equal if the largest is the smallest, which is the complement of the largest complement.
        const std::uint64_t both[2] = {mine, ~mine};
        std::uint64_t largest[2] = {};
        if (const verdict why = mpi_verdict(MPI_Allreduce(both, largest, 2, MPI_UINT64_T, MPI_MAX, on)); !why.ok())
            return why;
        if (largest[0] == ~largest[1]) return {};
        rank_argument_lists lists;
        lists.add(given_, extents_);
        return compare_arguments(on, lists);
    }

private:
    reorder_attributes given_;
    dims extents_;
    int any_ = 0;

    std::uint64_t hash() const {
        number_hash out;
        for_each_values(given_, [&](const auto& values) {
            visit_used_values(values, [&](auto value, dim_t) {
                out.add(number_of_value(value));
                return true;
            });
        });
        return out.value();
    }
};

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
