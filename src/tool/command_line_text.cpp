#include "command_line.hpp"

#include <CLI/CLI.hpp>

namespace tool {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Returns the names of an option, "--from", "-h,--help"; empty for a positional argument.
std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> out;
    for (const std::string& name : option.get_snames()) out.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
    return out;
}

bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0; }

/// Escapes text so that troff does not read requests in it, and prints hyphens that can be pasted.
std::string troff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else out += c;
    }
    return out.empty() || (out[0] != '.' && out[0] != '\'') ? out : "\\&" + out;
}

std::string upper(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

std::string manual_of(const CLI::Option& option) {
    std::string names;
    for (const std::string& name : names_of(option)) names += (names.empty() ? "" : ", ") + name;
    if (names.empty()) names = upper(option.get_name(true));
    else if (takes_value(option)) names += " VALUE";
    return ".TP\n.B " + troff(names) + "\n" + troff(option.get_description()) + "\n";
}

}  // namespace

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> out;
    for (const CLI::App* command : commands_of(app)) out.push_back(command->get_name());
    return out;
}

std::string manual_page(const CLI::App& app) {
    std::string out = ".TH PLAIT 1 \"\" \"plait\" \"User Commands\"\n.SH NAME\nplait \\- " +
                      troff(app.get_description()) + "\n.SH SYNOPSIS\n.B plait\n.I COMMAND\n[\\fIOPTIONS\\fR]\n";
    out +=
        ".SH LAYOUTS\nA layout is a format and its dims, as\n.B nChw16c 2x17x5x4\\fR.\n"
        "Strides follow behind a colon, of the format or of the dims, and the offset of the first element behind a "
        "plus:\n.B abc:64x8x1 2x3x4+5\\fR.\nWithout a format the axes are in order:\n.B 2x3:3x1\\fR.\n"
        "CuTe\\(aqs notation is read, too:\n.B (4,(16,2)):(16,(1,64))\\fR.\n";
    out += ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app)) {
        out += ".SS plait " + troff(command->get_name()) + "\n" + troff(command->get_description()) + "\n";
        for (const CLI::Option* option : command->get_options()) out += manual_of(*option);
    }
    out += ".SH OPTIONS\n";
    for (const CLI::Option* option : app.get_options()) out += manual_of(*option);
    out +=
        ".SH EXIT STATUS\n.TP\n.B 0\nDone.\n.TP\n.B 1\nRefused: a layout, a file, an operation, with the rule, the "
        "axis and the numbers. Nothing was written. For diff: something differs.\n.TP\n.B 2\nUsed wrongly: no "
        "command, an unknown option, a word too few or too many. For diff: files that cannot be compared.\n";
    return out;
}

std::string bash_completion(const CLI::App& app) {
    const auto words_of = [](const CLI::App& of) {
        std::string out;
        for (const CLI::Option* option : of.get_options())
            for (const std::string& name : names_of(*option)) out += (out.empty() ? "" : " ") + name;
        return out;
    };
    std::string names = words_of(app);
    for (const std::string& name : command_names(app)) names += ' ' + name;
    std::string out =
        "# Completion of plait for bash: source <(plait completion)\n_plait() {\n"
        "    local words=\"\"\n    COMPREPLY=()\n"
        "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words=\"" +
        names +
        "\"\n    else\n"
        "        case \"${COMP_WORDS[1]}\" in\n";
    for (const CLI::App* command : commands_of(app))
        out += "            " + command->get_name() + ") words=\"" + words_of(*command) + "\" ;;\n";
    // Other words are file names: bash's default.
    return out +
           "        esac\n    fi\n"
           "    case \"${COMP_WORDS[COMP_CWORD]}\" in\n"
           "        -*) COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")) ;;\n"
           "        *) [ \"$COMP_CWORD\" != 1 ] || "
           "COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")) ;;\n"
           "    esac\n}\ncomplete -o default -F _plait plait\n";
}

std::string zsh_completion(const CLI::App& app) {
    // Text in quotes of a shell. zsh reads brackets in a description, so they are replaced.
    const auto quoted = [](const std::string& text) {
        std::string out = "'";
        for (const char c : text) {
            if (c == '\'') out += "'\\''";
            else if (c != '\\') out += c == '[' ? '(' : c == ']' ? ')' : c;
        }
        return out + "'";
    };
    const auto bracketed = [&quoted](const std::string& name, const std::string& description, const std::string& more) {
        const std::string text = quoted(description);
        return "'" + name + "['" + text + "']" + more + "'";
    };
    std::string out =
        "#compdef plait\n# Completion of plait for zsh: source <(plait completion zsh), or this file in a folder of "
        "fpath\n_plait() {\n    local -a commands options\n    commands=(\n";
    for (const CLI::App* command : commands_of(app))
        out += "        " + quoted(command->get_name() + ":" + command->get_description()) + "\n";
    out += "    )\n    case \"$CURRENT:${words[2]}\" in\n        2:*) _describe command commands; return ;;\n";
    for (const CLI::App* command : commands_of(app)) {
        out += "        *:" + command->get_name() + ") options=(";
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : names_of(*option))
                out += "\n            " + (takes_value(*option)
                                               ? bracketed("*" + name, option->get_description(), ":value:_files")
                                               : bracketed(name, option->get_description(), ""));
        out += ") ;;\n";
    }
    return out +
           "    esac\n    shift words\n    (( CURRENT-- ))\n    _arguments -s $options '*:file:_files'\n}\n"
           "if [ \"$funcstack[1]\" = \"_plait\" ]; then _plait \"$@\"; else compdef _plait plait; fi\n";
}

}  // namespace tool
