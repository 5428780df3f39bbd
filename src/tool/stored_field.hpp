#pragma once
// Fields of a record that a file has as they are stored: as words that hold several values each.

#include "stored_array.hpp"

#include <plait/packed/record.hpp>

#include <optional>

namespace tool {

/// A field of a record alone, and the shape of an array that holds its bytes.
struct stored_field {
    plait::record record;             ///< without the other fields and without gaps
    std::vector<std::int64_t> shape;  ///< words: the loops of the field outside of a word, from the outermost
};

/// Returns true for integers of more bits than a value of a field of this type: an array of them holds several values
/// in each word, because no integers are converted.
bool is_words(const array_type& type, plait::data_type field);

/// Returns the field as words of some bits store it: the innermost loops of its tag fill a word, the first value in the
/// lowest bits. So "kn: w:u4 Kn 8k" has a word of 32 bits for eight k, and the shape (K / 8, N).
///
/// Returns nothing if the field lies in pieces, is turned, or its loops do not fill words.
std::optional<stored_field> stored_field_of(const plait::record& r, const plait::field_name& name, int word_bits);

/// Returns true if a shape is that of the words, or joins some of its neighbouring axes.
bool joins_axes(const std::vector<std::int64_t>& words, const std::vector<std::int64_t>& shape);

}  // namespace tool
