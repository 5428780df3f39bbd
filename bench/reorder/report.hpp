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
/// Writes all that tables and charts are made of. `filter` is the expression that chose the rows. Returns false if the
/// file cannot be written.
bool write_json(const std::vector<result>&, const std::string& file, const std::string& filter);
/// Writes the results of drawn rows, with their seed, and the reason why a row has no result of libdnnl.
bool write_drawn_json(const std::vector<result>&, const std::string& seed, const std::string& file,
                      const std::string& filter);

}  // namespace bench
