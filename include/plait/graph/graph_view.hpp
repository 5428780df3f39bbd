#pragma once
// Views in a graph: operations whose result lies in the memory of their source, or whose sources lie in the memory of
// their result. If the algebra proves that, nothing is moved.

#include <plait/core/dims.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

// GCC warns that the enumerators hide the operations of the same names.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// The operations of the algebra that are views between tensors of a graph.
enum class view_kind { permute_axes, reshape, view, submemory, concatenate };
#pragma GCC diagnostic pop

constexpr const char* to_string(view_kind kind) {
    constexpr const char* names[] = {"permute_axes", "reshape", "view", "submemory", "concatenate"};
    return names[static_cast<int>(kind)];
}

/// One view. For reshape, view and submemory, the extents are those of the result tensor.
struct graph_view {
    view_kind kind = view_kind::reshape;
    position numbers;  ///< permute_axes: the place of each axis; submemory: the offsets; concatenate: the axis
    constexpr permutation axes() const {
        permutation out;
        for (const dim_t number : numbers) out.push_back(number);
        return out;
    }
    constexpr bool operator==(const graph_view&) const = default;
};

/// A port whose tensor lies in the memory of another: the result of a view in its source, or a source of a
/// concatenation in its result.
struct graph_part {
    int operation = -1;
    int port = -1;
    dim_t offset = 0;  ///< where it begins there, in elements; its own layout begins at 0
    constexpr bool operator==(const graph_part&) const = default;
};

}  // namespace plait
