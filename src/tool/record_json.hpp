#pragma once
// Records as JSON for other programs: one object, places in bits.

#include "blob_file.hpp"

namespace tool {

/// Returns {"tag", "dims", "size", "padding_bits", "gap_bits", "overlap", "fields"} and a line break. Each piece of a
/// field is an object: {"name", "type", "low", "width", "begin", "origin", "share", "flipped", "subtracted", "factor",
/// "content", "digits": [{"axis", "step", "extent", "stride", "turned_by"}], "where": [{"axis", "first", "end"}, or
/// {"axis", "step", "extent", "value"}]}. `overlap` is null, or a sentence.
///
/// A value without turned digits lies at bit `begin` + the sum of (index[axis] - origin[axis]) / step % extent *
/// stride.
std::string json_of(const plait::record& r);

/// Returns {"blob", "bytes", "key", "checksum", "record"}: the record as above; the checksum is null if there is none,
/// else 16 hexadecimal digits.
std::string json_of(const blob_file& blob);

}  // namespace tool
