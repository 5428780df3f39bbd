#include "usage_errors.hpp"

#include "command_line.hpp"
#include "errors.hpp"
#include "nearest_text.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace tool {

namespace {

/// Returns the long name, such as "--from", of every option that has one.
std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> out;
    for (const CLI::Option* const option : command.get_options())
        for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    return out;
}

/// Returns the option without its value: "--form" for "--form=nchw".
std::string name_of(const std::string& word) { return word.substr(0, word.find('=')); }

int unknown_option(const CLI::App& command, const std::string& word) {
    const std::string near = nearest_of(name_of(word), options_of(command));
    return used_wrongly("'" + name_of(word) + "' is no option of " + command.get_name(), near);
}

/// Returns the first part of a description: "a layout" for "a layout; a layout is FORMAT DIMS".
std::string subject_of(const std::string& description) { return description.substr(0, description.find(';')); }

int missing_word(const CLI::App& command, const std::string& otherwise) {
    for (const CLI::Option* const option : command.get_options()) {
        if (!option->get_required() || option->count() != 0) continue;
        const bool by_place = option->get_positional();
        return used_wrongly(command.get_name() + " needs " + (by_place ? "" : option->get_name() + ": ") +
                            subject_of(option->get_description()));
    }
    return used_wrongly(otherwise);
}

}  // namespace

int used_wrongly(const std::string& why, const std::string& nearest) {
    std::cerr << "plait: " << in_one_line(why) << "; see plait --help\n";
    if (!nearest.empty()) std::cerr << line("nearest", nearest) << '\n';
    return 2;
}

int used_wrongly(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    if (commands.empty()) {
        // CLI11 reports a missing command even if there is an unknown one.
        const std::vector<std::string> words = app.remaining();
        if (words.empty()) return used_wrongly(error.what());
        const bool is_option = words[0].size() > 1 && words[0][0] == '-';
        if (is_option) return unknown_option(app, words[0]);
        const std::string near = nearest_of(words[0], command_names(app));
        return used_wrongly("'" + words[0] + "' is no command", near.empty() ? "" : "plait " + near);
    }
    const CLI::App& command = *commands[0];
    for (const std::string& word : command.remaining())
        if (word.size() > 1 && word[0] == '-') return unknown_option(command, word);
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing_word(command, error.what());
    return used_wrongly(error.what());
}

}  // namespace tool
