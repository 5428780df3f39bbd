#pragma once
// The layouts at the two ends of a view: what the algebra makes of one, or the reason why there is none.

#include <plait/algebra/is_injective.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/graph/graph.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Returns the layout of a tensor in a format of the graph.
constexpr expected<layout> given_layout(const any_graph auto& g, const graph_tensor& tensor, int format) {
    if (format < max_graph_formats) {
        if (g.formats[format].kind == format_kind::undef) return verdict{reason::layout_is_undefined};
        return make_layout(tensor.dims, g.formats[format]);
    }
    const layout& l = g.layouts[format - max_graph_formats];
    if (const verdict why = check_static_layout(l); !why.ok()) return why;
    return {l, check_unique_places(l, reason::layout_is_not_injective)};
}

/// Returns the position in the result at which a source of a concatenation begins.
constexpr position begin_of_part(const any_graph auto& g, int operation, int port) {
    const dims& whole = g.tensors[g.tensor_at(operation, g.operations[operation].sources)].dims;
    const int axis = static_cast<int>(g.view_of(operation)->numbers[0]);
    position out;
    for (int a = 0; a < whole.size(); ++a) out.push_back(0);
    for (int p = 0; p < port; ++p) out[axis] += g.tensors[g.tensor_at(operation, p)].dims[axis];
    return out;
}

/// Returns the layout at the other end of a view: the result's layout, given the source's. For a concatenation, returns
/// the layout of the source at a port, given the result's.
///
/// Pre:     check_view_of(g, operation).ok()
/// Post:    it addresses the same memory; if the algebra refuses, its verdict is returned
constexpr expected<layout> view_of_layout(const any_graph auto& g, int operation, const layout& l, int port) {
    const graph_view& what = *g.view_of(operation);
    const dims& extents = g.tensors[g.tensor_at(operation, port)].dims;
    switch (what.kind) {
        case view_kind::permute_axes: return try_permute_axes(l, what.axes());
        case view_kind::reshape: return try_reshape(l, extents);
        case view_kind::view: return try_view(l, extents);
        case view_kind::submemory: return try_submemory(l, extents, what.numbers);
        case view_kind::concatenate: return try_submemory(l, extents, begin_of_part(g, operation, port));
    }
    return verdict{reason::layout_is_undefined};
}

/// Returns the source layout whose view is l. Refused for parts, because they belong to many wholes.
constexpr expected<layout> source_of_view(const any_graph auto& g, int operation, const layout& l) {
    const graph_view& what = *g.view_of(operation);
    const dims& extents = g.tensors[g.tensor_at(operation, 0)].dims;
    switch (what.kind) {
        case view_kind::permute_axes: return try_permute_axes(l, inverse_permutation(what.axes()));
        case view_kind::reshape: return try_reshape(l, extents);
        case view_kind::view: return try_view(l, extents);
        default: return verdict{reason::parent_is_not_blocked};
    }
}

/// Checks that the extents and types at the ports of a view fit together.
///
/// Refused: view_does_not_fit, with the axis, the operation, and the extents of the view and of its tensor;
/// data_types_differ
constexpr verdict check_view_of(const any_graph auto& g, int operation) {
    const graph_view& what = *g.view_of(operation);
    const graph_operation& o = g.operations[operation];
    const graph_tensor &source = g.tensors[g.tensor_at(operation, 0)],
                       &result = g.tensors[g.tensor_at(operation, o.ports() - 1)];
    const auto differ = [operation](int axis, dim_t has, dim_t wanted) {
        return verdict{reason::view_does_not_fit, axis, operation, has, wanted};
    };
    if (o.sources == 0) return differ(-1, 0, 1);
    const auto compare = [&differ](const dims& a, const dims& b) {
        if (a.size() != b.size()) return differ(-1, a.size(), b.size());
        for (int i = 0; i < a.size(); ++i)
            if (a[i] != b[i]) return differ(i, a[i], b[i]);
        return verdict{};
    };
    for (int p = 0; p < o.sources; ++p)
        if (const data_type type = g.tensors[g.tensor_at(operation, p)].type; type != result.type)
            return {reason::data_types_differ, -1, static_cast<dim_t>(type), static_cast<dim_t>(result.type)};
    const int n = source.dims.size();
    switch (what.kind) {
        case view_kind::permute_axes: {
            dims moved = source.dims;
            if (const verdict why = check_permutation(what.axes(), n); !why.ok())
                return differ(why.axis, why.first, why.second);
            for (int a = 0; a < n; ++a) moved[static_cast<int>(what.numbers[a])] = source.dims[a];
            return compare(moved, result.dims);
        }
        case view_kind::reshape:
        case view_kind::view:
            for (const graph_tensor* t : {&source, &result})
                if (const verdict why = identity_of(t->dims).error(); !why.ok()) return why;
            if (volume(source.dims) != volume(result.dims)) return differ(-1, volume(source.dims), volume(result.dims));
            return {};
        case view_kind::submemory: {
            layout whole;
            whole.dims = source.dims;
            const verdict why = check_part_is_inside(whole, result.dims, what.numbers);
            return why.ok() ? why : differ(why.axis, why.first, why.second);
        }
        case view_kind::concatenate: break;
    }
    const dim_t axis = what.numbers.empty() ? -1 : what.numbers[0];
    if (axis < 0 || axis >= result.dims.size()) return differ(-1, axis, result.dims.size());
    checked_integer sum;
    for (int p = 0; p < o.sources; ++p) {
        dims part = g.tensors[g.tensor_at(operation, p)].dims;
        if (part.size() != result.dims.size()) return differ(-1, part.size(), result.dims.size());
        sum += part[static_cast<int>(axis)];
        part[static_cast<int>(axis)] = result.dims[static_cast<int>(axis)];
        if (const verdict why = compare(part, result.dims); !why.ok()) return why;
    }
    if (!sum.ok() || sum.value != result.dims[static_cast<int>(axis)])
        return differ(static_cast<int>(axis), sum.value, result.dims[static_cast<int>(axis)]);
    return {};
}

}  // namespace plait::detail
