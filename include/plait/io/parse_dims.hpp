#pragma once
// Parses extents in the notation that all output of plait uses.

#include <plait/io/notation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Parses extents from a text such as "2x17x5x4", or returns why the text is invalid.
///
/// Extents are separated by 'x' or ','; "?" is an extent known only at run time. There are no blanks and no signs.
///
/// Refused: notation_is_malformed (the column); too_many_axes
/// Pre:     none; any text
/// Post:    parse_dims(to_string(d)) == d for dims d with at least one axis and without negative extents
/// Cost:    O(length) steps; no allocation
/// Source:  the dims in verbose lines of oneDNN
/// Example: *parse_dims("2x17x5x4") == dims{2, 17, 5, 4}
[[nodiscard]] constexpr expected<dims> parse_dims(std::string_view text) {
    detail::notation_reader in(text);
    dims out;
    while (true) {
        dim_t extent = dynamic;
        const verdict refused = in.malformed();  // points to the beginning of the extent, even if it is too large
        if (!in.take("?") && !in.take_number(extent).ok()) return refused;
        if (out.full()) return verdict{reason::too_many_axes, -1, max_ndims + 1, max_ndims};
        out.push_back(extent);
        if (in.done()) return {out, {}};
        if (!in.take("x") && !in.take(",")) return in.malformed();
    }
}

/// Returns why a text is not valid as extents; ok() if it is.
///
/// Post:    check_parse_dims(text) == parse_dims(text).error()
/// Cost:    as parse_dims
/// Example: check_parse_dims("2x-3").first == 3, the column of the sign
constexpr verdict check_parse_dims(std::string_view text) { return parse_dims(text).error(); }

}  // namespace plait
