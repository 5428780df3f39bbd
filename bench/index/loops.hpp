#pragma once
// The loops, once for both: `at` gives an element for its indices, by a view or by hand.

#include "suite.hpp"

#include <array>
#include <random>

namespace bench {

/// The sum in logical order, the last axis fastest.
template <class At>
[[gnu::always_inline]] inline number sum(std::array<dim_t, 2> extent, const At& at) {
    number total = 0;
    for (dim_t a = 0; a < extent[0]; ++a)
        for (dim_t b = 0; b < extent[1]; ++b) total += at(a, b);
    return total;
}
template <class At>
[[gnu::always_inline]] inline number sum(std::array<dim_t, 3> extent, const At& at) {
    number total = 0;
    for (dim_t a = 0; a < extent[0]; ++a)
        for (dim_t b = 0; b < extent[1]; ++b)
            for (dim_t c = 0; c < extent[2]; ++c) total += at(a, b, c);
    return total;
}
template <class At>
[[gnu::always_inline]] inline number sum(std::array<dim_t, 4> extent, const At& at) {
    number total = 0;
    for (dim_t a = 0; a < extent[0]; ++a)
        for (dim_t b = 0; b < extent[1]; ++b)
            for (dim_t c = 0; c < extent[2]; ++c)
                for (dim_t d = 0; d < extent[3]; ++d) total += at(a, b, c, d);
    return total;
}
template <class At>
[[gnu::always_inline]] inline number sum(std::array<dim_t, 5> extent, const At& at) {
    number total = 0;
    for (dim_t a = 0; a < extent[0]; ++a)
        for (dim_t b = 0; b < extent[1]; ++b)
            for (dim_t c = 0; c < extent[2]; ++c)
                for (dim_t d = 0; d < extent[3]; ++d)
                    for (dim_t e = 0; e < extent[4]; ++e) total += at(a, b, c, d, e);
    return total;
}

/// Loops with the first axis fastest.
template <class At>
[[gnu::always_inline]] inline number transposed(std::array<dim_t, 2> extent, const At& at) {
    return sum(std::array{extent[1], extent[0]}, [&](dim_t b, dim_t a) { return at(a, b); });
}
template <class At>
[[gnu::always_inline]] inline number transposed(std::array<dim_t, 3> extent, const At& at) {
    return sum(std::array{extent[2], extent[1], extent[0]}, [&](dim_t c, dim_t b, dim_t a) { return at(a, b, c); });
}
template <class At>
[[gnu::always_inline]] inline number transposed(std::array<dim_t, 4> extent, const At& at) {
    return sum(std::array{extent[3], extent[2], extent[1], extent[0]},
               [&](dim_t d, dim_t c, dim_t b, dim_t a) { return at(a, b, c, d); });
}
template <class At>
[[gnu::always_inline]] inline number transposed(std::array<dim_t, 5> extent, const At& at) {
    return sum(std::array{extent[4], extent[3], extent[2], extent[1], extent[0]},
               [&](dim_t e, dim_t d, dim_t c, dim_t b, dim_t a) { return at(a, b, c, d, e); });
}

/// Positions in no order.
template <std::size_t Rank>
using positions = std::vector<std::array<dim_t, Rank>>;
template <std::size_t Rank>
positions<Rank> random_positions(const std::array<dim_t, Rank>& extent) {
    std::mt19937_64 random(1);
    positions<Rank> out(4096);
    for (auto& at : out)
        for (std::size_t a = 0; a < Rank; ++a)
            at[a] = static_cast<dim_t>(random() % static_cast<std::uint64_t>(extent[a]));
    return out;
}
template <std::size_t Rank, class At>
[[gnu::always_inline]] inline number at_random(const positions<Rank>& where, const At& at) {
    number total = 0;
    for (const auto& p : where) {
        if constexpr (Rank == 2) total += at(p[0], p[1]);
        else if constexpr (Rank == 3) total += at(p[0], p[1], p[2]);
        else if constexpr (Rank == 4) total += at(p[0], p[1], p[2], p[3]);
        else total += at(p[0], p[1], p[2], p[3], p[4]);
    }
    return total;
}

}  // namespace bench
