#pragma once
// A growing list that also works in constant expressions. std::vector does too, but takes compilers ten times as many
// steps.

#include <cstddef>  // std::size_t
#include <utility>  // std::exchange

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A list of any length, with the functions of inline_list. In a constant expression it must be destroyed before the
/// expression ends.
///
/// Pre:     operator[]: 0 <= i < size(); T has a default constructor
/// Cost:    allocates; push_back is amortised O(1)
template <class T>
class heap_list {
public:
    constexpr heap_list() = default;
    constexpr explicit heap_list(int size, const T& value = T{}) { resize(size, value); }
    constexpr heap_list(const heap_list& other) {
        reserve(other.count_);
        for (int i = 0; i < other.count_; ++i) values_[i] = other.values_[i];
        count_ = other.count_;
    }
    constexpr heap_list(heap_list&& other) noexcept
        : values_(std::exchange(other.values_, nullptr)),
          count_(std::exchange(other.count_, 0)),
          room_(std::exchange(other.room_, 0)) {}
    constexpr heap_list& operator=(heap_list other) noexcept {
        std::swap(values_, other.values_);
        std::swap(count_, other.count_);
        std::swap(room_, other.room_);
        return *this;
    }
    constexpr ~heap_list() { delete[] values_; }

    constexpr int size() const { return count_; }
    constexpr bool empty() const { return count_ == 0; }
    static constexpr bool full() { return false; }

    constexpr T& operator[](int i) { return values_[i]; }
    constexpr const T& operator[](int i) const { return values_[i]; }
    constexpr T* begin() { return values_; }
    constexpr T* end() { return values_ + count_; }
    constexpr const T* begin() const { return values_; }
    constexpr const T* end() const { return values_ + count_; }
    constexpr const T& back() const { return values_[count_ - 1]; }

    // By value, because the argument may be an element of this list.
    constexpr void push_back(T value) {
        if (count_ == room_) reserve(room_ < 4 ? 8 : 4 * room_);
        values_[count_++] = static_cast<T&&>(value);  // std::move would be a call, and cost compilers a step more
    }
    /// Appends `more` elements and returns a pointer to the first. They are T{} if the list was never longer than this.
    constexpr T* append(int more) {
        if (count_ + more > room_) reserve(count_ + more < 4 * room_ ? 4 * room_ : count_ + more);
        count_ += more;
        return values_ + (count_ - more);
    }
    constexpr void pop_back() { --count_; }
    constexpr void clear() { count_ = 0; }
    constexpr void resize(int size, const T& value = T{}) {
        if (size > room_) reserve(size < 4 * room_ ? 4 * room_ : size);  // as in append: many small steps are cheap
        for (int i = count_; i < size; ++i) values_[i] = value;
        count_ = size;
    }

private:
    T* values_ = nullptr;
    int count_ = 0;
    int room_ = 0;

    constexpr void reserve(int room) {
        if (room == 0) return;
        T* const values = new T[static_cast<std::size_t>(room)]();
        for (int i = 0; i < count_; ++i) values[i] = static_cast<T&&>(values_[i]);
        delete[] values_;
        values_ = values;
        room_ = room;
    }
};

}  // namespace plait::detail
