#pragma once
// A list inside the object for intermediate values. It cannot be a template argument as inline_list can; in exchange,
// unused elements, usually most of them, are never written or copied.

#include <cstddef>   // std::size_t
#include <optional>  // std::construct_at, in the two libraries named below
#include <type_traits>

// The standard declares std::construct_at in <memory>, which takes a tenth of the time that including plait.hpp takes.
#if !defined(__GLIBCXX__) && !defined(_LIBCPP_VERSION)
#include <memory>
#endif

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// A list of up to Capacity values inside the object, whose unused elements are uninitialised.
///
/// Pre:     push_back: size() < Capacity; operator[]: 0 <= i < size()
/// Cost:    no allocation; construction writes nothing, copying writes only the elements in use
template <class T, int Capacity>
class scratch_list {
    static_assert(std::is_trivially_copyable_v<T>);
    // Starts uninitialised; a constant expression cannot read it before it is written.
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
