#pragma once
// Pages of memory from the operating system, which may be inaccessible.

#include <cstddef>
#include <new>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef far  // macros for 16-bit programs
#undef near
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace plait_test {

/// Returns the number of bytes of a page.
inline std::size_t page_size() {
#if defined(_WIN32)
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwPageSize;
#else
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
#endif
}

/// A number of bytes, rounded up to whole pages. At first they cannot be accessed. No page takes memory before it is
/// written. Throws std::bad_alloc.
class memory_pages {
public:
    explicit memory_pages(std::size_t bytes) : bytes_((bytes + page_size() - 1) / page_size() * page_size()) {
#if defined(_WIN32)
        void* const at = VirtualAlloc(nullptr, bytes_, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
        if (at == nullptr) throw std::bad_alloc();
#else
        void* const at = mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) throw std::bad_alloc();
#endif
        at_ = static_cast<std::byte*>(at);
    }
    memory_pages(const memory_pages&) = delete;
    memory_pages& operator=(const memory_pages&) = delete;
    ~memory_pages() {
#if defined(_WIN32)
        VirtualFree(at_, 0, MEM_RELEASE);
#else
        munmap(at_, bytes_);
#endif
    }

    /// Makes whole pages accessible; they are zero. Throws std::bad_alloc.
    void allow(std::size_t begin, std::size_t bytes) {
        if (bytes == 0) return;
#if defined(_WIN32)
        DWORD before = 0;
        if (!VirtualProtect(at_ + begin, bytes, PAGE_READWRITE, &before)) throw std::bad_alloc();
#else
        if (mprotect(at_ + begin, bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
#endif
    }

    std::byte* data() const { return at_; }
    std::size_t size() const { return bytes_; }

private:
    std::size_t bytes_;
    std::byte* at_ = nullptr;
};

}  // namespace plait_test
