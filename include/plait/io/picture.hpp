#pragma once
// A picture as data: boxes with lines of text, texts, and arrows, in pixels. For output use svg_picture.hpp or
// tikz_picture.hpp.

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
        for (const picture_box& b : boxes) right = std::max(right, b.x + b.width);
        for (const picture_text& t : texts) right = std::max(right, t.right());
        for (const picture_arrow& a : arrows) right = std::max({right, a.from_x, a.to_x});
        return right + margin;
    }
    int height() const {
        int bottom = 0;
        for (const picture_box& b : boxes) bottom = std::max(bottom, b.y + b.height);
        for (const picture_text& t : texts) bottom = std::max(bottom, t.y + 4);
        for (const picture_arrow& a : arrows) bottom = std::max({bottom, a.from_y, a.to_y});
        return bottom + margin;
    }

private:
    int here() const { return static_cast<int>(parts.size()) - 1; }
};

}  // namespace plait
