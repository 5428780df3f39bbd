#pragma once
// Memory that detects accesses outside of it, in every build and not only with the address sanitizer.

#include <plait/core/data_type.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace kernels {

/// Returns element `i` of a sequence whose elements have different bytes.
template <class T>
T numbered_element(std::size_t i) {
    const std::uint64_t number = i * 0x9e3779b97f4a7c15u + 1;
    T out;
    std::memcpy(&out, &number, sizeof(T));
    return out;
}

enum class fence { in_front, behind };

/// Numbered elements next to a page that cannot be accessed. With fence::in_front, the page ends at the first element,
/// which begins a cache line; with fence::behind, the page begins after the last element.
template <class T>
class fenced_memory {
public:
    fenced_memory(std::size_t count, fence where) : count_(count) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t pages = (count * sizeof(T) + page - 1) / page * page;
        mapped_ = pages + 2 * page;
        void* const memory = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("mmap");
        map_ = static_cast<std::byte*>(memory);
        if (pages != 0 && mprotect(map_ + page, pages, PROT_READ | PROT_WRITE) != 0)
            throw std::runtime_error("mprotect");
        data_ = map_ + page + (where == fence::behind ? pages - count * sizeof(T) : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const T element = numbered_element<T>(i);
            std::memcpy(data_ + i * sizeof(T), &element, sizeof(T));
        }
    }
    fenced_memory(const fenced_memory&) = delete;
    fenced_memory& operator=(const fenced_memory&) = delete;
    ~fenced_memory() { munmap(map_, mapped_); }

    T* data() { return reinterpret_cast<T*>(data_); }
    bool same_bytes(const fenced_memory& other) const {
        return count_ == other.count_ && (count_ == 0 || std::memcmp(data_, other.data_, count_ * sizeof(T)) == 0);
    }

private:
    std::size_t count_, mapped_ = 0;
    std::byte* map_ = nullptr;
    std::byte* data_ = nullptr;
};

}  // namespace kernels
