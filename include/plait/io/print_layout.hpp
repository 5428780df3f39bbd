#pragma once
// A layout as a grid of offsets, for terminals and debuggers.

#include <plait/io/plane_grid.hpp>

#include <algorithm>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Options for printing a layout.
struct printing_options {
    int columns = 80;      ///< width of the terminal, which no line of a grid exceeds
    int most_lines = 40;   ///< limit for the lines of planes
    bool colours = false;  ///< use ANSI colours, by the block of an element
};

namespace detail {
/// Prints the planes of a layout side by side, as many as fit.
class layout_printer {
public:
    layout_printer(const layout& l, drawing_options names, const printing_options& options)
        : l_(l), names_(fit(l, std::move(names), options)), options_(options), colours_(l, names_), grid_(l, names_) {}

    std::string text() const {
        std::string out = (names_.title.empty() ? to_string(l_) : names_.title) + '\n' + memory_text(l_) + '\n';
        if (grid_.planes_drawn == 0) return out;
        const std::string extent = grid_.extent_text(names_);
        const bool is_short = static_cast<int>(extent.size()) + 14 <= options_.columns;
        out += extent + (!l_.is_padded() ? "" : is_short ? "; ░ is padding" : "\n░ is padding") + '\n';
        const int fitting = (options_.columns + gap) / (width() + gap), across = fitting < 1 ? 1 : fitting;
        for (dim_t first = 0; first < grid_.planes_drawn; first += across) {
            const dim_t behind = first + across < grid_.planes_drawn ? first + across : grid_.planes_drawn;
            out += '\n' + planes(first, behind);
        }
        return out;
    }

private:
    static constexpr int gap = 3;
    const layout& l_;
    drawing_options names_;
    printing_options options_;
    block_colours colours_;
    plane_grid grid_;

    static int cell_width(const layout& l) {
        const std::size_t longest = std::to_string(l.offset0 + static_cast<dim_t>(l.element_span())).size();
        return static_cast<int>(longest) + (l.is_padded() ? 2 : 1);
    }
    /// Returns the width of the headings of rows: a letter and a number.
    static int heading_width(const layout& l, int axis) {
        return axis < 0 ? 0 : 1 + static_cast<int>(std::to_string(l.padded_dims[axis]).size());
    }
    /// Limits columns and planes to what fits.
    static drawing_options fit(const layout& l, drawing_options names, const printing_options& options) {
        names.most_columns = 1 << 20;
        const plane_grid whole(l, names);
        const int cells = options.columns - heading_width(l, whole.row_axis) - 2;
        const int widest = (std::max)(cell_width(l), heading_width(l, whole.column_axis) + 1);
        names.most_columns = cells / widest < 1 ? 1 : cells / widest;
        names.most_cells = 1 << 20;
        const plane_grid grid(l, names);
        const layout_printer one(l, names, grid, options);
        const dim_t across = (options.columns + gap) / (one.width() + gap);
        const dim_t down = options.most_lines / (grid.rows_drawn + 3);
        names.most_planes = (across < 1 ? 1 : across) * (down < 1 ? 1 : down);
        return names;
    }
    layout_printer(const layout& l, const drawing_options& names, const plane_grid& grid,
                   const printing_options& options)
        : l_(l), names_(names), options_(options), colours_(l, names), grid_(grid) {}

    int cell() const { return (std::max)(cell_width(l_), heading_width(l_, grid_.column_axis) + 1); }
    int width() const {
        const int more = grid_.columns_drawn < grid_.columns ? 2 : 0;
        const int cells = heading_width(l_, grid_.row_axis) + static_cast<int>(grid_.columns_drawn) * cell() + more;
        const dim_t last = grid_.planes > 0 ? grid_.planes - 1 : 0;
        return (std::max)(cells, static_cast<int>(grid_.caption(l_, grid_.corner(l_, last), names_).size()));
    }
    static std::string blanks(int count) { return std::string(static_cast<std::size_t>(count < 0 ? 0 : count), ' '); }
    /// Right-aligns `text`, whose visible width is `letters`.
    static std::string to_right(const std::string& text, int letters, int width) {
        return blanks(width - letters) + text;
    }
    std::string planes(dim_t first, dim_t behind) const {
        std::string out;
        if (!grid_.outer.empty())
            out += line(first, behind, [&](dim_t plane) { return grid_.caption(l_, grid_.corner(l_, plane), names_); });
        out += line(first, behind, [&](dim_t) {
            std::string text = blanks(heading_width(l_, grid_.row_axis));
            for (dim_t column = 0; column < grid_.columns_drawn; ++column) {
                const std::string heading = plane_grid::heading(l_, grid_.column_axis, column, names_);
                text += to_right(heading, static_cast<int>(heading.size()), cell());
            }
            return text;
        });
        for (dim_t row = 0; row < grid_.rows_drawn; ++row)
            out += line(first, behind, [&](dim_t plane) { return row_of(plane, row); });
        if (grid_.rows_drawn < grid_.rows) out += line(first, behind, [](dim_t) { return std::string("⋮"); });
        return out;
    }
    std::string row_of(dim_t plane, dim_t row) const {
        const std::string heading = plane_grid::heading(l_, grid_.row_axis, row, names_);
        std::string out = heading + blanks(heading_width(l_, grid_.row_axis) - static_cast<int>(heading.size()));
        const position corner = grid_.corner(l_, plane);
        for (dim_t column = 0; column < grid_.columns_drawn; ++column) {
            const position at = grid_.at(corner, row, column);
            const std::string number = std::to_string(l_.padded_offset(at));
            const int letters = static_cast<int>(number.size());
            if (!is_element_at(l_, at)) out += to_right(dim_text("░" + number), letters + 1, cell());
            else if (options_.colours) out += ' ' + coloured(to_right(number, letters, cell() - 1), at);
            else out += to_right(number, letters, cell());
        }
        return out + (grid_.columns_drawn < grid_.columns ? " …" : "");
    }
    /// Returns the text in black on a light colour, which is legible with any colours of the terminal.
    std::string coloured(const std::string& text, const position& at) const {
        constexpr const char* tints[] = {"153", "223", "157", "218", "183", "229", "159", "180"};
        return std::string("\x1b[38;5;16;48;5;") + tints[colours_.of(index_in_tensor(l_, at))] + 'm' + text + "\x1b[0m";
    }
    std::string dim_text(const std::string& text) const {
        return options_.colours ? "\x1b[2m" + text + "\x1b[0m" : text;
    }
    /// Joins one line of each plane side by side.
    template <class LineOfPlane>
    std::string line(dim_t first, dim_t behind, LineOfPlane of) const {
        std::string out;
        int wanted = 0, there = 0;
        for (dim_t plane = first; plane < behind; ++plane, wanted += width() + gap) {
            const std::string text = of(plane);
            out += blanks(wanted - there) + text;
            there = wanted + letters_shown(text);
        }
        while (!out.empty() && out.back() == ' ') out.pop_back();
        return out + '\n';
    }
    /// Returns the visible width of a text: characters of several bytes count once, colour codes not at all.
    static int letters_shown(const std::string& text) {
        int count = 0;
        bool in_colour = false;
        for (const char c : text) {
            if (c == '\x1b') in_colour = true;
            else if (in_colour) in_colour = c != 'm';
            else count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        }
        return count;
    }
};
}  // namespace detail

/// Returns a layout as a grid of offsets: the tensor in planes side by side, with padding marked, as wide as a
/// terminal. The text states how much is left out.
///
/// Refused: as check_draw(l)
/// Pre:     check_draw(l).ok()
/// Post:    the text that `plait show` prints; each number is l.padded_offset of its index; deterministic
/// Cost:    O(size of the text); allocates
/// Source:  seeds/understanding-memory-formats.md
/// Example: std::cout << print_layout(layout({1, 17, 2, 3}, "nChw8c"))
inline std::string print_layout(const layout& l, const drawing_options& names = {},
                                const printing_options& options = {}) {
    require(check_draw(l));
    return detail::layout_printer(l, names, options).text();
}

}  // namespace plait
