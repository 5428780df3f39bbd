#pragma once
// What the suite says: a line a row, means, what issues 4 and 5 demand, the rows that libdnnl wins; and the same as
// JSON.

#include "race.hpp"

#include <string>

namespace bench {

void print_header();
void print_row(const result&);
void print_summary(const std::vector<result>&);
/// Reorders of layouts known only at run time, beside static kernels and libdnnl.
void print_run_time(const std::vector<result>&);
void write_json(const std::vector<result>&, const std::string& file);

}  // namespace bench
