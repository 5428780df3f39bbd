#pragma once
// What the pieces of a record must be: the pieces of a field hold each bit of each value once, they share values
// between the same indices, and the indices that a sum takes together share the sum.

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
                if (index[axis] >= dims_[axis]) break;  // the other values have no index
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

/// Returns how many indices of an axis a piece may hold.
constexpr dim_t indices_of(const record_piece& piece, int axis, dim_t extent) {
    dim_t out = extent;
    for (const piece_condition& c : piece.where) {
        if (c.axis != axis) continue;
        if (c.extent == 0) out = smaller_of(out, c.last - c.first);
        else if (c.first > 0 && c.step > (extent - 1) / c.first) out = 0;
    }
    return out;
}

/// Returns a border of a range that is between indices which share a value of another piece, with the end of the shared
/// digit, or zeros. The other piece has `length` indices from `origin` on.
constexpr step_range border_in_share(const record_piece& ranged, const record_piece& sharing, int axis, dim_t origin,
                                     dim_t length) {
    for (const piece_condition& c : ranged.where) {
        if (c.axis != axis || c.extent != 0 || c.first >= c.last) continue;
        for (const dim_t border : {c.first - origin, c.last - origin}) {
            if (border <= 0 || border >= length) continue;
            for (const step_range& run : axis_digits(sharing, axis).shared(dim_t{1} << 60)) {
                const dim_t inside = border % run.last;
                if (inside >= run.first || (inside > 0 && length > border - inside + run.first))
                    return {run.last, border};
            }
        }
    }
    return {};
}

/// Checks that pieces of one name share values between the same indices.
///
/// Refused: shares_differ
template <class Record>
constexpr verdict check_shares(const Record& r) {
    for (int p = 0; p < r.pieces.size(); ++p) {
        const record_piece& a = r.pieces[p];
        const dim_t name = short_name(r.field_of(a).name);
        for (int axis = 0; axis < r.dims.size(); ++axis) {
            const dim_t extent = r.dims[axis], length = indices_of(a, axis, extent);
            if (const auto cut = border_in_share(a, a, axis, 0, extent); cut.last != 0)
                return {reason::shares_differ, axis, name, cut.first, cut.last};
            for (int q = 0; q < p; ++q) {
                const record_piece& b = r.pieces[q];
                if (!(r.field_of(a).name == r.field_of(b).name)) continue;
                const dim_t both = smaller_of(length, indices_of(b, axis, extent));
                const auto of_a = axis_digits(a, axis).shared(both), of_b = axis_digits(b, axis).shared(both);
                for (int i = 0; i < of_a.size() || i < of_b.size(); ++i) {
                    const step_range run_a = i < of_a.size() ? of_a[i] : step_range(),
                                     run_b = i < of_b.size() ? of_b[i] : step_range();
                    if (run_a == run_b) continue;
                    const bool begins = run_a.first != run_b.first;
                    return {reason::shares_differ, axis, name, begins ? run_a.first : run_a.last,
                            begins ? run_b.first : run_b.last};
                }
            }
        }
    }
    return {};
}

/// True if a digit of an index may decide which value of a piece belongs to the index.
constexpr bool depends_on(const record_piece& piece, const inner_block& digit, dim_t begin, dim_t length) {
    const dim_t end = begin * digit.size;
    const auto meets = [&](dim_t step, dim_t extent) {
        return extent > 0 && step < length && step % end != 0 && begin % (step * extent) != 0;
    };
    if (begin >= length) return false;
    for (const piece_digit& d : piece.digits)
        if (d.axis == digit.axis && meets(d.step, d.extent)) return true;
    for (const piece_condition& c : piece.where)
        if (c.axis == digit.axis && (c.extent != 0 ? meets(c.step, c.extent) : c.first % end != 0)) return true;
    return false;
}

/// Checks that the indices that a sum takes together, before it multiplies and rounds, share the sum and its factor.
///
/// Refused: sum_group_is_not_shared
template <class Record>
constexpr verdict check_sum_groups(const Record& r) {
    for (const record_field& sum : r.tag.fields) {
        for (int i = 0; i < sum.content.first_digits.size(); ++i) {
            const inner_block& digit = sum.content.first_digits[i];
            const dim_t begin = sum.content.first_step(i);
            for (const record_piece& piece : r.pieces) {
                const field_name& name = r.field_of(piece).name;
                if ((name == sum.name || name == sum.content.times) &&
                    depends_on(piece, digit, begin, r.dims[digit.axis]))
                    return {reason::sum_group_is_not_shared, digit.axis, short_name(sum.name), short_name(name), begin};
            }
        }
    }
    return {};
}

}  // namespace plait::detail
