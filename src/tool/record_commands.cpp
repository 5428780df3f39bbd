#include "record_commands.hpp"

#include "array_file.hpp"
#include "blob_file.hpp"
#include "layout_text.hpp"
#include "output_place.hpp"
#include "record_fields.hpp"
#include "record_json.hpp"
#include "system.hpp"

#include <plait/io/print_record.hpp>
#include <plait/packed/pack.hpp>
#include <plait/packed/plain_tensors.hpp>
#include <plait/packed/verify.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace tool {

namespace {

/// Prints a record that was written, unless the record itself is printed.
void say_written(const std::string& path, const plait::record& r) {
    if (is_standard_output(path)) return;
    std::cout << in_one_line(path) << ": " << in_words(r) << ", " << r.size_in_bytes() << " bytes\n";
}

/// Returns the function that writes the values of a field, and their description. Values smaller than a byte are one in
/// each byte, unless the user says that they are packed.
written_array array_of(const blob_file& blob, const plait::detail::plain_field& field,
                       const plait::repack_options& options, bool is_packed) {
    const plait::layout plain =
        *plait::detail::make_layout(field.extents, plait::detail::plain_tag(field.extents.size()));
    const plait::descriptor what(field.type, plain);
    written_array out;
    out.what.name = field.name.c_str();
    out.what.type = type_for(field.type);
    out.what.shape = {field.extents.begin(), field.extents.end()};
    out.what.data.size = what.buffer_size_in_bytes();
    const auto unpack = [&blob, &options, what, name = std::string(field.name.c_str()),
                         size = what.buffer_size_in_bytes()](std::byte* to) {
        const plait::field_target target{name, what, {to, size}};
        require_ok(plait::try_unpack(blob.content.record, blob.content.data, {&target, 1}, options).error(),
                   blob.bytes->name());
    };
    if (is_packed && shape_in_bytes(out.what.shape, field.type).empty())
        throw failure("--packed " + std::string(field.name.c_str()) + ": the rows of " + as_text(out.what.shape) +
                      " values are no whole bytes");
    if (is_packed) {
        out.what.shape = shape_in_bytes(out.what.shape, field.type);
        out.what.type = type_for(plait::data_type::u8);
    }
    if (plait::size_in_bits(field.type) >= 8 || is_packed) {
        out.fill = unpack;
        return out;
    }
    const auto count = static_cast<std::size_t>(plain.volume());
    out.what.type = type_for(field.type == plait::data_type::s4 ? plait::data_type::s8 : plait::data_type::u8);
    out.what.data.size = count;
    out.fill = [unpack, count, type = field.type, size = what.buffer_size_in_bytes()](std::byte* to) {
        buffer packed(size);
        unpack(packed.data());
        spread_bits({packed.data(), size}, type, count, to);
    };
    return out;
}

/// An executor that runs one part after the other, and calls a function after each. So a repack needs the memory of one
/// part, although both files are mapped.
struct parts_in_turn {
    int most;
    std::function<void()> after;

    int concurrency() const { return most; }
    void run(int parts, const auto& part) const {
        for (int number = 0; number < parts; ++number) {
            part(number);
            after();
        }
    }
};

}  // namespace

void show_record(const record_options& options) {
    const plait::record r = make_record(read_record_tag(options.tag), read_dims(options.dims));
    std::cout << (options.json ? json_of(r) : plait::explain(r));
}

bool explain_blob(const std::string& file, bool as_json) {
    std::error_code ignored;
    if (file != "-" && !std::filesystem::is_regular_file(path_of(file), ignored)) return false;
    const blob_file blob = read_blob(file);
    if (as_json) return std::cout << json_of(blob), true;
    std::cout << line("blob",
                      in_one_line(blob.bytes->name()) + ", " + std::to_string(blob.bytes->bytes().size()) + " bytes")
              << '\n';
    const std::string key = blob.content.key.c_str();
    if (!key.empty()) std::cout << line("key", in_one_line(key)) << '\n';
    std::cout << plait::explain(blob.content.record);
    return true;
}

void unpack(const record_options& options) {
    const blob_file blob = read_blob(options.in);
    const plait::repack_options numbers = options_of(options.parameters, {});
    check_packed_names(blob.content.record, options.packed);
    std::vector<written_array> arrays;
    for (const plait::detail::plain_field& field : plait::detail::plain_fields_of(blob.content.record))
        arrays.push_back(array_of(blob, field, numbers,
                                  std::count(options.packed.begin(), options.packed.end(), field.name.c_str()) != 0));
    if (kind_of_output(options.out) == file_kind::npy && arrays.size() != 1)
        throw failure(options.out + ": one .npy file holds one array, and there are " + std::to_string(arrays.size()) +
                          " fields in " + blob.bytes->name(),
                      {line("nearest", "an output with the ending .npz or .safetensors")});
    write_array_file(options.out, kind_of_output(options.out), std::move(arrays));
}

void repack(const record_options& options) {
    const blob_file blob = read_blob(options.in);
    const plait::record to = make_record(read_record_tag(options.tag), blob.content.record.dims);
    const auto planned = plait::make_repack(blob.content.record, to, options_of(options.parameters, options.dropped));
    require_ok(planned.error(), blob.bytes->name());
    write_blob(options.out, to, options.key, [&](std::span<std::byte> out, const auto& forget) {
        const auto forget_both = [&] {
            blob.bytes->forget();
            forget();
        };
        const parts_in_turn parts{static_cast<int>((blob.content.data.size() + out.size()) / window_bytes),
                                  forget_both};
        require_ok(planned->attempt(parts, blob.content.data, out).error(), blob.bytes->name());
    });
    say_written(options.out, to);
}

void verify(const record_options& options) {
    const blob_file blob = read_blob(options.in);
    const plait::record& r = blob.content.record;
    plait::repack_options how = options_of(options.parameters, {});
    how.ignore_padding = options.ignore_padding;
    require_ok(plait::verify(r, blob.content.data, how), blob.bytes->name());
    std::cout << in_one_line(blob.bytes->name()) << ": " << in_words(r) << ", " << r.size_in_bytes()
              << " bytes, as packing its values gives them\n";
}

namespace {

CLI::App* add(CLI::App& app, const char* name, const char* description, void (*run)(const record_options&),
              const std::shared_ptr<record_options>& options) {
    CLI::App* const added = app.add_subcommand(name, description);
    added->callback([options, run] { run(*options); });
    return added;
}
void add_parameters(CLI::App* command, const std::shared_ptr<record_options>& options) {
    command
        ->add_option("--parameter", options->parameters,
                     "a number that sums are multiplied by: izp=3; may be said several times")
        ->expected(1)
        ->take_all();
}

void add_packed(CLI::App* command, const std::shared_ptr<record_options>& options) {
    command
        ->add_option("--packed", options->packed,
                     "a field whose array has several values in each byte, along the last axis, the first in the "
                     "lowest bits; else values smaller than a byte are one in each byte; may be said several times")
        ->expected(1)
        ->take_all();
}

}  // namespace

void add_record_commands(CLI::App& app) {
    const auto shown = std::make_shared<record_options>(), packed = std::make_shared<record_options>(),
               unpacked = std::make_shared<record_options>(), moved = std::make_shared<record_options>(),
               checked = std::make_shared<record_options>();
    CLI::App* command =
        add(app, "record", "print the fields of a record of packed weights: plait record 'nk: nk(q:u4)' 64x256",
            &show_record, shown);
    command->add_option("tag", shown->tag, "the tag: 'nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)'")->required();
    command->add_option("dims", shown->dims, "the extents of its axes: 64x256")->required();
    command->add_flag("--json", shown->json, "print JSON");

    command =
        add(app, "pack",
            "pack arrays of files into a record: plait pack w.npz w.plait --record 'nk: nK(d:f16 /32k, q:u4 32k)'",
            &pack, packed);
    command->add_option("in", packed->in, "a .npy, .npz or .safetensors file, or a directory of them")->required();
    command->add_option("out", packed->out, "the blob to write; a directory if the patterns of --field have a '*'")
        ->required();
    command->add_option("--record", packed->tag, "the tag of the record")->required();
    command->add_option("--dims", packed->dims, "the extents of its axes, where the arrays do not say them: 64x256");
    command
        ->add_option(
            "--field", packed->fields,
            "the array that becomes a field, else the one of its name: d=scales; with a '*' one blob for each text "
            "that it stands for: q=*.qweight; may be said several times. Wider integers than the values hold several "
            "of "
            "them each, in the order of the field's innermost loops")
        ->expected(1)
        ->take_all();
    command->add_option("--key", packed->key, "what it is packed for, in up to 16 letters: avx2");
    add_packed(command, packed);
    add_parameters(command, packed);

    command = add(app, "unpack", "write the fields of a blob as arrays: plait unpack w.plait w.npz", &unpack, unpacked);
    command->add_option("in", unpacked->in, "the blob")->required();
    command->add_option("out", unpacked->out, "the file to write, its kind by its ending")->required();
    add_parameters(command, unpacked);
    add_packed(command, unpacked);

    command = add(app, "repack",
                  "move a blob into another record: plait repack w.plait 'nk: nK(d:f16 /32k, q:u4 32k)' rows.plait",
                  &repack, moved);
    command->add_option("in", moved->in, "the blob")->required();
    command->add_option("tag", moved->tag, "the tag of the record to write; its extents are those of the blob")
        ->required();
    command->add_option("out", moved->out, "the blob to write")->required();
    command
        ->add_option("--drop", moved->dropped, "a field that the new record does not have; may be said several times")
        ->expected(1)
        ->take_all();
    command->add_option("--key", moved->key, "what it is packed for, in up to 16 letters: avx2");
    add_parameters(command, moved);

    command = add(app, "verify", "check the bytes of a blob: plait verify w.plait", &verify, checked);
    command->add_option("in", checked->in, "the blob")->required();
    command->add_flag("--ignore-padding", checked->ignore_padding,
                      "padding may hold anything, as some packers leave it unwritten");
    add_parameters(command, checked);
}

}  // namespace tool
