#include "npy.hpp"

#include "little_endian.hpp"
#include "python_text.hpp"

#include <cstring>

namespace tool {

namespace {

constexpr char signature[] = "\x93NUMPY";
constexpr std::size_t signature_bytes = 6;

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
    throw failure(file + ": the .npy header " + what);
}

std::vector<std::int64_t> read_shape(const std::string& file, const python_value& from) {
    if (from.what != python_value::kind::tuple)
        refuse(file, "has a shape at character " + std::to_string(from.at) + " that is no tuple of numbers");
    std::vector<std::int64_t> out;
    for (const python_value& extent : from.items) {
        if (extent.what != python_value::kind::number || !extent.fits || extent.number < 0)
            refuse(file, "has a shape whose entry " + std::to_string(out.size() + 1) +
                             " is no number of 63 bits, at character " + std::to_string(extent.at));
        out.push_back(extent.number);
    }
    return out;
}

/// Reads a header: a dictionary of three known keys, in any order.
stored_array read_header(const std::string& file, const python_value& header) {
    if (header.what != python_value::kind::dictionary) refuse(file, "is no dictionary in '{' and '}'");
    const python_value *descr = nullptr, *order = nullptr, *shape = nullptr;
    for (std::size_t i = 0; i < header.items.size(); i += 2) {
        const python_value& key = header.items[i];
        const python_value** const field = !key.is_text()                ? nullptr
                                           : key.text == "descr"         ? &descr
                                           : key.text == "fortran_order" ? &order
                                           : key.text == "shape"         ? &shape
                                                                         : nullptr;
        if (field == nullptr || *field != nullptr)
            refuse(file, "has the unexpected key '" + key.text + "' at character " + std::to_string(key.at));
        *field = &header.items[i + 1];
    }
    if (descr == nullptr || order == nullptr || shape == nullptr)
        refuse(file, "lacks one of the keys descr, fortran_order, shape");
    if (order->what != python_value::kind::word || (order->text != "True" && order->text != "False"))
        refuse(file, "says neither True nor False for fortran_order, at character " + std::to_string(order->at));
    stored_array out;
    out.fortran_order = order->text == "True";
    out.shape = read_shape(file, *shape);
    numpy_type type = read_numpy_descr(file, *descr);
    if (!type.shape.empty())
        refuse(file, "has a type that is an array itself, at character " + std::to_string(descr->at));
    out.type = type.element;
    if (!type.fields.empty()) out.record = std::make_shared<numpy_type>(std::move(type));
    return out;
}

/// Converts Latin-1, the encoding of headers before version 3, to UTF-8.
std::string from_latin1(std::span<const std::byte> bytes) {
    std::string out;
    for (const std::byte one : bytes) append_utf8(out, static_cast<std::uint32_t>(one));
    return out;
}

}  // namespace

bool is_npy(std::span<const std::byte> bytes) {
    return bytes.size() >= signature_bytes && std::memcmp(bytes.data(), signature, signature_bytes) == 0;
}

stored_array read_npy(const std::string& file, std::span<const std::byte> bytes) {
    const little_endian in(file, bytes);
    in.part(0, 8, "the .npy signature");
    if (!is_npy(bytes)) throw failure(file + ": is no .npy file: it does not begin with \\x93NUMPY");
    const std::uint64_t version = in.number(signature_bytes, 1, "the .npy signature");
    const std::uint64_t minor = in.number(signature_bytes + 1, 1, "the .npy signature");
    if (version < 1 || version > 3 || minor != 0)
        throw failure(file + ": has .npy version " + std::to_string(version) +
                      (minor != 0 ? "." + std::to_string(minor) : "") + "; 1, 2 and 3 can be read");
    const int length_bytes = version == 1 ? 2 : 4;
    const std::uint64_t length = in.number(8, length_bytes, "the .npy header"),
                        begin = 8 + static_cast<std::uint64_t>(length_bytes);
    if (length > 65536)
        throw failure(file + ": has a .npy header of " + std::to_string(length) + " bytes; 65536 at most can be read");
    const auto header = in.part(begin, length, "the .npy header");
    const std::string text =
        version < 3 ? from_latin1(header) : std::string(reinterpret_cast<const char*>(header.data()), header.size());
    stored_array out = read_header(file, read_python_literal(file, text, version < 3));
    const std::int64_t needed = bytes_of(file, out.type, out.shape);
    out.data.mapped = bytes.subspan(static_cast<std::size_t>(begin + length));
    out.data.size = out.data.mapped.size();
    if (out.data.size != static_cast<std::uint64_t>(needed))
        throw failure(file + ": has " + std::to_string(out.data.size) + " bytes of data, but its shape and type need " +
                      std::to_string(needed));
    return out;
}

std::string npy_header(const std::string& type, const std::vector<std::int64_t>& shape) {
    // Byte for byte as NumPy writes it since 1.24, with room for an outermost extent of 21 digits.
    constexpr std::size_t before = 10, alignment = 64, most_digits = 21;  // signature, version, length
    std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (", extents;
    for (const std::int64_t extent : shape) extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    text += extents + (shape.size() == 1 ? ",), }" : "), }");
    if (!shape.empty()) text.append(most_digits - std::to_string(shape.front()).size(), ' ');
    text.append(alignment - (before + text.size() + 1) % alignment, ' ');
    if (text.size() >= 0xffff) throw failure("a shape of " + std::to_string(shape.size()) + " axes has no .npy header");
    text += '\n';
    std::string out(signature, signature_bytes);
    out += {'\x01', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return out + text;
}

}  // namespace tool
