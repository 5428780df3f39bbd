#include "array_file.hpp"
#include "blob_file.hpp"
#include "layout_text.hpp"
#include "output_place.hpp"
#include "record_commands.hpp"
#include "record_fields.hpp"
#include "system.hpp"

#include <plait/io/print_record.hpp>
#include <plait/packed/pack.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

namespace tool {

namespace {

namespace fs = std::filesystem;

/// The arrays that become a field: a name, or a text before and after what '*' stands for.
struct field_pattern {
    std::string field, text;

    bool has_star() const { return text.find('*') != std::string::npos; }
    /// Returns what '*' stands for in a name; "" if there is no '*'. Returns false if the name does not fit.
    bool fits(const std::string& name, std::string& star) const {
        const std::size_t at = text.find('*');
        star.clear();
        if (at == std::string::npos) return name == text;
        const std::string before = text.substr(0, at), after = text.substr(at + 1);
        if (name.size() < before.size() + after.size() || name.compare(0, at, before) != 0 ||
            name.compare(name.size() - after.size(), after.size(), after) != 0)
            return false;
        star = name.substr(at, name.size() - before.size() - after.size());
        return true;
    }
};

/// Returns a pattern for each field that is given when packing; without --field, its own name.
std::vector<field_pattern> patterns_of(const plait::record_tag& tag, const std::vector<std::string>& texts) {
    std::vector<field_pattern> out;
    for (const plait::record_field& f : tag.fields) {
        const std::string name = f.name.c_str();
        const bool known = std::any_of(out.begin(), out.end(), [&](const field_pattern& p) { return p.field == name; });
        if (!known && f.content.kind != plait::field_content::sum) out.push_back({name, name});
    }
    std::vector<std::string> said;
    for (const std::string& text : texts) {
        const std::size_t at = text.find('=');
        if (at == std::string::npos || at + 1 == text.size())
            throw failure("--field '" + text + "' is not a field and a name of an array",
                          {line("nearest", out.front().field + "=NAME")});
        const std::string field = text.substr(0, at);
        const auto found =
            std::find_if(out.begin(), out.end(), [&](const field_pattern& p) { return p.field == field; });
        if (found == out.end())
            throw failure("--field '" + text + "': the record has no field '" + field + "' that is given");
        if (std::count(said.begin(), said.end(), field) != 0)
            throw failure("--field '" + text + "': '" + field + "' is said twice");
        said.push_back(field);
        found->text = text.substr(at + 1);
        if (std::count(found->text.begin(), found->text.end(), '*') > 1)
            throw failure("--field '" + text + "' has more than one '*'");
    }
    for (const field_pattern& p : out)
        if (p.has_star() != out.front().has_star())
            throw failure("the pattern '" + p.text + "' of field '" + p.field + "' and '" + out.front().text +
                          "' of field '" + out.front().field + "' must both have a '*', or neither");
    return out;
}

/// Reads the files of arrays of a directory, or a file alone.
std::vector<array_file> read_files(const std::string& path) {
    std::error_code ignored;
    std::vector<array_file> out;
    if (fs::is_directory(path_of(path), ignored))
        for (const std::string& name : files_in(path))
            out.push_back(read_array_file(text_of_path(path_of(path) / path_of(name))));
    else out.push_back(read_array_file(path));
    return out;
}

/// A blob that will be written.
struct planned_blob {
    std::string path;
    plait::record record;
    std::vector<field_array> arrays;
};

/// The arrays of all files, by what '*' stands for.
class array_groups {
public:
    array_groups(const std::vector<array_file>& files, const std::vector<field_pattern>& patterns,
                 const record_options& options)
        : patterns_(patterns), in_(options.in), packed_(options.packed) {
        for (const array_file& file : files)
            for (const stored_array& array : file.arrays) {
                if (!array.is_npy) continue;
                const std::string path = file.bytes->name();
                const bool is_alone = patterns.size() == 1 && files.size() == 1 && file.arrays.size() == 1 &&
                                      !array.name && !patterns[0].has_star();
                add(path, array,
                    array.name ? *array.name
                    : is_alone ? patterns[0].text
                               : text_of_path(path_of(path).stem()));
            }
        if (groups_.empty())
            throw failure(in_ + ": has no array '" + patterns.front().text + "' for field '" + patterns.front().field +
                          "'");
    }

    /// Returns the arrays of each group, in the order of the fields.
    std::vector<std::pair<std::string, std::vector<field_array>>> list() const {
        std::vector<std::pair<std::string, std::vector<field_array>>> out;
        for (const auto& [star, found] : groups_) {
            out.push_back({star, {}});
            for (const field_pattern& p : patterns_) {
                const auto here = found.find(p.field);
                std::string name = p.text;
                if (p.has_star()) name.replace(name.find('*'), 1, star);
                if (here == found.end())
                    throw failure(in_ + ": has no array '" + name + "' for field '" + p.field + "'");
                out.back().second.push_back(here->second);
            }
        }
        return out;
    }

private:
    void add(const std::string& path, const stored_array& array, const std::string& name) {
        const field_pattern* fitting = nullptr;
        std::string star, here;
        for (const field_pattern& p : patterns_) {
            if (!p.fits(name, here)) continue;
            if (fitting != nullptr)
                throw failure(called(path, array) + ": fits the patterns of the fields '" + fitting->field + "' and '" +
                              p.field + "'");
            fitting = &p;
            star = here;
        }
        if (fitting == nullptr) return;
        field_array made{called(path, array), {}, array, {}, false};
        made.field.name = plait::detail::field_name_of(fitting->field);
        made.is_packed = std::count(packed_.begin(), packed_.end(), fitting->field) != 0;
        const auto [at, is_new] = groups_[star].try_emplace(fitting->field, made);
        if (!is_new)
            throw failure(made.where + " and " + at->second.where + " both are field '" + fitting->field + "'");
    }

    const std::vector<field_pattern>& patterns_;
    const std::string& in_;
    const std::vector<std::string>& packed_;
    std::map<std::string, std::map<std::string, field_array>> groups_;
};

/// Places the arrays in a record, and checks all that can be checked before they are read.
planned_blob plan_blob(const plait::record_tag& tag, const record_options& options, const std::string& path,
                       std::vector<field_array> arrays) {
    const plait::dims dims = options.dims.empty() ? dims_of_arrays(tag, arrays) : read_dims(options.dims);
    planned_blob out{path, make_record(tag, dims), std::move(arrays)};
    check_packed_names(out.record, options.packed);
    place_in_record(out.record, out.arrays);
    for (const field_array& a : out.arrays) check_field_array(a);
    // Finds sums that cannot be computed.
    require_ok(plait::make_repack(out.record, out.record, options_of(options.parameters, {})).error(), path);
    return out;
}

void write_planned(const planned_blob& planned, const record_options& options) {
    write_blob(planned.path, planned.record, options.key, [&](std::span<std::byte> out, const auto&) {
        std::vector<plain_tensor> tensors;
        std::vector<plait::field_values> values;
        for (const field_array& a : planned.arrays) {
            tensors.push_back(read_tensor(a));
            const plain_tensor& t = tensors.back();
            values.push_back({a.field.name.c_str(), t.what, {t.memory->data(), t.memory->size()}});
        }
        require_ok(plait::try_pack(planned.record, values, out, options_of(options.parameters, {})).error(),
                   planned.path);
    });
}

/// Returns the path of the blob of a group in a directory. The name is kept as it is: names of a model that cannot be
/// names of files are refused, because two of them could become one if letters were replaced.
std::string path_in(const std::string& directory, const std::string& star) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    const auto control = std::find_if(star.begin(), star.end(), is_control);
    if (control != star.end())
        throw failure("'*' stands for '" + star + "', which is no name of a file: its byte " +
                      std::to_string(control - star.begin()) + " is " +
                      std::to_string(static_cast<int>(static_cast<unsigned char>(*control))));
    if (star.empty() || star.front() == '.' || star.find('/') != std::string::npos)
        throw failure("'*' stands for '" + star + "', which is no name of a file");
    return text_of_path(path_of(directory) / path_of(star + ".plait"));
}

void make_directory(const std::string& path) {
    std::error_code error;
    if (!fs::is_directory(path_of(path), error) && !fs::create_directory(path_of(path), error))
        throw failure(path + ": no directory of this name can be made: " + reason_of(error));
}

}  // namespace

void pack(const record_options& options) {
    const plait::record_tag tag = read_record_tag(options.tag);
    const std::vector<field_pattern> patterns = patterns_of(tag, options.fields);
    const std::vector<array_file> files = read_files(options.in);
    // All arrays are found and checked first, so that no file is written if one is refused.
    const bool has_star = patterns.front().has_star();
    const std::string directory = has_star ? behind_links(options.out) : "";
    if (has_star) make_directory(directory);  // whose file system says which names there can be
    std::vector<planned_blob> planned;
    for (auto& [star, arrays] : array_groups(files, patterns, options).list())
        planned.push_back(
            plan_blob(tag, options, has_star ? path_in(directory, star) : options.out, std::move(arrays)));
    separate_outputs outputs;
    for (const planned_blob& one : planned)
        if (has_star) outputs.add(one.path);
    for (std::size_t i = 0; i < planned.size(); ++i) {
        outputs.begin(planned[i].path);
        write_planned(planned[i], options);
        outputs.end(planned[i].path);
        if (is_standard_output(planned[i].path)) continue;  // the blob is printed there
        std::cout << (has_star ? std::to_string(i + 1) + "/" + std::to_string(planned.size()) + "  " : "")
                  << in_one_line(planned[i].path) << ": " << in_words(planned[i].record) << ", "
                  << planned[i].record.size_in_bytes() << " bytes" << std::endl;
    }
}

}  // namespace tool
