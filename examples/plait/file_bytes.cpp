#include "file_bytes.hpp"

#include "signals.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>

#include <fcntl.h>     // open, posix_fallocate
#include <sys/mman.h>  // mmap
#include <sys/stat.h>  // fstat
#include <unistd.h>    // mkstemp, read, write

namespace tool {

namespace {

constexpr std::size_t cache_line = 64;

std::string system_reason() { return std::strerror(errno); }

/// All that can be read, to the end.
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

/// The permissions of a file that takes the place of another, or of a new one.
mode_t mode_for(const std::string& path) {
    struct stat old {};
    if (::stat(path.c_str(), &old) == 0) return old.st_mode & 0777u;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666u & ~mask;
}

struct descriptor_guard {
    int descriptor;
    ~descriptor_guard() {
        if (descriptor > STDERR_FILENO) ::close(descriptor);
    }
};

}  // namespace

buffer::buffer(std::size_t bytes)
    : size_(bytes),
      data_(static_cast<std::byte*>(::operator new (bytes + (bytes == 0), std::align_val_t{cache_line}))) {}
void buffer::release::operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{cache_line}); }

input_bytes::input_bytes(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    const descriptor_guard file{path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat what {};
    if (file.descriptor < 0 || ::fstat(file.descriptor, &what) != 0)
        throw failure(name_ + ": cannot be opened: " + system_reason());
    if (S_ISDIR(what.st_mode)) throw failure(name_ + ": is a directory");
    // Standard input may have been read in part by another program: then it is no whole file.
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

output_bytes::output_bytes(const std::string& path, std::size_t bytes) : path_(path), size_(bytes + (bytes == 0)) {
    struct stat what {};
    const bool there = path != "-" && ::stat(path.c_str(), &what) == 0;
    if (there && S_ISDIR(what.st_mode)) errno = EISDIR, fail();
    if (there && ::access(path.c_str(), W_OK) != 0) fail();
    int flags = MAP_SHARED;
    if (path == "-" || (there && !S_ISREG(what.st_mode))) {
        flags = MAP_PRIVATE | MAP_ANONYMOUS;
    } else {
        std::error_code ignored;  // a link stays a link: the file that it leads to is replaced
        if (std::filesystem::is_symlink(path, ignored)) path_ = std::filesystem::weakly_canonical(path).string();
        beside_ = path_ + ".XXXXXX";
        descriptor_ = ::mkstemp(beside_.data());
        if (descriptor_ < 0) beside_.clear(), fail();
        set_unfinished_file(beside_);
        // Kept free now: a full disk is an error here, and not a signal where a page is written.
        errno = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(size_));
        if (errno != 0) fail();
    }
    void* const memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, flags, descriptor_, 0);
    if (memory == MAP_FAILED) fail();
    data_ = static_cast<std::byte*>(memory);
}

output_bytes::~output_bytes() {
    if (data_ != nullptr) ::munmap(data_, size_);
    if (descriptor_ >= 0) ::close(descriptor_);
    remove_unfinished();
}

void output_bytes::remove_unfinished() {
    if (!beside_.empty()) ::unlink(beside_.c_str());
    beside_.clear();
    set_unfinished_file("");
}

void output_bytes::fail() {
    const std::string reason = system_reason();
    // A destructor does not run for what was not made.
    if (descriptor_ >= 0) ::close(descriptor_), descriptor_ = -1;
    remove_unfinished();
    throw failure((path_ == "-" ? "standard output" : path_) + ": cannot be written: " + reason);
}

void output_bytes::write_through(int descriptor) {
    for (std::size_t at = 0; at < size_;) {
        const ssize_t done = ::write(descriptor, data_ + at, size_ - at);
        if (done > 0) at += static_cast<std::size_t>(done);
        else if (errno != EINTR) return fail();
    }
}

void output_bytes::commit() {
    if (path_ == "-") return write_through(STDOUT_FILENO);
    if (beside_.empty()) {
        const descriptor_guard file{::open(path_.c_str(), O_WRONLY | O_CLOEXEC)};
        if (file.descriptor < 0) fail();
        return write_through(file.descriptor);
    }
    // Not waited for until it is on the disk, which would cost more than all the rest: as cp does it.
    if (::fchmod(descriptor_, mode_for(path_)) != 0 || ::rename(beside_.c_str(), path_.c_str()) != 0) fail();
    beside_.clear();
    set_unfinished_file("");
}

void write_file(const std::string& path, const std::string& content) {
    output_bytes out(path, content.size());
    std::memcpy(out.data(), content.data(), content.size());
    out.commit();
}

}  // namespace tool
