#pragma once
// What the tool does, one function a command; those on layouts alone are in algebra_commands.hpp, reorder has its own.

#include "layout_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tool {

/// plait draw LAYOUT -o FILE, or draw --reorder FROM TO DIMS -o FILE [--type f32] [--to TYPE] [--isa NAME]: a picture.
struct draw_options {
    std::vector<std::string> arguments;  ///< a layout; of a reorder two formats and dims, or two layouts
    std::string output;                  ///< .svg, .png or .tex; "-": SVG to standard output
    std::int64_t cells = 0;  ///< how many cells of planes and of memory are drawn at most; 0: as many as are legible
    bool is_reorder = false;
    std::string type = "f32", to_type, isa = "avx2";  ///< of the reorder
};
void draw(const draw_options& options);

/// plait explain FROM TO DIMS [--type f32] [--to TYPE] [--isa NAME]: the plan of a reorder.
struct explain_options {
    std::vector<std::string> arguments;  ///< two formats and dims, or two layouts
    std::string type = "f32", to_type;   ///< empty: the same
    std::string isa;                     ///< empty: the widest that this CPU has; or all
    bool legend = false, json = false;
};
void explain(const explain_options& options);

/// plait choose GRAPH.json [--svg FILE] [--runs N] [--factors FILE]: the formats of a graph that cost least.
struct choose_options {
    std::string graph, svg, factors;
    std::int64_t runs = 0;
};
void choose(const choose_options& options);

/// plait bench FROM TO DIMS [--type f32] [--to TYPE] [--seconds 0.5]: how fast a reorder is, beside memcpy.
struct bench_options {
    std::vector<std::string> arguments;  ///< two formats and dims, or two layouts
    std::string type = "f32", to_type;   ///< empty: the same
    double seconds = 0.5;                ///< so long calls are repeated, half of them memcpy's; one at least
    bool json = false;
};
void bench(const bench_options& options);

}  // namespace tool
