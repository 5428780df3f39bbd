#pragma once
// A file that is mapped into memory, by POSIX or by Windows.

#include <plait/unit_flags.hpp>

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>
#elif __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
static_assert(false, "plait/interop/mapped_file.hpp needs mmap: <sys/mman.h> is not there");
#endif
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

#if defined(_WIN32)
/// A file that is mapped into memory, until the object ends.
class mapped_file {
public:
    mapped_file() = default;
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file() {
        if (!bytes_.empty()) ::UnmapViewOfFile(bytes_.data());
        if (file_ >= 0) ::_close(file_);
    }

    int open(const std::string& path, bool writes) {
        file_ = ::_open(path.c_str(), (writes ? _O_RDWR | _O_CREAT : _O_RDONLY) | _O_BINARY, _S_IREAD | _S_IWRITE);
        if (file_ < 0) return errno;
        ::BY_HANDLE_FILE_INFORMATION status{};
        if (::GetFileType(handle()) != FILE_TYPE_DISK || !::GetFileInformationByHandle(handle(), &status))
            return EINVAL;
        size_ = static_cast<std::size_t>(std::uint64_t{status.nFileSizeHigh} << 32 | status.nFileSizeLow);
        device_ = status.dwVolumeSerialNumber;
        number_ = std::uint64_t{status.nFileIndexHigh} << 32 | status.nFileIndexLow;
        return 0;
    }
    std::size_t size() const { return size_; }
    bool is(const mapped_file& other) const { return device_ == other.device_ && number_ == other.number_; }

    int map(std::size_t bytes, bool writes) {
        if (bytes == 0) return 0;
        // Makes a file longer that is too short, or fails on a full disk.
        const ::HANDLE mapping = ::CreateFileMappingA(handle(), nullptr, writes ? PAGE_READWRITE : PAGE_READONLY,
                                                      static_cast< ::DWORD>(std::uint64_t{bytes} >> 32),
                                                      static_cast< ::DWORD>(bytes), nullptr);
        if (mapping == nullptr) return ::GetLastError() == ERROR_DISK_FULL ? ENOSPC : EIO;
        void* const at = ::MapViewOfFile(mapping, writes ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, bytes);
        ::CloseHandle(mapping);
        if (at == nullptr) return ENOMEM;
        bytes_ = {static_cast<std::byte*>(at), bytes};
        return 0;
    }
    std::span<std::byte> bytes() const { return bytes_; }

private:
    ::HANDLE handle() const { return reinterpret_cast< ::HANDLE>(::_get_osfhandle(file_)); }

    int file_ = -1;
    std::size_t size_ = 0;
    std::uint64_t device_ = 0, number_ = 0;
    std::span<std::byte> bytes_;
};
#else
/// A file that is mapped into memory, until the object ends.
class mapped_file {
public:
    mapped_file() = default;
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file() {
        if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
        if (file_ >= 0) ::close(file_);
    }

    /// Opens a file; one that is written is made if it is not there. Returns the system's error, or 0.
    int open(const std::string& path, bool writes) {
        file_ = ::open(path.c_str(), (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC, 0666);
        struct ::stat status {};
        if (file_ < 0 || ::fstat(file_, &status) != 0) return errno;
        if (!S_ISREG(status.st_mode)) return EINVAL;
        size_ = static_cast<std::size_t>(status.st_size);
        device_ = static_cast<std::uint64_t>(status.st_dev);
        number_ = static_cast<std::uint64_t>(status.st_ino);
        return 0;
    }
    std::size_t size() const { return size_; }
    /// True if another name opened the same file.
    bool is(const mapped_file& other) const { return device_ == other.device_ && number_ == other.number_; }

    /// Maps the first bytes, all of which a file that is written has then.
    ///
    /// Pre:     open returned 0; unless it writes, bytes <= size()
    int map(std::size_t bytes, bool writes) {
        if (bytes == 0) return 0;
        // Blocks are reserved now: a full disk would else end the program at a store.
        if (size_ < bytes)
            if (const int error = ::posix_fallocate(file_, 0, static_cast< ::off_t>(bytes)); error != 0) return error;
        void* const at = ::mmap(nullptr, bytes, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file_, 0);
        if (at == MAP_FAILED) return errno;
        bytes_ = {static_cast<std::byte*>(at), bytes};
        return 0;
    }
    std::span<std::byte> bytes() const { return bytes_; }

private:
    int file_ = -1;
    std::size_t size_ = 0;
    std::uint64_t device_ = 0, number_ = 0;
    std::span<std::byte> bytes_;
};
#endif

}  // namespace plait::detail
