#pragma once
// Boxes of text, with arrows between them, in layers from top to bottom, as SVG.

#include <plait/io/xml_text.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A drawing of boxes in layers: each box is in the layer after the last one that points to it. An arrow across several
/// layers gets a place in each, so that no box covers an arrow or another box.
///
/// Pre:     the arrows form no cycle
/// Post:    the same calls give the same text
/// Cost:    O(layers times boxes squared)
/// Example: test/io/draw_choice.cpp
class layered_drawing {
public:
    /// Adds a box with one or more lines. `style` is its CSS class: "operation", "tensor", "reorder", "view".
    int add(const std::string& style, std::vector<std::string> lines) {
        boxes_.push_back({style, std::move(lines)});
        return static_cast<int>(boxes_.size()) - 1;
    }
    /// Adds an arrow; `style` is "" or "dashed".
    void connect(int from, int to, const std::string& style = "") { arrows_.push_back({from, to, style}); }

    std::string svg(const std::string& title) {
        set_ranks();
        split_long_arrows();
        set_places();
        int width = 0, height = 0;
        for (const box& b : boxes_) width = (std::max)(width, b.x + b.width), height = (std::max)(height, bottom_of(b));
        width = (std::max)(width, text_width(title)) + margin;
        height += margin;
        const std::string size = std::to_string(width) + ' ' + std::to_string(height);
        std::string out =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" + std::to_string(width) +
            "\" height=\"" + std::to_string(height) + "\">\n" + style() + "<title>" + xml_text(title) + "</title>\n" +
            "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n" + text_at(margin, margin + 4, "heading", title);
        for (const arrow& a : arrows_) out += line_of_arrow(a);
        for (const box& b : boxes_)
            if (!b.lines.empty()) out += rectangle(b);
        return out + "</svg>\n";
    }

private:
    static constexpr int margin = 16, line_height = 15, gap_across = 20, gap_down = 30, top = 40;
    struct box {
        std::string style;
        std::vector<std::string> lines;  // empty: an arrow passes through
        int rank = 0, x = 0, width = 0;
    };
    struct arrow {
        int from = 0, to = 0;
        std::string style;
    };
    std::vector<box> boxes_;
    std::vector<arrow> arrows_;
    std::vector<int> tops_;  // by layer

    box& at(int b) { return boxes_[static_cast<std::size_t>(b)]; }
    const box& at(int b) const { return boxes_[static_cast<std::size_t>(b)]; }
    int box_count() const { return static_cast<int>(boxes_.size()); }
    // At 12 pixels a monospaced letter is 7.2 wide; rounded up, because fonts differ.
    static int text_width(const std::string& text) {
        int letters = 0;
        for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        return letters * 37 / 5;
    }
    int height_of(const box& b) const { return static_cast<int>(b.lines.size()) * line_height + 12; }
    int bottom_of(const box& b) const { return tops_[static_cast<std::size_t>(b.rank)] + height_of(b); }

    /// Sets layers by longest paths, then moves inputs with a single arrow, and the chains after them, down to readers.
    void set_ranks() {
        for (int round = 0; round < box_count(); ++round) {
            bool moved = false;
            for (const arrow& a : arrows_)
                if (at(a.to).rank <= at(a.from).rank) at(a.to).rank = at(a.from).rank + 1, moved = true;
            if (!moved) break;
        }
        std::vector<bool> movable(boxes_.size());
        const auto into = [&](int b) {
            return std::count_if(arrows_.begin(), arrows_.end(), [&](const arrow& a) { return a.to == b; });
        };
        const auto out_of = [&](int b) {
            return std::count_if(arrows_.begin(), arrows_.end(), [&](const arrow& a) { return a.from == b; });
        };
        for (int b = 0; b < box_count(); ++b) movable[static_cast<std::size_t>(b)] = into(b) == 0 && out_of(b) == 1;
        for (int round = 0; round < 2; ++round)  // a tensor and its reorder
            for (const arrow& a : arrows_)
                if (movable[static_cast<std::size_t>(a.from)] && into(a.to) == 1 && out_of(a.to) == 1)
                    movable[static_cast<std::size_t>(a.to)] = true;
        for (int round = 0; round < 3; ++round)
            for (const arrow& a : arrows_)
                if (movable[static_cast<std::size_t>(a.from)]) at(a.from).rank = at(a.to).rank - 1;
    }
    void split_long_arrows() {
        std::vector<arrow> all;
        for (const arrow& a : arrows_) {
            int from = a.from;
            for (int rank = at(a.from).rank + 1; rank < at(a.to).rank; ++rank) {
                const int through = add("", {});
                at(through).rank = rank;
                all.push_back({from, through, a.style});
                from = through;
            }
            all.push_back({from, a.to, a.style});
        }
        arrows_ = all;
    }
    int middle(int b) const { return at(b).x + at(b).width / 2; }
    /// Sorts each layer by the mean position of the boxes above, and places each box there or after the previous one.
    void set_places() {
        int layers = 0;
        for (box& b : boxes_) {
            b.width = 4;
            for (const std::string& line : b.lines) b.width = (std::max)(b.width, text_width(line) + 20);
            layers = (std::max)(layers, b.rank + 1);
        }
        int y = top, least = 0;
        for (int rank = 0; rank < layers; ++rank) {
            std::vector<std::pair<int, int>> wanted;  // the wanted middle, and the box
            int height = 0;
            for (int b = 0; b < box_count(); ++b) {
                if (at(b).rank != rank) continue;
                wanted.emplace_back(mean_above(b), b);
                height = (std::max)(height, height_of(at(b)));
            }
            std::stable_sort(wanted.begin(), wanted.end(),
                             [](const auto& one, const auto& other) { return one.first < other.first; });
            int free = INT32_MIN;
            for (const auto& [where, b] : wanted) {
                at(b).x = (std::max)(free, where - at(b).width / 2);
                free = at(b).x + at(b).width + gap_across;
                least = (std::min)(least, at(b).x);
            }
            tops_.push_back(y);
            y += height + gap_down;
        }
        for (box& b : boxes_) b.x += margin - least;
    }
    /// Returns the mean position of the boxes that point to b. A box without arrows into it goes left.
    int mean_above(int b) const {
        int sum = 0, count = 0;
        for (const arrow& a : arrows_)
            if (a.to == b) sum += middle(a.from), ++count;
        return count == 0 ? 0 : sum / count;
    }

    static std::string text_at(int x, int y, const std::string& style, const std::string& text) {
        return "<text class=\"" + style + "\" x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\">" +
               xml_text(text) + "</text>\n";
    }
    std::string rectangle(const box& b) const {
        const int y = tops_[static_cast<std::size_t>(b.rank)];
        std::string out = "<rect class=\"" + b.style + "\" x=\"" + std::to_string(b.x) + "\" y=\"" + std::to_string(y) +
                          "\" width=\"" + std::to_string(b.width) + "\" height=\"" + std::to_string(height_of(b)) +
                          "\" rx=\"5\"/>\n";
        for (std::size_t k = 0; k < b.lines.size(); ++k)
            out += text_at(b.x + b.width / 2, y + 17 + static_cast<int>(k) * line_height, k == 0 ? "first" : "line",
                           b.lines[k]);
        return out;
    }
    std::string line_of_arrow(const arrow& a) const {
        const box &from = at(a.from), &to = at(a.to);
        const int y = bottom_of(from), end = tops_[static_cast<std::size_t>(to.rank)];
        // First straight down to the end of the layer, because boxes next to it may be higher.
        const int level = end - gap_down;
        std::string out = "<path class=\"arrow " + a.style + "\" d=\"M" + std::to_string(middle(a.from)) + ' ' +
                          std::to_string(from.lines.empty() ? tops_[static_cast<std::size_t>(from.rank)] : y) + " V" +
                          std::to_string(level) + " L" + std::to_string(middle(a.to)) + ' ' + std::to_string(end) + '"';
        return out + (to.lines.empty() ? "/>\n" : " marker-end=\"url(#head)\"/>\n");
    }
    static std::string style() {
        return R"(<style>
text { font: 12px ui-monospace, 'DejaVu Sans Mono', monospace; fill: #1f2328; text-anchor: middle; }
.heading { font-weight: bold; text-anchor: start; }
.first { font-weight: bold; }
.paper { fill: #ffffff; }
.operation { fill: #ddf4ff; stroke: #0969da; }
.tensor { fill: #f6f8fa; stroke: #8c959f; }
.reorder { fill: #fff1e5; stroke: #bc4c00; }
.view { fill: #dafbe1; stroke: #1a7f37; }
.arrow { fill: none; stroke: #57606a; stroke-width: 1.2; }
.dashed { stroke-dasharray: 5 3; }
#head path { fill: #57606a; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.paper { fill: #0d1117; }
.operation { fill: #0c2d4d; stroke: #58a6ff; }
.tensor { fill: #161b22; stroke: #6e7681; }
.reorder { fill: #3d1f00; stroke: #f0883e; }
.view { fill: #0f2f1a; stroke: #3fb950; }
.arrow { stroke: #8b949e; }
#head path { fill: #8b949e; }
}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>
)";
    }
};

}  // namespace plait::detail
