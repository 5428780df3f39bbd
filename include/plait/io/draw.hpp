#pragma once
// Layouts as pictures. A reorder is drawn by draw_reorder.hpp; a graph's formats by draw_choice.hpp.

#include <plait/io/layout_picture.hpp>
#include <plait/io/svg_picture.hpp>
#include <plait/io/tikz_picture.hpp>

namespace plait {

/// A layout as an SVG document: the tensor in planes, its memory as cells in the order of addresses, its digits.
///
/// Cells have the colour of their block, padding is hatched, places that hold nothing have a dashed border. Of a large
/// tensor a part is drawn, and the picture says how much that is.
///
/// Pre:     check_draw(l).ok(), else refused with its reason
/// Post:    valid XML; each element of the part of memory that is drawn is in one cell, at its offset; what is left
///          out is counted; the same arguments give the same text
/// Cost:    O(options.most_cells); allocates
/// Source:  seeds/understanding-memory-formats.md, whose pictures these are
/// Example: draw(layout({1, 17, 2, 3}, "nChw8c"), drawing_options::of("nChw8c 1x17x2x3"))
inline std::string draw(const layout& l, const drawing_options& options = {}) { return svg_of(picture_of(l, options)); }

/// The same as a tikzpicture for LaTeX, in light colours.
///
/// Pre:     check_draw(l).ok(), else refused with its reason
/// Post:    the boxes, texts and arrows of draw(l, options)
/// Cost:    O(options.most_cells); allocates
/// Source:  seeds/understanding-memory-formats.md, whose pictures these are
/// Example: draw_tikz(layout({1, 17, 2, 3}, "nChw8c"), drawing_options::of("nChw8c 1x17x2x3"))
inline std::string draw_tikz(const layout& l, const drawing_options& options = {}) {
    return tikz_of(picture_of(l, options));
}

}  // namespace plait
