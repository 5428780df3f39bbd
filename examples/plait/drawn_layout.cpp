#include "drawn_layout.hpp"

namespace tool {
namespace {

/// What is behind the character, which is cut off with it; empty where it is not there.
std::string cut(std::string& text, char at) {
    const std::size_t place = text.find(at);
    if (place == std::string::npos) return "";
    const std::string behind = text.substr(place + 1);
    if (behind.empty()) throw failure("layout '" + text + "': nothing follows '" + at + "'");
    text.resize(place);
    return behind;
}

plait::strides read_strides(const std::string& text) {
    plait::strides out;
    for (const plait::dim_t number : read_dims(text)) out.push_back(number);
    return out;
}

}  // namespace

drawn_layout read_drawn_layout(const std::string& tag_text, const std::string& dims_text) {
    const std::string typed = tag_text + ' ' + dims_text;
    std::string tag = tag_text, dims = dims_text;
    const std::string offset = cut(dims, '+');
    const std::string at_tag = cut(tag, ':'), at_dims = cut(dims, ':');
    if (!at_tag.empty() && !at_dims.empty()) throw failure("layout " + typed + ": strides are said twice");
    const plait::format_tag read = read_tag(tag);
    const plait::dims extents = read_dims(dims);
    const std::string& steps = at_tag.empty() ? at_dims : at_tag;
    const auto refuse = [&typed](const plait::verdict& why) {
        if (!why.ok()) throw failure("layout " + typed + ": " + plait::describe(why).c_str());
    };
    const auto made =
        steps.empty() ? plait::try_layout(extents, read) : plait::try_layout(extents, read, read_strides(steps));
    if (!made) refuse(made.error());
    drawn_layout out{*made, plait::drawing_options::of(typed)};
    if (!offset.empty()) {
        const plait::dims begin = read_dims(offset);
        if (begin.size() != 1) throw failure("layout " + typed + ": offset '+" + offset + "' is not one number");
        out.layout.offset0 = begin[0];
    }
    if (out.layout.kind == plait::format_kind::blocked) refuse(plait::check_layout(out.layout));
    return out;
}

}  // namespace tool
