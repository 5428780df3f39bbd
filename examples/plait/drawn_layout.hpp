#pragma once
// A layout to look at, with the words that said it.

#include "commands.hpp"

#include <plait/io/drawing_options.hpp>

namespace tool {

struct drawn_layout {
    plait::layout layout;
    plait::drawing_options names;  ///< titled as it was typed, in its letters
};

/// TAG[:STRIDES] DIMS[:STRIDES][+OFFSET]: "ab 3x4:6x1+5", "ab:6x1 3x4". Throws failure with the words for what is
/// refused.
drawn_layout read_drawn_layout(const std::string& tag, const std::string& dims);

}  // namespace tool
