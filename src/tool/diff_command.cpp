#include "algebra_commands.hpp"
#include "layout_json.hpp"

#include <plait/algebra/same_memory.hpp>

#include <iostream>

namespace tool {

namespace {

/// Returns the index of the first element whose offset differs; -1 for each axis if there is none.
///
/// An offset is a sum of one number per axis, and so is the difference of two offsets. The first index whose offset
/// differs is therefore 0 on all axes but one: the last axis along which anything differs.
plait::position first_elsewhere(const plait::layout& a, const plait::layout& b) {
    plait::position at;
    for (int i = 0; i < a.ndims(); ++i) at.push_back(0);
    if (a.volume() == 0) return {};
    if (a.offset(at) != b.offset(at)) return at;
    for (int axis = a.ndims(); axis-- > 0; at[axis] = 0)
        for (at[axis] = 1; at[axis] < a.dims[axis]; ++at[axis])
            if (a.offset(at) != b.offset(at)) return at;
    return {};
}

/// Formats an index: "n=0 c=3 h=0 w=0".
std::string text_of(const plait::position& at, const std::string& letters) {
    std::string out;
    for (int i = 0; i < at.size(); ++i)
        out += (i == 0 ? "" : " ") + std::string(1, letters[static_cast<std::size_t>(i)]) + '=' + std::to_string(at[i]);
    return out;
}

/// Formats two texts: "60x20x5x1 in both", "60x20x5x1 and 60x1x15x3".
std::string both(const std::string& first, const std::string& second) {
    return first == second ? first + " in both" : first + " and " + second;
}

std::vector<std::string> table(const plait::layout& a, const plait::layout& b) {
    const auto memory = [](const plait::layout& l) {
        return std::to_string(l.element_span()) + " elements from offset " + std::to_string(l.offset0);
    };
    return {line("padded", both(plait::to_string(a.padded_dims), plait::to_string(b.padded_dims))),
            line("strides", both(plait::to_string(a.strides()), plait::to_string(b.strides()))),
            line("memory", both(memory(a), memory(b)))};
}

}  // namespace

void diff(const algebra_options& options) {
    const auto [first, second] = read_two_layouts(options.arguments);
    const std::string what = "diff: " + first.text + " and " + second.text + ": ";
    for (const named_layout* one : {&first, &second})
        if (one->layout.kind != plait::format_kind::blocked)
            throw failure(what + "'" + one->tag + "' does not say where elements are");
    const plait::layout &a = first.layout, &b = second.layout;
    if (a.dims != b.dims)
        throw failure(what + "the dims are " + plait::to_string(a.dims) + " and " + plait::to_string(b.dims));
    const plait::position at = plait::same_memory(a, b) ? plait::position{} : first_elsewhere(a, b);
    if (options.json) std::cout << json_of_difference(first, second, at);
    if (!at.empty())
        throw failure(what + "element " + text_of(at, letters_of(first.tag, a.ndims())) + " is at offset " +
                          std::to_string(a.offset(at)) + " in the first, at " + std::to_string(b.offset(at)) +
                          " in the second",
                      table(a, b));
    if (options.json) return;
    std::cout << first.text << " and " << second.text << " have every element at the same offset\n";
    for (const std::string& row : table(a, b)) std::cout << row << '\n';
}

}  // namespace tool
