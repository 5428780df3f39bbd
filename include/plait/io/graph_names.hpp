#pragma once
// What tensors and operations of a graph are called where it is shown.

#include <string>
#include <vector>

namespace plait {

/// Names by number; what has none is called by its number.
struct graph_names {
    std::vector<std::string> tensors, operations;

    std::string tensor(int number) const { return name_in(tensors, number); }
    std::string operation(int number) const { return name_in(operations, number); }

private:
    static std::string name_in(const std::vector<std::string>& names, int number) {
        const auto at = static_cast<std::size_t>(number);
        return at < names.size() && !names[at].empty() ? names[at] : std::to_string(number);
    }
};

}  // namespace plait
