#pragma once
// Arguments for operations: usually close to what a layout allows, and sometimes arbitrary.

#include "fuzz/bytes.hpp"

#include <plait/algebra/axis_map.hpp>

#include <string>
#include <vector>

namespace fuzz {

using plait::axis_map, plait::dims, plait::identity_permutation, plait::max_ndims, plait::permutation, plait::position;

inline permutation permutation_from(byte_source& bytes, int ndims) {
    permutation p = identity_permutation(ndims);
    for (int a = ndims - 1; a > 0; --a) std::swap(p[a], p[bytes.below(a + 1)]);
    if (bytes.once_in(6)) p = bytes.numbers<permutation>(ndims);
    return p;
}

inline axis_map map_from(byte_source& bytes, int ndims) {
    axis_map out;
    for (dim_t axis : permutation_from(bytes, ndims)) out.push_back(axis);
    return out;
}

inline position origin_of(const layout& l) {
    position out;
    for (int a = 0; a < l.ndims(); ++a) out.push_back(0);
    return out;
}

/// Returns extents near those of l: some axes are joined, split, added or left out. Sometimes they are arbitrary.
inline dims extents_near(byte_source& bytes, const dims& old) {
    dims out;
    for (dim_t extent : old) {
        if (out.full()) break;
        const int how = bytes.below(8);
        if (how == 0 && extent == 1) continue;
        if (how < 3 && !out.empty() && extent > 0 && extent < 1000 && out.back() > 0 && out.back() < 1000)
            out[out.size() - 1] *= extent;
        else if (how < 5 && extent % 2 == 0 && out.size() + 2 <= max_ndims) out.push_back(extent / 2), out.push_back(2);
        else out.push_back(extent);
        if (how == 7 && !out.full()) out.push_back(1);
    }
    if (bytes.once_in(6)) out = bytes.numbers<dims>(old.size());
    return out;
}

/// Returns a pattern, usually for the given number of axes. It has names on the left, some in groups, and the same
/// names in another order on the right. Sometimes it has arbitrary characters in between.
inline std::string pattern_from(byte_source& bytes, int ndims) {
    std::vector<std::string> items;
    std::string left;
    const auto spoil = [&](std::string& side) {
        const char others[] = "()1.->_ a7Z";
        if (bytes.once_in(24)) side += others[bytes.below(11)];
    };
    const auto name = [&] { return items.emplace_back(1, static_cast<char>('a' + items.size())); };
    for (int a = 0; a < ndims; ++a) {
        const int how = bytes.below(8);
        if (how == 7 && items.size() < 24 && left.find('.') == std::string::npos) {
            left += "... ";
            items.push_back("...");
            a += bytes.below(3);
        } else if (how == 6) {
            left += "1 ";
        } else if (how == 5) {
            left += '(' + name() + ' ' + name() + ") ";
        } else {
            left += name() + ' ';
        }
        spoil(left);
    }
    for (std::size_t i = items.size(); i-- > 1;)
        std::swap(items[i], items[static_cast<std::size_t>(bytes.below(static_cast<int>(i) + 1))]);
    std::string right = " ";
    bool open = false;
    for (const std::string& item : items) {
        const int how = bytes.below(6);
        if (how == 0 && !open) right += '(', open = true;
        right += item;
        if (how == 1 && open) right += ')', open = false;
        right += how == 2 && !open ? " 1 " : " ";
        spoil(right);
    }
    return left + "->" + right + (open ? ")" : "");
}

/// A range of indices, usually inside l.
struct region {
    dims extents;
    position offsets;
};
inline region region_in(byte_source& bytes, const layout& l) {
    region out;
    for (dim_t extent : l.dims) {
        const bool inside = extent > 0 && extent < 200 && !bytes.once_in(12);
        const dim_t first = inside ? bytes.below(static_cast<int>(extent)) : bytes.number();
        out.offsets.push_back(first);
        out.extents.push_back(inside ? bytes.below(static_cast<int>(extent - first) + 1) : bytes.number());
    }
    if (bytes.once_in(20)) out.extents = bytes.numbers<dims>(l.ndims());
    if (bytes.once_in(20)) out.offsets = bytes.numbers<position>(l.ndims());
    return out;
}

}  // namespace fuzz
