#pragma once
// plait reorder: moves arrays of files from one layout and type to another.

#include "attribute_values.hpp"

namespace tool {

/// plait reorder IN OUT --from TAG --to TAG [--dims DIMS] [--type TYPE] ...
struct reorder_options {
    std::string in, out, from, to, dims;
    std::string type, src_type;     ///< empty: the file's
    attribute_texts attributes;     ///< scales and zero points
    std::vector<std::string> only;  ///< the arrays of an archive or directory to be moved; empty: all
    std::string field;              ///< for structured arrays
};
void reorder(const reorder_options& options);

}  // namespace tool
