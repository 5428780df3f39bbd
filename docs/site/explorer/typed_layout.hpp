#pragma once
// A layout as it is typed, in the words of the tool: a format and dims, "ab:6x1" and "3x4+5".

#include <plait/io/drawing_options.hpp>

#include <stdexcept>

namespace explorer {

/// An error with one sentence: the reason why something is refused.
struct refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct typed_layout {
    plait::layout layout;
    plait::drawing_options names;  ///< titled as it was typed, in its letters
};

/// Where WebAssembly counts bytes in 32 bits: 2 GiB of the widest elements. No picture needs more.
inline constexpr plait::dim_t most_places = plait::dim_t{1} << 28;

/// Numbers as "2x17x5x4" or "2,17,5,4"; `what` names them in the sentence.
///
/// Throws refusal with the column.
plait::dims read_numbers(const std::string& text, const std::string& what);

/// FORMAT[:STRIDES] and DIMS[:STRIDES][+OFFSET]; without a format the plain one.
///
/// Post:    check_draw(result.layout).ok(), and it ends at most_places at most
/// Throws refusal: what is typed is no layout, or no layout that can be drawn
typed_layout read_layout(const std::string& format, const std::string& dims);

}  // namespace explorer
