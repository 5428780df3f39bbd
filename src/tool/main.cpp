// plait: describes and transforms layouts, explains the plan of a reorder, and moves files from one layout to another.
// If a command is rejected, it prints a sentence and exits with code 1; if the command line is invalid, with code 2.

#include "array_type.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "isa_name.hpp"
#include "record_commands.hpp"
#include "signals.hpp"
#include "system.hpp"
#include "usage_errors.hpp"

#include <plait/version.hpp>

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace {

void add_draw(CLI::App& app) {
    const auto picture = std::make_shared<tool::draw_options>();
    CLI::App* const draw = app.add_subcommand("draw", "draw a layout: plait draw nChw8c 1x17x2x3 -o layout.svg");
    draw->add_option("words", picture->arguments,
                     "a layout; with --reorder two formats and the dims, nchw nChw8c 1x17x2x3, or two layouts")
        ->required();
    draw->add_option("-o,--output", picture->output,
                     "the file: .svg, .tex (TikZ), or .png where rsvg-convert is installed")
        ->required();
    draw->add_option("--cells", picture->cells, "how many cells of planes, and of memory, are drawn at most; else 384")
        ->check(CLI::Range(1, 1'000'000));  // viewers cannot show larger pictures
    draw->add_flag("--reorder", picture->is_reorder, "draw both sides of a reorder, and the network between them");
    draw->add_option("--type", picture->type, "the type of the elements of a reorder")->capture_default_str();
    draw->add_option("--to", picture->to_type, "the type they are converted to, where that differs");
    draw->add_option("--isa", picture->isa, tool::isa_names() + "; else the widest of this CPU");
    draw->callback([picture] { tool::draw(*picture); });
}

void add_explain(CLI::App& app) {
    const auto plan = std::make_shared<tool::explain_options>();
    CLI::App* const explain =
        app.add_subcommand("explain", "print the plan of a reorder: plait explain nchw nChw16c 1x64x56x56");
    explain->add_option("words", plan->arguments,
                        "the format that is read, the one that is written, and the dims; or two layouts; or a blob");
    explain->add_option("--type", plan->type, "the type of the elements: " + tool::type_names())->capture_default_str();
    explain->add_option("--to", plan->to_type, "the type they are converted to, where that differs");
    explain->add_option("--isa", plan->isa, tool::isa_names() + ", or all; else the widest of this CPU");
    explain->add_flag("--legend", plan->legend, "say what the words of the plan mean");
    explain->add_flag("--json", plan->json, "print JSON");
    explain->callback([plan] { tool::explain(*plan); });
}

void add_prove(CLI::App& app) {
    const auto plan = std::make_shared<tool::prove_options>();
    CLI::App* const prove = app.add_subcommand(
        "prove", "print the plan of a reorder as JSON that tools/check_certificate.py checks: plait prove ab ba 20x30");
    prove->add_option("words", plan->arguments, "two formats and the dims, nchw nChw16c 1x64x56x56, or two layouts")
        ->required();
    prove->add_option("--type", plan->type, "the type of the elements: " + tool::type_names())->capture_default_str();
    prove->add_option("--to", plan->to_type, "the type they are converted to, where that differs");
    prove->add_option("--group", plan->group, "how many indices along each axis share a scale: 1x32");
    prove->add_option("--isa", plan->isa, tool::isa_names() + "; else the widest of this CPU");
    prove->callback([plan] { tool::prove(*plan); });
}

void add_choose(CLI::App& app) {
    const auto graph = std::make_shared<tool::choose_options>();
    CLI::App* const choose = app.add_subcommand("choose", "choose the formats of a graph: plait choose graph.json");
    choose->add_option("graph", graph->graph, "a JSON file of tensors and operations: docs/how-to.md")->required();
    choose->add_option("--svg", graph->svg, "the file to draw what was chosen to");
    choose
        ->add_option("--runs", graph->runs,
                     "how often the graph runs, among which reorders of constants are shared; 0: they are free")
        ->check([](const std::string& text) {
            const bool is_number =
                !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == text.npos;
            return is_number ? "" : "'" + text + "' is no whole number from 0 on";
        });
    choose->add_option("--factors", graph->factors,
                       "the factors of the classes of reorders: docs/bench/zen-4/formats.json");
    choose->callback([graph] { tool::choose(*graph); });
}

void add_shard(CLI::App& app) {
    const auto moved = std::make_shared<tool::shard_options>();
    CLI::App* const shard =
        app.add_subcommand("shard", "explain a tensor over ranks: plait shard 1000x700 64x64@2x2 '[Shard(0)]@4'");
    shard->add_option("dims", moved->dims, "the extents of the tensor")->required();
    shard
        ->add_option("from", moved->from,
                     "blocks dealt to a mesh, 64x64@2x2; DTensor's [Shard(0), Replicate()]@2x2; GSPMD's "
                     "{devices=[2,2]0,1,2,3}")
        ->required();
    shard->add_option("to", moved->to, "another distribution: how many bytes move there");
    shard->add_option("--type", moved->type, "the type of the elements: " + tool::type_names())->capture_default_str();
    shard->add_option("--to-type", moved->to_type, "the type of the elements in the other distribution, if it differs");
    shard->add_option("--svg", moved->svg, "the file to draw the first distribution to");
    shard->add_option("--json", moved->json,
                      "the file to write the plan to, for programs that move the bytes themselves");
    shard->add_option("--check", moved->check, "a plan in JSON: fails unless it is of these distributions and types");
    shard->add_option("--in", moved->in, "moves the tensor: a file for each rank that has it, in order")
        ->expected(1, 1 << 20);
    shard->add_option("--out", moved->out, "and one for each rank that gets it")->expected(1, 1 << 20);
    shard->callback([moved] { tool::shard(*moved); });
}

void add_bench(CLI::App& app) {
    const auto timed = std::make_shared<tool::bench_options>();
    CLI::App* const bench =
        app.add_subcommand("bench", "time a reorder beside memcpy: plait bench nchw nChw16c 1x64x56x56");
    bench->add_option("words", timed->arguments, "two formats and the dims, nchw nChw16c 1x64x56x56, or two layouts")
        ->required();
    bench->add_option("--type", timed->type, "the type of the elements")->capture_default_str();
    bench->add_option("--to", timed->to_type, "the type they are converted to, where that differs");
    bench->add_option("--seconds", timed->seconds, "so long calls are repeated, half of them memcpy's")
        ->check(CLI::Range(0.0, 3600.0))
        ->capture_default_str();
    bench->add_flag("--json", timed->json, "print JSON");
    bench->callback([timed] { tool::bench(*timed); });
}

/// Rejects an empty text as a value: it is usually an unset variable of a script, and does not mean "none". Options for
/// which it is valid never match a file by accident.
void refuse_empty_values(CLI::App& app) {
    const auto is_there = [](const std::string& value) { return std::string(value.empty() ? "has no value" : ""); };
    for (CLI::App* const command : app.get_subcommands([](CLI::App*) { return true; }))
        for (CLI::Option* const option : command->get_options())
            if (!tool::may_be_empty(option->get_name())) option->check(is_there);
}

/// Parses the command line and runs its command. CLI11 reports --help and --version as errors with the exit code 0.
void parse(CLI::App& app, int argc, const char* const* argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw;
        app.exit(error);  // prints the text
    }
}

int run(CLI::App& app, int argc, const char* const* argv) {
    try {
        parse(app, argc, argv);
        std::cout.flush();
        if (!std::cout) throw tool::failure("standard output: cannot be written");
        return 0;
    } catch (const CLI::ParseError& error) {
        return tool::used_wrongly(app, error);
    } catch (const tool::wrong_usage& error) {
        return tool::used_wrongly(error.what());
    } catch (const std::bad_alloc&) {
        std::cerr << "plait: there is not enough memory for this tensor\n";
    } catch (const tool::different&) {
        return 1;
    } catch (const tool::failure& error) {
        std::cout.flush();
        std::cerr << "plait: " << error.what() << '\n';
        for (const std::string& below : error.below()) std::cerr << below << '\n';
        return error.exit_code();
    } catch (const std::exception& error) {
        std::cerr << "plait: " << tool::in_one_line(error.what()) << '\n';
    }
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    tool::prepare_process();
    CLI::App app(
        "Tensor memory layouts: look at them, move arrays of files from one to another, pack weights, choose the "
        "formats "
        "of a network, spread a tensor over ranks",
        "plait");
    app.set_version_flag("--version", PLAIT_VERSION);
    app.require_subcommand(1);
    tool::add_layout_commands(app);
    add_draw(app);
    add_explain(app);
    add_prove(app);
    tool::add_reorder_command(app);
    add_choose(app);
    add_bench(app);
    add_shard(app);
    tool::add_record_commands(app);
    tool::add_text_commands(app);
    refuse_empty_values(app);
    const std::vector<std::string> words = tool::words_of_command_line(argc, argv);
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    return run(app, static_cast<int>(pointers.size()), pointers.data());
}
