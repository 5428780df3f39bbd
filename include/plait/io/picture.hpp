#pragma once
// A picture as data: boxes with lines of text, texts, and arrows, in pixels; and as a document: SVG, with colours
// for light and dark pages, or TikZ, for LaTeX.

#include <plait/io/xml_text.hpp>
#include <plait/unit_flags.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The kind of a box, which determines how it is filled.
enum class box_kind {
    element,  ///< an element of the tensor, in the colour of its block
    padding,  ///< a place of the padded tensor, hatched
    gap,      ///< an unused place, with a dashed border
    frame     ///< text: a digit, a legend
};
}  // namespace detail
/// How text is set: large and bold, bold, plain, and the two lines of a cell.
enum class text_style { heading, caption, note, offset, index };
/// The point of a text at its position.
enum class text_anchor { start, middle };

namespace detail {
/// Returns the maximal width of a text in pixels: fonts are monospaced, and a letter is about 0.62 of the font size.
inline int text_width(const std::string& text, text_style style) {
    int letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    constexpr int tenths[] = {87, 70, 70, 68, 53};
    return (letters * tenths[static_cast<int>(style)] + 9) / 10;
}

/// Returns the distance between the tops of two lines, in pixels.
inline constexpr int line_height_of(text_style style) {
    return style == text_style::heading ? 20 : style == text_style::index ? 11 : style == text_style::offset ? 14 : 16;
}
}  // namespace detail

/// A rectangle with centred lines of text.
struct picture_box {
    int x = 0, y = 0, width = 0, height = 0;
    detail::box_kind kind = detail::box_kind::frame;
    int tint = 0;            ///< the number of the colour, for an element
    bool is_marked = false;  ///< drawn with a thick border
    std::vector<std::string> lines;
    int part = 0;  ///< index into picture::parts

    /// Returns the style of a line: a cell has its offset above its index, a frame its name above other text.
    text_style style_of(std::size_t line) const {
        if (kind == detail::box_kind::frame) return line == 0 ? text_style::caption : text_style::note;
        return line == 0 ? text_style::offset : text_style::index;
    }
    /// Returns the y of the baseline of a line of text.
    int base_of(std::size_t line) const {
        int all = 0, before = 0;
        for (std::size_t k = 0; k < lines.size(); ++k) {
            all += detail::line_height_of(style_of(k));
            if (k <= line) before += detail::line_height_of(style_of(k));
        }
        return y + (height - all) / 2 + before - detail::line_height_of(style_of(line)) / 4;
    }
};

/// A text outside boxes.
struct picture_text {
    int x = 0, y = 0;  ///< of the baseline
    text_style style = text_style::note;
    text_anchor anchor = text_anchor::start;
    std::string text;
    int part = 0;

    int left() const { return anchor == text_anchor::start ? x : x - detail::text_width(text, style) / 2; }
    int right() const { return left() + detail::text_width(text, style); }
};

/// An arrow from one point to another.
struct picture_arrow {
    int from_x = 0, from_y = 0, to_x = 0, to_y = 0;
    int part = 0;
};

/// Boxes, texts and arrows; each belongs to a named part: "planes", "memory", "digits".
///
/// Post:    the same calls make the same picture; width() and height() include all of it and a margin
/// Example: test/io/draw.cpp
class picture {
public:
    static constexpr int margin = 16;

    std::string title;
    std::vector<std::string> parts;
    std::vector<picture_box> boxes;
    std::vector<picture_text> texts;
    std::vector<picture_arrow> arrows;

    /// Begins a part, to which all that is added afterwards belongs.
    void begin(const std::string& part) { parts.push_back(part); }
    void add(picture_box box) {
        box.part = here();
        boxes.push_back(std::move(box));
    }
    /// Adds a text whose line begins at y; returns where the next line begins.
    int add_text(int x, int y, text_style style, const std::string& text, text_anchor anchor = text_anchor::start) {
        const int line = detail::line_height_of(style);
        texts.push_back({x, y + line - line / 4, style, anchor, text, here()});
        return y + line;
    }
    void add_arrow(int from_x, int from_y, int to_x, int to_y) {
        arrows.push_back({from_x, from_y, to_x, to_y, here()});
    }

    int width() const {
        int right = 0;
        for (const picture_box& b : boxes) right = (std::max)(right, b.x + b.width);
        for (const picture_text& t : texts) right = (std::max)(right, t.right());
        for (const picture_arrow& a : arrows) right = (std::max)({right, a.from_x, a.to_x});
        return right + margin;
    }
    int height() const {
        int bottom = 0;
        for (const picture_box& b : boxes) bottom = (std::max)(bottom, b.y + b.height);
        for (const picture_text& t : texts) bottom = (std::max)(bottom, t.y + 4);
        for (const picture_arrow& a : arrows) bottom = (std::max)({bottom, a.from_y, a.to_y});
        return bottom + margin;
    }

private:
    int here() const { return static_cast<int>(parts.size()) - 1; }
};

namespace detail {

// Writes a picture as SVG, with colours for light and dark pages.
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

namespace detail {

// Writes a picture as TikZ, for LaTeX.
/// Escapes the special characters of LaTeX in a text.
inline std::string latex_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (std::string("%&#_{}$").find(c) != std::string::npos) (out += '\\') += c;
        else if (c == '\\') out += "\\textbackslash{}";
        else if (c == '~' || c == '^') out += std::string("\\") + c + "{}";
        else if (static_cast<unsigned char>(c) < 0x20) out += ' ';
        else out += c;
    }
    // Characters for which LaTeX fonts have no glyph.
    for (std::size_t at = 0; (at = out.find("⋮")) != std::string::npos;) out.replace(at, 3, "$\\vdots$");
    for (std::size_t at = 0; (at = out.find("…")) != std::string::npos;) out.replace(at, 3, "\\ldots{}");
    return out;
}

/// Writes a picture as a tikzpicture; a pixel is 0.75 points.
class tikz_writer {
public:
    explicit tikz_writer(const picture& drawn) : from_(drawn) {}

    std::string text() {
        out_ = "% " + one_line(from_.title) + "\n% needs \\usepackage{tikz} \\usetikzlibrary{patterns,arrows.meta}\n";
        constexpr const char* tints[] = {"CFE5FF", "FFE0B5", "CDEECB", "FAD0E4",
                                         "E2D6FC", "FFF3A6", "BFEEEA", "ECD5C0"};
        for (int tint = 0; tint < 8; ++tint)
            out_ += "\\definecolor{plait" + std::to_string(tint) + "}{HTML}{" + tints[tint] + "}\n";
        out_ +=
            "\\definecolor{plaitline}{HTML}{8C959F}\n\\definecolor{plaitmark}{HTML}{CF222E}\n"
            "\\begin{tikzpicture}[x=0.75pt, y=-0.75pt, inner sep=0pt, outer sep=0pt, line width=0.5pt]\n";
        for (const picture_box& b : from_.boxes) add_box(b);
        for (const picture_text& t : from_.texts) add_line(t.x, t.y, t.style, t.anchor == text_anchor::middle, t.text);
        for (const picture_arrow& a : from_.arrows)
            out_ += "\\draw[-{Stealth}, line width=1pt] " + place(a.from_x, a.from_y) + " -- " + place(a.to_x, a.to_y) +
                    ";\n";
        return out_ + "\\end{tikzpicture}\n";
    }

private:
    const picture& from_;
    std::string out_;

    static std::string place(int x, int y) { return '(' + std::to_string(x) + ',' + std::to_string(y) + ')'; }
    static std::string one_line(std::string text) {
        for (char& c : text)
            if (static_cast<unsigned char>(c) < 0x20) c = ' ';
        return text;
    }
    void add_box(const picture_box& b) {
        std::string options = "draw=plaitline";
        if (b.kind == box_kind::element) options += ", fill=plait" + std::to_string(b.tint);
        if (b.kind == box_kind::padding) options += ", pattern=north east lines, pattern color=plaitline!50";
        if (b.kind == box_kind::gap) options += ", dash pattern=on 1.5pt off 1.5pt";
        if (b.is_marked) options += ", draw=plaitmark, line width=1.6pt";
        out_ +=
            "\\path[" + options + "] " + place(b.x, b.y) + " rectangle " + place(b.x + b.width, b.y + b.height) + ";\n";
        for (std::size_t k = 0; k < b.lines.size(); ++k)
            add_line(b.x + b.width / 2, b.base_of(k), b.style_of(k), true, b.lines[k], b.kind == box_kind::padding);
    }
    /// Adds a line of text; with `on_paper` on white, so that hatching does not cross the letters.
    void add_line(int x, int y, text_style style, bool is_centred, const std::string& text, bool on_paper = false) {
        // In points: the pixels of the SVG times 0.75.
        constexpr const char* fonts[] = {"\\fontsize{10.5}{12}\\bfseries", "\\fontsize{8.2}{10}\\bfseries",
                                         "\\fontsize{8.2}{10}", "\\fontsize{8.2}{10}", "\\fontsize{6.4}{8}"};
        out_ += "\\node[anchor=" + std::string(is_centred ? "base" : "base west") + (on_paper ? ", fill=white" : "") +
                ", font=\\ttfamily" + fonts[static_cast<int>(style)] + "\\selectfont] at " + place(x, y) + " {" +
                latex_text(text) + "};\n";
    }
};
}  // namespace detail

/// Returns the picture as a tikzpicture, in light colours.
///
/// Pre:     none; any picture
/// Post:    a \path for each box, a \node for each line of text; the same picture gives the same text
/// Cost:    O(boxes + texts); allocates
/// Source:  the manual of PGF/TikZ 3
/// Example: test/io/draw.cpp
inline std::string tikz_of(const picture& from) { return detail::tikz_writer(from).text(); }

}  // namespace plait
