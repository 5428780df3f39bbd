#pragma once
// Writes a picture as SVG, with colours for light and dark pages.

#include <plait/io/picture.hpp>
#include <plait/io/xml_text.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Writes a picture as an SVG document.
class svg_writer {
public:
    explicit svg_writer(const picture& drawn) : from_(drawn) {}

    std::string text() {
        const std::string width = std::to_string(from_.width()), height = std::to_string(from_.height());
        out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + ' ' + height + "\" width=\"" +
               width + "\" height=\"" + height + "\">\n<title>" + xml_text(from_.title) + "</title>\n";
        out_ += style();
        out_ += "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";
        for (int part = 0; part < static_cast<int>(from_.parts.size()); ++part) add_part(part);
        return out_ + "</svg>\n";
    }

private:
    const picture& from_;
    std::string out_;

    static std::string attribute(const char* name, int value) {
        return std::string(" ") + name + "=\"" + std::to_string(value) + '"';
    }
    void add_part(int part) {
        out_ += "<g class=\"" + xml_text(from_.parts[static_cast<std::size_t>(part)]) + "\">\n";
        for (const picture_box& b : from_.boxes)
            if (b.part == part) add_box(b);
        for (const picture_text& t : from_.texts)
            if (t.part == part) add_line(t.x, t.y, t.style, t.anchor == text_anchor::middle, t.text);
        for (const picture_arrow& a : from_.arrows)
            if (a.part == part)
                out_ += "<path class=\"arrow\" d=\"M" + std::to_string(a.from_x) + ' ' + std::to_string(a.from_y) +
                        " L" + std::to_string(a.to_x) + ' ' + std::to_string(a.to_y) +
                        "\" marker-end=\"url(#head)\"/>\n";
        out_ += "</g>\n";
    }
    void add_box(const picture_box& b) {
        out_ += "<rect class=\"" + name_of(b) + (b.is_marked ? " marked" : "") + '"' + attribute("x", b.x) +
                attribute("y", b.y) + attribute("width", b.width) + attribute("height", b.height) + "/>\n";
        for (std::size_t k = 0; k < b.lines.size(); ++k)
            add_line(b.x + b.width / 2, b.base_of(k), b.style_of(k), true, b.lines[k]);
    }
    static std::string name_of(const picture_box& b) {
        switch (b.kind) {
            case box_kind::element: return "element tint" + std::to_string(b.tint);
            case box_kind::padding: return "padding";
            case box_kind::gap: return "gap";
            case box_kind::frame: break;
        }
        return "frame";
    }
    void add_line(int x, int y, text_style style, bool is_centred, const std::string& text) {
        constexpr const char* names[] = {"heading", "caption", "note", "offset", "index"};
        const std::string name = names[static_cast<int>(style)];
        out_ += "<text class=\"" + name + (is_centred ? " middle" : "") + '"' + attribute("x", x) + attribute("y", y) +
                '>' + xml_text(text) + "</text>\n";
    }
    static const char* style() {
        return R"svg(<style>
text { font: 11px ui-monospace, 'DejaVu Sans Mono', monospace; fill: #1f2328; }
.heading { font-size: 14px; font-weight: bold; }
.caption { font-weight: bold; }
.note { fill: #57606a; }
.index { font-size: 8.5px; fill: #424a53; }
.middle { text-anchor: middle; }
.paper { fill: #ffffff; }
.element, .padding { stroke: #8c959f; stroke-width: 0.7; }
.tint0 { fill: #cfe5ff; } .tint1 { fill: #ffe0b5; } .tint2 { fill: #cdeecb; } .tint3 { fill: #fad0e4; }
.tint4 { fill: #e2d6fc; } .tint5 { fill: #fff3a6; } .tint6 { fill: #bfeeea; } .tint7 { fill: #ecd5c0; }
.padding { fill: url(#hatch); }
#hatch rect { fill: #f6f8fa; }
#hatch path { stroke: #b6bec7; stroke-width: 1.2; }
.padding + text, .padding + text + text { paint-order: stroke; stroke: #f6f8fa; stroke-width: 4px; stroke-linejoin: round; }
.gap { fill: none; stroke: #b6bec7; stroke-width: 0.7; stroke-dasharray: 2 2; }
.frame { fill: #f6f8fa; stroke: #8c959f; stroke-width: 0.7; }
.marked { stroke: #cf222e; stroke-width: 2.5; }
.arrow { fill: none; stroke: #57606a; stroke-width: 1.4; }
#head path { fill: #57606a; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.note { fill: #9ea7b1; }
.index { fill: #c3ccd5; }
.paper { fill: #0d1117; }
.element, .padding { stroke: #6e7681; }
.tint0 { fill: #17477a; } .tint1 { fill: #74470c; } .tint2 { fill: #1d5a2a; } .tint3 { fill: #762650; }
.tint4 { fill: #4a3b88; } .tint5 { fill: #5f560a; } .tint6 { fill: #0d5955; } .tint7 { fill: #5c4632; }
#hatch rect { fill: #161b22; }
#hatch path { stroke: #7d8590; }
.padding + text, .padding + text + text { stroke: #161b22; }
.gap { stroke: #3d444d; }
.frame { fill: #161b22; stroke: #6e7681; }
.marked { stroke: #ff7b72; }
.arrow { stroke: #9ea7b1; }
#head path { fill: #9ea7b1; }
}
</style>
<defs>
<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7"/><path d="M0 0 V7"/></pattern>
<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker>
</defs>
)svg";
    }
};
}  // namespace detail

/// Returns the picture as an SVG document, legible on light and dark pages.
///
/// Pre:     none; any picture
/// Post:    valid XML; each box is a <rect> in the <g> of its part; the same picture gives the same text
/// Cost:    O(boxes + texts); allocates
/// Source:  SVG 1.1
/// Example: test/io/draw.cpp
inline std::string svg_of(const picture& from) { return detail::svg_writer(from).text(); }

}  // namespace plait
