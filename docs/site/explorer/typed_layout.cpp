#include "typed_layout.hpp"

namespace explorer {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Cuts the text at the character; the result is what was behind it, empty where it is not there.
std::string cut(std::string& text, char at, const std::string& whole) {
    const std::size_t place = text.find(at);
    if (place == std::string::npos) return "";
    const std::string behind = text.substr(place + 1);
    if (behind.empty()) throw refusal("layout '" + whole + "': nothing follows '" + at + "'");
    text.resize(place);
    return behind;
}

plait::format_tag read_tag(const std::string& text) {
    const auto tag = plait::parse_format_tag(text);
    if (!tag) throw refusal("format '" + text + "': " + plait::describe(plait::check_format_tag(text)).c_str());
    return *tag;
}

}  // namespace

plait::dims read_numbers(const std::string& text, const std::string& what) {
    plait::dims out;
    std::size_t at = 0;
    const auto stop = [&](std::size_t column, const char* why) {
        throw refusal(what + " '" + text + "': column " + std::to_string(column + 1) + why);
    };
    while (true) {
        const std::size_t start = at;
        plait::detail::checked_integer number;
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) number = number * 10 + (text[at] - '0');
        if (at == start || !number.ok()) stop(start, " is no number of 63 bits; write numbers as 2x17x5x4");
        if (out.full()) throw refusal(what + " '" + text + "': more than 12 numbers, and a layout has at most 12 axes");
        out.push_back(number.value);
        if (at == text.size()) return out;
        if (text[at] != 'x' && text[at] != ',') stop(at, " is neither 'x' nor ','; write numbers as 2x17x5x4");
        ++at;
    }
}

typed_layout read_layout(const std::string& format, const std::string& extents) {
    std::string tag = trimmed(format), dims = trimmed(extents);
    const std::string typed = tag.empty() ? dims : tag + ' ' + dims;
    if (dims.empty()) throw refusal("dims are missing; write them as 2x17x5x4");
    const std::string offset = cut(dims, '+', typed);
    const std::string at_tag = cut(tag, ':', typed), at_dims = cut(dims, ':', typed);
    if (!at_tag.empty() && !at_dims.empty()) throw refusal("layout '" + typed + "': strides are said twice");
    const plait::dims sizes = read_numbers(dims, "dims");
    const plait::format_tag read = tag.empty() ? plait::detail::plain_tag(sizes.size()) : read_tag(tag);
    const std::string& said = at_tag.empty() ? at_dims : at_tag;
    plait::strides steps;
    if (!said.empty())
        for (const plait::dim_t step : read_numbers(said, "strides")) steps.push_back(step);
    const auto made = said.empty() ? plait::try_layout(sizes, read) : plait::try_layout(sizes, read, steps);
    const auto refuse = [&typed](const plait::verdict& why) {
        if (!why.ok()) throw refusal("layout " + typed + ": " + plait::describe(why).c_str());
    };
    if (!made) refuse(made.error());
    typed_layout out{*made, plait::drawing_options::of(typed)};
    if (!offset.empty()) {
        const plait::dims begin = read_numbers(offset, "offset");
        if (begin.size() != 1) throw refusal("layout '" + typed + "': offset '+" + offset + "' is not one number");
        out.layout.offset0 = begin[0];
    }
    refuse(plait::check_draw(out.layout));
    const plait::dim_t last =
        plait::detail::has_elements(out.layout.padded_dims) ? plait::detail::largest_offset(out.layout) : 0;
    if (last >= most_places || out.layout.offset0 >= most_places - last)
        throw refusal("layout " + typed + ": its memory ends behind place " + plait::detail::grouped(most_places) +
                      ", where the explorer ends; the tool draws it");
    return out;
}

}  // namespace explorer
