#pragma once
// The algebra of layouts, their types, and views: all of plait that moves no data and uses no intrinsics. For units
// that need no reorder. plait.hpp begins with the same lines.

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

#pragma GCC diagnostic pop
