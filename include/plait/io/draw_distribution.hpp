#pragma once
// Distributions as pictures: a tensor in cells, each coloured by its rank.

#include <plait/distribution/distribution.hpp>
#include <plait/io/drawing_options.hpp>
#include <plait/io/picture.hpp>
#include <plait/io/print_distribution.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Indices of an axis that add one number to the rank.
struct rank_segment {
    dim_t begin = 0, end = 0;
};

/// Returns the first segments of an axis, at most `most` of them.
inline std::vector<rank_segment> segments_of(const distribution& d, const rank_axis_digits& digits, int axis,
                                             dim_t most) {
    dim_t run = digits.extent;
    for (int k = digits.digits.size() - 1; k >= 0; --k)
        if (digits.digits[k].rank != 0) run = digits.digits[k].step;
    const auto rank_at = [&](dim_t index) {
        position at;
        for (int a = 0; a < d.ndims(); ++a) at.push_back(a == axis ? index : 0);
        return offset_inside(d.ranks, at);
    };
    std::vector<rank_segment> out;
    for (dim_t begin = 0; begin < digits.extent; begin += run) {
        const dim_t end = smaller_of(begin + run, digits.extent);
        if (!out.empty() && rank_at(out.back().begin) == rank_at(begin)) out.back().end = end;
        else if (static_cast<dim_t>(out.size()) == most) break;
        else out.push_back({begin, end});
    }
    return out;
}
/// Returns a range of indices as text: "0", "0-63".
inline std::string range_text(const rank_segment& s) {
    return std::to_string(s.begin) + (s.end == s.begin + 1 ? "" : '-' + std::to_string(s.end - 1));
}

/// Draws the planes of a distribution.
class distribution_picture {
public:
    distribution_picture(picture& into, const distribution& d, const drawing_options& options)
        : picture_(into), d_(d), options_(options) {
        static_cast<void>(digits_.find(d));
        const int n = d.ndims();
        for (int a = 0; a < n; ++a) {
            const dim_t most = a == n - 1 ? options.most_columns : a == n - 2 ? options.most_rows : options.most_planes;
            segments_.push_back(segments_of(d, digits_.axes[a], a, most));
        }
    }
    void draw() {
        picture_.begin("title");
        int y = picture_.add_text(picture::margin, picture::margin, text_style::heading, picture_.title);
        std::string note = "in a cell: the rank, below it the indices; one colour: the same rank";
        if (d_.mesh.volume() > colours) note += "; after 8 colours the first comes again";
        y = picture_.add_text(picture::margin, y, text_style::note, note);
        if (d_.copies() > 1)
            y = picture_.add_text(
                picture::margin, y, text_style::note,
                "each element is on " + grouped(d_.copies(), "rank") + ", of which the first is shown");
        picture_.begin("planes");
        if (!has_elements(d_.dims())) return;
        position at;
        for (int a = 0; a < d_.ndims(); ++a) at.push_back(0);
        planes_ = 0;
        add_planes(0, at, y + 10, "");
    }

private:
    static constexpr int colours = 8, width = 84, height = 34;

    /// Draws a plane for each choice of a segment of the axes before the last two; returns where the last one ended.
    int add_planes(int axis, position at, int y, const std::string& where) {
        if (axis + 2 >= d_.ndims()) return planes_++ < options_.most_planes ? add_plane(at, y, where) : y;
        for (const rank_segment& s : segments_[static_cast<std::size_t>(axis)]) {
            at[axis] = s.begin;
            y = add_planes(axis + 1, at, y,
                           where + (where.empty() ? "" : ", ") + options_.letter(axis) + ' ' + range_text(s));
        }
        return y;
    }
    int add_plane(position at, int y, const std::string& where) {
        const int columns = d_.ndims() - 1, rows = d_.ndims() - 2;
        if (!where.empty()) y = picture_.add_text(picture::margin, y, text_style::caption, where) + 4;
        const std::vector<rank_segment> one{{0, 1}};
        for (const rank_segment& row : rows < 0 ? one : segments_[static_cast<std::size_t>(rows)]) {
            int x = picture::margin;
            for (const rank_segment& column : segments_[static_cast<std::size_t>(columns)]) {
                if (rows >= 0) at[rows] = row.begin;
                at[columns] = column.begin;
                const dim_t rank = offset_inside(d_.ranks, at);
                picture_box box{x, y, width, height, box_kind::element, static_cast<int>(rank % colours), false, {}};
                box.lines = {std::to_string(rank), (rows < 0 ? "" : range_text(row) + ',') + range_text(column)};
                picture_.add(box);
                x += width;
            }
            y += height;
        }
        return y + 12;
    }

    picture& picture_;
    const distribution& d_;
    const drawing_options& options_;
    distribution_digits digits_;
    std::vector<std::vector<rank_segment>> segments_;
    dim_t planes_ = 0;
};

/// Returns the picture of a distribution.
inline picture picture_of(const distribution& d, const drawing_options& options) {
    require(check_distribution(d));
    picture out;
    out.title = options.title.empty() ? to_string(d) : options.title;
    distribution_picture(out, d, options).draw();
    return out;
}
}  // namespace detail

/// Returns a distribution as an SVG document: the tensor in planes, in cells of neighbouring indices that are on one
/// rank, coloured by the rank. Of a tensor with many cells only the first are drawn.
///
/// Pre:     check_distribution(d).ok(); fails with its reason otherwise
/// Post:    valid XML; the cell of an index that is drawn shows d.rank_of(index); the same arguments give the same text
/// Cost:    O(planes times rows times columns of the options); allocates
/// Source:  the pictures of ScaLAPACK's and DTensor's documents
/// Example: draw(block_cyclic(dims{1000, 700}, dims{64, 64}, mesh{2, 2}))
inline std::string draw(const distribution& d, const drawing_options& options = {}) {
    return svg_of(detail::picture_of(d, options));
}
/// Returns a distribution as a tikzpicture for LaTeX, in light colours.
///
/// Pre:     check_distribution(d).ok(); fails with its reason otherwise
/// Post:    the boxes and texts of draw(d, options)
/// Cost:    as draw
/// Source:  as draw
/// Example: draw_tikz(block_cyclic(dims{1000, 700}, dims{64, 64}, mesh{2, 2}))
inline std::string draw_tikz(const distribution& d, const drawing_options& options = {}) {
    return tikz_of(detail::picture_of(d, options));
}

}  // namespace plait
