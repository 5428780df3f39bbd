#pragma once
// What the name of an output leads to: a file, perhaps behind links, or something that is already open.

#include <string>

namespace tool {

/// The file that a link leads to, whether it is there yet or not; a name that is no link stays. Throws failure where
/// links lead to each other.
std::string behind_links(const std::string& path);

/// The number of an open file whose name this is: "-" and /dev/stdout are 1, as are /dev/fd/1 and /proc/self/fd/1, and
/// links to them; -1 for any other name.
int open_descriptor(const std::string& path);

/// Whether what is printed would stand among the bytes of this output: standard output by any of its names, or what
/// standard output is, too, such as a pipe.
bool is_standard_output(const std::string& path);

}  // namespace tool
