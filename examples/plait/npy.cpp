#include "npy.hpp"

#include <plait/support/checked_arithmetic.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include <sys/stat.h>  // chmod
#include <unistd.h>    // fdopen, mkstemp

namespace tool {

namespace {

constexpr std::size_t line = 64;

struct close_file {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using file = std::unique_ptr<std::FILE, close_file>;

std::string system_reason() { return std::strerror(errno); }

/// Reads NumPy's header, a Python dictionary of three known keys, from left to right.
class header_reader {
public:
    header_reader(const std::string& path, const std::string& text) : path_(path), text_(text) {}

    npy_array read() {
        npy_array out;
        bool descr = false, order = false, shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr" && !descr) descr = true, out.type = quoted();
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
        out.element_bytes = bytes_of(out.type);
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
    int bytes_of(const std::string& type) const {
        const bool number = type.size() == 3 && std::strchr("biufc", type[1]) != nullptr;
        const int bytes = number ? type[2] - '0' : 0;
        if (!number || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
            refuse("has the type '" + type + "'; numbers of 1, 2, 4 or 8 bytes can be read");
        if (type[0] == '>') refuse("has the big-endian type '" + type + "'");
        return bytes;
    }

    const std::string& path_;
    const std::string& text_;
    std::size_t at_ = 0;
};

}  // namespace

buffer::buffer(std::size_t bytes)
    : size_(bytes), data_(static_cast<std::byte*>(::operator new (bytes + (bytes == 0), std::align_val_t{line}))) {}
void buffer::release::operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{line}); }

npy_array read_npy(const std::string& path) {
    const file in(std::fopen(path.c_str(), "rb"));
    if (!in) throw failure(path + ": cannot be opened: " + system_reason());
    unsigned char start[12]{};
    const auto get = [&](void* to, std::size_t bytes, const char* what) {
        if (std::fread(to, 1, bytes, in.get()) == bytes) return;
        if (std::ferror(in.get()) != 0) throw failure(path + ": cannot be read: " + system_reason());
        throw failure(path + ": ends within " + what);
    };
    get(start, 8, "the .npy signature");
    if (std::memcmp(start, "\x93NUMPY", 6) != 0)
        throw failure(path + ": is no .npy file: it does not begin with \\x93NUMPY");
    if (start[6] < 1 || start[6] > 3)
        throw failure(path + ": has .npy version " + std::to_string(start[6]) + "; 1, 2 and 3 can be read");
    const std::size_t length_bytes = start[6] == 1 ? 2 : 4;
    get(start + 8, length_bytes, "the .npy header");
    std::size_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | start[8 + i];
    if (length > 65536)
        throw failure(path + ": has a .npy header of " + std::to_string(length) + " bytes; 65536 at most can be read");
    std::string text(length, ' ');
    get(text.data(), length, "the .npy header");

    npy_array out = header_reader(path, text).read();
    plait::checked_integer bytes{out.element_bytes};
    for (const std::int64_t extent : out.shape) bytes *= extent;
    if (!bytes.ok()) throw failure(path + ": has a shape of more bytes than 63 bits count");
    // Known before memory is asked for: a short file with a huge shape is refused for what it is.
    const long begin = std::ftell(in.get());
    if (begin < 0 || std::fseek(in.get(), 0, SEEK_END) != 0)
        throw failure(path + ": is no regular file: " + system_reason());
    const std::int64_t there = std::ftell(in.get()) - begin;
    if (there != bytes.value)
        throw failure(path + ": has " + std::to_string(there) + " bytes of data, but its shape and type need " +
                      std::to_string(bytes.value));
    std::fseek(in.get(), begin, SEEK_SET);
    out.data = buffer(static_cast<std::size_t>(bytes.value));
    get(out.data.data(), out.data.size(), "its data");
    return out;
}

void write_npy(const std::string& path, const std::string& type, const std::vector<std::int64_t>& shape,
               const buffer& data) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
    for (const std::int64_t extent : shape) header += std::to_string(extent) + ", ";
    header += "), }";
    const std::size_t before = 10;  // signature, version, length
    header.append(line - (before + header.size() + 1) % line, ' ');
    header += '\n';

    // Written beside its place and then moved there: whoever looks sees the old file or the whole new one.
    std::string beside = path + ".XXXXXX";
    const int descriptor = ::mkstemp(beside.data());
    if (descriptor < 0) throw failure(path + ": cannot be written: " + system_reason());
    bool good = false;
    if (std::FILE* out = ::fdopen(descriptor, "wb"); out != nullptr) {
        const unsigned char start[10] = {0x93,
                                         'N',
                                         'U',
                                         'M',
                                         'P',
                                         'Y',
                                         1,
                                         0,
                                         static_cast<unsigned char>(header.size() & 0xff),
                                         static_cast<unsigned char>(header.size() >> 8)};
        good = std::fwrite(start, 1, sizeof(start), out) == sizeof(start) &&
               std::fwrite(header.data(), 1, header.size(), out) == header.size() &&
               std::fwrite(data.data(), 1, data.size(), out) == data.size();
        good = std::fclose(out) == 0 && good;
    }
    if (good) good = ::chmod(beside.c_str(), 0644) == 0 && std::rename(beside.c_str(), path.c_str()) == 0;
    if (!good) {
        const std::string reason = system_reason();
        std::remove(beside.c_str());
        throw failure(path + ": cannot be written: " + reason);
    }
}

}  // namespace tool
