// plait: what a layout is, how a reorder is planned, and files from one layout to another. Wrong input ends with one
// sentence and exit code 2; a graph that is refused, with 1.

#include "read_graph.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

int main(int argc, char** argv) {
    CLI::App app("Tensor memory layouts: look at one, or move a NumPy file from one to another", "plait");
    app.set_version_flag("--version", PLAIT_VERSION);
    app.require_subcommand(1);

    std::string tag, dims;
    CLI::App* show =
        app.add_subcommand("show", "print a layout as a grid of offsets, and its digits: plait show nChw8c 2x17x5x4");
    show->add_option("format", tag, "a format tag: nchw, nChw16c, OIhw4i16o4i, aBcd24b, ...")->required();
    show->add_option("dims", dims, "the logical extents: 2x17x5x4")->required();
    show->callback([&] { tool::show(tag, dims); });

    tool::draw_options picture;
    CLI::App* draw = app.add_subcommand("draw", "draw a layout: plait draw nChw8c 1x17x2x3 -o layout.svg");
    draw->add_option("layout", picture.arguments, "nChw8c 1x17x2x3; with --reorder: nchw nChw8c 1x17x2x3")->required();
    draw->add_option("-o,--output", picture.output,
                     "the file: .svg, .tex (TikZ), or .png where rsvg-convert is installed")
        ->required();
    draw->add_option("--cells", picture.cells, "how many cells of planes, and of memory, are drawn at most; else 384")
        ->check(CLI::PositiveNumber);
    draw->add_flag("--reorder", picture.is_reorder, "draw both sides of a reorder, and the network between them");
    draw->add_option("--type", picture.type, "the type of the elements of a reorder")->capture_default_str();
    draw->add_option("--to", picture.to_type, "the type they are converted to, where that differs");
    draw->add_option("--isa", picture.isa, "portable, neon, sse41, avx2, avx512")->capture_default_str();
    draw->callback([&] { tool::draw(picture); });

    tool::explain_options plan;
    CLI::App* explain =
        app.add_subcommand("explain", "print the plan of a reorder: plait explain nchw nChw16c 1x64x56x56");
    explain->add_option("from", plan.from, "the format that is read: nchw")->required();
    explain->add_option("into", plan.to, "the format that is written: nChw16c")->required();
    explain->add_option("dims", plan.dims, "the logical extents: 1x64x56x56")->required();
    explain
        ->add_option("--type", plan.type,
                     "the type of the elements: f64, f32, bf16, f16, f8_e5m2, f8_e4m3, s32, s8, u8")
        ->capture_default_str();
    explain->add_option("--to", plan.to_type, "the type they are converted to, where that differs");
    explain->add_option("--isa", plan.isa, "portable, neon, sse41, avx2, avx512, or all; else the widest of this CPU");
    explain->callback([&] { tool::explain(plan); });

    tool::reorder_options options;
    CLI::App* reorder = app.add_subcommand("reorder", "move a .npy file from one layout to another");
    reorder->add_option("in", options.in, "the .npy file to read; its shape is that of the format's memory")
        ->required();
    reorder->add_option("out", options.out, "the .npy file to write, with its padded, blocked shape")->required();
    reorder->add_option("--from", options.from, "the format of the file: nhwc")->required();
    reorder->add_option("--to", options.to, "the format wanted: nChw16c")->required();
    reorder->add_option("--dims", options.dims, "the logical extents, where the file has padding: 2x17x5x4");
    reorder->callback([&] { tool::reorder(options); });

    tool::choose_options graph;
    CLI::App* choose = app.add_subcommand("choose", "choose the formats of a graph: plait choose graph.json");
    choose->add_option("graph", graph.graph, "a JSON file of tensors and operations: docs/how-to.md")->required();
    choose->add_option("--svg", graph.svg, "the file to draw what was chosen to");
    choose
        ->add_option("--runs", graph.runs,
                     "how often the graph runs, among which reorders of constants are shared; 0: they are free")
        ->check(CLI::NonNegativeNumber);
    choose->add_option("--factors", graph.factors,
                       "the factors of the classes of reorders: docs/bench/formats-gcc.json");
    choose->callback([&] { tool::choose(graph); });

    app.add_subcommand("demo", "move a 103 MB tensor to nChw16c and back, beside memcpy")->callback([] {
        tool::demo();
    });

    try {
        app.parse(argc, argv);
        std::cout.flush();
        if (!std::cout) throw tool::failure("standard output: cannot be written");
        return 0;
    } catch (const CLI::RequiredError& error) {
        // CLI11 says that a command is missing also where there is one that it does not know.
        const bool unknown = argc > 1 && app.get_subcommands().empty();
        std::cerr << "plait: " << (unknown ? "'" + std::string(argv[1]) + "' is no command" : error.what())
                  << "; see plait --help\n";
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        std::cerr << "plait: " << error.what() << "; see plait --help\n";
    } catch (const std::bad_alloc&) {
        std::cerr << "plait: there is not enough memory for this tensor\n";
    } catch (const tool::refusal& error) {
        std::cerr << "plait: " << error.what() << '\n';
        return 1;
    } catch (const std::exception& error) {
        std::cerr << "plait: " << error.what() << '\n';
    }
    return 2;
}
