#pragma once
// Messages for an invalid command line: the unknown or missing word, and the nearest known one.

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace tool {

/// Prints a sentence and the nearest known word to standard error; returns the exit code, 2.
int used_wrongly(const std::string& why, const std::string& nearest = "");

/// Prints the error that CLI11 reports. An unknown option comes before a missing one, because it is the cause.
int used_wrongly(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tool
