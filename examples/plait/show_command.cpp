#include "drawn_layout.hpp"

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

void show(const std::string& tag, const std::string& dims) {
    const drawn_layout what = read_drawn_layout(tag, dims);
    if (plait::check_draw(what.layout).ok()) {
        plait::printing_options options;
        options.colours = wants_colours();
        std::cout << plait::print_layout(what.layout, what.names, options) << '\n';
    }
    if (what.names.letters.empty()) std::cout << plait::explain(what.layout);
    else std::cout << plait::explain(what.layout, what.names.letters.values);
}

}  // namespace tool
