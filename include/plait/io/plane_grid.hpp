#pragma once
// A tensor as planes: two axes are the rows and columns of a grid, the others number the grids.

#include <plait/io/drawing_options.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The axes of a layout that are the rows and columns of its planes, and how many of each are drawn. Indices are those
/// of the padded tensor, so that padding is shown.
///
/// The last two axes with more than one index are rows and columns: a tensor of 64x64x1x1 has one plane, not 4,096.
struct plane_grid {
    int row_axis = -1, column_axis = -1;  ///< -1: none; a vector has one row
    std::vector<int> outer;               ///< the axes that number the planes
    dim_t rows = 1, columns = 1, planes = 1;
    dim_t rows_drawn = 1, columns_drawn = 1, planes_drawn = 1;

    plane_grid(const layout& l, const drawing_options& options) {
        for (int a = l.ndims() - 1; a >= 0 && row_axis < 0; --a)
            if (l.padded_dims[a] > 1) (column_axis < 0 ? column_axis : row_axis) = a;
        if (column_axis < 0) column_axis = l.ndims() - 1;
        for (int a = 0; a < l.ndims(); ++a)
            if (a != row_axis && a != column_axis) outer.push_back(a);
        columns = l.padded_dims[column_axis];
        if (row_axis >= 0) rows = l.padded_dims[row_axis];
        for (const int a : outer) planes *= l.padded_dims[a];
        rows_drawn = least_of(rows, options.most_rows);
        columns_drawn = least_of(columns, options.most_columns);
        const dim_t cells = rows_drawn * columns_drawn;
        const dim_t affordable = cells == 0 ? planes : options.most_cells / cells;
        planes_drawn = least_of(least_of(planes, options.most_planes), affordable < 1 ? 1 : affordable);
        if (!has_elements(l.padded_dims)) planes_drawn = 0;
    }
    /// Returns the index of the first element of a plane.
    position corner(const layout& l, dim_t plane) const {
        position at;
        for (int a = 0; a < l.ndims(); ++a) at.push_back(0);
        for (std::size_t k = outer.size(); k-- > 0;) {
            const dim_t extent = l.padded_dims[outer[k]];
            if (extent == 0) continue;
            at[outer[k]] = plane % extent;
            plane /= extent;
        }
        return at;
    }
    position at(const position& corner, dim_t row, dim_t column) const {
        position out = corner;
        if (row_axis >= 0) out[row_axis] = row;
        out[column_axis] = column;
        return out;
    }
    /// Returns the caption of a plane: "n=0 c=3".
    std::string caption(const layout& l, const position& corner, const drawing_options& options) const {
        std::string out;
        for (const int a : outer)
            out += (out.empty() ? "" : " ") + std::string(1, options.letter(a)) + '=' +
                   std::to_string(corner[a] - l.padded_offsets[a]);
        return out;
    }
    /// Returns the heading of a row or column: "h1".
    static std::string heading(const layout& l, int axis, dim_t index, const drawing_options& options) {
        return axis < 0 ? "" : options.letter(axis) + std::to_string(index - l.padded_offsets[axis]);
    }
    /// Returns how much of the tensor is drawn: "36 of 3,136 planes of 12 of 56 rows (h) and 16 of 56 columns (w)".
    std::string extent_text(const drawing_options& options) const {
        std::string out = some_of(planes_drawn, planes, "plane") + " of ";
        if (row_axis >= 0) out += some_of(rows_drawn, rows, "row") + " (" + options.letter(row_axis) + ") and ";
        return out + some_of(columns_drawn, columns, "column") + " (" + options.letter(column_axis) + ')';
    }

private:
    static dim_t least_of(dim_t one, dim_t other) { return one < other ? one : other; }
};

/// True if an index into the padded tensor is an element of the tensor.
inline bool is_element_at(const layout& l, const position& padded) {
    for (int a = 0; a < l.ndims(); ++a)
        if (padded[a] < l.padded_offsets[a] || padded[a] >= l.padded_offsets[a] + l.dims[a]) return false;
    return true;
}

}  // namespace plait::detail
