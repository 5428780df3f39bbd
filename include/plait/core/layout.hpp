#pragma once
// The layout with all that belongs to it.

// Refusals first: compilers name the files through which the place of an error was included, and so these are few.
#include <plait/core/rejection.hpp>
//
#include <plait/core/allowed.hpp>
//
#include <plait/core/layout_invariants.hpp>  // check_layout(l): of one put together by hand
#include <plait/core/layout_offset.hpp>      // offsets, spans, density, equality
#include <plait/core/layout_rules.hpp>       // what makes one, what refuses it
#include <plait/core/layout_value.hpp>       // the struct
#include <plait/core/offset_by_index.hpp>    // offsets of one index an axis, and of row-major numbers
