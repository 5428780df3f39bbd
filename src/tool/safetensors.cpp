#include "safetensors.hpp"

#include "little_endian.hpp"
#include "npy.hpp"
#include "strict_json.hpp"

#include <algorithm>

namespace tool {

namespace {

using json = nlohmann::ordered_json;
constexpr std::uint64_t most_header_bytes = 100'000'000;  // the format's limit

/// Parses a header: only the object, and blanks that fill the header.
json parse_header(const std::string& file, std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto refuse = [&](std::size_t at) {
        throw failure(file + ": its header is no JSON object in braces, at byte " + std::to_string(8 + at));
    };
    if (text.empty() || text[0] != '{') refuse(0);
    // JSON has control characters only in white space, and parsers stop at a NUL.
    if (text.find('\0') != text.npos) refuse(text.find('\0'));
    try {
        json out = parse_strictly<json>(file, text);
        const std::size_t end = text.find_last_not_of(' ');
        if (text[end] != '}') refuse(end);
        return out;
    } catch (const json::parse_error& error) {
        refuse(error.byte == 0 ? 0 : error.byte - 1);
    } catch (const json::exception&) {  // a number outside the range
        refuse(0);
    }
    return {};
}

std::uint64_t whole_number(const std::string& where, const json& value) {
    const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= INT64_MAX;
    if (!fits) throw failure(where + " has what is no whole number of 63 bits");
    return value.get<std::uint64_t>();
}

struct placed_array {
    stored_array array;
    std::uint64_t begin = 0, end = 0;
};

placed_array read_tensor(const std::string& file, const std::string& name, const json& fields,
                         std::span<const std::byte> data) {
    const std::string where = file + ": '" + name + "'";
    const bool whole = fields.is_object() && fields.size() == 3 && fields.contains("dtype") &&
                       fields["dtype"].is_string() && fields.contains("shape") && fields["shape"].is_array() &&
                       fields.contains("data_offsets") && fields["data_offsets"].is_array() &&
                       fields["data_offsets"].size() == 2;
    if (!whole) throw failure(where + " is no object of dtype, shape and data_offsets");
    placed_array out;
    out.array.name = name;
    out.array.type = read_safetensors_type(fields["dtype"].get<std::string>());
    for (const json& extent : fields["shape"])
        out.array.shape.push_back(static_cast<std::int64_t>(whole_number(where + ": shape", extent)));
    out.begin = whole_number(where + ": data_offsets", fields["data_offsets"][0]);
    out.end = whole_number(where + ": data_offsets", fields["data_offsets"][1]);
    if (out.begin > out.end || out.end > data.size())
        throw failure(where + " lies from byte " + std::to_string(out.begin) + " to " + std::to_string(out.end) +
                      ", but there are " + std::to_string(data.size()));
    const std::uint64_t size = out.end - out.begin;
    const bool is_known = out.array.type.bits != 0;
    const std::int64_t needed = is_known ? bytes_of(where, out.array.type, out.array.shape) : 0;
    if (is_known && size != static_cast<std::uint64_t>(needed))
        throw failure(where + " has " + std::to_string(size) + " bytes of data, but its shape and type need " +
                      std::to_string(needed));
    out.array.data.mapped = data.subspan(static_cast<std::size_t>(out.begin), static_cast<std::size_t>(size));
    out.array.data.size = size;
    return out;
}

/// Reads texts by names, as the format requires; so its depth is limited, and it can be written again.
std::string read_metadata(const std::string& file, const json& fields) {
    bool texts = fields.is_object();
    for (const json& value : fields) texts = texts && value.is_string();
    if (!texts) throw failure(file + ": its __metadata__ is no object of texts");
    return fields.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

bool is_safetensors(std::span<const std::byte> bytes) {
    if (bytes.size() < 10 || bytes[8] != std::byte{'{'}) return false;
    return little_endian("", bytes).number(0, 8, "") <= bytes.size() - 8;
}

safetensors_content read_safetensors(const std::string& file, std::span<const std::byte> bytes) {
    const little_endian in(file, bytes);
    const std::uint64_t length = in.number(0, 8, "the length of the safetensors header");
    if (length > most_header_bytes)
        throw failure(file + ": has a header of " + std::to_string(length) + " bytes; 100000000 at most can be read");
    const json header = parse_header(file, in.part(8, length, "the safetensors header"));
    const auto data = bytes.subspan(static_cast<std::size_t>(8 + length));
    safetensors_content out;
    std::vector<placed_array> placed;
    for (const auto& [name, fields] : header.items()) {
        if (name == "__metadata__") out.metadata = read_metadata(file, fields);
        else placed.push_back(read_tensor(file, name, fields, data));
    }
    std::stable_sort(placed.begin(), placed.end(), [](const placed_array& a, const placed_array& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::uint64_t end = 0;
    const auto refuse_hole = [&](std::uint64_t next) {
        throw failure(file + ": the bytes of its data from " + std::to_string(end) + " to " + std::to_string(next) +
                      " belong to no tensor");
    };
    for (const placed_array& one : placed) {
        if (one.begin < end)
            throw failure(file + ": '" + *one.array.name + "', from byte " + std::to_string(one.begin) +
                          " of the data on, overlaps the tensor in front of it, which ends at " + std::to_string(end));
        if (one.begin > end) refuse_hole(one.begin);
        end = one.end;
        out.arrays.push_back(one.array);
    }
    if (end != data.size()) refuse_hole(data.size());
    return out;
}

std::string safetensors_header(const std::string& file, const std::vector<stored_array>& arrays,
                               const std::string& metadata) {
    json header = json::object();
    if (!metadata.empty()) header["__metadata__"] = json::parse(metadata);
    std::int64_t at = 0;
    for (const stored_array& array : arrays) {
        const std::string name = array.name.value_or(default_array_name);
        if (name == "__metadata__") throw failure(file + ": no tensor of .safetensors can be called '__metadata__'");
        if (header.contains(name)) throw failure(file + ": two tensors would be called '" + name + "'");
        const auto bytes = static_cast<std::int64_t>(array.data.size);
        json& fields = header[name] = json::object();
        if (array.type.is_packed()) (void)bytes_of(file + ": '" + name + "'", array.type, array.shape);  // whole ones
        fields["dtype"] = safetensors_name(file + ": '" + name + "'", array.type);
        fields["shape"] = array.shape;
        fields["data_offsets"] = {at, at + bytes};
        at += bytes;
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const json::type_error&) {
        throw failure(file + ": a name is no UTF-8, as those of .safetensors have to be");
    }
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string out;
    for (int i = 0; i < 8; ++i) out += static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * i) & 0xff);
    return out + text;
}

}  // namespace tool
