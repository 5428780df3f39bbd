#pragma once
// Suggestions for an unknown word: the nearest known word.

#include <string>
#include <vector>

namespace tool {

/// Returns the tag that differs from the text by one letter or number; empty if there is none.
///
/// Example: nearest_tag("nChw16") == "nChw16c", nearest_tag("nchq") == "nchw"
std::string nearest_tag(const std::string& text);

/// Returns the word that needs the fewest insertions, deletions, replacements and exchanges of neighbours; empty if it
/// needs more than a third of its letters, rounded up.
///
/// Example: nearest_of("shwo", {"show", "view"}) == "show"
std::string nearest_of(const std::string& text, const std::vector<std::string>& known);

}  // namespace tool
