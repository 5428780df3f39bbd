#pragma once
// What `reorder<src, dst>` and `try_reorder` of constant layouts need beyond plait.hpp, if they convert rows of
// elements in a buffer instead of tiles in registers. A program that needs this header and does not include it stops at
// the incomplete type `include_plait_reorder_converted_rows_hpp`. It is needed for
//
// - a parameter of type reorder_attributes: values by index or by group, beta, or values whose kind is known only at
//   the call. Attributes in braces with one value each, such as {.src_scale = 0.5f}, need no header;
// - conversions from or to elements smaller than a byte, e8m0, ue4m3 and boolean, such as u4 -> f16;
// - conversions of elements of 8 or 16 bits, such as f16 -> f32, between layouts in which no two neighbours of the one
//   are neighbours of the other.
//
// Reorders of layouts or descriptors known at run time need no header: the library has what they do.
//
// Example: reorder<Src, Dst>(in, out, reorder_attributes{.src_scale = {.values = scales, .mask = 2}})

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/engine/quantize/constant_cache_blocks.hpp>
#include <plait/reorder/reorder.hpp>

#pragma GCC diagnostic pop
