#pragma once

#include <plait/core/layout.hpp>
#include <plait/support/number_hash.hpp>

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
    detail::number_hash hash;
    const auto add_all = [&hash](const auto& numbers) {
        hash.add(numbers.size());
        for (dim_t number : numbers) hash.add(number);
    };
    hash.add(static_cast<dim_t>(l.kind));
    add_all(l.dims);
    add_all(l.padded_dims);
    add_all(l.padded_offsets);
    hash.add(l.offset0);
    for (int k = 0; k < l.digits.size(); ++k) {
        const digit& d = l.digits[k];
        hash.add(d.axis);
        hash.add(d.extent);
        if (k >= l.ndims() || detail::stride_counts(l, k)) hash.add(d.stride);
    }
    return static_cast<std::size_t>(hash.value());
}

}  // namespace plait

/// The hash of layouts, so that they can be keys of std::unordered_map.
template <>
struct std::hash<plait::layout> {
    constexpr std::size_t operator()(const plait::layout& hashed) const noexcept { return plait::hash_of(hashed); }
};
