#pragma once
// Random patterns for rearrange with their meaning in einops. The meaning is computed by loops over the names, without
// plait's parser or algebra.

#include "laws/random_layouts.hpp"

#include <map>
#include <string>
#include <vector>

namespace plait_test {

/// A pattern with the axes of both sides. Each axis is a list of names, from outer to inner.
struct pattern_case {
    std::string text;
    std::map<std::string, dim_t> extents;
    std::vector<std::vector<std::string>> left, right;
    plait::dims parts, result;  ///< the extents of all names, left to right; the extents of the right side
    plait::permutation order;   ///< the numbers of the parts, in the order of the right side

    /// The extent of a name as the caller has to pass it: `dynamic` for the last name of each group, found by division.
    dim_t extent_of(const std::string& name) const {
        const auto at = given.find(name);
        return at == given.end() ? plait::dynamic : at->second;
    }
    std::map<std::string, dim_t> given;

    /// Calls action(left, right) with the indices of each element on both sides.
    template <class Action>
    void for_each_element(Action action) const {
        std::map<std::string, dim_t> index;
        for (const auto& [name, extent] : extents) {
            if (extent == 0) return;
            index[name] = 0;
        }
        const auto indices = [&](const std::vector<std::vector<std::string>>& side) {
            plait::position out;
            for (const auto& group : side) {
                dim_t number = 0;
                for (const std::string& name : group) number = number * extents.at(name) + index[name];
                out.push_back(number);
            }
            return out;
        };
        for (;;) {
            action(indices(left), indices(right));
            auto at = index.begin();
            for (; at != index.end(); ++at) {
                if (++at->second < extents.at(at->first)) break;
                at->second = 0;
            }
            if (at == index.end()) return;
        }
    }
};

inline std::string text_of_side(const std::vector<std::vector<std::string>>& side, random_source& random) {
    std::string out;
    for (const auto& group : side) {
        if (!out.empty()) out += ' ';
        if (group.empty()) out += random.once_in(2) ? "1" : "()";
        if (group.empty()) continue;
        const bool parentheses = group.size() > 1 || random.once_in(5);
        out += parentheses ? "(" : "";
        for (const std::string& name : group) out += (&name == &group[0] ? "" : " ") + name;
        out += parentheses ? ")" : "";
    }
    return out;
}

/// Returns a random pattern for these dims. The axes of "..." have the names "..0", "..1", and so on.
inline pattern_case random_pattern(random_source& random, const plait::dims& dims) {
    pattern_case out;
    const char* const words[] = {"n", "channels", "h", "w2", "_x", "B", "c", "g", "patch_1", "q", "r", "s"};
    std::vector<std::string> names;
    const int n = dims.size();
    // The axes first_rest to last_rest - 1 are the ellipsis.
    const bool has_rest = random.once_in(4);
    const int first_rest = has_rest ? static_cast<int>(random.between(0, n)) : n;
    const int last_rest = has_rest ? static_cast<int>(random.between(first_rest, n)) : n;
    std::string left_text;
    std::vector<std::vector<std::string>> before, behind;
    for (int a = 0; a < n; ++a) {
        std::vector<std::string> group;
        if (a >= first_rest && a < last_rest) {
            group.push_back(".." + std::to_string(a - first_rest));
            out.extents[group[0]] = dims[a];
        } else if (dims[a] != 1 || !random.once_in(2)) {
            dim_t rest = dims[a];
            const int count = static_cast<int>(random.once_in(2) ? 1 : random.between(2, 3));
            for (int k = 0; k < count && names.size() < 12; ++k) {
                dim_t extent = rest;
                if (k + 1 < count && names.size() < 6 && rest > 0) {
                    do extent = random.between(1, rest);
                    while (rest % extent != 0);
                    rest /= extent;
                } else {
                    k = count;
                }
                const std::string name = words[names.size()];
                names.push_back(name);
                group.push_back(name);
                out.extents[name] = extent;
            }
            for (std::size_t k = 0; k + 1 < group.size(); ++k) out.given[group[k]] = out.extents[group[k]];
        }
        for (const std::string& name : group) out.parts.push_back(out.extents[name]);
        out.left.push_back(group);
        (a < first_rest ? before : behind).push_back(group);
    }
    if (has_rest) behind.erase(behind.begin(), behind.begin() + (last_rest - first_rest));
    out.text = text_of_side(before, random) + (has_rest ? " ... " : " ") + text_of_side(behind, random) + "->";

    // The right side has the names and the ellipsis in random order, cut into groups.
    std::vector<std::string> items = names;
    if (has_rest) items.push_back("...");
    const plait::permutation order = random.order(static_cast<int>(items.size()));
    std::vector<std::vector<std::string>> groups;
    for (int i = 0; i < order.size(); ++i) {
        if (groups.size() < 2 && random.once_in(8)) groups.push_back({});
        if (groups.empty() || groups.back().empty() || !random.once_in(3)) groups.push_back({});
        groups.back().push_back(items[static_cast<std::size_t>(order[i])]);
    }
    if (groups.empty()) groups.push_back({});
    std::map<std::string, int> part_number;
    for (const auto& group : out.left)
        for (const std::string& name : group) part_number.emplace(name, static_cast<int>(part_number.size()));
    for (const auto& group : groups) {
        const bool joined = group.size() > 1 || group.empty() || random.once_in(3);
        if (out.text.back() != '>') out.text += ' ';
        out.text += group.empty() ? "1" : joined ? "(" : "";
        std::vector<std::string> whole;
        for (const std::string& item : group) {
            out.text += (&item == &group[0] ? "" : " ") + item;
            for (int r = 0; item == "..." && r < last_rest - first_rest; ++r) whole.push_back(".." + std::to_string(r));
            if (item != "...") whole.push_back(item);
        }
        out.text += !group.empty() && joined ? ")" : "";
        for (const std::string& name : whole) out.order.push_back(part_number[name]);
        if (!joined && group[0] == "...")
            for (const std::string& name : whole) out.right.push_back({name});
        else out.right.push_back(whole);
    }
    for (const auto& group : out.right) {
        dim_t extent = 1;
        for (const std::string& name : group) extent *= out.extents[name];
        out.result.push_back(extent);
    }
    return out;
}

}  // namespace plait_test
