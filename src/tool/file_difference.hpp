#pragma once
// How the arrays of two files differ.

#include "array_difference.hpp"

#include <algorithm>

namespace tool {

/// All that was found out about two files.
struct file_difference {
    std::size_t count = 0;                     ///< of the pairs of arrays, also of arrays that only one file has
    std::vector<array_difference> arrays;      ///< and of structured arrays each field
    std::vector<std::string> only_in[2];       ///< names of arrays and fields of one file alone
    std::vector<std::string> other_structure;  ///< of arrays of which only one is structured
    bool is_same(bool ignores_type) const {
        return only_in[0].empty() && only_in[1].empty() && other_structure.empty() &&
               std::all_of(arrays.begin(), arrays.end(),
                           [&](const array_difference& a) { return a.is_same(ignores_type); });
    }
};

/// Pairs the arrays of two files by their names, or the one array of a file without names with the one array of the
/// other, and compares the pairs. Arrays that cannot be read are the same if their bytes are.
///
/// Throws failure: one array without a name for several; a name in `only` that neither file has; arrays that cannot be
/// read, or whose elements have no known meaning, unless their bytes are the same
file_difference difference_of(const std::vector<stored_array>& first, const std::vector<stored_array>& second,
                              const std::string (&files)[2], const std::vector<std::string>& only,
                              const tolerance& allowed);

}  // namespace tool
