#pragma once
// plait: a compile-time algebra of tensor memory layouts, and the reorder kernels that it generates.
// This header only includes others; it reads as the table of contents, from the ground up.

#include <plait/version.hpp>

// GCC also looks up names of constructors and lambda parameters in the global namespace, so that -Wshadow would warn of
// a user's global `l`.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

// core: rejections. These headers come first, so that compile errors name few files before them
#include <plait/core/rejection.hpp>  // require, rejection: the error for values that are refused
//
#include <plait/core/allowed.hpp>  // allowed: the error for constants that are refused
#include <plait/core/verdict.hpp>  // reason, status, verdict: the result of a check

// core: layouts
#include <plait/core/data_type.hpp>   // f32, bf16, s8, ... and their C++ types
#include <plait/core/dims.hpp>        // dims, strides, position, permutation
#include <plait/core/expected.hpp>    // expected: a value, or the verdict that refuses it
#include <plait/core/format_tag.hpp>  // "nChw16c", axis_names<"bhsd">
#include <plait/core/layout.hpp>      // layout: made from a tag, from strides, or from both
//
#include <plait/core/axis_letters.hpp>  // the names of axes

// algebra: layouts from layouts. Each operation is an object with a rule; no data moves
#include <plait/algebra/operations.hpp>  // all operations
#include <plait/algebra/rearrange.hpp>   // in einops' notation
#include <plait/algebra/rearrange_copy.hpp>
//
// algebra: queries of layouts
#include <plait/algebra/alias_names.hpp>
#include <plait/algebra/axis_pattern.hpp>
#include <plait/algebra/common_run.hpp>
#include <plait/algebra/count_copies.hpp>
#include <plait/algebra/element_places.hpp>
#include <plait/algebra/find_gap.hpp>
#include <plait/algebra/find_overlap.hpp>
#include <plait/algebra/for_each_copy.hpp>
#include <plait/algebra/format_name.hpp>
#include <plait/algebra/hash.hpp>
#include <plait/algebra/index_map.hpp>
#include <plait/algebra/index_terms.hpp>
#include <plait/algebra/is_injective.hpp>
#include <plait/algebra/is_nested.hpp>
#include <plait/algebra/matches_tag.hpp>
#include <plait/algebra/nearest_number.hpp>
#include <plait/algebra/position_of.hpp>
#include <plait/algebra/recast.hpp>
#include <plait/algebra/resolve_links.hpp>
#include <plait/algebra/same_memory.hpp>
#include <plait/algebra/v0_blocking.hpp>

// typed: the algebra on types
#include <plait/typed/bound_layout.hpp>  // partly static layouts
#include <plait/typed/concepts.hpp>      // requirements of kernels: matches, reshapable_to, dense, ...
#include <plait/typed/constants.hpp>     // layout_c, dims_c, permutation_c
#include <plait/typed/formats.hpp>       // nchw<...>, nChw16c<...>, OIhw4i16o4i<...>, ...
#include <plait/typed/hana_models.hpp>   // for Boost.Hana, if it is available
#include <plait/typed/named_layout.hpp>  // with_axes: layouts whose axes have names
#include <plait/typed/operations.hpp>    // the algebra on constants
#include <plait/typed/static_index.hpp>  // offsets as compile-time arithmetic
#include <plait/typed/with_format.hpp>   // dispatches a format known at run time to one of a list

// view: computing on a layout
#include <plait/view/tensor_view.hpp>  // a pointer and a layout; first, for short compile errors
//
#include <plait/view/for_each_block.hpp>     // blocks in the order of memory, with their valid part
#include <plait/view/for_each_element.hpp>   // elements in the order of memory
#include <plait/view/for_each_position.hpp>  // elements in logical order, with their position
#include <plait/view/layout_reader.hpp>      // offsets in a layout known at run time
#include <plait/view/mdspan_layout.hpp>      // a layout for std::mdspan
#include <plait/view/table_views.hpp>        // axes read through a table: paged, grouped
#include <plait/view/tensor.hpp>             // a tensor that owns its memory
#include <plait/view/view_operations.hpp>    // the algebra on views
#include <plait/view/view_slice.hpp>         // one index of an axis, as a view

// distribution: a tensor over ranks. interop/mpi.hpp moves it
#include <plait/distribution/distribution.hpp>             // ranks and places: two layouts over one index space
#include <plait/distribution/distribution_operations.hpp>  // the algebra on distributions
#include <plait/distribution/plan_redistribution.hpp>      // what each rank sends and receives
#include <plait/distribution/sharded.hpp>                  // sharded, block_cyclic, distribute

// descriptor: tensors known only at run time
#include <plait/descriptor/check_bound.hpp>          // checks numbers bound to a descriptor's dynamic extents
#include <plait/descriptor/compensation_layout.hpp>  // the places of the compensation sums
#include <plait/descriptor/copies.hpp>               // contiguous copies between descriptors
#include <plait/descriptor/descriptor.hpp>           // data type, layout and extra; sizes in bytes
#include <plait/descriptor/descriptor_of.hpp>        // descriptor_of<std::int64_t>(layout)
#include <plait/descriptor/extra.hpp>                // compensation and scale_adjust of quantised weights
#include <plait/descriptor/operations.hpp>           // the algebra on descriptors
#include <plait/descriptor/queries.hpp>              // matches_tag, format_name, hashes of descriptors
#include <plait/descriptor/recast.hpp>               // elements of another size

// contract: the arguments of a reorder, and what it must write
#include <plait/contract/attribute_values.hpp>  // one value, or one for each index; first, as above
#include <plait/contract/attributes.hpp>        // scales, zero points, beta
#include <plait/contract/wrong_arguments.hpp>   // compile errors for wrong arguments
//
#include <plait/contract/check_attributes.hpp>          // which attributes are refused
#include <plait/contract/check_descriptor_reorder.hpp>  // which descriptors can be moved to which
#include <plait/contract/descriptor_reference.hpp>      // the reference for reorders of descriptors

// reorder: moving the data
#include <plait/reorder/descriptor_fusion.hpp>     // reorders of descriptors in one pass
#include <plait/reorder/fusion.hpp>                // consecutive reorders in one pass
#include <plait/reorder/layout_reorder.hpp>        // reorders of layouts whose element types are known
#include <plait/reorder/make_reorder.hpp>          // make_reorder, and reorders of descriptors
#include <plait/reorder/packed_reorder.hpp>        // between static layouts of elements smaller than a byte
#include <plait/reorder/parallel_reorder.hpp>      // on the threads of an executor
#include <plait/reorder/permute_with_reorder.hpp>  // axes permuted, into any format
#include <plait/reorder/reorder.hpp>               // between static layouts
#include <plait/reorder/table_reorder.hpp>         // of descriptors with axes read through a table
#include <plait/reorder/zero_pad.hpp>              // zero_pad; the contract of padding

// graph: formats chosen for a graph
#include <plait/graph/choose_formats.hpp>   // choose_formats: the alternatives with the least cost
#include <plait/graph/costs_otherwise.hpp>  // what another choice would cost
#include <plait/graph/format_rule.hpp>      // format_rule: the specification's rule for each kind
#include <plait/graph/graph.hpp>            // graph, large_graph: tensors, operations, alternatives
#include <plait/graph/graph_constant.hpp>   // graph_c: a graph as a type; kernels of its reorders

// contents: what a tensor holds, as a type
#include <plait/contents/compensated_view.hpp>   // weights with compensation, and the reorder that makes it
#include <plait/contents/contents_concepts.hpp>  // zero_padded, plain_values, quantized: requirements of kernels
#include <plait/contents/held_operations.hpp>    // the algebra on views with known contents
#include <plait/contents/quantized_view.hpp>     // with_quantization, dequantize
#include <plait/contents/reorder_tables.hpp>     // reorder of views with axes read through a table
#include <plait/contents/reorder_views.hpp>      // reorder of views
#include <plait/contents/zero_pad.hpp>           // zero_pad of views
// bridge: a framework's tensors, whose axes have another order
#include <plait/bridge/axis_map_of.hpp>        // axis maps from the names of axes
#include <plait/bridge/shaped_buffer.hpp>      // a view, and the framework's axis of each of its axes
#include <plait/bridge/shaped_descriptor.hpp>  // a descriptor with its map, for tensors known only at run time
#include <plait/bridge/shaped_layout.hpp>      // a layout with its map, without memory
#include <plait/bridge/shaped_operations.hpp>  // as_operand, transpose, reshape: no data moves
#include <plait/bridge/shaped_reorder.hpp>     // a reorder into another format
#include <plait/bridge/shaped_reshape.hpp>     // which reshapes are done in place, and which by a copy

// io: layouts as text. Include separately: explain.hpp, explain_choice.hpp, notations of other systems, pictures
#include <plait/io/distribution_name.hpp>   // distributions
#include <plait/io/parse_dims.hpp>          // 2x17x5x4
#include <plait/io/print.hpp>               // layouts and rejections
#include <plait/io/print_contents.hpp>      // the contents of views
#include <plait/io/print_descriptor.hpp>    // descriptors
#include <plait/io/print_named_layout.hpp>  // layouts whose types name their axes

#pragma GCC diagnostic pop
