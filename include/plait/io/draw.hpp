#pragma once
// Layouts as pictures: planes, memory and digits. For a reorder see draw_reorder.hpp, for the formats of a graph
// draw_choice.hpp.

#include <plait/io/drawing_options.hpp>
#include <plait/io/picture.hpp>
#include <plait/io/place_finder.hpp>
#include <plait/io/plane_grid.hpp>

#include <set>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {

// Memory as rows of places in the order of addresses: the length of a row, and which rows are drawn.

/// One row, or several that are not drawn.
struct memory_row {
    dim_t first = 0, end = 0;  ///< offsets in [first, end)
    bool is_drawn = true;
    bool is_empty = false;  ///< no element and no padding is there
};

/// The rows of a layout's memory; consecutive rows that are empty or left out are one entry.
///
/// A row is as long as the stride of some digit, so that cells in a column differ in that digit only. If no stride
/// fits, a row is as long as a part of one.
///
/// Pre:     check_draw(l).ok(); most_places > 0
/// Post:    the entries cover each offset of the span once, in order
/// Cost:    O(entries)
class memory_rows {
public:
    /// Chooses the rows; `marked` are places to draw first if there are more than most_places.
    memory_rows(const layout& l, int longest, dim_t most_places, const std::set<dim_t>& marked = {})
        : begin_(l.span_begin()),
          end_(l.span_begin() + static_cast<dim_t>(l.element_span())),
          length_(length_for(l, longest)) {
        const place_finder places(l);
        std::set<dim_t> chosen;  // rows, by number
        const dim_t rows = divide_up(end_ - begin_, length_);
        const dim_t most = most_places / length_ < 1 ? 1 : most_places / length_;
        for (const dim_t offset : marked)
            if (rows > most && static_cast<dim_t>(chosen.size()) < most) chosen.insert((offset - begin_) / length_);
        for (std::optional<dim_t> at = places.next(begin_); at && static_cast<dim_t>(chosen.size()) < most;) {
            const dim_t row = (*at - begin_) / length_;
            chosen.insert(row);
            at = places.next(begin_ + (row + 1) * length_);
        }
        dim_t from = begin_;
        for (const dim_t row : chosen) {
            leave_out(places, from, begin_ + row * length_);
            from = begin_ + (row + 1) * length_;
            if (from > end_) from = end_;
            rows_.push_back({begin_ + row * length_, from, true, false});
            drawn_ += from - rows_.back().first;
        }
        leave_out(places, from, end_);
    }

    const std::vector<memory_row>& rows() const { return rows_; }
    dim_t length() const { return length_; }
    /// Returns how many rows the next longer stride of a digit has; 1 if they are not whole.
    dim_t rows_of_step() const { return rows_of_step_; }
    dim_t drawn() const { return drawn_; }
    dim_t places() const { return end_ - begin_; }

private:
    dim_t begin_, end_, rows_of_step_ = 1, length_, drawn_ = 0;
    std::vector<memory_row> rows_;

    void leave_out(const place_finder& places, dim_t first, dim_t end) {
        if (first >= end) return;
        const std::optional<dim_t> next = places.next(first);
        rows_.push_back({first, end, false, !next || *next >= end});
    }
    dim_t length_for(const layout& l, int longest) {
        dim_t longer = static_cast<dim_t>(l.element_span());
        const dim_t length = length_below(l, longest, longer);
        if (longer % length == 0) rows_of_step_ = longer / length;
        return length;
    }
    /// Returns the length of a row; sets `longer` to the shortest stride that does not fit.
    static dim_t length_below(const layout& l, int longest, dim_t& longer) {
        const dim_t span = static_cast<dim_t>(l.element_span());
        if (span <= longest) return span < 1 ? 1 : span;
        const inline_list<dim_t, max_digits> values = reached_extents(l);
        dim_t step = 1;  // the longest stride that fits
        for (int k = 0; k < l.digits.size(); ++k) {
            if (values[k] < 2) continue;
            const dim_t stride = step_size(l.digits[k].stride);
            if (stride <= longest && stride > step) step = stride;
            if (stride > longest && stride < longer) longer = stride;
        }
        // Several steps, or a part of one: a divisor of the next stride.
        for (dim_t length = longest; length >= 2 * step || (length > step && step == 1 && 2 * length >= longest);
             --length)
            if (longer % length == 0 && length % step == 0) return length;
        return step > 1 ? step : longest;
    }
};

// A layout as a picture: its planes, its memory, and its digits, from top to bottom.
/// Draws parts of a layout from top to bottom. Each function starts at a given y and returns where it ended.
///
/// Pre:     check_draw(l).ok(); the layout outlives this object
class layout_picture {
public:
    static constexpr int row_height = 30, gap = 22, heading_gap = 6;

    /// Constructs an empty drawing; `colours` may be those of another layout of the same tensor.
    layout_picture(picture& into, const layout& l, const drawing_options& options, const block_colours& colours)
        : picture_(into), l_(l), options_(options), colours_(colours) {
        // The width of the widest text in any cell.
        position last;
        for (int a = 0; a < l.ndims(); ++a) last.push_back(l.padded_offsets[a] + largest_number(a));
        cell_ = (std::max)(
            text_width(index_text(l, last) + (is_injective(l) ? "" : " +99"), text_style::index),
            text_width(std::to_string(l.offset0 + static_cast<dim_t>(l.element_span())), text_style::offset));
        cell_ = (std::max)(cell_ + 6, 34);
    }

    int add_title(int y) {
        picture_.begin("title");
        y = picture_.add_text(picture::margin, y, text_style::heading, picture_.title);
        y = picture_.add_text(picture::margin, y, text_style::note, memory_text(l_));
        if (!has_elements(l_.dims)) return y;
        y = picture_.add_text(picture::margin, y, text_style::note,
                              "in a cell: the offset, below it the index; " + colours_.legend());
        return y;
    }
    /// Draws the tensor in planes, by index.
    int add_planes(int y) {
        picture_.begin("planes");
        const plane_grid grid(l_, options_);
        y = picture_.add_text(
            picture::margin, y, text_style::caption,
            "the tensor: " + grid.extent_text(options_) + (l_.is_padded() ? "; padding is hatched" : ""));
        int x = picture::margin, bottom = y;
        y += heading_gap;
        for (dim_t plane = 0; plane < grid.planes_drawn; ++plane) {
            const int width = plane_width(grid);
            if (x > picture::margin && x + width > options_.width) x = picture::margin, y = bottom + heading_gap + 4;
            bottom = (std::max)(bottom, add_plane(grid, plane, x, y));
            x += width + gap;
        }
        return bottom + gap;
    }
    /// Draws the memory of the tensor; places in `marked` have a thick border.
    int add_memory(int y, const std::string& what, const std::set<dim_t>& marked = {}) {
        picture_.begin("memory");
        const int width = options_.width - 2 * picture::margin;
        const memory_rows rows(l_, width / cell_, options_.most_cells, marked);
        y = picture_.add_text(picture::margin, y, text_style::caption,
                              what + ", in the order of addresses: " + some_of(rows.drawn(), rows.places(), "place"));
        y += heading_gap;
        std::vector<memory_row> drawn;
        for (const memory_row& row : rows.rows()) {
            if (row.is_drawn) {
                drawn.push_back(row);
                continue;
            }
            y = add_columns(drawn, rows, y, width, marked);
            drawn.clear();
            y = picture_.add_text(picture::margin, y + 2, text_style::note,
                                  "offset " + grouped(row.first) + " to " + grouped(row.end - 1) + ": " +
                                      grouped(row.end - row.first, "place") +
                                      (row.is_empty ? " without an element" : " left out")) +
                4;
        }
        return add_columns(drawn, rows, y, width, marked) + gap / 2;
    }
    /// Draws the digits, from the outermost in memory to the innermost, and the offset as their sum.
    int add_digits(int y) {
        picture_.begin("digits");
        y = picture_.add_text(picture::margin, y, text_style::caption,
                              "its digits, from the outermost in memory to the innermost") +
            heading_gap;
        int x = picture::margin, bottom = y;
        std::string sum = l_.offset0 == 0 ? "" : std::to_string(l_.offset0);
        std::vector<std::string> lines;
        for (const int k : digits_in_memory(l_)) {
            const digit& d = l_.digits[k];
            const std::string name = digit_name(l_, k, options_);
            picture_box box{x,
                            y,
                            0,
                            56,
                            box_kind::frame,
                            0,
                            false,
                            {name, "extent " + std::to_string(d.extent), "stride " + std::to_string(d.stride)}};
            for (std::size_t line = 0; line < box.lines.size(); ++line)
                box.width = (std::max)(box.width, text_width(box.lines[line], box.style_of(line)) + 14);
            if (x > picture::margin && x + box.width > options_.width) x = picture::margin, y = box.y = bottom + 6;
            box.x = x;
            x += box.width + 6;
            bottom = y + box.height;
            picture_.add(box);
            if (d.extent > 1 && d.stride != 0) add_term(sum, lines, term(name, d.stride));
        }
        lines.push_back(sum.empty() && lines.empty() ? "0" : sum);
        y = bottom + heading_gap;
        for (std::size_t k = 0; k < lines.size(); ++k)
            y = picture_.add_text(picture::margin, y, text_style::note,
                                  (k == 0 ? "offset = " : "       + ") + lines[k]);
        return y + gap / 2;
    }

private:
    picture& picture_;
    const layout& l_;
    const drawing_options& options_;
    const block_colours& colours_;
    int cell_ = 0;

    /// Adds consecutive rows. If there are many short ones, they form columns, each as high as whole steps of a digit.
    int add_columns(const std::vector<memory_row>& drawn, const memory_rows& rows, int y, int width,
                    const std::set<dim_t>& marked) {
        constexpr int few = 8;
        const int column = static_cast<int>(rows.length()) * cell_ + gap, count = static_cast<int>(drawn.size());
        const int fit = (std::max)(1, (width + gap) / column);
        const dim_t step = rows.rows_of_step();
        int height = count <= few ? count : (count + fit - 1) / fit;
        if (height > step) height = static_cast<int>(divide_up(height, step) * step);
        const place_finder places(l_);
        for (int k = 0; k < count; ++k) {
            const memory_row& row = drawn[static_cast<std::size_t>(k)];
            const int x = picture::margin + k / height * column, top = y + k % height * row_height;
            for (dim_t offset = row.first; offset < row.end; ++offset)
                picture_.add(memory_cell(offset, places.at(offset), x + static_cast<int>(offset - row.first) * cell_,
                                         top, marked.count(offset) > 0));
        }
        return y + (std::min)(count, height) * row_height;
    }
    /// Returns the index along an axis that has the most letters.
    dim_t largest_number(int a) const {
        const dim_t last = l_.padded_dims[a] > 0 ? l_.padded_dims[a] - 1 : 0;
        return last < 9 && l_.padded_offsets[a] > 0 ? l_.padded_offsets[a] + 10 : last;
    }
    static std::string term(const std::string& name, dim_t stride) {
        const std::string factor = name.size() > 1 ? '(' + name + ')' : name;
        return stride == 1 ? factor : factor + " * " + std::to_string(stride);
    }
    /// Appends a term to the sum, on a new line if the line is long.
    static void add_term(std::string& sum, std::vector<std::string>& lines, const std::string& term) {
        if (sum.size() + term.size() > 110) lines.push_back(sum), sum.clear();
        sum += (sum.empty() ? "" : " + ") + term;
    }
    int row_heading_width(const plane_grid& grid) const {
        if (grid.row_axis < 0) return 0;
        int widest = 0;
        for (dim_t row = 0; row < grid.rows_drawn; ++row)
            widest =
                (std::max)(widest, text_width(plane_grid::heading(l_, grid.row_axis, row, options_), text_style::note));
        return widest + 6;
    }
    int plane_width(const plane_grid& grid) const {
        const int cells = row_heading_width(grid) + static_cast<int>(grid.columns_drawn) * cell_;
        const int more = grid.columns_drawn < grid.columns ? 14 : 0;
        const position last = grid.corner(l_, grid.planes - 1);
        return (std::max)(cells + more, text_width(grid.caption(l_, last, options_), text_style::caption));
    }
    int add_plane(const plane_grid& grid, dim_t plane, int x, int y) {
        const position corner = grid.corner(l_, plane);
        if (const std::string caption = grid.caption(l_, corner, options_); !caption.empty())
            y = picture_.add_text(x, y, text_style::caption, caption);
        const int left = x + row_heading_width(grid);
        for (dim_t column = 0; column < grid.columns_drawn; ++column)
            picture_.add_text(left + static_cast<int>(column) * cell_ + cell_ / 2, y, text_style::note,
                              plane_grid::heading(l_, grid.column_axis, column, options_), text_anchor::middle);
        const int right = left + static_cast<int>(grid.columns_drawn) * cell_;
        y += line_height_of(text_style::note);
        for (dim_t row = 0; row < grid.rows_drawn; ++row, y += row_height) {
            if (grid.row_axis >= 0)
                picture_.add_text(x, y + 7, text_style::note, plane_grid::heading(l_, grid.row_axis, row, options_));
            for (dim_t column = 0; column < grid.columns_drawn; ++column) {
                const position at = grid.at(corner, row, column);
                picture_.add(plane_cell(at, left + static_cast<int>(column) * cell_, y));
            }
            if (grid.columns_drawn < grid.columns) picture_.add_text(right + 3, y + 7, text_style::note, "…");
        }
        if (grid.rows_drawn < grid.rows)
            y = picture_.add_text(left + cell_ / 2, y, text_style::note, "⋮", text_anchor::middle);
        return y;
    }
    picture_box plane_cell(const position& at, int x, int y) const {
        const std::string offset = std::to_string(l_.padded_offset(at));
        const bool is_element = is_element_at(l_, at);
        return {x,
                y,
                cell_,
                row_height,
                is_element ? box_kind::element : box_kind::padding,
                is_element ? colours_.of(index_in_tensor(l_, at)) : 0,
                false,
                {offset, index_text(l_, at)}};
    }
    picture_box memory_cell(dim_t offset, const memory_place& place, int x, int y, bool is_marked) const {
        picture_box box{x, y, cell_, row_height, box_kind::gap, 0, is_marked, {std::to_string(offset)}};
        if (place.is_gap()) return box;
        box.kind = place.is_element() ? box_kind::element : box_kind::padding;
        if (place.is_element()) box.tint = colours_.of(index_in_tensor(l_, place.first));
        const dim_t others = (place.is_element() ? place.elements : place.padded) - 1;
        box.lines.push_back(index_text(l_, place.first) + (others == 0    ? ""
                                                           : others < 100 ? " +" + std::to_string(others)
                                                                          : " +…"));
        return box;
    }
};
}  // namespace detail

/// Returns the picture of a layout.
///
/// Refused: as check_draw(l)
/// Pre:     check_draw(l).ok()
/// Post:    has a box for each place in the part of memory that is drawn; no two boxes of a part overlap
/// Cost:    O(cells); allocates
/// Source:  seeds/understanding-memory-formats.md
/// Example: svg_of(picture_of(layout({1, 17, 2, 3}, "nChw8c"), {}))
inline picture picture_of(const layout& l, const drawing_options& options = {}) {
    require(check_draw(l));
    picture out;
    out.title = options.title.empty() ? to_string(l) : options.title;
    const detail::block_colours colours(l, options);
    detail::layout_picture parts(out, l, options, colours);
    int y = parts.add_title(picture::margin) + 12;
    if (detail::has_elements(l.padded_dims)) y = parts.add_memory(parts.add_planes(y), "memory");
    parts.add_digits(y);
    return out;
}

/// Returns a layout as an SVG document: the tensor in planes, its memory as cells by address, and its digits.
///
/// Cells have the colour of their block. Padding is hatched; unused places have a dashed border. Of a large tensor only
/// a part is drawn, and the picture shows how large that part is.
///
/// Pre:     check_draw(l).ok(); fails with its reason otherwise
/// Post:    valid XML; each element of the part of memory that is drawn is in one cell, at its offset; places left out
///          are counted; the same arguments give the same text
/// Cost:    O(options.most_cells); allocates
/// Source:  seeds/understanding-memory-formats.md, whose pictures it follows
/// Example: draw(layout({1, 17, 2, 3}, "nChw8c"), drawing_options::of("nChw8c 1x17x2x3"))
inline std::string draw(const layout& l, const drawing_options& options = {}) { return svg_of(picture_of(l, options)); }

/// Returns a layout as a tikzpicture for LaTeX, in light colours.
///
/// Pre:     check_draw(l).ok(); fails with its reason otherwise
/// Post:    the boxes, texts and arrows of draw(l, options)
/// Cost:    O(options.most_cells); allocates
/// Source:  seeds/understanding-memory-formats.md, whose pictures it follows
/// Example: draw_tikz(layout({1, 17, 2, 3}, "nChw8c"), drawing_options::of("nChw8c 1x17x2x3"))
inline std::string draw_tikz(const layout& l, const drawing_options& options = {}) {
    return tikz_of(picture_of(l, options));
}

}  // namespace plait
