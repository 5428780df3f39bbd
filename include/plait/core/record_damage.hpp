#pragma once
// What may be wrong with the bytes of a record.

#include <plait/core/verdict.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The kinds of damage. The third number of record_is_damaged is one of them, and decides its sentence.
enum class damage { sum = 1, padding, repeat, gap, padding_value };

/// Returns the verdict for a byte that is not what packing gives: the field and an index of an axis; the bit for a gap.
constexpr verdict damaged(damage kind, int axis, dim_t field, dim_t where) {
    return {reason::record_is_damaged, axis, field, where, static_cast<dim_t>(kind)};
}

/// Returns the sentence for a kind of damage.
constexpr const char* sentence_of(damage kind) {
    switch (kind) {
        case damage::padding:
            return "the padding of field %n is not zero at index %2 of axis %a, which is behind its values";
        case damage::repeat:
            return "the padding of field %n does not repeat its last value at index %2 of axis %a, which is behind its "
                   "values";
        case damage::padding_value:
            return "the padding of field %n has not the value that the tag gives to it at index %2 of axis %a, which "
                   "is behind its values";
        case damage::gap: return "bit %2 of the record belongs to no value, and is not zero";
        default: return "field %n is not the sum of what is stored, at index %2 of axis %a";
    }
}

}  // namespace plait::detail
