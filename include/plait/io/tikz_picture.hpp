#pragma once
// Writes a picture as TikZ, for LaTeX.

#include <plait/io/picture.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
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
