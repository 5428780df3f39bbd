#pragma once
// The specification's rules for the format of each operand, by kind of primitive: its table of memory format
// propagation, as data.

#include <plait/version.hpp>

#include <string_view>  // std::size

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The kinds of primitives that operations of a graph have, in the order of the specification's table. matmul belongs
/// to the compute-intensive kinds.
enum class primitive_kind {
    convolution,
    deconvolution,
    inner_product,
    rnn,
    matmul,
    pooling,
    layer_normalization,
    batch_normalization,
    lrn,
    eltwise,
    shuffle,
    softmax,
    reorder,
    concat,
    sum,
    binary,
};

/// The direction of data through an operation; `none` if there is only one.
enum class propagation { forward, backward, none };

/// The rule for an operand's format. not_applicable: the table has no such operation or operand. any: chosen with the
/// operation. preceding: the format in which the operation before made the tensor. actual: the tensor's own format.
enum class operand_format { not_applicable, any, preceding, actual };

/// One cell of the table. An operation has sources and destinations; a backward one has gradients and data.
struct operand_formats {
    operand_format source = operand_format::not_applicable;
    operand_format destination = operand_format::not_applicable;
    operand_format gradient = operand_format::not_applicable;
    operand_format data = operand_format::not_applicable;
    constexpr bool applies() const {
        return source != operand_format::not_applicable || gradient != operand_format::not_applicable;
    }
    /// True if the operation has no formats of its own: everything that is free follows one operand.
    constexpr bool follows() const { return source == operand_format::preceding || data == operand_format::actual; }
    constexpr bool operator==(const operand_formats&) const = default;
};

namespace detail {
/// The rows of the table.
enum class format_group { compute_intensive, bandwidth_limited, without_propagation };

/// Returns the row of the specification's table for a kind of operation.
constexpr format_group group_of(primitive_kind kind) {
    if (kind <= primitive_kind::matmul) return format_group::compute_intensive;
    return kind <= primitive_kind::softmax ? format_group::bandwidth_limited : format_group::without_propagation;
}
}  // namespace detail

/// Returns the cell of the specification's table for a kind and a propagation.
///
/// Pre:     both are enumerators
/// Post:    a cell that is N/A does not apply(); matmul, which is not in the table, takes `any` in both directions
/// Cost:    a few comparisons
/// Source:  seeds spec-memory-formats, "Memory Format Propagation"; spec semantics 16
/// Example: format_rule(primitive_kind::pooling, propagation::forward).source == operand_format::preceding
constexpr operand_formats format_rule(primitive_kind kind, propagation direction) {
    using enum operand_format;
    const bool forward = direction == propagation::forward, backward = direction == propagation::backward;
    switch (detail::group_of(kind)) {
        case detail::format_group::compute_intensive:
            if (backward) return {.gradient = any, .data = any};
            if (forward || kind == primitive_kind::matmul) return {.source = any, .destination = any};
            return {};
        case detail::format_group::bandwidth_limited:
            if (backward) return {.gradient = any, .data = actual};
            if (forward) return {.source = preceding, .destination = any};
            return {};
        case detail::format_group::without_propagation:
            if (direction == propagation::none) return {.source = preceding, .destination = any};
            return {};
    }
    return {};
}

/// Returns the default propagation of a kind: forward, or none if it has no forward.
constexpr propagation usual_propagation(primitive_kind kind) {
    return format_rule(kind, propagation::forward).applies() ? propagation::forward : propagation::none;
}

namespace detail {
/// True if the first result of a kind has the extents of its first source in every direction. Each element depends on
/// its own place, on a sum, or on all elements along an axis. Pooling makes fewer elements, and either source of binary
/// may be repeated.
///
/// Example: keeps_extents(primitive_kind::softmax), !keeps_extents(primitive_kind::pooling)
constexpr bool keeps_extents(primitive_kind kind) {
    return (kind >= primitive_kind::layer_normalization && kind <= primitive_kind::reorder) ||
           kind == primitive_kind::sum;
}

/// The names of the kinds, in the order of the enumerators.
inline constexpr const char* primitive_kind_names[] = {"convolution",
                                                       "deconvolution",
                                                       "inner_product",
                                                       "rnn",
                                                       "matmul",
                                                       "pooling",
                                                       "layer_normalization",
                                                       "batch_normalization",
                                                       "lrn",
                                                       "eltwise",
                                                       "shuffle",
                                                       "softmax",
                                                       "reorder",
                                                       "concat",
                                                       "sum",
                                                       "binary"};
}  // namespace detail

/// Returns the name of a kind; "unknown primitive kind" for a number that is not an enumerator.
constexpr const char* to_string(primitive_kind kind) {
    const auto place = static_cast<unsigned>(kind);
    return place < std::size(detail::primitive_kind_names) ? detail::primitive_kind_names[place]
                                                           : "unknown primitive kind";
}

}  // namespace plait
