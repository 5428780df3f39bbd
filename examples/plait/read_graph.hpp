#pragma once
// A graph as a JSON file says it.

#include "commands.hpp"

#include <plait/io/graph_names.hpp>

namespace tool {

/// A sentence that quotes a file, without its line breaks.
inline std::string in_one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return text;
}

/// What is asked for can be read, but not be done; ends the program with exit code 1.
struct refusal : std::runtime_error {
    explicit refusal(const std::string& sentence) : std::runtime_error(in_one_line(sentence)) {}
};

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
