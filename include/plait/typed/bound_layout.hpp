#pragma once
// Partly static layouts: blocks and known extents stay in the type, the rest is carried at run time.

#include <plait/algebra/bind.hpp>
#include <plait/typed/constants.hpp>

namespace plait {

/// A layout whose type knows L and whose object knows the extents that are dynamic in L.
///
/// Post:    static_cast<layout>(*this) == bind(L, extents)
/// Cost:    sizeof: one number a dynamic extent. Offsets bind anew each time: in a loop, convert to a layout first
/// Example: examples/04_types.cpp
template <layout L>
class bound_layout {
public:
    static constexpr layout partly_static = L;

    /// Refused as in check_bind.
    constexpr explicit bound_layout(const dims& values) {
        require(check_bind(L, values));
        for (int i = 0; i < values.size(); ++i) extents_[i] = values[i];
    }
    constexpr operator layout() const { return bind(L, dims(extents_, dynamic_extents(L))); }
    /// As layout::offset.
    template <std::integral... Index>
    constexpr dim_t offset(Index... at) const {
        return static_cast<layout>(*this).offset(at...);
    }
    constexpr dim_t offset(const position& at) const { return static_cast<layout>(*this).offset(at); }

private:
    dim_t extents_[dynamic_extents(L) > 0 ? static_cast<std::size_t>(dynamic_extents(L)) : 1]{};
};

/// Gives the dynamic extents of L their values, in order.
///
/// Pre:     as many values as dynamic extents (a compile-time error otherwise); check_bind(L, {values...}).ok()
/// Post:    static_cast<layout>(result) == bind(L, {values...})
template <layout L, std::integral... Values>
constexpr bound_layout<L> bind(layout_constant<L>, Values... values) {
    static_assert(sizeof...(Values) == dynamic_extents(L),
                  "bind takes one value for each dynamic extent of the layout");
    return bound_layout<L>(dims{static_cast<dim_t>(values)...});
}

}  // namespace plait
