#pragma once

#include <plait/core/layout.hpp>

#include <optional>  // std::hash, at a fraction of the cost of <functional>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns a hash of everything that == compares: the stride of an axis with one element and no padding is ignored.
///
/// The hash is the same in every run, and at compile time. It may change between versions of plait.
///
/// Pre:     none; any layout
/// Post:    a == b implies hash_of(a) == hash_of(b)
/// Cost:    O(ndims + blocks) steps
/// Source:  seeds rfc-memory-descriptor, 5
/// Example: test/algebra/hash.cpp
[[nodiscard]] constexpr std::size_t hash_of(const layout& l) {
    std::uint64_t state = 0;
    // One step of splitmix64: a sum, so that zeros count, followed by mixing of all bits.
    const auto add = [&state](dim_t number) {
        state = (state ^ static_cast<std::uint64_t>(number)) + 0x9e3779b97f4a7c15U;
        state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9U;
        state = (state ^ state >> 27) * 0x94d049bb133111ebU;
        state ^= state >> 31;
    };
    const auto add_all = [&add](const auto& numbers) {
        add(numbers.size());
        for (dim_t number : numbers) add(number);
    };
    add(static_cast<dim_t>(l.kind));
    add_all(l.dims);
    add_all(l.padded_dims);
    add_all(l.padded_offsets);
    add(l.offset0);
    for (int k = 0; k < l.digits.size(); ++k) {
        const digit& d = l.digits[k];
        add(d.axis);
        add(d.extent);
        if (k >= l.ndims() || detail::stride_counts(l, k)) add(d.stride);
    }
    return static_cast<std::size_t>(state);
}

}  // namespace plait

/// The hash of layouts, so that they can be keys of std::unordered_map.
template <>
struct std::hash<plait::layout> {
    constexpr std::size_t operator()(const plait::layout& hashed) const noexcept { return plait::hash_of(hashed); }
};
