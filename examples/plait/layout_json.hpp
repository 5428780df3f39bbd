#pragma once
// What the tool says of layouts, as JSON for programs: one object, numbers in elements.

#include "layout_text.hpp"

namespace tool {

/// {"format", "name", "dims", "padded_dims", "strides", "offset", "elements", "padded_elements", "memory", "dense",
/// "digits": [{"axis", "extent", "stride"}]} and a line break. The name is write_layout's, which the tool reads again.
std::string json_of(const named_layout& what);

/// {"from", "result", ...}: a layout made of another.
std::string json_of(const named_layout& from, const plait::layout& result);

/// {"layout", "format", "matches", "why"}
std::string json_of_match(const named_layout& what, const std::string& format, const std::string& why);

/// {"first", "second", "same", "at", "offsets"}: the index of the first element that has another offset, and both of
/// its offsets; null if there is none (`at` is empty).
std::string json_of_difference(const named_layout& first, const named_layout& second, const plait::position& at);

/// What plait explain says in a sentence.
struct reorder_summary {
    named_layout from, to;
    std::string type, to_type, isa, copy, plan;
    bool same_order = false;
};
std::string json_of(const reorder_summary& what);

/// What plait bench measured: bytes, and seconds of the fastest call.
struct bench_summary {
    named_layout from, to;
    std::string type, to_type, isa;
    std::size_t bytes_read = 0, bytes_written = 0;
    double seconds = 0, memcpy_seconds = 0;
    std::int64_t calls = 0;
};
std::string json_of(const bench_summary& what);

}  // namespace tool
