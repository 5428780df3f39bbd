#pragma once
// The law that the pieces of a field hold each bit of each value once.

#include <plait/packed/record_places.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Checks that the pieces of each field cover its values, by trying one index for each combination of the conditions
/// under which pieces are stored.
class cover_check {
public:
    constexpr cover_check(const record_tag& tag, const plait::dims& dims, const record_pieces& pieces)
        : tag_(tag), dims_(dims), pieces_(pieces) {}

    constexpr verdict check() {
        for (int p = 0; p < pieces_.size(); ++p) {
            bool first = true;
            for (int q = 0; q < p; ++q) first = first && !(name(q) == name(p));
            if (!first) continue;
            if (const verdict why = check_field(name(p)); !why.ok()) return why;
        }
        return {};
    }

private:
    constexpr const record_field& field_of(const record_piece& piece) const { return tag_.fields[piece.field]; }
    constexpr const field_name& name(int piece) const { return field_of(pieces_[piece]).name; }

    /// Gathers the indices of each axis at which some condition begins or ends, within one period of its digits.
    constexpr verdict check_field(const field_name& field) {
        int count = 0, only = -1;
        width_ = 0;
        for (int p = 0; p < pieces_.size(); ++p)
            if (name(p) == field) {
                ++count;
                only = p;
                const record_field& f = field_of(pieces_[p]);
                width_ = larger_of(width_, f.low + f.width);
            }
        const record_piece& one = pieces_[only];
        if (count == 1 && one.where.empty() && field_of(one).low == 0) return {};
        field_ = &field;
        position index;
        for (int a = 0; a < tag_.ndims(); ++a) index.push_back(0);
        left_ = 1 << 14;
        for (const dim_t extent : dims_)
            if (extent == 0) return {};
        return try_indices(index, 0);
    }

    constexpr verdict try_indices(position& index, int axis) {
        if (axis == tag_.ndims()) return check_index(index);
        index[axis] = 0;
        return try_digits(index, axis, 0, 0);
    }

    /// Goes through the conditions on one axis: for a digit each of its values, for a range one index inside and one
    /// outside of it.
    constexpr verdict try_digits(position& index, int axis, int piece, int condition) {
        for (; piece < pieces_.size(); ++piece, condition = 0) {
            if (!(name(piece) == *field_)) continue;
            const auto& where = pieces_[piece].where;
            for (; condition < where.size(); ++condition)
                if (where[condition].axis == axis && is_new(where[condition], piece, condition))
                    return try_values(index, axis, piece, condition);
        }
        return index[axis] < dims_[axis] ? try_indices(index, axis + 1) : verdict();
    }
    constexpr bool is_new(const piece_condition& c, int piece, int condition) const {
        for (int p = 0; p <= piece; ++p)
            if (name(p) == *field_)
                for (int k = 0; k < (p == piece ? condition : pieces_[p].where.size()); ++k) {
                    const piece_condition& other = pieces_[p].where[k];
                    if (other.axis == c.axis && other.step == c.step && other.extent == c.extent &&
                        (c.extent != 0 || other == c))
                        return false;
                }
        return true;
    }
    constexpr verdict try_values(position& index, int axis, int piece, int condition) {
        const piece_condition c = pieces_[piece].where[condition];
        const dim_t before = index[axis];
        if (c.extent != 0) {
            for (dim_t v = 0; v < c.extent; ++v) {
                index[axis] = before + v * c.step;
                if (const verdict why = try_digits(index, axis, piece, condition + 1); !why.ok()) return why;
            }
        } else {
            for (const dim_t base : {dim_t{0}, c.first, c.last}) {
                index[axis] = before + base;
                if (const verdict why = try_digits(index, axis, piece, condition + 1); !why.ok()) return why;
            }
        }
        index[axis] = before;
        return {};
    }

    constexpr verdict check_index(const position& index) {
        if (--left_ < 0) return {reason::record_is_too_large, -1, 1, 1 << 14};
        for (int bit = 0; bit < width_; ++bit) {
            int stored = 0;
            for (const record_piece& piece : pieces_) {
                const record_field& f = field_of(piece);
                const bool has_bit = bit >= f.low && bit < f.low + f.width;
                stored += has_bit && f.name == *field_ && piece.holds(index);
            }
            if (stored != 1) return {reason::bits_are_not_covered, -1, short_name(*field_), bit, stored};
        }
        return {};
    }

    const record_tag& tag_;
    const plait::dims& dims_;
    const record_pieces& pieces_;
    const field_name* field_ = nullptr;
    dim_t width_ = 0;
    int left_ = 0;
};

/// Checks that the pieces of each field hold each bit of each value once.
///
/// Refused: bits_are_not_covered
template <class Record>
constexpr verdict check_cover(const Record& r) {
    return cover_check(r.tag, r.dims, r.pieces).check();
}

}  // namespace plait::detail
