#pragma once
// The commands as the command line takes them, and the texts that are made of that table: manual page, completion.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tool {

/// show, reshape, view, permute, submemory, match, diff.
void add_layout_commands(CLI::App& app);
/// Whether an option takes an empty text: a tensor may have no name (--only), and no axes (--from, --to).
bool may_be_empty(const std::string& option);
/// reorder, with its types, scales and kinds of files.
void add_reorder_command(CLI::App& app);
/// man and completion, which print what the table of all commands says. To be added last.
void add_text_commands(CLI::App& app);

/// The names of all commands, in the order in which they were added.
std::vector<std::string> command_names(const CLI::App& app);
/// A page for man(1) with every command and option.
std::string manual_page(const CLI::App& app);
/// A script for bash that completes commands, options and the names of files.
std::string bash_completion(const CLI::App& app);

}  // namespace tool
