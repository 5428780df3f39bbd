#include "reorder_command.hpp"

#include "array_file.hpp"
#include "output_bytes.hpp"
#include "prepare_array.hpp"
#include "system.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>

namespace tool {

namespace {

/// A file that is read, and the file that is written from it.
struct planned_file {
    std::string in, out;
    array_file file;
    std::vector<prepared_array> moved;
    std::vector<stored_array> kept;  ///< arrays of an archive that --only does not name
    std::vector<int> order;          ///< in the order of the file: i for the moved array i, -1 - i for the kept array i
    bool is_copied = false;          ///< a file of a directory of which --only names no array
};

/// The names of --only, and which of them were found.
class wanted_names {
public:
    explicit wanted_names(const std::vector<std::string>& only) : only_(only) {}
    bool has(const std::string& name) {
        const bool is_wanted = std::count(only_.begin(), only_.end(), name) != 0;
        if (is_wanted) found_.insert(name);
        return is_wanted || only_.empty();
    }
    /// Throws failure for a name that no array has.
    void check(const std::string& file) const {
        for (const std::string& name : only_)
            if (found_.count(name) == 0) throw failure(file + ": has no array called '" + name + "'");
    }

private:
    const std::vector<std::string>& only_;
    std::set<std::string> found_;
};

/// Returns the name of an array for --only: its name in an archive, else that of its file, without the ending.
std::string name_for_only(const std::string& in, const stored_array& array) {
    return array.name ? *array.name : text_of_path(path_of(in).stem());
}

planned_file plan_file(const reorder_options& options, const std::string& in, const std::string& out,
                       const attribute_values& attributes, wanted_names& wanted) {
    planned_file planned{in, out, read_array_file(in), {}, {}, {}, false};
    const std::string file = planned.file.bytes->name();
    for (const stored_array& array : planned.file.arrays) {
        // A member that is not an array has a name that no array has.
        const bool is_array = array.is_npy || options.only.empty();
        if (is_array && wanted.has(name_for_only(in, array))) {
            planned.order.push_back(static_cast<int>(planned.moved.size()));
            planned.moved.push_back(prepare(options, called(file, array), array, attributes));
        } else {
            planned.order.push_back(-1 - static_cast<int>(planned.kept.size()));
            planned.kept.push_back(array);
        }
    }
    return planned;
}

/// Throws failure if the output's format cannot hold the arrays.
void check_kind(const planned_file& planned) {
    if (kind_of_output(planned.out) == file_kind::npy && planned.order.size() != 1)
        throw failure(planned.out + ": one .npy file holds one array, and there are " +
                          std::to_string(planned.order.size()) + " in " + planned.file.bytes->name(),
                      {line("nearest", "an output with the ending .npz or .safetensors")});
}

/// Returns an array that is kept: a member of .npz byte for byte; in other formats in C order, little-endian.
written_array keep(const planned_file& planned, const stored_array& array) {
    const std::string where = called(planned.in, array);
    const bool is_member = planned.file.kind == file_kind::npz && kind_of_output(planned.out) == file_kind::npz;
    const bool is_plain = !array.fortran_order && array.type.swapped == 0;
    if (!is_member && array.unreadable) throw *array.unreadable;
    if (!is_member && array.record)
        throw failure(where + ": is a structured array, which only .npz can keep",
                      {line("nearest", "an output with the ending .npz")});
    return {array,
            [array, is_member, is_plain](std::byte* to) {
                const held_bytes held =
                    is_member || is_plain ? hold(is_member ? array.member : array.data) : held_bytes{};
                const std::shared_ptr<buffer> made = is_member || is_plain ? nullptr : plain_copy(array);
                const std::byte* const from = made ? made->data() : held.bytes.data();
                const std::size_t size = made ? made->size() : held.bytes.size();
                if (size != 0) std::memcpy(to, from, size);
            },
            is_member};
}

void write_planned(const reorder_options& options, const planned_file& planned) {
    if (planned.is_copied) {
        const auto bytes = planned.file.bytes->bytes();
        return write_file(planned.out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    std::vector<written_array> arrays;
    for (const int which : planned.order) {
        if (which < 0) {
            arrays.push_back(keep(planned, planned.kept[static_cast<std::size_t>(-1 - which)]));
            continue;
        }
        const prepared_array& moved = planned.moved[static_cast<std::size_t>(which)];
        arrays.push_back({moved.result, [&moved](std::byte* to) { run(moved, to); }});
    }
    write_array_file(planned.out, kind_of_output(planned.out), std::move(arrays), planned.file.metadata);
    if (is_standard_output(planned.out)) return;  // the array is printed there
    for (const prepared_array& moved : planned.moved)
        std::cout << (moved.result.name ? in_one_line(*moved.result.name) + ": " : "") << options.from << ' '
                  << as_text(moved.source.shape) << " -> " << options.to << ' ' << as_text(moved.result.shape) << ", "
                  << (moved.result.shape.empty() ? "no axes" : "dims " + plait::to_string(moved.dims))
                  << (moved.source.type.name == moved.result.type.name
                          ? ""
                          : ", '" + moved.source.type.name + "' -> '" + moved.result.type.name + "'")
                  << '\n';
}

/// Reorders a directory. All files are read and checked first, so that nothing is written if one is rejected.
void reorder_directory(const reorder_options& options, const attribute_values& attributes) {
    namespace fs = std::filesystem;
    const fs::path in = path_of(options.in), out = path_of(behind_links(options.out));
    std::vector<planned_file> planned;
    wanted_names wanted(options.only);
    for (const std::string& name : files_in(options.in)) {
        const std::string from = text_of_path(in / path_of(name)), to = text_of_path(out / path_of(name));
        // A .npy file with another name is kept, whatever its contents.
        if (kind_of_name(name) == file_kind::npy && !wanted.has(text_of_path(path_of(name).stem()))) {
            planned.push_back({from, to, {}, {}, {}, {}, true});
            planned.back().file.bytes = std::make_unique<input_bytes>(from);
            continue;
        }
        planned.push_back(plan_file(options, from, to, attributes, wanted));
        planned.back().is_copied = planned.back().moved.empty() && !options.only.empty();
        if (!planned.back().is_copied) check_kind(planned.back());
    }
    wanted.check(options.in);
    separate_outputs outputs;
    for (const planned_file& one : planned) outputs.add(one.out);
    std::error_code error;
    if (!fs::is_directory(out, error) && !fs::create_directory(out, error))
        throw failure(options.out + ": no directory of this name can be made: " + reason_of(error));
    for (const planned_file& one : planned) {
        std::cout << in_one_line(one.out) << (one.is_copied ? ", as it was" : "") << '\n';
        outputs.begin(one.out);
        write_planned(options, one);
        outputs.end(one.out);
    }
}

/// Returns the number of axes of both formats; throws failure if they differ, or do not describe a memory order.
/// Without axes there is one element, and no order is needed.
int axes_of(const reorder_options& options) {
    if (options.from.empty() && options.to.empty()) {
        if (!options.dims.empty()) throw failure("dims '" + options.dims + "': an array without axes has none");
        return 0;
    }
    const plait::format_tag from = read_tag(options.from), to = read_tag(options.to);
    if (from.kind != plait::format_kind::blocked || to.kind != plait::format_kind::blocked)
        throw failure("format '" + (from.kind != plait::format_kind::blocked ? options.from : options.to) +
                      "' does not say where elements are");
    if (from.ndims() != to.ndims())
        throw failure("format '" + options.from + "' has " + std::to_string(from.ndims()) + " axes, but format '" +
                      options.to + "' has " + std::to_string(to.ndims()));
    return from.ndims();
}

}  // namespace

void reorder(const reorder_options& options) {
    const attribute_values attributes(options.attributes, options.from, axes_of(options));
    if (!options.type.empty()) (void)read_type(options.type);
    std::error_code ignored;
    if (std::filesystem::is_directory(path_of(options.in), ignored)) return reorder_directory(options, attributes);
    wanted_names wanted(options.only);
    const planned_file planned = plan_file(options, options.in, options.out, attributes, wanted);
    wanted.check(planned.file.bytes->name());
    check_kind(planned);
    write_planned(options, planned);
}

}  // namespace tool
