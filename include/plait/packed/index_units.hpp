#pragma once
// Walks an index space, but visits neighbours that no piece of a record distinguishes only once.

#include <plait/packed/record_piece.hpp>
#include <plait/support/checked_arithmetic.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// How many neighbours along each axis lie at the same places of some pieces: the pieces' values are the same for the
/// indices from a multiple of the unit to the next one.
class index_units {
public:
    explicit constexpr index_units(const plait::dims& extents) : dims_(extents) {
        for (int a = 0; a < dims_.size(); ++a) units_.push_back(0);
    }
    /// Adds a piece to those that distinguish indices.
    constexpr void add(const record_piece& piece) {
        for (const piece_digit& d : piece.digits)
            if (d.extent > 1) add_border(d.axis, d.step);
        for (const piece_condition& c : piece.where)
            for (const dim_t border : {c.extent != 0 ? c.step : c.first, c.extent != 0 ? c.step : c.last})
                if (border > 0 && border < dims_[c.axis]) add_border(c.axis, border);
    }
    /// Adds a place where indices of an axis begin to differ.
    constexpr void add_border(int axis, dim_t border) {
        units_[axis] = units_[axis] == 0 ? border : greatest_common_divisor(units_[axis], border);
    }
    /// Returns the units: the whole axis if nothing distinguishes its indices.
    constexpr plait::dims units() const {
        plait::dims out = units_;
        for (int a = 0; a < out.size(); ++a)
            if (out[a] == 0 || out[a] > dims_[a]) out[a] = larger_of(dims_[a], 1);
        return out;
    }
    /// Returns how many units there are, or 2^62 if there are more.
    constexpr dim_t count() const {
        const plait::dims of = units();
        dim_t out = 1;
        for (int a = 0; a < of.size(); ++a)
            if (multiply_overflows(out, divide_up(dims_[a], of[a]), out)) return dim_t{1} << 62;
        return out;
    }

private:
    plait::dims dims_, units_;
};

/// Calls what(index, count) for the first index of each unit, where `count` indices below the extents are in the unit,
/// modulo 2^64.
template <class What>
void for_each_unit(const plait::dims& dims, const plait::dims& units, const What& what) {
    position index;
    for (const dim_t extent : dims) {
        if (extent == 0) return;
        index.push_back(0);
    }
    for (int a = 0; a >= 0;) {
        std::uint64_t count = 1;
        for (int i = 0; i < index.size(); ++i)
            count *= static_cast<std::uint64_t>(smaller_of(units[i], dims[i] - index[i]));
        what(index, count);
        for (a = index.size() - 1; a >= 0 && (index[a] += units[a]) >= dims[a]; --a) index[a] = 0;
    }
}

}  // namespace plait::detail
