#pragma once
// The rows that draw.py drew, as it writes them.

#include "row.hpp"

namespace bench {

struct drawn_rows {
    std::string seed;
    std::vector<row> rows;
};

/// Refuses (ends the program on) what is not such a file, and layouts that plait refuses, with the line and why.
drawn_rows read_rows(const std::string& file);

/// Gives the rows that static kernels were compiled for these kernels. Refuses (ends the program on) one whose row is
/// not there, or is of other layouts or types: the file and the kernels were drawn together.
void add_static_kernels(std::vector<row>& rows, const std::vector<row>& compiled);

}  // namespace bench
