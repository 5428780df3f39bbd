#include "algebra_commands.hpp"
#include "layout_json.hpp"
#include "system.hpp"

#include <plait/io/drawing_options.hpp>
#include <plait/io/print_layout.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace tool {
namespace {

/// Checks that colours are useful: on a terminal that supports them, and not if NO_COLOR is set (no-color.org).
bool wants_colours() {
    const char* const refused = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    return is_terminal(1) && (refused == nullptr || *refused == 0) && terminal != nullptr &&
           std::string(terminal) != "dumb";
}

/// Returns the number of columns: of the variable COLUMNS, as in other programs, else of the terminal, else 80.
int columns() {
    constexpr int least = 20, most = 10'000;
    const char* const said = std::getenv("COLUMNS");
    int out = said == nullptr ? 0 : std::atoi(said);
    if (out <= 0) out = terminal_columns();
    return out <= 0 ? plait::printing_options{}.columns : std::clamp(out, least, most);
}

}  // namespace

void show(const algebra_options& options) {
    words in(options.arguments);
    const named_layout what = read_layout(in);
    in.end();
    if (options.json) {
        std::cout << json_of(what);
        return;
    }
    const plait::drawing_options names = plait::drawing_options::of(what.text);
    if (plait::check_draw(what.layout).ok()) {
        plait::printing_options printing;
        printing.colours = wants_colours();
        printing.columns = columns();
        std::cout << plait::print_layout(what.layout, names, printing) << '\n';
    }
    const std::string said =
        names.letters.empty() ? plait::explain(what.layout) : plait::explain(what.layout, names.letters.values);
    // The name has the letters that were typed, like the digits.
    std::cout << line("name", write_layout(what.layout, what.tag)) << said.substr(said.find('\n'));
}

}  // namespace tool
