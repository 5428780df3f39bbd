#pragma once
// Names of the tensors and operations of a graph, for output.

#include <string>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Names by number; a tensor or operation without a name is called by its number.
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
