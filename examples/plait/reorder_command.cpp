#include "reorder_command.hpp"

#include "array_file.hpp"
#include "prepare_array.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace tool {

namespace {

/// A file that is read, and the one that it becomes.
struct planned_file {
    std::string in, out;
    array_file file;
    std::vector<prepared_array> moved;
    std::vector<stored_array> kept;  ///< arrays of an archive that --only does not name
    std::vector<int> order;          ///< in the order of the file: moved i as i, kept i as -1 - i
};

planned_file plan_file(const reorder_options& options, const std::string& in, const std::string& out,
                       const attribute_values& attributes) {
    planned_file planned{in, out, read_array_file(in), {}, {}, {}};
    const std::string file = planned.file.bytes->name();
    for (const std::string& name : options.only) {
        const auto has_name = [&](const stored_array& array) { return array.name == name; };
        if (std::none_of(planned.file.arrays.begin(), planned.file.arrays.end(), has_name))
            throw failure(file + ": has no array called '" + name + "'");
    }
    for (const stored_array& array : planned.file.arrays) {
        const std::string where = array.name.empty() ? file : file + ": '" + array.name + "'";
        if (options.only.empty() || std::count(options.only.begin(), options.only.end(), array.name) != 0) {
            planned.order.push_back(static_cast<int>(planned.moved.size()));
            planned.moved.push_back(prepare(options, where, array, attributes));
        } else {
            planned.order.push_back(-1 - static_cast<int>(planned.kept.size()));
            planned.kept.push_back(array);
        }
    }
    const file_kind kind = kind_of_name(out);
    if (kind == file_kind::npy && planned.file.arrays.size() != 1)
        throw failure(out + ": one .npy file holds one array, and there are " +
                          std::to_string(planned.file.arrays.size()) + " in " + file,
                      {line("nearest", "an output with the ending .npz or .safetensors")});
    return planned;
}

/// An array that stays as it is; big-endian numbers and Fortran order are written as NumPy does by default.
written_array keep(const stored_array& array) {
    if (array.fortran_order || array.type.swapped != 0)
        throw failure("'" + array.name + "': is big-endian or in Fortran order, and is not moved",
                      {line("nearest", "numpy.ascontiguousarray(x).astype('" + array.type.name + "')")});
    return {array, [array](std::byte* to) {
                if (!array.data.empty()) std::memcpy(to, array.data.data(), array.data.size());
            }};
}

void write_file(const reorder_options& options, const planned_file& planned) {
    std::vector<written_array> arrays;
    for (const int which : planned.order) {
        if (which < 0) {
            arrays.push_back(keep(planned.kept[static_cast<std::size_t>(-1 - which)]));
            continue;
        }
        const prepared_array& moved = planned.moved[static_cast<std::size_t>(which)];
        arrays.push_back({moved.result, [&moved](std::byte* to) { run(moved, to); }});
    }
    write_array_file(planned.out, kind_of_name(planned.out), std::move(arrays), planned.file.metadata);
    if (planned.out == "-") return;  // what is printed there is the array
    for (const prepared_array& moved : planned.moved)
        std::cout << (moved.source.name.empty() ? "" : in_one_line(moved.source.name) + ": ") << options.from << ' '
                  << as_text(moved.source.shape) << " -> " << options.to << ' ' << as_text(moved.result.shape)
                  << ", dims " << plait::to_string(moved.dims)
                  << (moved.source.type.name == moved.result.type.name
                          ? ""
                          : ", '" + moved.source.type.name + "' -> '" + moved.result.type.name + "'")
                  << '\n';
}

/// The files of a directory that the tool can read, by name.
std::vector<std::string> files_in(const std::string& directory) {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        const std::string ending = entry.path().extension().string();
        if (entry.is_regular_file() && (ending == ".npy" || ending == ".npz" || ending == ".safetensors"))
            out.push_back(entry.path().filename().string());
    }
    std::sort(out.begin(), out.end());
    if (out.empty()) throw failure(directory + ": has no file with the ending .npy, .npz or .safetensors");
    return out;
}

/// All files are read and asked first: nothing is written where one of them is refused.
void reorder_directory(const reorder_options& options, const attribute_values& attributes) {
    namespace fs = std::filesystem;
    const fs::path in = options.in, out = options.out;
    std::vector<planned_file> planned;
    for (const std::string& name : files_in(options.in))
        planned.push_back(plan_file(options, (in / name).string(), (out / name).string(), attributes));
    std::error_code error;
    if (!fs::is_directory(out, error) && !fs::create_directory(out, error))
        throw failure(options.out + ": no directory of this name can be made: " + error.message());
    for (const planned_file& one : planned) {
        std::cout << in_one_line(one.out) << '\n';
        write_file(options, one);
    }
}

}  // namespace

void reorder(const reorder_options& options) {
    const plait::format_tag from = read_tag(options.from), to = read_tag(options.to);
    if (from.kind != plait::format_kind::blocked || to.kind != plait::format_kind::blocked)
        throw failure("format '" + (from.kind != plait::format_kind::blocked ? options.from : options.to) +
                      "' does not say where elements are");
    if (from.ndims() != to.ndims())
        throw failure("format '" + options.from + "' has " + std::to_string(from.ndims()) + " axes, but format '" +
                      options.to + "' has " + std::to_string(to.ndims()));
    const attribute_values attributes(options.attributes, options.from, from.ndims());
    if (!options.type.empty()) (void)read_type(options.type);
    std::error_code ignored;
    if (std::filesystem::is_directory(options.in, ignored)) return reorder_directory(options, attributes);
    write_file(options, plan_file(options, options.in, options.out, attributes));
}

}  // namespace tool
