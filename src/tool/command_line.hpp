#pragma once
// The commands of the command line, and the texts generated from their definitions: manual page, completion.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tool {

/// Adds show, reshape, view, permute, submemory, match, diff.
void add_layout_commands(CLI::App& app);
/// True if an option accepts an empty text: a tensor may have no name (--only), or no axes (--from, --to).
bool may_be_empty(const std::string& option);
/// Adds reorder, with its types, scales and kinds of files.
void add_reorder_command(CLI::App& app);
/// Adds man and completion, which print texts generated from all commands. Must be added last.
void add_text_commands(CLI::App& app);

/// Returns the names of all commands, in the order in which they were added.
std::vector<std::string> command_names(const CLI::App& app);
/// Returns a page for man(1) with every command and option.
std::string manual_page(const CLI::App& app);
/// Returns a script for bash that completes commands, options and file names.
std::string bash_completion(const CLI::App& app);
/// Returns the same for zsh, with descriptions: a file for a folder of `fpath`, or a text to source.
std::string zsh_completion(const CLI::App& app);

}  // namespace tool
