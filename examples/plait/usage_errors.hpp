#pragma once
// What is said of a command line that is none: the word that is unknown, or the one that is missing, and what is near.

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace tool {

/// Prints a sentence, and the nearest word that there is, to standard error; returns the exit code, 2.
int used_wrongly(const std::string& why, const std::string& nearest = "");

/// The same for what CLI11 refuses. An unknown option comes before what is missing, because it is why that is missing.
int used_wrongly(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tool
