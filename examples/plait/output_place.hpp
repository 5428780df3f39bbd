#pragma once
// Resolves the name of an output: a file, possibly through links, or a descriptor that is already open.

#include <string>

namespace tool {

/// Returns the file that a link points to, even if it does not exist; returns other names unchanged.
/// Throws failure for circular links.
std::string behind_links(const std::string& path);

/// Returns the descriptor that a name denotes: 1 for "-" and /dev/stdout, /dev/fd/1 and /proc/self/fd/1, and links to
/// them; -1 for any other name.
int open_descriptor(const std::string& path);

/// Checks if printed text would be mixed with this output: it is standard output under any name, or the same file or
/// pipe as standard output.
bool is_standard_output(const std::string& path);

}  // namespace tool
