#pragma once
// The elements of a layout as a list of offsets, computed by counting through its digits without any function of plait;
// and the effect of each operation on such a list.

#include <plait/core/layout_value.hpp>

#include <algorithm>
#include <vector>

namespace chains {

using plait::dim_t, plait::dims, plait::layout, plait::permutation, plait::position;
using index = std::vector<dim_t>;

/// Returns the offsets along one axis, padding included and without offset0. The digits count, the innermost one
/// fastest.
inline std::vector<dim_t> along_axis(const layout& l, int axis) {
    std::vector<dim_t> out{0};
    // The digits of a part of one block count further than the indices of the part.
    const auto needed = static_cast<std::size_t>(l.padded_dims[axis]);
    const auto count = [&](dim_t values, dim_t stride) {
        const std::vector<dim_t> once = out;
        out.clear();
        for (dim_t value = 0; value < values && out.size() < needed; ++value)
            for (const dim_t offset : once)
                if (out.size() < needed) out.push_back(value * stride + offset);
    };
    for (int k = l.digits.size(); k-- > l.dims.size();)
        if (l.digits[k].axis == axis) count(l.digits[k].extent, l.digits[k].stride);
    count(l.digits[axis].extent, l.digits[axis].stride);
    return out;
}

/// Calls visit(index) for every index below the extents, the last axis fastest.
template <class Visit>
void for_each_index(const std::vector<dim_t>& extents, const Visit& visit) {
    index at(extents.size(), 0);
    for (const dim_t extent : extents)
        if (extent == 0) return;
    for (;;) {
        visit(at);
        std::size_t a = extents.size();
        while (a > 0 && ++at[a - 1] == extents[a - 1]) at[--a] = 0;
        if (a == 0) return;
    }
}

/// The offset of each element, in row-major order.
struct element_map {
    std::vector<dim_t> extents;
    std::vector<dim_t> offsets;
    bool operator==(const element_map&) const = default;

    dim_t at(const index& where) const {
        dim_t number = 0;
        for (std::size_t a = 0; a < extents.size(); ++a) number = number * extents[a] + where[a];
        return offsets[static_cast<std::size_t>(number)];
    }
};

/// Returns the map with these extents in which the element at p has the offset offset_at(p).
template <class OffsetAt>
element_map map_of(std::vector<dim_t> extents, const OffsetAt& offset_at) {
    element_map out{std::move(extents), {}};
    for_each_index(out.extents, [&](const index& at) { out.offsets.push_back(offset_at(at)); });
    return out;
}

inline std::vector<dim_t> to_vector(const dims& extents) { return {extents.begin(), extents.end()}; }

/// Returns the elements of l, or with `padded` all its places.
///
/// Pre:     nothing in l is dynamic, and its digits cover its padded extents
inline element_map map_of(const layout& l, bool padded = false) {
    std::vector<std::vector<dim_t>> along;
    for (int a = 0; a < l.dims.size(); ++a) along.push_back(along_axis(l, a));
    return map_of(to_vector(padded ? l.padded_dims : l.dims), [&](const index& at) {
        dim_t offset = l.offset0;
        for (std::size_t a = 0; a < at.size(); ++a) {
            const dim_t first = padded ? 0 : l.padded_offsets[static_cast<int>(a)];
            offset += along[a][static_cast<std::size_t>(first + at[a])];
        }
        return offset;
    });
}

inline std::vector<dim_t> sorted(std::vector<dim_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

/// Returns all places that l owns, padding included, each as often as l uses it.
inline std::vector<dim_t> places_of(const layout& l) { return sorted(map_of(l, true).offsets); }

/// Returns the places of the padding, each once.
inline std::vector<dim_t> padding_of(const layout& l) {
    const element_map all = map_of(l, true);
    std::vector<dim_t> out;
    for_each_index(all.extents, [&](const index& at) {
        bool logical = true;
        for (std::size_t a = 0; a < at.size(); ++a) {
            const dim_t from_first = at[a] - l.padded_offsets[static_cast<int>(a)];
            logical = logical && from_first >= 0 && from_first < l.dims[static_cast<int>(a)];
        }
        if (!logical) out.push_back(all.at(at));
    });
    out = sorted(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Checks that the padding of `made` is padding of l, never an element or a place that l does not own.
inline bool owns_no_more(const layout& l, const layout& made) {
    const std::vector<dim_t> before = padding_of(l), after = padding_of(made);
    return std::includes(before.begin(), before.end(), after.begin(), after.end());
}

/// Returns the same elements with other extents of the same product.
inline element_map reshaped(element_map m, const dims& to) {
    m.extents = to_vector(to);
    return m;
}

/// Returns the elements with axis i moved to axis p[i].
inline element_map permuted(const element_map& m, const permutation& p) {
    std::vector<dim_t> extents(m.extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i)
        extents[static_cast<std::size_t>(p[static_cast<int>(i)])] = m.extents[i];
    return map_of(extents, [&](const index& at) {
        index from(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) from[i] = at[static_cast<std::size_t>(p[static_cast<int>(i)])];
        return m.at(from);
    });
}

inline element_map part(const element_map& m, const dims& extents, const position& offsets) {
    return map_of(to_vector(extents), [&](index at) {
        for (std::size_t a = 0; a < at.size(); ++a) at[a] += offsets[static_cast<int>(a)];
        return m.at(at);
    });
}

inline element_map sliced(const element_map& m, int axis, dim_t where) {
    std::vector<dim_t> extents = m.extents;
    extents.erase(extents.begin() + axis);
    return map_of(extents, [&](index at) {
        at.insert(at.begin() + axis, where);
        return m.at(at);
    });
}

/// Returns the elements with the indices begin, begin + step, ... along one axis.
inline element_map stepped(const element_map& m, int axis, dim_t begin, dim_t count, dim_t step) {
    std::vector<dim_t> extents = m.extents;
    const auto a = static_cast<std::size_t>(axis);
    extents[a] = count;
    return map_of(extents, [&](index at) {
        at[a] = begin + at[a] * step;
        return m.at(at);
    });
}

/// Returns the elements with another extent along one axis. Its index starts again from 0 at the old extent.
inline element_map starting_over(const element_map& m, int axis, dim_t extent) {
    std::vector<dim_t> extents = m.extents;
    const auto a = static_cast<std::size_t>(axis);
    const dim_t before = extents[a];
    extents[a] = extent;
    return map_of(extents, [&](index at) {
        at[a] %= before;
        return m.at(at);
    });
}

inline element_map joined(const element_map& m, const element_map& behind, int axis) {
    std::vector<dim_t> extents = m.extents;
    const auto a = static_cast<std::size_t>(axis);
    extents[a] += behind.extents[a];
    return map_of(extents, [&](index at) {
        if (at[a] < m.extents[a]) return m.at(at);
        at[a] -= m.extents[a];
        return behind.at(at);
    });
}

/// Returns the elements with one axis per tile index, followed by one axis per index within a tile.
inline element_map tiled(const element_map& m, const dims& tile) {
    const std::size_t n = m.extents.size();
    std::vector<dim_t> extents(2 * n);
    for (std::size_t a = 0; a < n; ++a) {
        extents[n + a] = tile[static_cast<int>(a)];
        extents[a] = m.extents[a] / extents[n + a];
    }
    return map_of(extents, [&](const index& both) {
        index at(n);
        for (std::size_t a = 0; a < n; ++a) at[a] = both[a] * extents[n + a] + both[n + a];
        return m.at(at);
    });
}

}  // namespace chains
