#pragma once
// Python literals in the headers of .npy files: dictionaries, lists, tuples, texts, integers, words.

#include "errors.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tool {

/// One value of a literal, and the place where it begins.
struct python_value {
    enum class kind { word, number, text, tuple, list, dictionary };
    kind what = kind::word;
    std::size_t at = 0;               ///< the character, counted from 1
    std::string text;                 ///< for a text, as UTF-8; for a word or number, as written
    std::int64_t number = 0;          ///< for a number
    bool fits = true;                 ///< the number has at most 63 bits
    std::vector<python_value> items;  ///< of a tuple or list; for a dictionary the keys, each followed by its value

    bool is_text() const { return what == kind::text; }
};

/// Reads exactly one literal. A word is True, False, None or another identifier, which the caller must check.
///
/// `longs`: numbers may end in L, as in Python 2.
/// Throws failure, which names the file, the error and the character, if the text is not such a literal.
python_value read_python_literal(const std::string& file, const std::string& text, bool longs);

}  // namespace tool
