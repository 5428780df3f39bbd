#include "command_line.hpp"

#include "algebra_commands.hpp"
#include "array_type.hpp"
#include "diff_files_command.hpp"
#include "reorder_command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

namespace tool {

namespace {

struct layout_command {
    const char* name;
    const char* description;
    const char* besides;  ///< the arguments
    void (*run)(const algebra_options&);
};
constexpr layout_command layout_commands[] = {
    {"show", "print a layout as a grid of offsets, and its digits: plait show nChw8c 2x17x5x4", "a layout", &show},
    {"reshape", "split and join axes, the data stays where it is: plait reshape nchw 2x3x4x5 6x4x5",
     "a layout, and the new dims", &reshape},
    {"view", "reshape through blocks and axes in any order: plait view nChw16c 1x32x5x4 1x2x16x20",
     "a layout, and the new dims", &view},
    {"permute", "give the axes another order: plait permute nchw 2x3x4x5 nhwc, or 0,3,1,2: axis i goes to place p[i]",
     "a layout, and the letters in their new order, or the place of each axis", &permute},
    {"submemory", "a part as a layout of its own: plait submemory nChw16c 2x32x5x6 2x16x3x6 0,16,2,0",
     "a layout, the dims of the part, and where it begins", &submemory},
    {"match", "ask whether a format says where the elements are: plait match 2x3:3x1 ab; exit code 1 where it does not",
     "a layout, and a format", &match},
    {"copies",
     "count the contiguous copies that move a tensor, and print the first: plait copies nhwc nChw16c 1x17x5x4",
     "two formats and the dims, nhwc nChw16c 1x17x5x4, or two layouts", &copies},
};

void diff_any(const diff_options& options) {
    const std::vector<std::string>& all = options.arguments;
    if (std::any_of(all.begin(), all.end(), is_array_file)) return diff_files(options);
    const std::pair<const char*, bool> of_files[] = {{"--atol", !options.atol.empty()},
                                                     {"--rtol", !options.rtol.empty()},
                                                     {"--only", !options.only.empty()},
                                                     {"--src-type", !options.src_type.empty()},
                                                     {"--ignore-type", options.ignore_type}};
    for (const auto& [option, is_given] : of_files)
        if (is_given)
            throw wrong_usage(std::string(option) + " is an option of files of arrays, and '" + all[0] +
                              "' is no name of one: it ends in .npy, .npz or .safetensors, or has a /");
    diff({all, options.json});
}

void add_diff(CLI::App& app) {
    const auto options = std::make_shared<diff_options>();
    CLI::App* const diff = app.add_subcommand(
        "diff",
        "compare two layouts, plait diff nchw nhwc 2x3x4x5, or the arrays of two files, plait diff a.npy b.npy; exit "
        "code 1 where they differ, and 2 where files cannot be compared");
    diff->add_option("words", options->arguments,
                     "two formats and the dims, nchw nhwc 2x3x4x5, or two layouts; or two .npy, .npz or .safetensors "
                     "files, also weights.npz:NAME for one array of a file")
        ->required();
    diff->add_option("--atol", options->atol,
                     "files: a and b are equal if |a - b| <= ATOL + RTOL * |b|; 0 if not given");
    diff->add_option("--rtol", options->rtol, "files: see --atol; 0 if not given");
    diff->add_option("--only", options->only,
                     "files: the name of an array that is compared, others are not; may be given several times")
        ->expected(1)
        ->take_all();
    diff->add_option("--src-type", options->src_type,
                     "files: what unsigned integers of the same size are, where NumPy has no name for it: bf16 in <u2");
    diff->add_flag("--ignore-type", options->ignore_type, "files: only shapes and values must be equal");
    diff->add_flag("--json", options->json, "print JSON");
    diff->callback([options] { diff_any(*options); });
}

}  // namespace

void add_layout_commands(CLI::App& app) {
    for (const layout_command& command : layout_commands) {
        const auto options = std::make_shared<algebra_options>();
        CLI::App* const added = app.add_subcommand(command.name, command.description);
        added
            ->add_option("words", options->arguments,
                         std::string(command.besides) + "; a layout is FORMAT DIMS[:STRIDES][+OFFSET]")
            ->required();
        added->add_flag("--json", options->json, "print JSON");
        added->callback([options, run = command.run] { run(*options); });
    }
    add_diff(app);
}

bool may_be_empty(const std::string& option) { return option == "--only" || option == "--from" || option == "--to"; }

void add_reorder_command(CLI::App& app) {
    const auto options = std::make_shared<reorder_options>();
    CLI::App* const reorder = app.add_subcommand(
        "reorder",
        "move arrays from one layout and type to another: plait reorder x.npy y.npy --from nchw --to nChw16c");
    reorder
        ->add_option("in", options->in,
                     "a .npy, .npz or .safetensors file, a directory of them, or - for standard input; the shape of an "
                     "array is that of the format's memory")
        ->required();
    reorder
        ->add_option("out", options->out,
                     "the file to write, its kind by its ending, or - for standard output; for a directory another one")
        ->required();
    reorder->add_option("--from", options->from, "the format of the arrays: nhwc; '' of those without axes")
        ->required();
    reorder->add_option("--to", options->to, "the format wanted: nChw16c")->required();
    reorder->add_option("--dims", options->dims,
                        "the logical extents, of which a format with blocks does not say which are padding: 2x17x5x4");
    reorder->add_option("--type", options->type, "convert to one of " + type_names());
    reorder->add_option(
        "--src-type", options->src_type,
        "what the bits are, where NumPy has no name for it: bf16 in <u2, f8_e4m3 in |u1, u4 packed in |u1");
    const char* const attribute =
        "a number, or a .npy file with one for each index of --mask or each --group: ((x - SRC_ZERO_POINT) * "
        "SRC_SCALE) / DST_SCALE + "
        "DST_ZERO_POINT";
    attribute_texts& texts = options->attributes;
    reorder->add_option("--src-scale", texts.src_scale, attribute);
    reorder->add_option("--dst-scale", texts.dst_scale, attribute);
    reorder->add_option("--src-zero-point", texts.src_zero_point, attribute);
    reorder->add_option("--dst-zero-point", texts.dst_zero_point, attribute);
    reorder->add_option("--mask", texts.mask, "the axes that the values of .npy files are by: letters, or bits");
    reorder->add_option("--group", texts.group,
                        "how many adjacent indices along each axis share a value of the .npy files: 1x32");
    reorder
        ->add_option("--only", options->only,
                     "an array of an archive, or a .npy file of a directory, that is moved, the others are kept as "
                     "they are; may "
                     "be said several times")
        ->expected(1)
        ->take_all();
    reorder->add_option("--field", options->field,
                        "the field of structured arrays that is moved: x, or position.x of a field in a field");
    reorder->callback([options] { tool::reorder(*options); });
}

void add_text_commands(CLI::App& app) {
    app.add_subcommand("man", "print the manual page: plait man | man -l -")->callback([&app] {
        std::cout << manual_page(app);
    });
    const auto shell = std::make_shared<std::string>("bash");
    CLI::App* const completion = app.add_subcommand(
        "completion", "print what completes commands in a shell: source <(plait completion), plait completion zsh");
    completion->add_option("shell", *shell, "bash or zsh")
        ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh"}))
        ->capture_default_str();
    completion->callback(
        [&app, shell] { std::cout << (*shell == "zsh" ? zsh_completion(app) : bash_completion(app)); });
}

}  // namespace tool
