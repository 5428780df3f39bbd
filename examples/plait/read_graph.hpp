#pragma once
// A graph as a JSON file says it.

#include "commands.hpp"

#include <plait/io/graph_names.hpp>
#include <plait/plait.hpp>

namespace tool {

/// A graph, or the file that says it, is refused.
using refusal = failure;

struct named_graph {
    plait::large_graph graph;
    plait::graph_names names;
};

/// Reads a graph. Refused, with the name of the tensor or operation: text that is no JSON (with line and column), what
/// the schema in docs/how-to.md does not have, names that are unknown or doubled.
named_graph read_graph(const std::string& path);

/// The factors of the classes of reorders, as `./dev bench formats` writes them.
void read_factors(const std::string& path, plait::cost_options& options);

/// The sentence of a verdict about a graph, with the names of the operation and the tensor.
std::string describe(const plait::verdict& why, const named_graph& named);

}  // namespace tool
