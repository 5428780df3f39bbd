#include "file_bytes.hpp"

#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>     // open
#include <sys/mman.h>  // mmap
#include <sys/stat.h>  // fstat
#include <unistd.h>    // read

namespace tool {

namespace {

std::string system_reason() { return std::strerror(errno); }

/// Reads everything up to the end.
std::string read_all(int descriptor, const std::string& name) {
    std::string out;
    std::string part(std::size_t{1} << 20, '\0');
    while (true) {
        const ssize_t got = ::read(descriptor, part.data(), part.size());
        if (got == 0) return out;
        if (got > 0) out.append(part, 0, static_cast<std::size_t>(got));
        else if (errno != EINTR) throw failure(name + ": cannot be read: " + system_reason());
    }
}

struct descriptor_guard {
    int descriptor;
    ~descriptor_guard() {
        if (descriptor > STDERR_FILENO) ::close(descriptor);
    }
};

}  // namespace

buffer::buffer(std::size_t bytes) : size_(bytes) {
    void* const memory =
        ::mmap(nullptr, bytes + (bytes == 0), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<std::byte*>(memory);
}
buffer::~buffer() { ::munmap(data_, size_ + (size_ == 0)); }

input_bytes::input_bytes(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    const descriptor_guard file{path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat what {};
    if (file.descriptor < 0 || ::fstat(file.descriptor, &what) != 0)
        throw failure(name_ + ": cannot be opened: " + system_reason());
    if (S_ISDIR(what.st_mode)) throw failure(name_ + ": is a directory");
    // If another program has read a part of standard input, it is not a whole file.
    const bool from_its_begin = path != "-" || ::lseek(file.descriptor, 0, SEEK_CUR) == 0;
    if (S_ISREG(what.st_mode) && what.st_size > 0 && from_its_begin) {
        const std::size_t size = static_cast<std::size_t>(what.st_size);
        void* const there = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0);
        if (there != MAP_FAILED) {
            mapped_ = there;
            bytes_ = {static_cast<const std::byte*>(there), size};
            return;
        }
    }
    read_ = read_all(file.descriptor, name_);
    bytes_ = std::as_bytes(std::span(read_));
}
input_bytes::~input_bytes() {
    if (mapped_ != nullptr) ::munmap(mapped_, bytes_.size());
}
void input_bytes::forget() const {
    if (mapped_ != nullptr) ::madvise(mapped_, bytes_.size(), MADV_DONTNEED);
}

}  // namespace tool
