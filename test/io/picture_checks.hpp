#pragma once
// Checks for every picture: nothing overlaps, and the XML is valid.

#include <plait/io/picture.hpp>

#include <cctype>
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

/// Returns the boxes of all parts with one name.
inline std::vector<plait::picture_box> boxes_of(const plait::picture& p, const std::string& part) {
    std::vector<plait::picture_box> out;
    for (const plait::picture_box& b : p.boxes)
        if (p.parts[static_cast<std::size_t>(b.part)] == part) out.push_back(b);
    return out;
}

}  // namespace plait_test
