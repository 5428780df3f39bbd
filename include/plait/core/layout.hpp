#pragma once
// The layout with all that belongs to it.

#include <plait/core/layout_invariants.hpp>  // check_layout(l): of one put together by hand
#include <plait/core/layout_offset.hpp>      // offsets, spans, density, equality
#include <plait/core/layout_rules.hpp>       // what makes one, what refuses it
#include <plait/core/layout_value.hpp>       // the struct
