#pragma once
// Layouts as JSON for other programs: one object, numbers in elements.

#include "layout_text.hpp"

#include <plait/algebra/for_each_copy.hpp>

#include <vector>

namespace tool {

/// Returns {"format", "name", "dims", "padded_dims", "strides", "offset", "elements", "padded_elements", "memory",
/// "dense", "digits": [{"axis", "extent", "stride"}]} and a line break. The tool can read the name (write_layout).
std::string json_of(const named_layout& what);

/// Returns {"from", "result", ...}: a layout made from another.
std::string json_of(const named_layout& from, const plait::layout& result);

/// Returns {"layout", "format", "matches", "why"}.
std::string json_of_match(const named_layout& what, const std::string& format, const std::string& why);

/// Returns {"first", "second", "same", "at", "offsets"}: the index of the first element whose offset differs, and both
/// offsets; null if there is none (`at` is empty).
std::string json_of_difference(const named_layout& first, const named_layout& second, const plait::position& at);

/// Returns {"from", "to", "copies", "first": [{"dst", "src", "count"}]}: how many copies there are, and the first ones.
std::string json_of_copies(const named_layout& from, const named_layout& to, plait::dim_t count,
                           const std::vector<plait::contiguous_copy>& first);

/// The summary sentence of plait explain.
struct reorder_summary {
    named_layout from, to;
    std::string type, to_type, isa, copy, plan;
    bool same_order = false;
};
std::string json_of(const reorder_summary& what);

/// The measurements of plait bench: bytes, and seconds of the fastest call.
struct bench_summary {
    named_layout from, to;
    std::string type, to_type, isa;
    std::size_t bytes_read = 0, bytes_written = 0;
    double seconds = 0, memcpy_seconds = 0;
    std::int64_t calls = 0;
};
std::string json_of(const bench_summary& what);

}  // namespace tool
