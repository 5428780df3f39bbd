#pragma once
// plait: a compile-time algebra of tensor memory layouts, and the reorder kernels that it generates.
// This header only includes; it reads as the table of contents, from the ground up.

#include <plait/version.hpp>

// GCC looks for names of constructors and lambdas in the global namespace as well: a user's global `l` would be
// shadowed.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

// core: what a refusal is. First, so that compilers have few files to name on the way to one
#include <plait/core/rejection.hpp>  // require, rejection: how a refusal of values ends
//
#include <plait/core/allowed.hpp>  // allowed: how a refusal of constants ends
#include <plait/core/verdict.hpp>  // reason, status, verdict: what a check answers

// core: what a layout is
#include <plait/core/data_type.hpp>     // f32, bf16, s8, ... and their C++ types
#include <plait/core/dims.hpp>          // dims, strides, position, permutation
#include <plait/core/expected.hpp>      // expected: a value, or the verdict that refuses it
#include <plait/core/format_tag.hpp>    // "nChw16c", axis_names<"bhsd">
#include <plait/core/layout.hpp>        // layout: made from a tag, from strides, or from both
//
#include <plait/core/axis_letters.hpp>  // the names of axes

// algebra: layouts from layouts, each operation an object with a rule; no data moves
#include <plait/algebra/operations.hpp>  // all operations
#include <plait/algebra/rearrange.hpp>   // by einops' notation
#include <plait/algebra/rearrange_copy.hpp>
//
// algebra: questions about layouts
#include <plait/algebra/alias_names.hpp>
#include <plait/algebra/axis_pattern.hpp>
#include <plait/algebra/element_places.hpp>
#include <plait/algebra/find_gap.hpp>
#include <plait/algebra/find_overlap.hpp>
#include <plait/algebra/format_name.hpp>
#include <plait/algebra/hash.hpp>
#include <plait/algebra/index_terms.hpp>
#include <plait/algebra/is_injective.hpp>
#include <plait/algebra/is_nested.hpp>
#include <plait/algebra/matches_tag.hpp>
#include <plait/algebra/nearest_number.hpp>
#include <plait/algebra/position_of.hpp>
#include <plait/algebra/resolve_links.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/algebra/v0_blocking.hpp>

// typed: the same on types
#include <plait/typed/bound_layout.hpp>  // partly static layouts
#include <plait/typed/concepts.hpp>      // what kernels ask: matches, reshapable_to, dense, ...
#include <plait/typed/constants.hpp>     // layout_c, dims_c, permutation_c
#include <plait/typed/formats.hpp>       // nchw<...>, nChw16c<...>, OIhw4i16o4i<...>, ...
#include <plait/typed/hana_models.hpp>   // for Boost.Hana, if it is there
#include <plait/typed/named_layout.hpp>  // with_axes: layouts whose axes have names
#include <plait/typed/operations.hpp>    // the algebra on constants
#include <plait/typed/static_index.hpp>  // offsets as constants' arithmetic
#include <plait/typed/with_format.hpp>   // from a format of the run time to one of a list

// view: computing on a layout
#include <plait/view/tensor_view.hpp>  // a pointer and a layout; first, as above
//
#include <plait/view/for_each_block.hpp>     // blocks in the order of memory, with their valid part
#include <plait/view/for_each_element.hpp>   // elements in the order of memory
#include <plait/view/for_each_position.hpp>  // elements in logical order, with their position
#include <plait/view/layout_reader.hpp>      // offsets in a layout known at run time
#include <plait/view/mdspan_layout.hpp>      // a layout for std::mdspan
#include <plait/view/view_operations.hpp>    // the algebra on views
#include <plait/view/view_slice.hpp>         // one index of an axis, as a view

// descriptor: tensors known only at run time
#include <plait/descriptor/check_bound.hpp>          // dynamic extents of a descriptor, filled in
#include <plait/descriptor/compensation_layout.hpp>  // where the sums of compensation lie
#include <plait/descriptor/descriptor.hpp>           // data type, layout and extra; sizes in bytes
#include <plait/descriptor/extra.hpp>                // compensation and scale_adjust of quantised weights
#include <plait/descriptor/operations.hpp>           // the algebra on descriptors
#include <plait/descriptor/queries.hpp>              // matches_tag, format_name, hashes of descriptors

// contract: what a reorder is given, and must write
#include <plait/contract/wrong_arguments.hpp>  // what errors say; first, as above
//
#include <plait/contract/attributes.hpp>                // scales, zero points, beta
#include <plait/contract/check_attributes.hpp>          // which of them are refused
#include <plait/contract/check_descriptor_reorder.hpp>  // what can be moved to what
#include <plait/contract/descriptor_reference.hpp>      // what reorders of descriptors are compared with

// reorder: moving the data
#include <plait/reorder/descriptor_fusion.hpp>     // reorders of descriptors in one pass
#include <plait/reorder/fusion.hpp>                // reorders that follow each other, in one pass
#include <plait/reorder/layout_reorder.hpp>        // reorders of layouts, of types that the compiler knows
#include <plait/reorder/make_reorder.hpp>          // make_reorder, and reorders of descriptors
#include <plait/reorder/parallel_reorder.hpp>      // on the threads of an executor
#include <plait/reorder/permute_with_reorder.hpp>  // axes permuted, into a format of choice
#include <plait/reorder/reorder.hpp>               // between static layouts
#include <plait/reorder/zero_pad.hpp>              // zero_pad; the contract of padding

// graph: formats chosen by the compiler
#include <plait/graph/choose_formats.hpp>   // choose_formats: the alternatives that cost least
#include <plait/graph/costs_otherwise.hpp>  // what another choice would cost
#include <plait/graph/format_rule.hpp>      // format_rule: what the specification says of each kind
#include <plait/graph/graph.hpp>            // graph, large_graph: tensors, operations, alternatives
#include <plait/graph/graph_constant.hpp>   // graph_c: the same of a graph that is a type; kernels of its reorders

// contents: what a tensor holds, as a type
#include <plait/contents/compensated_view.hpp>   // weights with compensation, and the reorder that makes it
#include <plait/contents/contents_concepts.hpp>  // zero_padded, plain_values, quantized: what kernels ask
#include <plait/contents/held_operations.hpp>    // the algebra on views that say what they hold
#include <plait/contents/quantized_view.hpp>     // with_quantization, dequantize
#include <plait/contents/reorder_views.hpp>      // reorder of views
#include <plait/contents/zero_pad.hpp>           // zero_pad of views
// bridge: a framework's tensors, whose axes have another order
#include <plait/bridge/axis_map_of.hpp>        // axis maps from the names of axes
#include <plait/bridge/shaped_buffer.hpp>      // a view, and which axis of the framework's shape each of its axes is
#include <plait/bridge/shaped_descriptor.hpp>  // a descriptor with its map, for tensors known only at run time
#include <plait/bridge/shaped_layout.hpp>      // the same without memory, as a value
#include <plait/bridge/shaped_operations.hpp>  // as_operand, transpose, reshape: no data moves
#include <plait/bridge/shaped_reorder.hpp>     // into another format
#include <plait/bridge/shaped_reshape.hpp>     // what reshape can do in place, and what in a copy

// io: saying what a layout is. By name: explain.hpp, explain_choice.hpp, notations of other systems, pictures
#include <plait/io/parse_dims.hpp>        // 2x17x5x4
#include <plait/io/print.hpp>             // layouts and refusals
#include <plait/io/print_contents.hpp>    // what views hold
#include <plait/io/print_descriptor.hpp>  // descriptors

#pragma GCC diagnostic pop
