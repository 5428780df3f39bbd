#pragma once
// The layout and all its functions.

// rejection.hpp comes first, because compilers list the files through which the place of an error was included.
#include <plait/core/rejection.hpp>
//
#include <plait/core/allowed.hpp>
//
#include <plait/core/layout_invariants.hpp>  // check_layout(l), for a layout assembled by hand
#include <plait/core/layout_offset.hpp>      // offsets, spans, density, equality
#include <plait/core/layout_rules.hpp>       // rules for making layouts
#include <plait/core/layout_value.hpp>       // the struct
#include <plait/core/offset_by_index.hpp>    // offsets by one index per axis, and by row-major numbers
