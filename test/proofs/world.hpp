#pragma once
// All layouts of a small world, and functions as tables: an oracle that shares nothing with the headers but the members
// of `layout`.
//
// Whether a function of positions is a layout is decided, not searched for. It has to be a sum of one function for each
// axis. Each of these is a sum of jumps in exactly one way (proofs/places.v, places_are_unique), so it consists of
// digits if and only if the borders of its jumps divide each other.

#include <plait/core/layout.hpp>
#include <plait/core/layout_invariants.hpp>

#include <array>

namespace small_world {

using plait::dim_t;
using plait::layout;

inline constexpr int most_positions = 256;

/// The offsets of all positions of some extents, in row-major order.
struct table {
    plait::dims extents;
    int count = 0;
    std::array<dim_t, most_positions> offsets{};

    constexpr bool operator==(const table& other) const {
        if (!(extents == other.extents) || count != other.count) return false;
        for (int i = 0; i < count; ++i)
            if (offsets[static_cast<std::size_t>(i)] != other.offsets[static_cast<std::size_t>(i)]) return false;
        return true;
    }
    constexpr dim_t at(dim_t number) const { return offsets[static_cast<std::size_t>(number)]; }
};

/// Returns the position with a row-major number.
constexpr plait::position position_of(const plait::dims& extents, dim_t number) {
    plait::position out;
    for (int a = 0; a < extents.size(); ++a) out.push_back(0);
    for (int a = extents.size() - 1; a >= 0; number /= extents[a--]) out[a] = number % extents[a];
    return out;
}
constexpr dim_t number_of(const plait::dims& extents, const plait::position& at) {
    dim_t number = 0;
    for (int a = 0; a < extents.size(); ++a) number = number * extents[a] + at[a];
    return number;
}
constexpr dim_t volume_of(const plait::dims& extents) {
    dim_t volume = 1;
    for (const dim_t extent : extents) volume *= extent;
    return volume;
}

/// Returns the offset of a position, from the digits.
constexpr dim_t place(const layout& l, const plait::position& at) {
    dim_t offset = l.offset0;
    for (int a = 0; a < l.dims.size(); ++a) {
        dim_t rest = at[a] + l.padded_offsets[a];
        for (int k = l.digits.size() - 1; k >= l.dims.size(); --k) {
            if (l.digits[k].axis != a) continue;
            offset += rest % l.digits[k].extent * l.digits[k].stride;
            rest /= l.digits[k].extent;
        }
        offset += rest * l.digits[a].stride;
    }
    return offset;
}

/// Makes a table: of(position) is the offset.
template <class Function>
constexpr table make_table(const plait::dims& extents, const Function& of) {
    table out;
    out.extents = extents;
    out.count = static_cast<int>(volume_of(extents));
    for (int i = 0; i < out.count; ++i) out.offsets[static_cast<std::size_t>(i)] = of(position_of(extents, i));
    return out;
}
constexpr table table_of(const layout& l) {
    return make_table(l.dims, [&](const plait::position& at) { return place(l, at); });
}

/// The kind of a function: a layout with whole blocks, one only with padding beyond the end, or no layout.
enum class representable { no, with_padding, yes };
constexpr representable is_layout(const table& f) {
    representable out = representable::yes;
    const int axes = f.extents.size();
    if (axes == 0 || f.count == 0) return representable::no;
    std::array<std::array<dim_t, most_positions>, plait::max_ndims> along{};
    for (int a = 0; a < axes; ++a) {
        plait::position at = position_of(f.extents, 0);
        const auto axis = static_cast<std::size_t>(a);
        for (dim_t i = 0; i < f.extents[a]; ++i) {
            at[a] = i;
            along[axis][static_cast<std::size_t>(i)] = f.at(number_of(f.extents, at)) - f.at(0);
        }
        std::array<dim_t, most_positions> jumps{};
        dim_t border = 1;  // the last one
        for (dim_t b = 1; b < f.extents[a]; ++b) {
            dim_t so_far = 0;
            for (dim_t c = 1; c < b; ++c) so_far += jumps[static_cast<std::size_t>(c)] * (b / c);
            const dim_t by = along[axis][static_cast<std::size_t>(b)] - so_far;
            if (by == 0) continue;
            jumps[static_cast<std::size_t>(b)] = by;
            if (b % border != 0) return representable::no;
            border = b;
        }
        if (f.extents[a] % border != 0) out = representable::with_padding;
    }
    for (int i = 0; i < f.count; ++i) {
        const plait::position at = position_of(f.extents, i);
        dim_t sum = f.at(0);
        for (int a = 0; a < axes; ++a) sum += along[static_cast<std::size_t>(a)][static_cast<std::size_t>(at[a])];
        if (sum != f.at(i)) return representable::no;
    }
    return out;
}

/// How large the world is.
struct limits {
    int axes = 3, digits = 4;
    dim_t extent = 4;
    bool has_parts = true;  ///< padding, offsets, gaps, repeated and negative strides
};

/// Calls visit(layout) for each layout of the world that check_layout accepts.
template <class Visit>
class each_layout {
public:
    constexpr each_layout(const limits& of, Visit& visit) : of_(of), visit_(visit) {
        for (int axes = 1; axes <= of.axes; ++axes) {
            layout l;
            l.kind = plait::format_kind::blocked;
            outer_digits(l, axes);
        }
    }

private:
    const limits of_;
    Visit& visit_;

    constexpr void outer_digits(const layout& l, int axes) {
        if (l.digits.size() == axes) return inner_digits(l, axes, 0);
        for (dim_t extent = 1; extent <= of_.extent; ++extent) {
            layout longer = l;
            longer.digits.push_back({l.digits.size(), extent, 0});
            outer_digits(longer, axes);
        }
    }
    constexpr void inner_digits(const layout& l, int axes, int first_axis) {
        strides(l, axes, 0, 1);
        if (l.digits.size() == of_.digits) return;
        // Digits of different axes are in any order of memory anyway, so here they are in the order of the axes.
        for (int axis = first_axis; axis < axes; ++axis)
            for (dim_t extent = 2; extent <= of_.extent; ++extent) {
                layout longer = l;
                longer.digits.push_back({axis, extent, 0});
                inner_digits(longer, axes, axis);
            }
    }
    /// Gives the next stride to each digit that has none, so that the digits have any order in memory.
    constexpr void strides(const layout& l, int axes, unsigned taken, dim_t stride) {
        bool all = true;
        for (int k = 0; k < l.digits.size(); ++k) {
            if ((taken >> k & 1) != 0) continue;
            all = false;
            layout longer = l;
            longer.digits[k].stride = stride;
            strides(longer, axes, taken | 1u << k, stride * l.digits[k].extent);
        }
        if (!all) return;
        layout whole = l;
        for (int a = 0; a < axes; ++a) {
            dim_t extent = 1;
            for (const plait::digit& d : l.digits)
                if (d.axis == a) extent *= d.extent;
            whole.dims.push_back(extent);
            whole.padded_dims.push_back(extent);
            whole.padded_offsets.push_back(0);
        }
        if (volume_of(whole.dims) > most_positions) return;
        give(whole);
        if (of_.has_parts) parts(whole);
    }
    constexpr void parts(const layout& whole) {
        layout l = whole;
        l.offset0 = 3;
        give(l);
        for (int k = 0; k < whole.digits.size(); ++k) {
            for (const dim_t factor : {0, -1, 2}) {
                l = whole;
                l.digits[k].stride *= factor;
                if (factor == -1) l.offset0 = whole.digits[k].stride * (whole.digits[k].extent - 1);
                give(l);
            }
        }
        for (int a = 0; a < whole.dims.size(); ++a)
            for (dim_t less = 1; less < whole.dims[a] && less < 4; ++less)
                for (dim_t front = 0; front <= less && front < 3; ++front) {
                    l = whole;
                    l.dims[a] -= less;
                    l.padded_offsets[a] = front;
                    give(l);
                }
    }
    constexpr void give(const layout& l) {
        if (plait::check_layout(l).ok()) visit_(l);
    }
};
template <class Visit>
constexpr void for_each_layout(const limits& of, Visit visit) {
    each_layout<Visit>(of, visit);
}

}  // namespace small_world
