#pragma once
// Numbers per axis: extents, strides, positions and permutations are distinct types that do not convert to each other.

#include <plait/core/axis.hpp>
#include <plait/core/rejection.hpp>
#include <plait/support/checked_arithmetic.hpp>
#include <plait/support/inline_list.hpp>

#include <cstddef>
#include <initializer_list>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// One number per axis. The tag type Meaning makes extents, strides, positions and permutations distinct types.
///
/// Pre:     at most 12 numbers, otherwise fails with too_many_axes
template <class Meaning>
struct axis_numbers : inline_list<dim_t, max_ndims> {
    constexpr axis_numbers() = default;
    constexpr axis_numbers(std::initializer_list<dim_t> numbers) : axis_numbers(numbers.begin(), numbers.size()) {}
    /// Copies an array whose size is known only at run time.
    constexpr axis_numbers(const dim_t* numbers, std::size_t size) {
        if (size > max_ndims) require({reason::too_many_axes, -1, static_cast<dim_t>(size), max_ndims});
        for (std::size_t i = 0; i < size; ++i) push_back(numbers[i]);
    }
    constexpr int ndims() const { return size(); }
    constexpr void push_back(dim_t number) {
        // `else`, because the compiler does not know that require does not return.
        if (full()) require({reason::too_many_axes, -1, max_ndims + 1, max_ndims});
        else inline_list::push_back(number);
    }
    constexpr bool operator==(const axis_numbers&) const = default;
};
}  // namespace detail

/// The logical extents of a tensor, in elements; `dynamic` if known only at run time.
struct dims : detail::axis_numbers<dims> {
    using axis_numbers::axis_numbers;
};

/// The distance between neighbours along each axis, in elements. For a blocked axis: between its outermost blocks.
struct strides : detail::axis_numbers<strides> {
    using axis_numbers::axis_numbers;
};

/// The index of one element, one number per axis.
struct position : detail::axis_numbers<position> {
    using axis_numbers::axis_numbers;
};

/// A one-to-one map of axes: a permutation p maps axis i to axis p[i].
struct permutation : detail::axis_numbers<permutation> {
    using axis_numbers::axis_numbers;
};

namespace detail {
/// Returns true if no extent is 0. An extent known only at run time counts as nonzero.
constexpr bool has_elements(const dims& extents) {
    for (const dim_t extent : extents)
        if (extent == 0) return false;
    return true;
}
}  // namespace detail

/// Returns the number of elements. Fails with size_overflows if it does not fit in 63 bits.
///
/// Post:    the product of the extents; `dynamic` if any of them is, else 0 if any is 0
constexpr dim_t volume(const dims& extents) {
    const int n = extents.size();
    bool empty = false;
    for (int a = 0; a < n; ++a) {
        if (extents.values[a] == dynamic) return dynamic;
        empty = empty || extents.values[a] == 0;
    }
    if (empty) return 0;
    dim_t product = 1;
    for (int a = 0; a < n; ++a) {
        const dim_t before = product;
        if (detail::multiply_overflows(before, extents.values[a], product))
            require({reason::size_overflows, a, before, extents[a]});
    }
    return product;
}

/// Checks that p maps the axes 0 to ndims - 1 one to one. Fails with rank_differs or not_a_permutation.
constexpr verdict check_permutation(const permutation& p, int ndims) {
    if (p.size() != ndims) return {reason::rank_differs, -1, p.size(), ndims};
    unsigned used = 0;
    for (int i = 0; i < ndims; ++i) {
        if (p[i] < 0 || p[i] >= ndims || (used >> p[i] & 1u) != 0) return {reason::not_a_permutation, i, p[i], ndims};
        used |= 1u << p[i];
    }
    return {};
}

/// Returns the permutation that changes nothing.
[[nodiscard]] constexpr permutation identity_permutation(int ndims) {
    permutation out;
    for (int i = 0; i < ndims; ++i) out.push_back(i);
    return out;
}

namespace detail {
/// Returns the permutation that applies q, then p: compose(p, q).
///
/// Pre:     p and q are permutations of the same rank
/// Post:    composed_permutation(p, q)[i] == p[q[i]]
[[nodiscard]] constexpr permutation composed_permutation(const permutation& p, const permutation& q) {
    require(check_permutation(p, q.size()));
    require(check_permutation(q, q.size()));
    permutation out;
    for (dim_t to : q) out.push_back(p[static_cast<int>(to)]);
    return out;
}

/// Returns the inverse of p: inverse(p).
///
/// Pre:     check_permutation(p, p.size()).ok()
/// Post:    composed_permutation(p, inverse_permutation(p)) == identity_permutation(p.size())
[[nodiscard]] constexpr permutation inverse_permutation(const permutation& p) {
    require(check_permutation(p, p.size()));
    permutation out = p;
    for (int i = 0; i < p.size(); ++i) out[static_cast<int>(p[i])] = i;
    return out;
}
}  // namespace detail
}  // namespace plait
