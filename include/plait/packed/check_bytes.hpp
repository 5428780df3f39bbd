#pragma once
// Checks the bytes of a record against its tag, place by place. It is written from the definition of a record alone:
// a mistake of what moves values, or sums rows of bytes, is no mistake of the check. The values of sums are listed by
// listed_sums, with which packing computes the few sums that are no rows.

#include <plait/core/record_damage.hpp>
#include <plait/packed/listed_sums.hpp>
#include <plait/packed/record_laws.hpp>

#include <cstring>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Visits the places of a piece that no index has, the outermost digit first; parts that are values are passed over.
/// Of several parts, each visits some values of the outermost digit that has more than one.
class padding_visitor {
public:
    padding_visitor(const record& r, const record_piece& piece, const check_part& part)
        : r_(r), piece_(piece), part_(part), cut_(piece.digits.size() - 1) {
        index_ = piece.origin;
        for (const piece_condition& c : piece.where)
            if (c.extent != 0) index_[c.axis] += c.first * c.step;
        while (cut_ > 0 && piece.digits[cut_].extent == 1) --cut_;
    }
    /// Calls what(index) until it returns a verdict that is not ok.
    template <class What>
    verdict visit(const What& what) {
        for (const piece_digit& d : piece_.digits)
            if (d.extent == 0) return {};
        if (cut_ < 0 && part_.number > 0) return {};
        return visit(piece_.digits.size(), what);
    }

private:
    /// True if no index behind an end is reached by the innermost `left` digits.
    bool are_values(int left) const {
        position most = index_;
        for (int k = 0; k < left; ++k)
            most[piece_.digits[k].axis] += (piece_.digits[k].extent - 1) * piece_.digits[k].step;
        for (int a = 0; a < r_.ndims(); ++a)
            if (most[a] >= piece_.end(a, r_.dims)) return false;
        return true;
    }
    template <class What>
    verdict visit(int left, const What& what) {
        if (are_values(left)) return {};
        if (left == 0) return what(index_);
        const piece_digit& d = piece_.digits[left - 1];
        const dim_t before = index_[d.axis];
        const check_part::range range = left - 1 == cut_ ? part_.of(d.extent) : check_part::range{0, d.extent};
        verdict why;
        for (dim_t v = range.first; v < range.last && why.ok(); ++v) {
            index_[d.axis] = before + v * d.step;
            why = visit(left - 1, what);
        }
        index_[d.axis] = before;
        return why;
    }

    const record& r_;
    const record_piece& piece_;
    const check_part part_;
    int cut_;  // the digit whose values are divided among the parts; -1 if there is no digit
    position index_;
};

/// Checks padding, gaps and sums of the bytes of a record, or one of the parts of this check.
class byte_check {
public:
    byte_check(const record& r, const std::byte* bytes, const repack_options& options, const check_part& part)
        : r_(r), bytes_(bytes), options_(options), part_(part) {}

    /// Refused: record_is_damaged; parameter_is_missing, indices_are_too_many
    check_result check() const {
        check_result out{check_parameters(), 0};
        const auto next = [&](const auto& check_step) {
            if (out.why.ok()) out = {check_step(), out.step + 1};
        };
        if (has_no_values()) return next([&] { return check_empty(); }), out;
        for (const record_piece& piece : r_.pieces)
            if (!options_.ignore_padding) next([&] { return check_padding(piece); });
        next([&] { return check_gaps(); });
        for (const record_piece& piece : r_.pieces)
            if (r_.field_of(piece).content.kind == field_content::sum) next([&] { return check_sums(piece); });
        return out;
    }

private:
    bool has_no_values() const {
        bool out = false;
        for (const dim_t extent : r_.dims) out = out || extent == 0;
        return out;
    }
    /// Only sums that are not added to what is given can be checked.
    verdict check_parameters() const {
        double factor = 1;
        for (const record_field& field : r_.tag.fields)
            if (field.content.kind == field_content::sum)
                if (const verdict why = find_factor(factor, field, options_); !why.ok()) return why;
        return {};
    }
    /// Checks a record without values: all bits are padding or gaps.
    verdict check_empty() const {
        if (options_.ignore_padding) return check_gaps();
        const check_part::range range = part_.of(r_.size);
        for (dim_t byte = range.first; byte < range.last; ++byte)
            if (bytes_[byte] != std::byte{0}) return damaged(damage::gap, -1, 0, 8 * byte);
        return {};
    }

    verdict check_padding(const record_piece& piece) const {
        const record_field& field = r_.field_of(piece);
        return padding_visitor(r_, piece, part_).visit([&](const position& index) {
            return check_padding(piece, field, index);
        });
    }
    verdict check_padding(const record_piece& piece, const record_field& field, const position& index) const {
        position last = index;
        int axis = -1;
        bool repeats = true, has_value = false, is_told = true;
        for (int a = 0; a < r_.ndims(); ++a) {
            const dim_t end = piece.end(a, r_.dims);
            if (index[a] < end) continue;
            if (axis < 0) axis = a;
            const bool repeats_here = (field.repeated_axes >> a & 1) != 0,
                       has_value_here = (field.valued_axes >> a & 1) != 0;
            repeats = repeats && repeats_here;
            has_value = has_value || has_value_here;
            is_told = is_told && (repeats_here || has_value_here);
            last[a] = end - 1;
        }
        const std::uint64_t found = read_bits(bytes_, piece.place(index), field.width);
        if (has_value && is_told) {
            const auto wanted = static_cast<std::uint64_t>(field.padding) >> field.low;
            const std::uint64_t bits = (wanted - static_cast<unsigned>(field.subtracted)) & low_bits(field.width);
            return found == (bits ^ field.flipped)
                       ? verdict()
                       : damaged(damage::padding_value, axis, short_name(field.name), index[axis]);
        }
        if (!repeats)
            return found == 0 ? verdict() : damaged(damage::padding, axis, short_name(field.name), index[axis]);
        std::uint64_t value = 0;  // the pieces of the field that hold the last index may be others
        for (const record_piece& other : r_.pieces)
            if (const record_field& f = r_.field_of(other); f.name == field.name && other.holds(last))
                value |= (((read_bits(bytes_, other.place(last), f.width) ^ f.flipped) +
                           static_cast<unsigned>(f.subtracted)) &
                          low_bits(f.width))
                         << f.low;
        const std::uint64_t wanted =
            (((value >> field.low) - static_cast<unsigned>(field.subtracted)) ^ field.flipped) & low_bits(field.width);
        return found == wanted ? verdict() : damaged(damage::repeat, axis, short_name(field.name), index[axis]);
    }

    /// Checks that bits which belong to no piece are zero.
    verdict check_gaps() const {
        if (usage_of(r_).gaps == 0 && r_.size_in_bits == 8 * r_.size) return {};
        taken_bits taken{part_.of(r_.size), {}};
        const auto [first, last] = taken.range;
        taken.of_byte.resize(static_cast<std::size_t>(last - first));
        for (const record_piece& piece : r_.pieces) {
            bool is_empty = false;
            for (const piece_digit& d : piece.digits) is_empty = is_empty || d.extent == 0;
            if (!is_empty) take(piece, piece.digits.size(), piece.at, taken);
        }
        for (dim_t byte = first; byte < last; ++byte) {
            const std::uint8_t* const values = &taken.of_byte[static_cast<std::size_t>(byte - first)];
            if (constexpr dim_t word = 8; byte + word <= last) {
                std::uint64_t here = 0, of_values = 0;
                std::memcpy(&here, bytes_ + byte, sizeof here);
                std::memcpy(&of_values, values, sizeof of_values);
                if ((here & ~of_values) == 0) {
                    byte += word - 1;
                    continue;
                }
            }
            const unsigned wrong = std::to_integer<unsigned>(bytes_[byte]) & ~unsigned{*values};
            for (int bit = 0; wrong != 0 && bit < 8; ++bit)
                if ((wrong >> bit & 1) != 0) return damaged(damage::gap, -1, 0, 8 * byte + bit);
        }
        return {};
    }
    /// The bits of a range of bytes that values have.
    struct taken_bits {
        check_part::range range;
        std::vector<std::uint8_t> of_byte;
    };
    /// Marks the bits of a piece. A digit that is turned takes the same slots in another order.
    void take(const record_piece& piece, int left, dim_t bit, taken_bits& taken) const {
        dim_t run = r_.field_of(piece).width, reach = run;
        for (int k = 0; k < left; ++k) reach += (piece.digits[k].extent - 1) * piece.digits[k].stride;
        if (bit + reach <= 8 * taken.range.first || bit >= 8 * taken.range.last) return;
        int inside = 0;
        while (inside < left && piece.digits[inside].stride == run) run *= piece.digits[inside++].extent;
        if (inside == left) {
            const dim_t end = smaller_of(bit + run, 8 * taken.range.last);
            for (bit = larger_of(bit, 8 * taken.range.first); bit < end;) {
                std::uint8_t& at = taken.of_byte[static_cast<std::size_t>(bit / 8 - taken.range.first)];
                if (const dim_t bytes = (end - bit) / 8; bit % 8 == 0 && bytes > 0) {
                    std::memset(&at, 0xff, static_cast<std::size_t>(bytes));
                    bit += 8 * bytes;
                    continue;
                }
                const dim_t count = smaller_of(8 - bit % 8, end - bit);
                at = static_cast<std::uint8_t>(at | low_bits(static_cast<int>(count)) << bit % 8);
                bit += count;
            }
            return;
        }
        const piece_digit& d = piece.digits[left - 1];
        for (dim_t v = 0; v < d.extent; ++v) take(piece, left - 1, bit + v * d.stride, taken);
    }

    /// Checks the sums of one piece: value by value, without the functions that sum runs of bytes.
    verdict check_sums(const record_piece& piece) const {
        const record_field& field = r_.field_of(piece);
        summed_values what{piece, field, {}, {}, {}, r_.dims, rule_of_values(r_.tag, field.content)};
        what.add_parts(r_, [](const record_piece&) { return chunk_place(); });
        if (const verdict why = find_factor(what.factor, field, options_); !why.ok()) return why;
        listed_sums sums;
        if (const verdict why = sums.lists.plan(what, most_visited(r_.size_in_bits)); !why.ok()) return why;
        verdict out;
        const auto here = [this](const value_part&) { return bytes_; };
        sums.for_each(here, part_, [&](const position& index, std::uint32_t sum) {
            if (read_bits(bytes_, piece.place(index), 32) != sum)
                out = damaged(damage::sum, 0, short_name(field.name), index[0]);
            return out.ok();
        });
        return out;
    }

    const record& r_;
    const std::byte* bytes_;
    const repack_options& options_;
    const check_part part_;
};

}  // namespace plait::detail
