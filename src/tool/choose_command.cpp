#include "commands.hpp"
#include "output_bytes.hpp"
#include "read_graph.hpp"

#include <plait/io/draw_choice.hpp>
#include <plait/io/explain_choice.hpp>

#include <iostream>

namespace tool {

/// Reads a graph; a part that does not fit in a graph, such as a 65th format, is reported like an error in the file.
static named_graph read_whole(const std::string& path) {
    try {
        return read_graph(path);
    } catch (const plait::rejection& refused) {
        throw refusal(path + ": " + refused.what());
    }
}

void choose(const choose_options& options) {
    plait::cost_options costs;
    costs.runs = options.runs;
    if (!options.factors.empty()) read_factors(options.factors, costs);
    const named_graph named = read_whole(options.graph);
    const auto chosen = plait::try_choose_formats(named.graph, costs);
    if (!chosen) throw refusal(options.graph + ": " + describe(chosen.error(), named));
    if (!options.svg.empty()) write_file(options.svg, plait::draw(named.graph, *chosen, named.names));
    if (!options.svg.empty() && is_standard_output(options.svg)) return;  // the picture is printed there
    std::cout << plait::explain(named.graph, *chosen, costs, named.names);
}

}  // namespace tool
