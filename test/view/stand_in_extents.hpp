#pragma once
// A replacement of std::extents for standard libraries that do not have it.

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace plait_test {

inline constexpr std::size_t dynamic_extent = std::numeric_limits<std::size_t>::max();

template <class Index, std::size_t... Extents>
class extents {
public:
    using index_type = Index;
    using size_type = std::make_unsigned_t<Index>;
    using rank_type = std::size_t;

    static constexpr rank_type rank() noexcept { return sizeof...(Extents); }
    static constexpr rank_type rank_dynamic() noexcept { return ((Extents == dynamic_extent) + ... + 0U); }
    static constexpr std::size_t static_extent(rank_type axis) noexcept { return known[axis]; }
    constexpr index_type extent(rank_type axis) const noexcept { return values_[axis]; }

    constexpr extents() noexcept = default;
    /// Takes one number per axis.
    template <std::integral... Values>
        requires(sizeof...(Values) == sizeof...(Extents))
    constexpr explicit extents(Values... values) noexcept : values_{static_cast<Index>(values)...} {}
    template <class Other, std::size_t... Others>
        requires(sizeof...(Others) == sizeof...(Extents))
    constexpr explicit((((Extents != dynamic_extent) && (Others == dynamic_extent)) || ...))
        extents(const extents<Other, Others...>& other) noexcept {
        for (rank_type a = 0; a < rank(); ++a) values_[a] = static_cast<Index>(other.extent(a));
    }

private:
    static constexpr std::array<std::size_t, sizeof...(Extents)> known{Extents...};
    std::array<Index, sizeof...(Extents)> values_{
        (Extents == dynamic_extent ? Index{} : static_cast<Index>(Extents))...};
};

}  // namespace plait_test
