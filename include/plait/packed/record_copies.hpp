#pragma once
// Copies of a record one after the other: a record inside the loops of a layout.

#include <plait/packed/record_descriptor.hpp>
#include <plait/packed/record_regroup.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Writes the nodes of a tag again, inside loops over more axes.
class tag_copier : tag_rewriter {
public:
    constexpr explicit tag_copier(const record& r) : tag_rewriter(r) {}

    /// Returns the tag with the loops of `copies` around all that it has. The axes of `copies` come first.
    constexpr expected<record_tag> inside(const record_tag& copies) {
        for (int a = 0; a < copies.ndims(); ++a) out_.axes += unused_letter();
        for (int a = 0; a < r_.ndims(); ++a) {
            to_[a] = copies.ndims() + a;
            out_.axes += r_.tag.axes[a];
        }
        const bool is_group = r_.tag.nodes[0].part != record_part::field;
        if (is_group) add_loops(copies);
        for (int i = 0; i < r_.tag.nodes.size(); ++i) {
            add(relabelled(r_.tag.nodes[i]));
            // Without a group, the loops are marks of the field.
            if (i == 0 && !is_group) add_loops(copies);
        }
        for (record_field& f : out_.fields) relabel(f);
        return finish();
    }

private:
    constexpr void add_loops(const record_tag& copies) {
        for (const record_node& n : copies.nodes)
            if (n.part == record_part::loop) add(n);
    }
};

/// Returns a copy of a record for each index of a layout.
constexpr expected<record> copied(const record& r, const layout& copies) {
    if (const verdict why = check_static_layout(copies); !why.ok()) return why;
    const int ndims = copies.ndims() + r.ndims();
    if (ndims > max_ndims) return verdict{reason::too_many_axes, -1, ndims, max_ndims};
    const expected<record> places = as_record({data_type::u8, copies});
    if (!places) return places.error();
    const expected<record_tag> tag = tag_copier(r).inside(places->tag);
    if (!tag) return tag.error();
    dims extents = copies.dims;
    for (const dim_t extent : r.dims) extents.push_back(extent);
    return try_record(*tag, extents);
}

}  // namespace plait::detail
