#include "array_type.hpp"
#include "commands.hpp"
#include "file_bytes.hpp"
#include "isa_name.hpp"
#include "output_bytes.hpp"
#include "system.hpp"
#include "temporary_directory.hpp"

#include <plait/io/draw_reorder.hpp>

#include <filesystem>
#include <iostream>

namespace tool {
namespace {

/// Returns the ending of a file name, ".svg"; empty if it has none.
std::string ending_of(const std::string& path) {
    const std::string name = text_of_path(path_of(path).filename());
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? "" : name.substr(dot);
}

/// Converts SVG text with rsvg-convert, which is started without a shell.
std::string png_of(const std::string& path, const std::string& svg) {
    const temporary_directory beside;
    const std::string from = beside.file("picture.svg"), to = beside.file("picture.png");
    write_file(from, svg);
    const std::optional<int> answer = run_program({"rsvg-convert", "--zoom", "2", "-o", to, from});
    if (!answer)
        throw failure(path +
                      ": PNG is made by rsvg-convert, which is not installed (Debian: librsvg2-bin); "
                      "SVG needs nothing: name the file .svg");
    if (*answer != 0) throw failure(path + ": rsvg-convert could not make it");
    const input_bytes png(to);
    return std::string(reinterpret_cast<const char*>(png.bytes().data()), png.bytes().size());
}

/// Returns the options for drawing a layout: its title and letters as typed, and the requested number of cells.
plait::drawing_options drawing_of(const named_layout& what, const draw_options& options) {
    plait::drawing_options out = plait::drawing_options::of(what.text);
    if (options.cells > 0) out.most_cells = out.most_planes = out.most_rows = out.most_columns = options.cells;
    if (const plait::verdict why = plait::check_draw(what.layout); !why.ok())
        throw failure("layout " + what.text + ": " + plait::describe(why).c_str());
    return out;
}

plait::picture picture_of_layout(const draw_options& options) {
    words in(options.arguments);
    const named_layout what = read_layout(in);
    in.end();
    return plait::picture_of(what.layout, drawing_of(what, options));
}

plait::picture picture_of_reorder(const draw_options& options) {
    const auto [src, dst] = read_two_layouts(options.arguments);
    plait::reorder_drawing_options drawn;
    drawn.src = drawing_of(src, options);
    drawn.dst = drawing_of(dst, options);
    drawn.from = read_type(options.type);
    drawn.to = options.to_type.empty() ? drawn.from : read_type(options.to_type);
    drawn.instructions = read_isa(options.isa);
    if (const plait::verdict why = plait::check_reorder(src.layout, dst.layout); !why.ok())
        throw failure("reorder " + src.text + " -> " + dst.text + ": " + plait::describe(why).c_str());
    return plait::picture_of(src.layout, dst.layout, drawn);
}

}  // namespace

void draw(const draw_options& options) {
    const std::string ending = open_descriptor(options.output) >= 0 ? ".svg" : ending_of(options.output);
    if (ending != ".svg" && ending != ".png" && ending != ".tex")
        throw failure("'" + options.output + "': what is drawn is .svg, .png or .tex");
    const plait::picture drawn = options.is_reorder ? picture_of_reorder(options) : picture_of_layout(options);
    if (ending == ".tex") return write_file(options.output, plait::tikz_of(drawn));
    const std::string svg = plait::svg_of(drawn);
    write_file(options.output, ending == ".png" ? png_of(options.output, svg) : svg);
}

}  // namespace tool
