#include "algebra_commands.hpp"
#include "layout_json.hpp"

#include <plait/io/drawing_options.hpp>
#include <plait/io/print_layout.hpp>

#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace tool {
namespace {

/// Colours only where someone reads them: on a terminal that has some, and not where NO_COLOR is set (no-color.org).
bool wants_colours() {
    const char* const refused = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) == 1 && (refused == nullptr || *refused == 0) && terminal != nullptr &&
           std::string(terminal) != "dumb";
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
        std::cout << plait::print_layout(what.layout, names, printing) << '\n';
    }
    if (names.letters.empty()) std::cout << plait::explain(what.layout);
    else std::cout << plait::explain(what.layout, names.letters.values);
}

}  // namespace tool
