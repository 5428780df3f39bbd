#pragma once
// How two arrays differ: their shapes, their types, and their elements one by one.

#include "stored_array.hpp"

#include <cstdint>
#include <string>

namespace tool {

/// Two elements are equal if |a - b| <= absolute + relative * |b|, where b is that of the second array.
struct tolerance {
    double absolute = 0, relative = 0;
    bool any() const { return absolute != 0 || relative != 0; }
};

/// Two elements at the same index.
struct element_pair {
    std::vector<std::int64_t> index;
    std::string first, second;  ///< both values, in words
    double absolute = 0,
           relative = 0;  ///< |a - b|, and divided by |b|; infinity if only one of them is NaN or infinite
};

/// How the elements of two arrays of the same shape differ.
struct element_difference {
    std::uint64_t count = 0;   ///< how many differ by more than the tolerance
    std::uint64_t within = 0;  ///< how many differ, but not by more than the tolerance
    bool has_errors = false;   ///< the elements are numbers
    /// The first pair and the pairs of the largest errors: among those that differ by more than the tolerance, or else
    /// among all that differ.
    element_pair first, absolute, relative;
};

struct array_difference {
    std::string name;  ///< of an array in an archive, and of a field; empty for a .npy file
    std::string types[2];
    std::vector<std::int64_t> shapes[2];
    std::uint64_t elements = 0;  ///< how many were compared
    bool has_other_shape = false, has_other_type = false;
    std::string why_not_compared;  ///< why no element was compared; empty if they were
    element_difference values;

    bool is_same(bool ignores_type) const {
        return !has_other_shape && (ignores_type || !has_other_type) && why_not_compared.empty() && values.count == 0;
    }
};

/// Compares two arrays. Byte order, and the order of the axes in the file, do not matter. Two NaN are equal, whatever
/// their bits; so are 0 and -0. Numbers of two types are compared exactly.
///
/// Throws failure, which begins with `where`: bytes that differ, but whose meaning is unknown.
array_difference difference_of(const std::string& name, const std::string& where, const stored_array& first,
                               const stored_array& second, const tolerance& allowed);

}  // namespace tool
