#include "array_file.hpp"

#include "npy.hpp"
#include "npz.hpp"
#include "output_bytes.hpp"
#include "safetensors.hpp"
#include "system.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

namespace tool {

namespace {

/// A part of a file: text, or an array if `array` is set.
struct piece {
    std::string text;
    const written_array* array = nullptr;
    std::size_t begin = 0, size = 0;
};

class piece_list {
public:
    void add(std::string text) {
        const std::size_t size = text.size();
        pieces_.push_back({std::move(text), nullptr, end_, size});
        end_ += size;
    }
    void add(const written_array& array) {
        const auto size = static_cast<std::size_t>(array.size());
        pieces_.push_back({"", &array, end_, size});
        end_ += size;
    }
    std::size_t end() const { return end_; }
    void write(std::byte* to) const {
        for (const piece& one : pieces_) {
            if (one.array != nullptr) one.array->fill(to + one.begin);
            else std::memcpy(to + one.begin, one.text.data(), one.size);
        }
    }

private:
    std::vector<piece> pieces_;
    std::size_t end_ = 0;
};

std::string header_of(const std::string& path, const written_array& array) {
    if (array.is_member) return "";
    const array_type& type = array.what.type;
    if (type.name.empty())
        throw failure(called(path, array.what) + " has the type '" + type.safetensors + "', which NumPy does not have",
                      {line("nearest", "an output with the ending .safetensors")});
    return npy_header(type.name, shape_in_file(array.what));
}

/// Returns the names of the members of a .npz file. Refuses names that others read as one: NumPy and zip programs end a
/// name at a NUL, and NumPy finds 'a' under the name 'a.npy', too.
std::vector<std::string> member_names(const std::string& path, const std::vector<written_array>& arrays) {
    const auto name_of = [](const written_array& array) { return array.what.name.value_or(default_array_name); };
    std::vector<std::string> out;
    std::set<std::string> members;
    for (const written_array& array : arrays) {
        const std::string name = name_of(array);
        if (name.find('\0') != std::string::npos)
            throw failure(path + ": no array of .npz can be called '" + name + "': a NUL ends the name for others",
                          {line("nearest", "an output with the ending .safetensors")});
        out.push_back(name + (array.what.is_npy ? ".npy" : ""));
        if (!members.insert(out.back()).second)
            throw failure(path + ": two members of .npz would be called '" + out.back() + "'");
    }
    for (const written_array& array : arrays)
        if (array.what.is_npy && members.count(name_of(array)) != 0)
            throw failure(path + ": NumPy finds the array '" + name_of(array) +
                              "' of .npz only if no other is called as its name without '.npy'",
                          {line("nearest", "an output with the ending .safetensors")});
    return out;
}

void write_npz(const std::string& path, const std::vector<written_array>& arrays) {
    const std::vector<std::string> names = member_names(path, arrays);
    std::vector<zip_entry> entries;
    piece_list pieces;
    for (const written_array& array : arrays) {
        const std::string header = header_of(path, array);
        const std::string& name = names[entries.size()];
        zip_entry entry{name, header.size() + array.size(), 0, pieces.end()};
        pieces.add(zip_local_header(entry));
        pieces.add(header);
        pieces.add(array);
        entries.push_back(entry);
    }
    const std::size_t directory = pieces.end();
    output_bytes out(path, directory + zip_directory(entries, directory).size());
    pieces.write(out.data());
    // The checksums are known only now, so the headers, whose length does not change, are written again.
    for (zip_entry& entry : entries) {
        const std::size_t begin = static_cast<std::size_t>(entry.begin) + zip_local_header(entry).size();
        entry.checksum = zip_checksum({out.data() + begin, static_cast<std::size_t>(entry.bytes)});
        const std::string header = zip_local_header(entry);
        std::memcpy(out.data() + entry.begin, header.data(), header.size());
    }
    const std::string end = zip_directory(entries, directory);
    std::memcpy(out.data() + directory, end.data(), end.size());
    out.commit();
}

}  // namespace

file_kind kind_of_name(const std::string& path) {
    for (const file_kind kind : {file_kind::npz, file_kind::safetensors})
        if (path.ends_with(file_endings[static_cast<int>(kind)])) return kind;
    return file_kind::npy;
}

bool has_file_ending(std::string_view name) {
    return std::any_of(std::begin(file_endings), std::end(file_endings),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

std::vector<std::string> files_in(const std::string& directory) {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_of(directory)))
        if (entry.is_regular_file() && has_file_ending(text_of_path(entry.path().extension())))
            out.push_back(text_of_path(entry.path().filename()));
    std::sort(out.begin(), out.end());
    if (out.empty()) throw failure(directory + ": has no file with the ending .npy, .npz or .safetensors");
    return out;
}

file_kind kind_of_output(const std::string& path) {
    std::filesystem::path name = path_of(path);
    const std::string ending = text_of_path(name.extension());
    std::error_code ignored;
    const bool is_file = !std::filesystem::exists(name, ignored) || std::filesystem::is_regular_file(name, ignored);
    if (!ending.empty() && !has_file_ending(ending) && is_file && open_descriptor(path) < 0)
        throw failure(
            path + ": what is written is .npy, .npz or .safetensors, by the ending of the name, not " + ending,
            {line("nearest", text_of_path(name.replace_extension(".npy")))});
    return kind_of_name(path);
}

array_file read_array_file(const std::string& path) {
    array_file out;
    out.bytes = std::make_unique<input_bytes>(path);
    const auto bytes = out.bytes->bytes();
    const std::string& name = out.bytes->name();
    if (is_npy(bytes)) {
        out.arrays.push_back(read_npy(name, bytes));
    } else if (is_zip(bytes) || kind_of_name(path) == file_kind::npz) {
        out.kind = file_kind::npz;
        out.arrays = read_npz(name, bytes);
    } else if (is_safetensors(bytes) || kind_of_name(path) == file_kind::safetensors) {
        out.kind = file_kind::safetensors;
        safetensors_content content = read_safetensors(name, bytes);
        out.arrays = std::move(content.arrays);
        out.metadata = std::move(content.metadata);
    } else {
        out.arrays.push_back(read_npy(name, bytes));  // reports the error
    }
    return out;
}

void write_array_file(const std::string& path, file_kind kind, std::vector<written_array> arrays,
                      const std::string& metadata) {
    if (kind == file_kind::npy && arrays.size() != 1)
        throw failure(path + ": one .npy file holds one array, and there are " + std::to_string(arrays.size()),
                      {line("nearest", "an output with the ending .npz or .safetensors")});
    if (kind == file_kind::npz) return write_npz(path, arrays);
    piece_list pieces;
    if (kind == file_kind::npy) {
        pieces.add(header_of(path, arrays[0]));
    } else {
        std::vector<stored_array> all;
        for (const written_array& array : arrays) all.push_back(array.what);
        pieces.add(safetensors_header(path, all, metadata));
    }
    for (const written_array& array : arrays) pieces.add(array);
    output_bytes out(path, pieces.end());
    pieces.write(out.data());
    out.commit();
}

}  // namespace tool
