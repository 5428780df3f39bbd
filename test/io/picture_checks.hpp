#pragma once
// Checks for every picture: nothing overlaps, the XML is valid, and the SVG has each box, text and arrow.

#include <plait/io/picture.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <vector>

namespace plait_test {

struct area {
    int x = 0, y = 0, width = 0, height = 0;

    bool overlaps(const area& other) const {
        return x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height;
    }
};
inline area area_of(const plait::picture_box& b) { return {b.x, b.y, b.width, b.height}; }
/// Returns the area of a text, from the top of its capitals to below its base line.
inline area area_of(const plait::picture_text& t) {
    const int above = plait::detail::line_height_of(t.style) * 3 / 5;
    return {t.left(), t.y - above, t.right() - t.left(), above + 2};
}

/// Returns the number of overlapping pairs of boxes and texts, of lines too long for their box, and of areas outside.
inline int overlaps_in(const plait::picture& p) {
    std::vector<area> areas;
    for (const plait::picture_box& b : p.boxes) areas.push_back(area_of(b));
    for (const plait::picture_text& t : p.texts) areas.push_back(area_of(t));
    int count = 0;
    for (std::size_t a = 0; a < areas.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) count += areas[a].overlaps(areas[b]);
    for (const plait::picture_box& b : p.boxes)
        for (std::size_t k = 0; k < b.lines.size(); ++k)
            count += plait::detail::text_width(b.lines[k], b.style_of(k)) > b.width;
    for (const area& a : areas) count += a.x < 0 || a.y < 0 || a.x + a.width > p.width() || a.y + a.height > p.height();
    return count;
}

/// Returns the first XML error of a text, or an empty text: an unmatched tag, or a bare & or <.
inline std::string problem_in_xml(const std::string& text) {
    std::vector<std::string> inside;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '&') {
            const std::size_t end = text.find(';', at);
            if (end == std::string::npos || end - at > 5) return "a bare & at " + std::to_string(at);
            at = end;
        }
        if (text[at] != '<') {
            ++at;
            continue;
        }
        std::size_t end = at + 1;
        for (bool in_quotes = false; end < text.size() && (in_quotes || text[end] != '>'); ++end) {
            if (text[end] == '<') return "a < in a tag at " + std::to_string(end);
            if (text[end] == '"') in_quotes = !in_quotes;
        }
        if (end >= text.size()) return "a tag without an end at " + std::to_string(at);
        const std::string tag = text.substr(at + 1, end - at - 1), name = tag.substr(0, tag.find_first_of(" /", 1));
        if (tag[0] == '/') {
            if (inside.empty() || inside.back() != name.substr(1)) return name + " ends nothing";
            inside.pop_back();
        } else if (tag.back() != '/') {
            inside.push_back(name);
        }
        at = end + 1;
    }
    return inside.empty() ? "" : inside.back() + " has no end";
}

inline int count_in(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// Returns the value of an attribute of a tag, or an empty text.
inline std::string attribute_of(const std::string& tag, const std::string& name) {
    const std::size_t at = tag.find(' ' + name + "=\"");
    if (at == std::string::npos) return "";
    const std::size_t begin = at + name.size() + 3;
    return tag.substr(begin, tag.find('"', begin) - begin);
}
inline std::string without_entities(std::string text) {
    for (const auto& [entity, character] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
        for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
            text.replace(at, std::string(entity).size(), character);
    return text;
}
inline std::string joined(std::initializer_list<std::string> words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : "|") + word;
    return out;
}

/// Returns a line for each box, text and arrow in the parts of an SVG, sorted: its part, kind, place and text.
inline std::vector<std::string> drawn_in(const std::string& svg) {
    std::vector<std::string> out;
    std::string part;
    for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
        const std::size_t end = svg.find('>', at);
        const std::string tag = svg.substr(at + 1, end - at - 1), kind = attribute_of(tag, "class");
        const std::string x = attribute_of(tag, "x"), y = attribute_of(tag, "y");
        if (tag[0] == 'g' && tag[1] == ' ') part = without_entities(kind);
        if (tag == "/g") part.clear();
        if (part.empty()) continue;
        if (tag.starts_with("rect "))
            out.push_back(joined({part, kind, x, y, attribute_of(tag, "width"), attribute_of(tag, "height")}));
        if (tag.starts_with("text "))
            out.push_back(
                joined({part, kind, x, y, without_entities(svg.substr(end + 1, svg.find('<', end) - end - 1))}));
        if (tag.starts_with("path ")) out.push_back(joined({part, kind, attribute_of(tag, "d")}));
    }
    std::sort(out.begin(), out.end());
    return out;
}
/// Returns the lines of drawn_in that the SVG of a picture must have.
inline std::vector<std::string> wanted_in_svg(const plait::picture& p) {
    using plait::detail::box_kind;
    constexpr const char* styles[] = {"heading", "caption", "note", "offset", "index"};
    constexpr const char* kinds[] = {"element", "padding", "gap", "frame"};
    const auto n = [](int value) { return std::to_string(value); };
    const auto part = [&p](int number) { return p.parts[static_cast<std::size_t>(number)]; };
    std::vector<std::string> out;
    for (const plait::picture_box& b : p.boxes) {
        const std::string kind = std::string(kinds[static_cast<int>(b.kind)]) +
                                 (b.kind == box_kind::element ? " tint" + n(b.tint) : "") +
                                 (b.is_marked ? " marked" : "");
        out.push_back(joined({part(b.part), kind, n(b.x), n(b.y), n(b.width), n(b.height)}));
        for (std::size_t k = 0; k < b.lines.size(); ++k)
            out.push_back(joined({part(b.part), std::string(styles[static_cast<int>(b.style_of(k))]) + " middle",
                                  n(b.x + b.width / 2), n(b.base_of(k)), b.lines[k]}));
    }
    for (const plait::picture_text& t : p.texts)
        out.push_back(joined(
            {part(t.part),
             std::string(styles[static_cast<int>(t.style)]) + (t.anchor == plait::text_anchor::middle ? " middle" : ""),
             n(t.x), n(t.y), t.text}));
    for (const plait::picture_arrow& a : p.arrows)
        out.push_back(joined(
            {part(a.part), "arrow", "M" + n(a.from_x) + ' ' + n(a.from_y) + " L" + n(a.to_x) + ' ' + n(a.to_y)}));
    std::sort(out.begin(), out.end());
    return out;
}
/// Returns the number of boxes, texts and arrows that a picture has and its SVG lacks, or the other way round.
inline int wrong_in_svg(const plait::picture& p, const std::string& svg) {
    const std::vector<std::string> drawn = drawn_in(svg), wanted = wanted_in_svg(p);
    std::vector<std::string> differ;
    std::set_symmetric_difference(drawn.begin(), drawn.end(), wanted.begin(), wanted.end(), std::back_inserter(differ));
    return static_cast<int>(differ.size());
}

/// Returns the boxes of all parts with one name.
inline std::vector<plait::picture_box> boxes_of(const plait::picture& p, const std::string& part) {
    std::vector<plait::picture_box> out;
    for (const plait::picture_box& b : p.boxes)
        if (p.parts[static_cast<std::size_t>(b.part)] == part) out.push_back(b);
    return out;
}

}  // namespace plait_test
