#pragma once
// Names of the tensors and operations of a graph, for output.

#include <plait/unit_flags.hpp>

#include <string>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Names by number; a tensor or operation without a name is called by its number.
struct graph_names {
    /// A format of a tensor, as its user wrote it.
    struct written_format {
        int tensor = 0;
        std::string letters;  ///< as a layout is printed: "acdb"
        std::string written;  ///< "nhwc"
    };
    std::vector<std::string> tensors, operations;
    std::vector<written_format> formats;

    std::string tensor(int number) const { return name_in(tensors, number); }
    std::string operation(int number) const { return name_in(operations, number); }

    /// Returns the text of a layout, "acdb 2x3x4x5", with its format as the user wrote it for this tensor, else for
    /// others if all have written the same; otherwise unchanged. The tensor is -1 if the text is about all of them.
    std::string layout(int tensor, const std::string& text) const {
        const std::size_t end = text.find(' ');
        const std::string letters = text.substr(0, end), rest = end == std::string::npos ? "" : text.substr(end);
        std::string found;
        bool is_unique = true;
        for (const written_format& each : formats) {
            if (each.letters != letters) continue;
            if (each.tensor == tensor) return each.written + rest;
            is_unique = is_unique && (found.empty() || found == each.written);
            found = each.written;
        }
        return found.empty() || !is_unique ? text : found + rest;
    }

private:
    static std::string name_in(const std::vector<std::string>& names, int number) {
        const auto at = static_cast<std::size_t>(number);
        return at < names.size() && !names[at].empty() ? names[at] : std::to_string(number);
    }
};

}  // namespace plait
