#pragma once
// What the explorer answers: text that someone typed in, JSON out. Nothing that is typed ends the program: what is
// wrong is {"refusal": the sentence}. Numbers are texts, since those of JavaScript have 53 bits.

#include <string>

namespace explorer {

/// A layout: {"name", "axes", "text", "digits": [{"name", "extent", "stride"}], "svg"}. The digits are in the order of
/// memory; "text" is what `plait show` prints below the grid. The picture is about `width` pixels wide.
std::string explore_layout(const std::string& format, const std::string& dims, int width);

/// Describes the place at an offset: {"kind": "element" | "padding" | "gap", "offset", "index", "said", "values",
/// "sum", "sharing"}. `values` are those of the digits, in the order of explore_layout; `sharing` says how many
/// elements share the place. Of a gap there are kind, offset and said only.
std::string explore_place(const std::string& format, const std::string& dims, const std::string& offset);

/// Describes the place of an index such as "0,13,1,0"; indices of padding are past the ends of the tensor.
std::string explore_index(const std::string& format, const std::string& dims, const std::string& index);

/// A reorder as it is typed; `to` may be empty: the same as `from`.
struct typed_reorder {
    std::string src_format, src_dims, dst_format, dst_dims, from, to, isa;
    int width = 1080;  ///< of the picture, about, in pixels
};
/// A reorder: {"text": what `plait explain` prints, "svg"}.
std::string explore_reorder(const typed_reorder& asked);

}  // namespace explorer
