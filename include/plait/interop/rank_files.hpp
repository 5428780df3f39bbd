#pragma once
// A tensor moved between distributions whose ranks are files: each file is the memory of one rank, and is mapped.

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/interop/local_redistribution.hpp>
#include <plait/interop/mapped_file.hpp>

#include <string>

namespace plait::inline PLAIT_UNIT_FLAGS {
/// Moves a tensor between files: `in` are the files of the ranks that have it, in order, `out` those of the ranks that
/// get it. Each begins at offset 0 of its rank. A file that is written is made if it is not there, made longer if it is
/// too short, and keeps its other bytes. On the threads of an executor, if one is given.
///
/// Refused: rank_file_refuses (the rank, and the system's error; ranks of `out` are counted on from those of `in`);
///          rank_memories_differ, rank_memory_is_too_small, before any file is made; spans_overlap, if a file that is
///          written is named twice; reorder_is_not_planned. If a file cannot be made, those before it may have been
///          made, and no element is written
/// Pre:     no other program changes the files meanwhile
/// Post:    the bytes of each file are those that the redistribution writes to memory
/// Cost:    maps all files; what a call costs
/// Source:  plait's own
/// Example: docs/distributed.md
template <executor E>
expected<void> try_redistribute_files(E&& threads, const local_redistribution& move, std::span<const std::string> in,
                                      std::span<const std::string> out) {
    const auto refused = [](std::size_t rank, int error) {
        return verdict{reason::rank_file_refuses, -1, static_cast<dim_t>(rank), error};
    };
    const auto differ = [](dim_t ranks, std::size_t given, detail::buffer_role role) {
        return verdict{reason::rank_memories_differ, -1, ranks, static_cast<dim_t>(given), static_cast<dim_t>(role)};
    };
    if (static_cast<dim_t>(in.size()) != move.in_ranks())
        return differ(move.in_ranks(), in.size(), detail::buffer_role::source);
    if (static_cast<dim_t>(out.size()) != move.out_ranks())
        return differ(move.out_ranks(), out.size(), detail::buffer_role::destination);
    std::vector<detail::mapped_file> files(in.size() + out.size());
    const auto needed_by = [&](std::size_t k) {
        return k < in.size() ? move.in_size_in_bytes(static_cast<dim_t>(k))
                             : move.out_size_in_bytes(static_cast<dim_t>(k - in.size()));
    };
    for (std::size_t k = 0; k < files.size(); ++k) {
        const bool writes = k >= in.size();
        if (const int error = files[k].open(writes ? out[k - in.size()] : in[k], writes); error != 0)
            return refused(k, error);
        if (!writes && files[k].size() < needed_by(k))
            return verdict{reason::rank_memory_is_too_small, -1, static_cast<dim_t>(k),
                           static_cast<dim_t>(needed_by(k) - files[k].size()),
                           static_cast<dim_t>(detail::buffer_role::source)};
        for (std::size_t other = 0; writes && other < k; ++other)
            if (files[k].is(files[other])) return detail::overlap_of(needed_by(other), needed_by(k), 0);
    }
    std::vector<std::span<const std::byte> > read;
    std::vector<std::span<std::byte> > written;
    for (std::size_t k = 0; k < files.size(); ++k) {
        const bool writes = k >= in.size();
        if (const int error = files[k].map(needed_by(k), writes); error != 0) return refused(k, error);
        if (writes) written.push_back(files[k].bytes());
        else read.push_back(files[k].bytes());
    }
    return move.attempt(threads, read, written);
}
inline expected<void> try_redistribute_files(const local_redistribution& move, std::span<const std::string> in,
                                             std::span<const std::string> out) {
    return try_redistribute_files(sequential, move, in, out);
}
/// Moves a tensor between files, as try_redistribute_files does. A rejection is thrown.
///
/// Pre:     as try_redistribute_files
/// Post:    as try_redistribute_files
/// Cost:    that of try_redistribute_files
/// Source:  plait's own
/// Example: docs/distributed.md
inline const verdict& redistribute_files(const local_redistribution& move, std::span<const std::string> in,
                                         std::span<const std::string> out) {
    return try_redistribute_files(move, in, out).value();
}
template <executor E>
const verdict& redistribute_files(E&& threads, const local_redistribution& move, std::span<const std::string> in,
                                  std::span<const std::string> out) {
    return try_redistribute_files(threads, move, in, out).value();
}

}  // namespace plait

#pragma GCC diagnostic pop
