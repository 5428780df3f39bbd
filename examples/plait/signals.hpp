#pragma once
// How the tool's process ends where something from outside ends it, and what it begins with.

#include <string>

namespace tool {

/// To be called first. Standard input, output and error that the caller closed stay closed, so that no file that is
/// opened later is taken for one of them. A signal that ends the tool removes the file that is being made; one that
/// says that a mapped file was cut short ends it with a sentence and exit code 1. The limit of a file's size is an
/// error of what is written.
void prepare_process();

/// The file that has a name of its own before it is in its place; "" where there is none. At most one at a time.
void set_unfinished_file(const std::string& path);

}  // namespace tool
