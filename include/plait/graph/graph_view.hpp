#pragma once
// What a graph says of its views: operations whose result lies in the memory of their source, or sources in that of
// their result, so that nothing is moved where the algebra proves it.

#include <plait/core/dims.hpp>

namespace plait {

// GCC has it that enumerators of a class hide the operations of these names.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// The operations of the algebra that are views between tensors of a graph.
enum class view_kind { permute_axes, reshape, view, submemory, concatenate };
#pragma GCC diagnostic pop

constexpr const char* to_string(view_kind kind) {
    constexpr const char* names[] = {"permute_axes", "reshape", "view", "submemory", "concatenate"};
    return names[static_cast<int>(kind)];
}

/// One view. The extents of a reshape, of a view and of a part are those of the result.
struct graph_view {
    view_kind kind = view_kind::reshape;
    position
        numbers;  ///< permute_axes: the place that each axis goes to; submemory: where it begins; concatenate: axis
    constexpr permutation axes() const {
        permutation out;
        for (const dim_t number : numbers) out.push_back(number);
        return out;
    }
    constexpr bool operator==(const graph_view&) const = default;
};

/// A port whose tensor lies in the memory of another: the result of a view in that of its source, a source of a
/// concatenation in that of the result.
struct graph_part {
    int operation = -1;
    int port = -1;
    dim_t offset = 0;  ///< where it begins there, in elements; its own layout begins at 0
    constexpr bool operator==(const graph_part&) const = default;
};

}  // namespace plait
