#include "output_bytes.hpp"

#include "errors.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>     // open, posix_fallocate
#include <sys/mman.h>  // mmap
#include <sys/stat.h>  // stat
#include <unistd.h>    // write

namespace tool {

namespace {

/// Returns the permissions of the file that is replaced, or of a new one.
mode_t mode_for(const std::string& path) {
    struct stat old {};
    if (::stat(path.c_str(), &old) == 0) return old.st_mode & 0777u;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666u & ~mask;
}

}  // namespace

output_bytes::output_bytes(const std::string& path, std::size_t bytes)
    : path_(path), bytes_(bytes), mapped_(bytes + (bytes == 0)), open_(open_descriptor(path)) {
    struct stat what {};
    const bool there = open_ < 0 && ::stat(path.c_str(), &what) == 0;
    if (there && S_ISDIR(what.st_mode)) errno = EISDIR, fail();
    if (there && ::access(path.c_str(), W_OK) != 0) fail();
    const int mode = open_ < 0 ? O_WRONLY : ::fcntl(open_, F_GETFL);
    if (mode < 0 || (mode & O_ACCMODE) == O_RDONLY) errno = EBADF, fail();
    int flags = MAP_PRIVATE | MAP_ANONYMOUS, descriptor = -1;
    if (open_ < 0 && (!there || S_ISREG(what.st_mode))) {
        path_ = behind_links(path);
        file_ = std::make_unique<unfinished_file>(path_);
        descriptor = file_->descriptor();
        if (descriptor < 0) fail();
        // Reserved now, so that a full disk is an error here, and not a signal when a page is written.
        errno = ::posix_fallocate(descriptor, 0, static_cast<off_t>(mapped_));
        if (errno != 0) fail();
        flags = MAP_SHARED;
    }
    void* const memory = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, flags, descriptor, 0);
    if (memory == MAP_FAILED) fail();
    data_ = static_cast<std::byte*>(memory);
}

output_bytes::~output_bytes() {
    if (data_ != nullptr) ::munmap(data_, mapped_);
}

void output_bytes::forget() {
    // Pages of a shared mapping stay in the cache of the file.
    if (file_) ::madvise(data_, mapped_, MADV_DONTNEED);
}

void output_bytes::fail() {
    const std::string reason = std::strerror(errno);
    throw failure((path_ == "-" ? "standard output" : path_) + ": cannot be written: " + reason);
}

void output_bytes::write_through(int descriptor) {
    for (std::size_t at = 0; at < bytes_;) {
        const ssize_t done = ::write(descriptor, data_ + at, bytes_ - at);
        if (done > 0) at += static_cast<std::size_t>(done);
        else if (errno != EINTR) return fail();
    }
}

void output_bytes::commit() {
    if (open_ >= 0) return write_through(open_);
    if (!file_) {
        const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) fail();
        try {
            write_through(descriptor);
        } catch (...) {
            ::close(descriptor);
            throw;
        }
        ::close(descriptor);
        return;
    }
    // Like cp, does not wait until the data is on the disk, which would take longer than everything else.
    const int descriptor = file_->descriptor();
    if (::fchmod(descriptor, mode_for(path_)) != 0 || ::ftruncate(descriptor, static_cast<off_t>(bytes_)) != 0 ||
        !file_->keep())
        fail();
}

void write_file(const std::string& path, std::string_view content) {
    output_bytes out(path, content.size());
    if (!content.empty()) std::memcpy(out.data(), content.data(), content.size());
    out.commit();
}

}  // namespace tool
