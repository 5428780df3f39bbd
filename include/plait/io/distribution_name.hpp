#pragma once
// Distributions as text of one line. print_distribution.hpp explains them.

#include <plait/algebra/same_memory.hpp>
#include <plait/distribution/distribution.hpp>
#include <plait/io/print.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

namespace detail {
/// Returns the order of the ranks of a mesh as text: empty if it is row-major, as it is read without one.
inline std::string order_of_ranks(const plait::mesh& on) {
    if (!check_mesh(on.ranks).ok() || same_memory(on.ranks, identity_of(on.ranks.dims).value())) return "";
    return " in the order " + to_string(on.ranks);
}
}  // namespace detail

/// Returns a distribution in one line: "1000x700 on a mesh of 2x2 ranks", and how often it is replicated.
///
/// Pre:     none; d may be invalid
/// Post:    has the dims, the extents of the mesh, the order of its ranks unless it is row-major, and the number of
///          copies if there are several
/// Cost:    allocates
/// Source:  plait's own
/// Example: to_string(sharded(dims{8, 6}, mesh{2, 3}, {shard(1, 1)})) == "8x6 on a mesh of 2x3 ranks, 2 copies"
inline std::string to_string(const distribution& d) {
    std::string out = to_string(d.dims()) + " on a mesh of " + to_string(d.mesh.ranks.dims) + " ranks" +
                      detail::order_of_ranks(d.mesh);
    if (!d.replicated.empty() && d.copies() > 1) out += ", " + std::to_string(d.copies()) + " copies";
    return out;
}
/// Writes a distribution to a stream, as to_string.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const distribution& d) {
    return out << to_string(d).c_str();
}

}  // namespace plait
