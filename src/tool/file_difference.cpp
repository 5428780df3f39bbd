#include "file_difference.hpp"

namespace tool {

namespace {

/// Two arrays that are compared; one of them is missing if only one file has an array of this name.
struct array_pair {
    std::string name;  ///< empty if neither file has names
    const stored_array* sides[2] = {nullptr, nullptr};
};

const stored_array* find(const std::vector<stored_array>& arrays, const stored_array& like) {
    for (const stored_array& array : arrays)
        if (array.name == like.name && array.is_npy == like.is_npy) return &array;
    return nullptr;
}

/// Pairs the arrays of two files by their names; the one array of a file without names with the one array of the other.
std::vector<array_pair> pairs_of(const std::vector<stored_array>& first, const std::vector<stored_array>& second,
                                 const std::string (&files)[2]) {
    const auto is_nameless = [](const std::vector<stored_array>& arrays) {
        return arrays.size() == 1 && !arrays[0].name;
    };
    if (is_nameless(first) || is_nameless(second)) {
        for (const auto* arrays : {&first, &second}) {
            if (arrays->size() == 1) continue;
            const int here = arrays == &first ? 0 : 1;
            throw failure(files[1 - here] + " is one array, and " + files[here] + " has " +
                              std::to_string(arrays->size()) + " that are compared",
                          {line("nearest", "--only NAME, or " + files[here] + ":NAME")});
        }
        return {{"", {&first[0], &second[0]}}};
    }
    std::vector<array_pair> out;
    for (const stored_array& array : first) out.push_back({*array.name, {&array, find(second, array)}});
    for (const stored_array& array : second)
        if (find(first, array) == nullptr) out.push_back({*array.name, {nullptr, &array}});
    return out;
}

void check_names(const std::vector<array_pair>& pairs, const std::vector<std::string>& only,
                 const std::string (&files)[2]) {
    for (const std::string& name : only)
        if (std::none_of(pairs.begin(), pairs.end(), [&](const array_pair& p) {
                const auto has_name = [&](const stored_array* a) { return a != nullptr && a->name == name; };
                return has_name(p.sides[0]) || has_name(p.sides[1]);
            }))
            throw failure("neither " + files[0] + " nor " + files[1] + " has an array called '" + name + "'");
}

/// Compares arrays that cannot be read, or that are no arrays: the same bytes are the same. Throws failure otherwise.
void compare_members(const stored_array& a, const stored_array& b) {
    const held_bytes first = hold(a.member), second = hold(b.member);
    const bool is_same = a.unreadable && b.unreadable &&
                         std::equal(first.bytes.begin(), first.bytes.end(), second.bytes.begin(), second.bytes.end());
    if (!is_same) throw *(a.unreadable ? a : b).unreadable;
}

void compare_fields(file_difference& out, const std::string& name, const std::string& where, const stored_array& a,
                    const stored_array& b, const tolerance& allowed) {
    const auto parts_a = parts_of(*a.record), parts_b = parts_of(*b.record);
    const auto has = [](const std::vector<record_part>& parts, const std::string& path) {
        return std::any_of(parts.begin(), parts.end(), [&](const record_part& p) { return p.path == path; });
    };
    const auto called_field = [&](const std::string& path) {
        return (name.empty() ? "" : name + ", ") + "field " + path;
    };
    for (const record_part& part : parts_b)
        if (!has(parts_a, part.path)) out.only_in[1].push_back(called_field(part.path));
    for (const record_part& part : parts_a) {
        if (!has(parts_b, part.path)) out.only_in[0].push_back(called_field(part.path));
        else
            out.arrays.push_back(difference_of(called_field(part.path), where + ", field " + part.path,
                                               field_of(where, a, part.path), field_of(where, b, part.path), allowed));
    }
}

}  // namespace

file_difference difference_of(const std::vector<stored_array>& first, const std::vector<stored_array>& second,
                              const std::string (&files)[2], const std::vector<std::string>& only,
                              const tolerance& allowed) {
    const std::vector<array_pair> pairs = pairs_of(first, second, files);
    check_names(pairs, only, files);
    const std::string file = files[0] + " and " + files[1];
    file_difference out;
    out.count = pairs.size();
    for (const array_pair& pair : pairs) {
        const std::string name = pair.name.empty() && (pair.sides[0] == nullptr || !pair.sides[0]->name)
                                     ? ""
                                     : "'" + in_one_line(pair.name) + "'";
        const stored_array *a = pair.sides[0], *b = pair.sides[1];
        const std::string where = name.empty() ? file : file + ": " + name;
        if (a == nullptr || b == nullptr) out.only_in[a == nullptr ? 1 : 0].push_back(name);
        else if (a->unreadable || b->unreadable) compare_members(*a, *b);
        else if (a->record && b->record) compare_fields(out, name, where, *a, *b, allowed);
        else if (a->record || b->record) out.other_structure.push_back(name);
        else out.arrays.push_back(difference_of(name, where, *a, *b, allowed));
    }
    return out;
}

}  // namespace tool
