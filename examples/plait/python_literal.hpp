#pragma once
// Literals of Python, as headers of .npy files have them: dictionaries, lists, tuples, texts, whole numbers, words.

#include "errors.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tool {

/// One value of a literal and the place where it begins.
struct python_value {
    enum class kind { word, number, text, tuple, list, dictionary };
    kind what = kind::word;
    std::size_t at = 0;               ///< the character, counted from 1
    std::string text;                 ///< of a text, as UTF-8; of a word or number, as it is written
    std::int64_t number = 0;          ///< of a number
    bool fits = true;                 ///< the number has at most 63 bits
    std::vector<python_value> items;  ///< of a tuple or list; of a dictionary the keys, each followed by its value

    bool is_text() const { return what == kind::text; }
};

/// Reads exactly one literal: a word is True, False, None or another identifier, which the caller judges.
///
/// `longs`: numbers may end in L, as Python 2 wrote them.
/// Throws failure, which names the file, what is wrong, and the character, if the text is no literal of these kinds.
python_value read_python_literal(const std::string& file, const std::string& text, bool longs);

}  // namespace tool
