#pragma once
// The algebra of layouts, their types and views: all of plait that moves no data and names no instruction. For units
// that need no reorder; plait.hpp begins with the same lines.

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

#pragma GCC diagnostic pop
