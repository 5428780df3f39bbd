#pragma once
// What the tool does, one function a command.

#include "npy.hpp"

#include <plait/plait.hpp>

#include <string>

namespace tool {

/// plait show TAG DIMS: a grid of offsets, and the digits below it.
void show(const std::string& tag, const std::string& dims);

/// plait draw TAG DIMS -o FILE, or draw --reorder FROM TO DIMS -o FILE [--type f32] [--to TYPE] [--isa NAME]: a
/// picture.
struct draw_options {
    std::vector<std::string> arguments;
    std::string output;      ///< .svg, .png or .tex; "-": SVG to standard output
    std::int64_t cells = 0;  ///< how many cells of planes and of memory are drawn at most; 0: as many as are legible
    bool is_reorder = false;
    std::string type = "f32", to_type, isa = "avx2";  ///< of the reorder
};
void draw(const draw_options& options);

/// plait explain FROM TO DIMS [--type f32] [--to TYPE] [--isa NAME]: the plan of a reorder.
struct explain_options {
    std::string from, to, dims;
    std::string type = "f32", to_type;  ///< empty: the same
    std::string isa;                    ///< empty: the widest that this CPU has; or all
};
void explain(const explain_options& options);

/// plait reorder IN OUT --from TAG --to TAG [--dims DIMS].
struct reorder_options {
    std::string in, out, from, to, dims;
};
void reorder(const reorder_options& options);

/// plait choose GRAPH.json [--svg FILE] [--runs N] [--factors FILE]: the formats of a graph that cost least.
struct choose_options {
    std::string graph, svg, factors;
    std::int64_t runs = 0;
};
void choose(const choose_options& options);

/// plait demo: a large activation tensor to nChw16c and back, checked, beside memcpy.
void demo();

/// A tag from the command line; throws failure with the reason and the column.
plait::format_tag read_tag(const std::string& text);
/// "2x17x5x4".
plait::dims read_dims(const std::string& text);

/// The shape of the array that a layout's memory is: the outer extents in the order of the tag, then the inner blocks.
std::vector<std::int64_t> memory_shape(const plait::layout& l, const plait::format_tag& tag);

/// Moves elements of 1, 2, 4 or 8 bytes between run-time layouts.
void move_elements(int element_bytes, const plait::layout& src, const buffer& in, const plait::layout& dst,
                   buffer& out);

}  // namespace tool
