#include "npy.hpp"

#include <plait/support/checked_arithmetic.hpp>

#include <cstring>

namespace tool {

std::string as_text(const std::vector<std::int64_t>& shape) {
    std::string out = "(";
    for (const std::int64_t extent : shape) out += (out.size() > 1 ? ", " : "") + std::to_string(extent);
    return out + (shape.size() == 1 ? ",)" : ")");
}

std::int64_t bytes_of(const std::string& file, const array_type& type, const std::vector<std::int64_t>& shape) {
    plait::checked_integer bytes{type.bytes};
    for (const std::int64_t extent : shape) bytes *= extent;
    if (!bytes.ok()) throw failure(file + ": has a shape of more bytes than 63 bits count");
    return bytes.value;
}

namespace {

constexpr char signature[] = "\x93NUMPY";
constexpr std::size_t signature_bytes = 6;

/// Reads NumPy's header, a Python dictionary of three known keys, from left to right.
class header_reader {
public:
    header_reader(const std::string& path, const std::string& text) : path_(path), text_(text) {}

    stored_array read() {
        stored_array out;
        bool descr = false, order = false, shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr" && !descr) descr = true, out.type = read_numpy_type(path_, type_name());
            else if (key == "fortran_order" && !order) order = true, out.fortran_order = boolean();
            else if (key == "shape" && !shape) shape = true, out.shape = tuple();
            else refuse("has the unexpected key '" + key + "'");
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skip_spaces();
        if (at_ != text_.size()) refuse("has text behind its closing brace");
        if (!descr || !order || !shape) refuse("lacks one of the keys descr, fortran_order, shape");
        return out;
    }

private:
    [[noreturn]] void refuse(const std::string& what) const { throw failure(path_ + ": the .npy header " + what); }
    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool accept(char wanted) {
        skip_spaces();
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) refuse("lacks a '" + std::string(1, wanted) + "' at character " + std::to_string(at_ + 1));
    }
    /// A type in quotes. A list of fields is a structured type, whose first field is named for the reader.
    std::string type_name() {
        if (!accept('[')) return quoted();
        std::string field = "name";
        if (accept('(')) field = quoted();
        throw failure(
            path_ + ": has a structured type, of which one field at a time can be moved",
            {line("nearest", "numpy.save(\"" + field + ".npy\", numpy.load(\"" + path_ + "\")[\"" + field + "\"])")});
    }
    std::string quoted() {
        expect('\'');
        const std::size_t end = text_.find('\'', at_);
        if (end == std::string::npos) refuse("has a text without its closing quote");
        std::string out = text_.substr(at_, end - at_);
        at_ = end + 1;
        return out;
    }
    bool boolean() {
        skip_spaces();
        for (const bool value : {true, false}) {
            const std::string word = value ? "True" : "False";
            if (text_.compare(at_, word.size(), word) == 0) return at_ += word.size(), value;
        }
        refuse("says neither True nor False for fortran_order");
    }
    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> out;
        expect('(');
        while (!accept(')')) {
            skip_spaces();
            plait::checked_integer number;
            const std::size_t start = at_;
            for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
                number = number * 10 + (text_[at_] - '0');
            if (at_ == start || !number.ok())
                refuse("has a shape whose entry " + std::to_string(out.size() + 1) + " is no number of 63 bits");
            out.push_back(number.value);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return out;
    }
    const std::string& path_;
    const std::string& text_;
    std::size_t at_ = 0;
};

}  // namespace

bool is_npy(std::span<const std::byte> bytes) {
    return bytes.size() >= signature_bytes && std::memcmp(bytes.data(), signature, signature_bytes) == 0;
}

stored_array read_npy(const std::string& file, std::span<const std::byte> bytes) {
    const little_endian in(file, bytes);
    in.part(0, 8, "the .npy signature");
    if (!is_npy(bytes)) throw failure(file + ": is no .npy file: it does not begin with \\x93NUMPY");
    const std::uint64_t version = in.number(signature_bytes, 1, "the .npy signature");
    if (version < 1 || version > 3)
        throw failure(file + ": has .npy version " + std::to_string(version) + "; 1, 2 and 3 can be read");
    const int length_bytes = version == 1 ? 2 : 4;
    const std::uint64_t length = in.number(8, length_bytes, "the .npy header"),
                        begin = 8 + static_cast<std::uint64_t>(length_bytes);
    if (length > 65536)
        throw failure(file + ": has a .npy header of " + std::to_string(length) + " bytes; 65536 at most can be read");
    const auto header = in.part(begin, length, "the .npy header");
    const std::string text(reinterpret_cast<const char*>(header.data()), header.size());
    stored_array out = header_reader(file, text).read();
    const std::int64_t needed = bytes_of(file, out.type, out.shape);
    out.data = bytes.subspan(static_cast<std::size_t>(begin + length));
    if (out.data.size() != static_cast<std::uint64_t>(needed))
        throw failure(file + ": has " + std::to_string(out.data.size()) +
                      " bytes of data, but its shape and type need " + std::to_string(needed));
    return out;
}

std::string npy_header(const std::string& type, const std::vector<std::int64_t>& shape) {
    std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
    for (const std::int64_t extent : shape) text += std::to_string(extent) + ", ";
    text += "), }";
    constexpr std::size_t before = 10, alignment = 64;  // signature, version, length
    text.append(alignment - (before + text.size() + 1) % alignment, ' ');
    text += '\n';
    std::string out(signature, signature_bytes);
    out += {'\x01', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return out + text;
}

}  // namespace tool
