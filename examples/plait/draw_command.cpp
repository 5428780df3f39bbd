#include "drawn_layout.hpp"

#include <plait/io/draw_reorder.hpp>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

extern char** environ;

namespace tool {
namespace {

/// ".svg"; empty without one.
std::string ending_of(const std::string& path) {
    const std::size_t dot = path.rfind('.'), slash = path.rfind('/');
    return dot == std::string::npos || (slash != std::string::npos && dot < slash) ? "" : path.substr(dot);
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    if (!(file << text) || !file.flush()) throw failure(path + ": cannot be written");
}

/// A file that is gone when this is.
struct temporary_file {
    std::string path;
    explicit temporary_file(const std::string& text) {
        char name[] = "/tmp/plait-XXXXXX";
        const int file = mkstemp(name);
        if (file < 0) throw failure("no file can be made in /tmp");
        close(file);
        path = name;
        write_text(path, text);
    }
    ~temporary_file() { std::remove(path.c_str()); }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
};

/// Runs rsvg-convert, in no shell: paths are what they are.
void write_png(const std::string& path, const std::string& svg) {
    const temporary_file from(svg);
    const std::string target = path[0] == '-' ? "./" + path : path;
    std::string words[] = {"rsvg-convert", "--zoom", "2", "-o", target, from.path};
    char* arguments[7]{};
    for (int i = 0; i < 6; ++i) arguments[i] = words[i].data();
    pid_t child = 0;
    int answer = 0;
    if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments, environ) != 0)
        throw failure(path +
                      ": PNG is made by rsvg-convert, which is not installed (Debian: librsvg2-bin); "
                      "SVG needs nothing: name the file .svg");
    if (waitpid(child, &answer, 0) < 0 || !WIFEXITED(answer) || WEXITSTATUS(answer) != 0)
        throw failure(path + ": rsvg-convert could not write it");
}

/// A layout that can be drawn, in as many cells as were asked for.
drawn_layout read_drawable(const std::string& tag, const std::string& dims, const draw_options& options) {
    drawn_layout what = read_drawn_layout(tag, dims);
    plait::drawing_options& names = what.names;
    if (options.cells > 0) names.most_cells = names.most_planes = names.most_rows = names.most_columns = options.cells;
    if (const plait::verdict why = plait::check_draw(what.layout); !why.ok())
        throw failure("layout " + names.title + ": " + plait::describe(why).c_str());
    return what;
}

plait::picture read_picture(const draw_options& options) {
    const auto& words = options.arguments;
    const auto name = [](const std::string& text, const char* what) {
        const auto type = plait::parse_data_type(text);
        if (!type || *type == plait::data_type::undef) throw failure("type '" + text + "' is no type " + what);
        return *type;
    };
    if (!options.is_reorder) {
        if (words.size() != 2)
            throw failure("draw takes a format and its dims, as nChw8c 1x17x2x3; with --reorder two formats and dims");
        const drawn_layout what = read_drawable(words[0], words[1], options);
        return plait::picture_of(what.layout, what.names);
    }
    if (words.size() != 3) throw failure("draw --reorder takes two formats and the dims, as nchw nChw8c 1x17x2x3");
    const drawn_layout src = read_drawable(words[0], words[2], options),
                       dst = read_drawable(words[1], words[2], options);
    if (const plait::verdict why = plait::check_reorder(src.layout, dst.layout); !why.ok())
        throw failure("reorder " + words[0] + " -> " + words[1] + ": " + plait::describe(why).c_str());
    plait::reorder_drawing_options drawn;
    drawn.src = src.names;
    drawn.dst = dst.names;
    drawn.from = name(options.type, "of --type");
    drawn.to = options.to_type.empty() ? drawn.from : name(options.to_type, "of --to");
    const auto* const found = std::find_if(std::begin(plait::every_isa), std::end(plait::every_isa),
                                           [&](plait::isa which) { return options.isa == plait::name(which); });
    if (found == std::end(plait::every_isa)) throw failure("instruction set '" + options.isa + "' is unknown");
    drawn.which = *found;
    return plait::picture_of(src.layout, dst.layout, drawn);
}

}  // namespace

void draw(const draw_options& options) {
    const std::string ending = options.output == "-" ? ".svg" : ending_of(options.output);
    if (ending != ".svg" && ending != ".png" && ending != ".tex")
        throw failure("'" + options.output + "': what is drawn is .svg, .png or .tex");
    const plait::picture drawn = read_picture(options);
    if (ending == ".tex") return write_text(options.output, plait::tikz_of(drawn));
    const std::string svg = plait::svg_of(drawn);
    if (options.output == "-") std::cout << svg;
    else if (ending == ".png") write_png(options.output, svg);
    else write_text(options.output, svg);
}

}  // namespace tool
