#pragma once
// The laws of what values are shared: by the pieces of a field, and by the indices that a sum takes together.

#include <plait/packed/record_places.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Digits of one axis that a piece has no place for, from the innermost: one value for all of their indices.
struct shared_digits {
    struct run {
        dim_t first = 0, last = 0;  // index steps
    };
    inline_list<run, max_piece_digits + 1> runs;
};

/// Returns the shared digits of one axis, up to a number of indices.
constexpr shared_digits shared_digits_of(const record_piece& piece, int axis, dim_t length) {
    shared_digits out;
    dim_t step = 1;
    while (step < length) {
        dim_t end = 0, next = length;
        const auto pass = [&](dim_t first, dim_t last) {
            if (first <= step && last > step) end = larger_of(end, last);
            if (first > step && first < next) next = first;
        };
        for (const piece_digit& d : piece.digits)
            if (d.axis == axis) pass(d.step, d.step * d.extent >= piece.extents[axis] ? length : d.step * d.extent);
        for (const piece_condition& c : piece.where)
            if (c.axis == axis && c.extent != 0) pass(c.step, c.step * c.extent);
        if (end == 0) {
            if (!out.runs.full()) out.runs.push_back({step, next});
            end = next;
        }
        step = end;
    }
    return out;
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
constexpr shared_digits::run border_in_share(const record_piece& ranged, const record_piece& sharing, int axis,
                                             dim_t origin, dim_t length) {
    for (const piece_condition& c : ranged.where) {
        if (c.axis != axis || c.extent != 0 || c.first >= c.last) continue;
        for (const dim_t border : {c.first - origin, c.last - origin}) {
            if (border <= 0 || border >= length) continue;
            for (const shared_digits::run& run : shared_digits_of(sharing, axis, dim_t{1} << 60).runs) {
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
                const shared_digits of_a = shared_digits_of(a, axis, both), of_b = shared_digits_of(b, axis, both);
                for (int i = 0; i < larger_of(of_a.runs.size(), of_b.runs.size()); ++i) {
                    const shared_digits::run run_a = of_a.runs[i], run_b = of_b.runs[i];
                    if (run_a.first == run_b.first && run_a.last == run_b.last) continue;
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
        return step < length && step % end != 0 && begin % (step * extent) != 0;
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
