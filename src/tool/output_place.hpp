#pragma once
// Resolves the name of an output: a file, possibly through links, or a descriptor that is already open.

#include "system.hpp"

#include <map>
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

/// The output files of a command that writes several. No two of them are one file, whose first content would be lost.
class separate_outputs {
public:
    /// Adds an output. Throws failure if it is the file of an earlier one, e.g. behind a link, is a directory, or has a
    /// longer name than the file system allows.
    void add(const std::string& path);
    /// Called before an output is written. Throws failure if it is a file that this command has written: two names that
    /// the file system does not distinguish, e.g. because it ignores the case of letters.
    void begin(const std::string& path) const;
    /// Called after an output has been written.
    void end(const std::string& path);

private:
    std::map<std::string, std::string> planned_;  ///< the path by the place of the file
    std::map<file_number, std::string> written_;  ///< the path by the file's number
};

}  // namespace tool
