#pragma once
// The tool's commands, one function per command. See also algebra_commands.hpp, reorder_command.hpp.

#include "layout_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tool {

/// plait draw LAYOUT -o FILE, or draw --reorder FROM TO DIMS -o FILE [--type f32] [--to TYPE] [--isa NAME]: a picture.
struct draw_options {
    std::vector<std::string> arguments;  ///< a layout; for a reorder two formats and dims, or two layouts
    std::string output;                  ///< .svg, .png or .tex; "-": SVG to standard output
    std::int64_t cells = 0;  ///< the maximum number of cells drawn of planes and of memory; 0: as many as are legible
    bool is_reorder = false;
    std::string type = "f32", to_type;  ///< for a reorder
    std::string isa;                    ///< empty: the widest that this CPU has
};
void draw(const draw_options& options);

/// plait explain FROM TO DIMS [--type f32] [--to TYPE] [--isa NAME]: the plan of a reorder.
struct explain_options {
    std::vector<std::string> arguments;  ///< two formats and dims, or two layouts
    std::string type = "f32", to_type;   ///< to_type empty: the same
    std::string isa;                     ///< empty: the widest that this CPU has; or "all"
    bool legend = false, json = false;
};
void explain(const explain_options& options);

/// plait prove FROM TO DIMS [--type f32] [--to TYPE] [--group NUMBERS] [--isa NAME]: the plan of a reorder, for
/// tools/check_certificate.py.
struct prove_options {
    std::vector<std::string> arguments;  ///< two formats and dims, or two layouts
    std::string type = "f32", to_type;   ///< to_type empty: the same
    std::string group;                   ///< how many indices along each axis share a scale; empty: there are none
    std::string isa;                     ///< empty: the widest that this CPU has
};
void prove(const prove_options& options);

/// plait choose GRAPH.json [--svg FILE] [--runs N] [--factors FILE]: the formats of a graph with the lowest cost.
struct choose_options {
    std::string graph, svg, factors;
    std::int64_t runs = 0;
};
void choose(const choose_options& options);

/// plait shard DIMS FROM [TO] [--type f32] [--to-type TYPE] [--svg FILE] [--json FILE] [--check FILE] [--in FILE...]
/// [--out FILE...]: who has what of a tensor over ranks, and what moves to another; the plan of it, and the move
/// between files.
struct shard_options {
    std::string dims, from, to;  ///< distributions: "64x64@2x2", "[Shard(0)]@4", "{devices=[2,2]0,1,2,3}"
    std::string type = "f32", to_type, svg;
    std::string json, check;  ///< the file that the plan is written to; one that must be of these distributions
    std::vector<std::string> in, out;  ///< the memory of each rank
};
void shard(const shard_options& options);

/// plait bench FROM TO DIMS [--type f32] [--to TYPE] [--seconds 0.5]: the speed of a reorder, compared with memcpy.
struct bench_options {
    std::vector<std::string> arguments;  ///< two formats and dims, or two layouts
    std::string type = "f32", to_type;   ///< to_type empty: the same
    double seconds = 0.5;                ///< how long calls are repeated, half of them memcpy's; at least one call
    bool json = false;
};
void bench(const bench_options& options);

}  // namespace tool
