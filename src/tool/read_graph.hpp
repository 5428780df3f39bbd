#pragma once
// Reads a graph from a JSON file.

#include "commands.hpp"

#include <plait/io/graph_names.hpp>
#include <plait/plait.hpp>

namespace tool {

/// The error for a graph, or for the file that describes it.
using refusal = failure;

struct named_graph {
    plait::large_graph graph;
    plait::graph_names names;
};

/// Reads a graph. Rejected, with the name of the tensor or operation: invalid JSON (with line and column), fields that
/// the schema in docs/how-to.md does not have, unknown or duplicate names.
named_graph read_graph(const std::string& path);

/// Reads the cost factors of the classes of reorders, as written by `./dev bench formats`.
void read_factors(const std::string& path, plait::cost_options& options);

/// Returns the sentence of a verdict about a graph, with the names of the operation and the tensor.
std::string describe(const plait::verdict& why, const named_graph& named);

}  // namespace tool
