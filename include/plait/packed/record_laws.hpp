#pragma once
// The laws of a record: no two values share a bit; which bits no value has.

#include <plait/algebra/place_differences.hpp>
#include <plait/packed/record.hpp>

#include <optional>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Two values of a record that share a bit: the field of each, an index of each, and the bit.
struct field_overlap {
    field_name first_field, second_field;
    position first, second;
    dim_t bit = 0;  ///< from the beginning of the record
    constexpr bool operator==(const field_overlap&) const = default;
};

namespace detail {
/// A piece of a record, with the numbers of its field, and indices from the values of digits.
class piece_values {
public:
    constexpr piece_values(const record& r, const record_piece& piece) : r_(r), piece_(piece) {
        is_well_formed_ = check();
        for (int k = 0; is_well_formed_ && k < size(); ++k) {
            const piece_digit& d = piece.digits.values[k];
            const dim_t reached = divide_up(piece.extents[d.axis], d.step);
            most_[k] = (reached < d.extent ? reached : d.extent) - 1;
        }
    }

    /// Returns false if an axis, an extent or a step is none, which can be so in a piece that was changed by hand.
    constexpr bool is_well_formed() const { return is_well_formed_; }
    /// Returns true if no index has a place.
    constexpr bool is_empty() const {
        for (const dim_t extent : piece_.extents)
            if (extent <= 0) return true;
        return false;
    }

    constexpr const record_piece& piece() const { return piece_; }
    constexpr const field_name& name() const { return r_.tag.fields[piece_.field].name; }
    constexpr dim_t width() const { return r_.tag.fields[piece_.field].width; }
    constexpr dim_t at() const { return piece_.at; }
    constexpr int size() const { return piece_.digits.size(); }
    constexpr dim_t stride(int digit) const { return piece_.digits.values[digit].stride; }
    /// Returns the largest value of a digit that an index reaches.
    constexpr dim_t most(int digit) const { return most_[digit]; }

    /// Returns an index whose digits have these values; of a digit that is turned, the value is the slot.
    constexpr position index_of(const dim_t* values) const {
        position out = piece_.origin;
        for (const piece_condition& c : piece_.where)
            if (c.extent > 0) out[c.axis] += c.first * c.step;
        for (int k = 0; k < size(); ++k)
            if (const piece_digit& d = piece_.digits.values[k]; d.turned_by < 0) out[d.axis] += values[k] * d.step;
        for (int k = 0; k < size(); ++k)
            if (const piece_digit& d = piece_.digits.values[k]; d.turned_by >= 0 && d.extent > 0)
                out[d.axis] += (values[k] + out[d.turned_by] - piece_.origin[d.turned_by]) % d.extent * d.step;
        return out;
    }
    /// Returns true if the piece has a place for an index: one of a value, or one of padding.
    constexpr bool has_place(const position& index) const {
        for (int a = 0; a < index.size(); ++a)
            if (index[a] < piece_.origin[a] || index[a] - piece_.origin[a] >= piece_.extents[a]) return false;
        for (const piece_condition& c : piece_.where)
            if (c.extent > 0 && !c.holds(index)) return false;
        return true;
    }
    /// Returns true if two indices have the same values of all digits with a stride, so that they have one value.
    constexpr bool has_same_digits(const position& first, const position& second) const {
        for (const piece_digit& d : piece_.digits) {
            const dim_t origin = piece_.origin[d.axis];
            if (d.stride != 0 &&
                (first[d.axis] - origin) / d.step % d.extent != (second[d.axis] - origin) / d.step % d.extent)
                return false;
        }
        return true;
    }
    /// Returns the least difference of two indices of an axis that changes no digit with a place, and is no multiple
    /// of `extent`; 0 if there is none, -1 if that could not be decided.
    constexpr dim_t shared_move(int axis, dim_t extent) const {
        const axis_digits digits(piece_, axis);
        if (!digits.chains()) return -1;
        dim_t counted = 1;
        for (const axis_digit& d : digits.list) {
            if (d.step > counted && counted < piece_.extents[axis] && counted % extent != 0) return counted;
            // If the digit is itself turned, its value is not known from its slot.
            if (d.place >= 0 && piece_.digits[d.place].turned_by >= 0 && d.step % extent != 0) return -1;
            counted = d.step * d.extent;
        }
        return counted < piece_.extents[axis] && counted % extent != 0 ? counted : 0;
    }

private:
    constexpr bool check() const {
        const int n = r_.ndims();
        if (piece_.field < 0 || piece_.field >= r_.tag.fields.size()) return false;
        if (piece_.origin.size() != n || piece_.extents.size() != n) return false;
        constexpr dim_t limit = dim_t{1} << 59;
        for (int a = 0; a < n; ++a)
            if (piece_.extents[a] > limit || piece_.origin[a] > limit || piece_.origin[a] < -limit) return false;
        for (const piece_digit& d : piece_.digits)
            if (d.axis < 0 || d.axis >= n || d.turned_by >= n || d.extent < 0 || d.step < 1 || d.stride > limit ||
                d.stride < -limit)
                return false;
        for (const piece_condition& c : piece_.where)
            if (c.axis < 0 || c.axis >= n || c.step < 1 || c.extent < 0 || c.first < 0 || c.first > limit / c.step)
                return false;
        return true;
    }

    const record& r_;
    const record_piece& piece_;
    bool is_well_formed_ = false;
    dim_t most_[max_piece_digits]{};
};

/// The result of a search for a shared bit: the bit, or none, or (in `why`) the reason why the search cannot decide.
struct [[nodiscard]] field_overlap_search {
    verdict why;
    std::optional<field_overlap> found;
};

/// Searches two pieces of a record, or one and itself. Digits that both pieces have with equal strides are one
/// difference.
class field_overlap_finder {
public:
    constexpr field_overlap_finder(const piece_values& a, const piece_values& b) : a_(a), b_(b), is_one_(&a == &b) {}

    constexpr field_overlap_search search() {
        if (!a_.is_well_formed() || !b_.is_well_formed()) return not_decided();
        if (a_.is_empty() || b_.is_empty()) return {};
        least_ = 1 - a_.width();
        most_ = b_.width() - 1;
        dim_t apart = 0;
        if (!is_one_) apart = wrapping_add(a_.at(), wrapping_multiply(b_.at(), -1));
        if (!gather(apart)) return not_decided();
        if (search_.find(0, search_.digits.size(), least_ - apart, most_ - apart, is_one_, most_steps,
                         [this] { return is_real(); }))
            return {{}, found_};
        if (is_one_ && find_turned()) return {{}, found_};
        return unreal_ || search_.gave_up() ? not_decided() : field_overlap_search{};
    }

    /// The maximum number of differences to try for two pieces before the search gives up.
    static constexpr int most_steps = 1 << 12;

private:
    static constexpr int most_digits = 2 * max_piece_digits;

    constexpr field_overlap_search not_decided() const {
        return {{reason::fields_are_not_decided, -1, short_name(a_.name()), short_name(b_.name())}, std::nullopt};
    }

    /// Gathers the digits. Returns false if sums may overflow.
    constexpr bool gather(dim_t apart) {
        constexpr dim_t limit = dim_t{1} << 60;
        if (a_.at() > limit || a_.at() < -limit || b_.at() > limit || b_.at() < -limit) return false;
        checked_integer all{apart < 0 ? -apart : apart};
        for (int k = 0; k < a_.size(); ++k) insert(a_.stride(k), a_.most(k), is_one_, all);
        if (!is_one_)
            for (int k = 0; k < b_.size(); ++k) insert(-b_.stride(k), b_.most(k), false, all);
        return all.ok() && all.value <= limit;
    }
    constexpr void insert(dim_t stride, dim_t most, bool both_ways, checked_integer& all) {
        if (stride == 0 || most == 0) return;
        const digit_difference d{stride < 0 ? -stride : stride, stride < 0 || both_ways ? -most : 0,
                                 stride < 0 && !both_ways ? 0 : most};
        all.add_product(d.stride, most);
        for (int i = 0; !is_one_ && i < search_.digits.size(); ++i)
            if (digit_difference& same = search_.digits[i]; same.stride == d.stride) {
                same.low += d.low;
                same.high += d.high;
                return;
            }
        search_.insert(d);
    }

    /// Checks if two indices have the differences that were found, and keeps them. In pieces that were assembled by
    /// hand none may exist.
    constexpr bool is_real() {
        dim_t first[max_piece_digits]{}, second[max_piece_digits]{};
        for (int i = 0; !is_one_ && i < search_.digits.size(); ++i) {
            // Each digit at first adds as little as it can.
            dim_t rest = search_.digits[i].found - search_.digits[i].low;
            for (int k = 0; k < a_.size(); ++k)
                take(a_.stride(k), a_.most(k), search_.digits[i].stride, rest, first[k]);
            for (int k = 0; k < b_.size(); ++k)
                take(-b_.stride(k), b_.most(k), search_.digits[i].stride, rest, second[k]);
        }
        if (is_one_) share_differences(first, second);
        return keep(a_.index_of(first), b_.index_of(second));
    }
    /// Gives to a digit of this stride as much of the rest as it takes.
    static constexpr void take(dim_t stride, dim_t most, dim_t wanted, dim_t& rest, dim_t& value) {
        if ((stride < 0 ? -stride : stride) != wanted || most == 0) return;
        const dim_t taken = rest < most ? rest : most;
        value = stride < 0 ? most - taken : taken;
        rest -= taken;
    }
    /// In one piece each digit has a difference of its own: the digits stand as insert() has put them.
    constexpr void share_differences(dim_t (&first)[max_piece_digits], dim_t (&second)[max_piece_digits]) const {
        bool used[max_piece_digits]{};
        for (int i = 0; i < search_.digits.size(); ++i)
            for (int k = 0; k < a_.size(); ++k) {
                const dim_t stride = a_.stride(k);
                if (used[k] || a_.most(k) != search_.digits[i].high ||
                    (stride < 0 ? -stride : stride) != search_.digits[i].stride)
                    continue;
                used[k] = true;
                const dim_t x = stride < 0 ? -search_.digits[i].found : search_.digits[i].found;
                first[k] = x > 0 ? x : 0;
                second[k] = x < 0 ? -x : 0;
                break;
            }
    }

    constexpr bool keep(const position& first, const position& second) {
        const bool same = is_one_ && a_.has_same_digits(first, second);
        if (!same && a_.has_place(first) && b_.has_place(second)) {
            const dim_t begin = a_.piece().place(first), other = b_.piece().place(second);
            const bool shared = begin - other >= least_ && begin - other <= most_;
            if (shared) found_ = {a_.name(), b_.name(), first, second, larger_of(begin, other)};
            if (shared) return true;
        }
        unreal_ = true;
        return false;
    }

    /// Finds two indices of one piece that have the same slot of a digit that is turned, and not the same value of it:
    /// the axis that turns it has values that are shared, by other numbers than its multiples.
    constexpr bool find_turned() {
        for (const piece_digit& d : a_.piece().digits) {
            if (d.turned_by < 0 || d.extent < 2) continue;
            const dim_t moved = a_.shared_move(d.turned_by, d.extent);
            if (moved == 0) continue;
            if (moved < 0) {
                unreal_ = true;
                continue;
            }
            const position first = a_.piece().origin;
            position second = first;
            second[d.turned_by] += moved;
            second[d.axis] += moved % d.extent * d.step;
            if (keep(first, second)) return true;
        }
        return false;
    }

    const piece_values &a_, &b_;
    bool is_one_ = false, unreal_ = false;
    dim_t least_ = 0, most_ = 0;  // differences of two places that are less than a value is wide
    difference_search<most_digits> search_;
    std::optional<field_overlap> found_;
};

/// Returns two values of a record that share a bit, or that there are none, or why the search cannot decide.
constexpr field_overlap_search search_field_overlap(const record& r) {
    field_overlap_search out;
    const int count = r.pieces.size();
    for (int p = 0; p < count; ++p) {
        const piece_values first(r, r.pieces.values[p]);
        field_overlap_search two = field_overlap_finder(first, first).search();
        for (int q = p;;) {
            if (two.found) return two;
            if (out.why.ok()) out.why = two.why;
            if (++q == count) break;
            two = field_overlap_finder(first, piece_values(r, r.pieces.values[q])).search();
        }
    }
    return out;
}

/// Where the bits of a record are: their sum is its size.
struct bit_usage {
    dim_t values = 0;   ///< bits of values that some index has
    dim_t padding = 0;  ///< places of pieces that no index has
    dim_t gaps = 0;     ///< in no piece: `_:16`, and what aligns the next item
    constexpr bool operator==(const bit_usage&) const = default;
};

/// Returns how many bits of a piece hold values, and how many there are.
struct piece_usage {
    dim_t values = 0, all = 0;
};
constexpr piece_usage usage_of(const record& r, const record_piece& piece) {
    const dim_t width = r.field_of(piece).width;
    piece_usage out{width, width};
    for (const piece_digit& d : piece.digits) out.all *= d.extent;
    for (int a = 0; a < r.ndims(); ++a) {
        const piece_condition range = piece.range(a, r.dims);
        out.values *= axis_digits(piece, a).count_places(range.last - range.first);
    }
    return out;
}

/// Returns where the bits of a record are.
///
/// Pre:     the fields of r do not overlap, and the digits of each piece chain, as in a record that was made of a tag
constexpr bit_usage usage_of(const record& r) {
    bit_usage out{0, 0, r.size_in_bits};
    for (const record_piece& piece : r.pieces) {
        const piece_usage one = usage_of(r, piece);
        out.values += one.values;
        out.padding += one.all - one.values;
        out.gaps -= one.all;
    }
    return out;
}
}  // namespace detail

/// Checks that no bit of a record belongs to two values: that no two pieces share a bit, and that within a piece two
/// indices share a bit only if they share the value.
///
/// Refused: fields_overlap (both names, the bit); fields_are_not_decided (both names) only if a search was given up, or
///          if the pieces were changed by hand so that their digits do not count all indices
/// Pre:     none; any record, also one whose pieces were changed by hand
/// Post:    ok() == !find_field_overlap(r).has_value() for all records that can be decided
/// Cost:    O(pieces squared times digits squared) steps for records made of tags; at most
///          field_overlap_finder::most_steps differences for two pieces
/// Source:  docs/packed.md
/// Example: check_fields_disjoint(record("nk: NK(d:f16 4n /32k, q:u4 4k 4n 4k 2k@16)", {64, 256})).ok()
constexpr verdict check_fields_disjoint(const record& r) {
    const detail::field_overlap_search search = detail::search_field_overlap(r);
    if (!search.found) return search.why;
    return {reason::fields_overlap, -1, detail::short_name(search.found->first_field),
            detail::short_name(search.found->second_field), search.found->bit};
}

/// Returns two values of a record that share a bit, or an empty optional if there are none. Fails with
/// fields_are_not_decided.
///
/// Pre:     check_fields_disjoint(r) is ok or names an overlap
/// Post:    both fields have a place for their index, and the bit lies in both values; the fields differ, or the
///          indices have different values; empty if and only if check_fields_disjoint(r).ok()
/// Cost:    that of check_fields_disjoint
/// Source:  docs/packed.md
/// Example: test/packed/record_laws.cpp
[[nodiscard]] constexpr std::optional<field_overlap> find_field_overlap(const record& r) {
    const detail::field_overlap_search search = detail::search_field_overlap(r);
    if (!search.found) require(search.why);
    return search.found;
}

/// Returns true if each bit of a record belongs to a value that some index has: no gaps, no padding, no shared bits.
///
/// Pre:     r is the result of try_record
/// Post:    true if the bits of all values are those of the record
/// Cost:    that of check_fields_disjoint
/// Source:  docs/packed.md
/// Example: is_dense(record("nk: NK(d:f16 4n /32k, q:u4 4k 4n 4k 2k@16)", {64, 256}))
[[nodiscard]] constexpr bool is_dense(const record& r) {
    for (const record_piece& piece : r.pieces)
        for (int a = 0; a < r.ndims(); ++a)
            if (!detail::axis_digits(piece, a).chains()) return false;
    const detail::bit_usage usage = detail::usage_of(r);
    return usage.padding == 0 && usage.gaps == 0 && check_fields_disjoint(r).ok();
}

/// Returns how many consecutive indices of each axis have one value of a field: the extent of the axis if all have.
///
/// Pre:     the record has the field, otherwise fails with field_is_missing
/// Post:    indices whose quotients by these numbers are equal have the same value; at least 1 each
/// Cost:    O(pieces times digits) steps
/// Source:  docs/packed.md
/// Example: fibre(record("nk: NK(d:f16 8n /32k, q:u4 2k 8n 8k 2k@16)", {64, 256}), "d") == dims{1, 32}
[[nodiscard]] constexpr dims fibre(const record& r, std::string_view name) {
    detail::index_units units(r.dims);
    bool found = false;
    for (const record_piece& piece : r.pieces) {
        if (!detail::has_name(r.field_of(piece).name, name)) continue;
        found = true;
        units.add(piece);
    }
    require(found ? verdict() : detail::no_field(name));
    return units.units();
}

}  // namespace plait
