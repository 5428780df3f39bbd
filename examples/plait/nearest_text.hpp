#pragma once
// What was meant by a word that is none: the nearest one by one typing error.

#include <string>
#include <vector>

namespace tool {

/// The tag that the text is but for one letter or number; empty where none is that near.
///
/// Example: nearest_tag("nChw16") == "nChw16c", nearest_tag("nchq") == "nchw"
std::string nearest_tag(const std::string& text);

/// The word that takes the fewest insertions, deletions, replacements and exchanges of neighbours; empty where it takes
/// more than a third of its letters, rounded up.
///
/// Example: nearest_of("shwo", {"show", "view"}) == "show"
std::string nearest_of(const std::string& text, const std::vector<std::string>& known);

}  // namespace tool
