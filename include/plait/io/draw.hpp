#pragma once
// Layouts as pictures. For a reorder see draw_reorder.hpp, for the formats of a graph draw_choice.hpp.

#include <plait/io/layout_picture.hpp>
#include <plait/io/svg_picture.hpp>
#include <plait/io/tikz_picture.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Returns a layout as an SVG document: the tensor in planes, its memory as cells by address, and its digits.
///
/// Cells have the colour of their block. Padding is hatched; unused places have a dashed border. Of a large tensor only
/// a part is drawn, and the picture shows how large that part is.
///
/// Pre:     check_draw(l).ok(); fails with its reason otherwise
/// Post:    valid XML; each element of the part of memory that is drawn is in one cell, at its offset; places left out
///          are counted; the same arguments give the same text
/// Cost:    O(options.most_cells); allocates
/// Source:  seeds/understanding-memory-formats.md, whose pictures it follows
/// Example: draw(layout({1, 17, 2, 3}, "nChw8c"), drawing_options::of("nChw8c 1x17x2x3"))
inline std::string draw(const layout& l, const drawing_options& options = {}) { return svg_of(picture_of(l, options)); }

/// Returns a layout as a tikzpicture for LaTeX, in light colours.
///
/// Pre:     check_draw(l).ok(); fails with its reason otherwise
/// Post:    the boxes, texts and arrows of draw(l, options)
/// Cost:    O(options.most_cells); allocates
/// Source:  seeds/understanding-memory-formats.md, whose pictures it follows
/// Example: draw_tikz(layout({1, 17, 2, 3}, "nChw8c"), drawing_options::of("nChw8c 1x17x2x3"))
inline std::string draw_tikz(const layout& l, const drawing_options& options = {}) {
    return tikz_of(picture_of(l, options));
}

}  // namespace plait
