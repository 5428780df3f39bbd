#pragma once
// What the suite says: a line a row, means, what issue 4 demands, the rows that libdnnl wins; and the same as JSON.

#include "race.hpp"

#include <string>

namespace bench {

void print_header();
void print_row(const result&);
void print_summary(const std::vector<result>&);
void write_json(const std::vector<result>&, const std::string& file);

}  // namespace bench
