#pragma once
// A list inside the object for values on the way. Unlike inline_list it is no template argument; and what is not in the
// list is never written nor copied, which is most of it.

#include <cstddef>   // std::size_t
#include <optional>  // std::construct_at, of the two libraries below
#include <type_traits>

// The standard promises it in <memory>, which is a tenth of what plait.hpp takes to include.
#if !defined(__GLIBCXX__) && !defined(_LIBCPP_VERSION)
#include <memory>
#endif

namespace plait::detail {

/// A list of up to Capacity values inside the object.
///
/// Pre:     push_back: size() < Capacity; operator[]: 0 <= i < size()
/// Cost:    no allocation; making one writes nothing, copying one only what is in it
template <class T, int Capacity>
class scratch_list {
    static_assert(std::is_trivially_copyable_v<T>);
    // Not made before it is written; a constant expression could not read it.
    union slot {
        T value;
        constexpr slot() {}
    };
    template <class Slot>
    struct iterator {
        Slot* at;
        constexpr auto& operator*() const { return at->value; }
        constexpr iterator& operator++() { return ++at, *this; }
        constexpr bool operator==(const iterator&) const = default;
    };

public:
    constexpr scratch_list() {}
    constexpr scratch_list(const scratch_list& other) { *this = other; }
    constexpr scratch_list& operator=(const scratch_list& other) {
        for (int i = 0; i < other.count_; ++i) std::construct_at(&slots_[i].value, other.slots_[i].value);
        count_ = other.count_;
        return *this;
    }

    constexpr int size() const { return count_; }
    constexpr bool empty() const { return count_ == 0; }
    constexpr bool full() const { return count_ == Capacity; }

    constexpr T& operator[](int i) { return slots_[i].value; }
    constexpr const T& operator[](int i) const { return slots_[i].value; }
    constexpr auto begin() { return iterator<slot>{slots_}; }
    constexpr auto end() { return iterator<slot>{slots_ + count_}; }
    constexpr auto begin() const { return iterator<const slot>{slots_}; }
    constexpr auto end() const { return iterator<const slot>{slots_ + count_}; }
    constexpr const T& back() const { return slots_[count_ - 1].value; }

    constexpr void push_back(const T& value) { std::construct_at(&slots_[count_++].value, value); }
    constexpr void erase(int at) {
        for (int i = at; i + 1 < count_; ++i) slots_[i].value = slots_[i + 1].value;
        --count_;
    }

    constexpr bool operator==(const scratch_list& other) const {
        bool equal = count_ == other.count_;
        for (int i = 0; equal && i < count_; ++i) equal = slots_[i].value == other.slots_[i].value;
        return equal;
    }

private:
    slot slots_[static_cast<std::size_t>(Capacity)];
    int count_ = 0;
};

}  // namespace plait::detail
