#pragma once
// bind on all layouts of small tags with dynamic extents. The places of a tag are computed from its definition.

#include "operations.hpp"

#include <plait/algebra/bind.hpp>

namespace small_world {

/// Returns the offset of a position in the dense layout of a tag: the inner blocks, then what is left of each axis.
constexpr dim_t place(const plait::format_tag& tag, const plait::dims& extents, plait::position at) {
    dim_t offset = 0, step = 1;
    for (int k = tag.blocks.size() - 1; k >= 0; --k) {
        const plait::inner_block& block = tag.blocks[k];
        offset += at[block.axis] % block.size * step;
        at[block.axis] /= block.size;
        step *= block.size;
    }
    for (int k = tag.axes.size() - 1; k >= 0; --k) {
        const int axis = tag.axes[k];
        const dim_t block = tag.block_size(axis);
        offset += at[axis] * step;
        step *= (extents[axis] + block - 1) / block;
    }
    return offset;
}

/// Calls visit(decision) for the layouts of a tag with extents that are numbers, and each choice of dynamic ones.
template <class Visit>
constexpr void decide_bind(const plait::format_tag& tag, const plait::dims& extents, Visit& visit) {
    plait::dims padded = extents;
    for (int a = 0; a < extents.size(); ++a)
        padded[a] = (extents[a] + tag.block_size(a) - 1) / tag.block_size(a) * tag.block_size(a);
    const auto places = [&](const plait::dims& of) {
        return make_table(of, [&](const plait::position& at) { return place(tag, extents, at); });
    };
    const table own = places(extents), all = places(padded);
    const auto constructed = plait::try_layout(extents, tag);
    for (unsigned known = 0; known + 1 < 1u << extents.size(); ++known) {
        plait::dims open = extents, values, first_value;
        for (int a = 0; a < extents.size(); ++a) {
            if ((known >> a & 1) != 0) continue;
            open[a] = plait::dynamic;
            values.push_back(extents[a]);
            first_value.push_back(first_value.empty() ? extents[a] : plait::dynamic);
        }
        const auto l = plait::try_layout(open, tag);
        if (!l) continue;
        const auto decide_result = [&](const char* name, const plait::expected<layout>& made) {
            if (!made) return visit(decision{name, made.error().reason, true, representable::yes});
            layout places_of_all = *made;
            places_of_all.dims = made->padded_dims;
            visit(decision{name,
                           plait::reason::none,
                           plait::check_layout(*made).ok() && made->padded_dims == padded && table_of(*made) == own &&
                               table_of(places_of_all) == all && made == constructed,
                           {}});
        };
        decide_result("bind", plait::try_bind(*l, values));
        if (values.size() > 1) {
            const auto part = plait::try_bind(*l, first_value);
            values.erase(0);
            if (part.has_value()) decide_result("bind, in two steps", plait::try_bind(*part, values));
            else decide_result("bind, in two steps", part);
        }
    }
}

/// Calls visit(decision) for all tags of up to 3 axes with up to `digits` digits, blocks up to 4, and extents up to 5.
template <class Visit>
constexpr void decide_bind_of_tags(int digits, Visit& visit) {
    const auto with_extents = [&](const plait::format_tag& tag) {
        plait::dims extents;
        const auto next = [&](const auto& self) -> void {
            if (extents.size() == tag.axes.size()) return decide_bind(tag, extents, visit);
            for (dim_t extent = 0; extent <= 5; ++extent) {
                extents.push_back(extent);
                self(self);
                extents.erase(extents.size() - 1);
            }
        };
        next(next);
    };
    const auto with_blocks = [&](const auto& self, const plait::format_tag& tag) -> void {
        with_extents(tag);
        if (tag.axes.size() + tag.blocks.size() >= digits) return;
        for (int axis = 0; axis < tag.axes.size(); ++axis)
            for (dim_t size = 2; size <= 4; ++size) {
                plait::format_tag longer = tag;
                longer.blocks.push_back({axis, size});
                self(self, longer);
            }
    };
    const auto with_axes = [&](const auto& self, const plait::format_tag& tag, int axes) -> void {
        if (tag.axes.size() == axes) return with_blocks(with_blocks, tag);
        for (int axis = 0; axis < axes; ++axis) {
            bool is_there = false;
            for (const int other : tag.axes) is_there = is_there || other == axis;
            if (is_there) continue;
            plait::format_tag longer = tag;
            longer.axes.push_back(axis);
            self(self, longer, axes);
        }
    };
    for (int axes = 1; axes <= 3; ++axes) {
        plait::format_tag tag;
        tag.kind = plait::format_kind::blocked;
        with_axes(with_axes, tag, axes);
    }
}

}  // namespace small_world
