#pragma once
// The bytes that every contestant has to write.

#include "row.hpp"

namespace bench {

/// Writes what the reference writes. Large tensors are done by sums of tables, one for each axis, which is faster by
/// far; small ones by both.
///
/// Returns: false where the two differ, which would be a mistake of the tables
bool write_truth(const row&, const void* in, void* out);

}  // namespace bench
