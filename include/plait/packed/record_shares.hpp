#pragma once
// The law that the pieces of a field share its values between the same indices.

#include <plait/packed/record_places.hpp>

namespace plait::detail {

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
        const auto pass = [&](dim_t first, dim_t extent) {
            if (first <= step && first * extent > step) end = larger_of(end, first * extent);
            if (first > step && first < next) next = first;
        };
        for (const piece_digit& d : piece.digits)
            if (d.axis == axis) pass(d.step, d.step * d.extent >= piece.extents[axis] ? length : d.extent);
        for (const piece_condition& c : piece.where)
            if (c.axis == axis && c.extent != 0) pass(c.step, c.extent);
        if (end == 0) {
            if (!out.runs.full()) out.runs.push_back({step, next});
            end = next;
        }
        step = end;
    }
    return out;
}

/// Checks that pieces of one name share values between the same indices.
///
/// Refused: shares_differ
template <class Record>
constexpr verdict check_shares(const Record& r) {
    for (int p = 1; p < r.pieces.size(); ++p)
        for (int q = 0; q < p; ++q) {
            const record_piece &a = r.pieces[p], &b = r.pieces[q];
            if (!(r.field_of(a).name == r.field_of(b).name)) continue;
            for (int axis = 0; axis < r.dims.size(); ++axis) {
                const dim_t length = smaller_of(r.dims[axis], smaller_of(a.extents[axis], b.extents[axis]));
                const shared_digits of_a = shared_digits_of(a, axis, length), of_b = shared_digits_of(b, axis, length);
                for (int i = 0; i < larger_of(of_a.runs.size(), of_b.runs.size()); ++i) {
                    const shared_digits::run run_a = of_a.runs[i], run_b = of_b.runs[i];
                    if (run_a.first == run_b.first && run_a.last == run_b.last) continue;
                    const bool begins = run_a.first != run_b.first;
                    return {reason::shares_differ, axis, short_name(r.field_of(a).name),
                            begins ? run_a.first : run_a.last, begins ? run_b.first : run_b.last};
                }
            }
            break;
        }
    return {};
}

}  // namespace plait::detail
