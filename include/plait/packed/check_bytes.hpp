#pragma once
// Checks the bytes of a record against its tag, place by place. It is written from the definition of a record alone,
// and shares no code with what packs: a mistake of the packer would else be a mistake of the check.

#include <plait/packed/check_sums.hpp>
#include <plait/packed/record_laws.hpp>

#include <cstring>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Visits the places of a piece that no index has, the outermost digit first; parts that are values are passed over.
class padding_visitor {
public:
    padding_visitor(const record& r, const record_piece& piece) : r_(r), piece_(piece) {
        index_ = piece.origin;
        for (const piece_condition& c : piece.where)
            if (c.extent != 0) index_[c.axis] += c.first * c.step;
    }
    /// Calls what(index) until it returns a verdict that is not ok.
    template <class What>
    verdict visit(const What& what) {
        for (const piece_digit& d : piece_.digits)
            if (d.extent == 0) return {};
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
        verdict why;
        for (dim_t v = 0; v < d.extent && why.ok(); ++v) {
            index_[d.axis] = before + v * d.step;
            why = visit(left - 1, what);
        }
        index_[d.axis] = before;
        return why;
    }

    const record& r_;
    const record_piece& piece_;
    position index_;
};

/// Checks padding, gaps and sums of the bytes of a record.
class byte_check {
public:
    byte_check(const record& r, const std::byte* bytes, const repack_options& options)
        : r_(r), bytes_(bytes), options_(options) {}

    /// Refused: record_is_damaged; parameter_is_missing, indices_are_too_many
    verdict check() const {
        verdict why = check_parameters();
        for (const dim_t extent : r_.dims)
            if (why.ok() && extent == 0) return check_empty();
        if (why.ok() && !options_.ignore_padding) why = check_padding();
        if (why.ok()) why = check_gaps();
        for (const record_piece& piece : r_.pieces)
            if (why.ok() && r_.field_of(piece).content.kind == field_content::sum)
                why = sum_check(r_, bytes_, options_, piece).check();
        return why;
    }

private:
    /// Only sums that are not added to what is given can be checked.
    verdict check_parameters() const {
        for (const record_field& field : r_.tag.fields)
            if (field.content.kind == field_content::sum && !factor_of_sum(field, options_).is_known)
                return {reason::parameter_is_missing, -1, short_name(field.content.parameter)};
        return {};
    }
    /// Checks a record without values: all bits are padding or gaps.
    verdict check_empty() const {
        if (options_.ignore_padding) return check_gaps();
        for (dim_t byte = 0; byte < r_.size; ++byte)
            if (bytes_[byte] != std::byte{0}) return damaged(damage::gap, -1, 0, 8 * byte);
        return {};
    }

    verdict check_padding() const {
        for (const record_piece& piece : r_.pieces) {
            const record_field& field = r_.field_of(piece);
            const verdict why = padding_visitor(r_, piece).visit(
                [&](const position& index) { return check_padding(piece, field, index); });
            if (!why.ok()) return why;
        }
        return {};
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
        std::vector<std::uint8_t> taken(r_.size_in_bytes());
        for (const record_piece& piece : r_.pieces) {
            bool is_empty = false;
            for (const piece_digit& d : piece.digits) is_empty = is_empty || d.extent == 0;
            if (!is_empty) take(piece, piece.digits.size(), piece.at, taken);
        }
        for (dim_t byte = 0; byte < r_.size; ++byte) {
            if (constexpr dim_t word = 8; byte + word <= r_.size) {
                std::uint64_t here = 0, values = 0;
                std::memcpy(&here, bytes_ + byte, sizeof here);
                std::memcpy(&values, &taken[static_cast<std::size_t>(byte)], sizeof values);
                if ((here & ~values) == 0) {
                    byte += word - 1;
                    continue;
                }
            }
            const unsigned wrong =
                std::to_integer<unsigned>(bytes_[byte]) & ~unsigned{taken[static_cast<std::size_t>(byte)]};
            for (int bit = 0; wrong != 0 && bit < 8; ++bit)
                if ((wrong >> bit & 1) != 0) return damaged(damage::gap, -1, 0, 8 * byte + bit);
        }
        return {};
    }
    /// Marks the bits of a piece. A digit that is turned takes the same slots in another order.
    void take(const record_piece& piece, int left, dim_t bit, std::vector<std::uint8_t>& taken) const {
        dim_t run = r_.field_of(piece).width;
        int inside = 0;
        while (inside < left && piece.digits[inside].stride == run) run *= piece.digits[inside++].extent;
        if (inside == left) {
            for (dim_t end = bit + run; bit < end;) {
                const auto at = static_cast<std::size_t>(bit / 8);
                if (const dim_t bytes = (end - bit) / 8; bit % 8 == 0 && bytes > 0) {
                    std::memset(&taken[at], 0xff, static_cast<std::size_t>(bytes));
                    bit += 8 * bytes;
                    continue;
                }
                const dim_t count = smaller_of(8 - bit % 8, end - bit);
                taken[at] = static_cast<std::uint8_t>(taken[at] | low_bits(static_cast<int>(count)) << bit % 8);
                bit += count;
            }
            return;
        }
        const piece_digit& d = piece.digits[left - 1];
        for (dim_t v = 0; v < d.extent; ++v) take(piece, left - 1, bit + v * d.stride, taken);
    }

    const record& r_;
    const std::byte* bytes_;
    const repack_options& options_;
};

}  // namespace plait::detail
