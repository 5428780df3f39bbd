#pragma once
// Memory that detects accesses outside of it, in every build and not only with the address sanitizer.

#include "memory_pages.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

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
    fenced_memory(std::size_t count, fence where) : count_(count), pages_(count * sizeof(T) + 2 * page()) {
        const std::size_t inside = pages_.size() - 2 * page();
        pages_.allow(page(), inside);
        data_ = pages_.data() + page() + (where == fence::behind ? inside - count * sizeof(T) : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const T element = numbered_element<T>(i);
            std::memcpy(data_ + i * sizeof(T), &element, sizeof(T));
        }
    }
    fenced_memory(const fenced_memory&) = delete;
    fenced_memory& operator=(const fenced_memory&) = delete;

    T* data() { return reinterpret_cast<T*>(data_); }
    bool same_bytes(const fenced_memory& other) const {
        return count_ == other.count_ && (count_ == 0 || std::memcmp(data_, other.data_, count_ * sizeof(T)) == 0);
    }

private:
    static std::size_t page() { return plait_test::page_size(); }

    std::size_t count_;
    plait_test::memory_pages pages_;
    std::byte* data_ = nullptr;
};

}  // namespace kernels
