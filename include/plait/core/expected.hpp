#pragma once
// What an operation that may be refused answers: the value, or the verdict that refuses it.

#include <plait/core/rejection.hpp>

#include <type_traits>
#include <utility>

namespace plait {

/// A value, or why there is none. Its functions have the names and meanings of std::expected<T, verdict>, which it may
/// become; besides, error() may be asked always: it is a verdict that allows where there is a value.
///
/// The two members are for who makes one; who is given one asks the functions. They are public so that it is a
/// structural value where T is, as a layout is, and every step of an operation can hand it on.
///
/// Pre:     T has a default constructor
/// Post:    try_NAME(...).error() == check_NAME(...); has_value() == error().ok()
/// Cost:    the size of both; no allocation
/// Example: try_layout({2, 3}, "abc").error().reason == reason::rank_differs
template <class T>
struct [[nodiscard]] expected {
    using value_type = T;
    using error_type = verdict;

    T made{};
    verdict why{};

    [[nodiscard]] constexpr bool has_value() const noexcept { return why.ok(); }
    constexpr explicit operator bool() const noexcept { return why.ok(); }

    /// Why there is no value; a verdict with ok() where there is one.
    [[nodiscard]] constexpr const verdict& error() const noexcept { return why; }

    /// The value.
    ///
    /// Pre:     has_value(), which is not asked
    [[nodiscard]] constexpr const T& operator*() const& noexcept { return made; }
    [[nodiscard]] constexpr T& operator*() & noexcept { return made; }
    [[nodiscard]] constexpr T&& operator*() && noexcept { return std::move(made); }
    [[nodiscard]] constexpr const T* operator->() const noexcept { return &made; }
    [[nodiscard]] constexpr T* operator->() noexcept { return &made; }

    /// The value, or what refuses it as the operation itself does: `rejection` is thrown; without exceptions its
    /// sentence is printed and the program aborts; in a constant expression the compiler's error has the reason and the
    /// numbers.
    [[nodiscard]] constexpr const T& value() const& { return require(why), made; }
    [[nodiscard]] constexpr T& value() & { return require(why), made; }
    [[nodiscard]] constexpr T&& value() && { return require(why), std::move(made); }

    /// The value, or another where there is none.
    template <class Other>
    [[nodiscard]] constexpr T value_or(Other&& other) const {
        return has_value() ? made : static_cast<T>(std::forward<Other>(other));
    }

    /// What `next` makes of the value, an `expected` itself; or the same refusal.
    template <class Next>
    constexpr auto and_then(Next&& next) const -> std::remove_cvref_t<decltype(std::forward<Next>(next)(made))> {
        if (!has_value()) return {{}, why};
        return std::forward<Next>(next)(made);
    }
    /// What `change` makes of the value, any type; or the same refusal.
    template <class Change>
    constexpr auto transform(Change&& change) const
        -> expected<std::remove_cvref_t<decltype(std::forward<Change>(change)(made))>> {
        if (!has_value()) return {{}, why};
        return {std::forward<Change>(change)(made), {}};
    }
    /// This; or where it is refused what `instead` answers to the verdict, of the same type.
    template <class Instead>
    constexpr expected or_else(Instead&& instead) const {
        return has_value() ? *this : std::forward<Instead>(instead)(why);
    }

    /// Equal are two values that are, and two refusals that are; what lies behind a refusal does not count.
    friend constexpr bool operator==(const expected& a, const expected& b) {
        return a.why == b.why && (!a.has_value() || a.made == b.made);
    }
    friend constexpr bool operator==(const expected& a, const T& value) { return a.has_value() && a.made == value; }
};

/// That something was done, or why it was not: what try_reorder answers. As std::expected<void, verdict>.
///
/// Post:    has_value() == error().ok()
/// Cost:    the size of a verdict; no allocation
/// Source:  the standard's std::expected<void, E>
/// Example: try_reorder(src, in, dst, nullptr).error().reason == reason::buffer_is_null
template <>
struct [[nodiscard]] expected<void> {
    using value_type = void;
    using error_type = verdict;

    verdict why{};

    [[nodiscard]] constexpr bool has_value() const noexcept { return why.ok(); }
    constexpr explicit operator bool() const noexcept { return why.ok(); }
    /// Why it was not done; a verdict with ok() where it was.
    [[nodiscard]] constexpr const verdict& error() const noexcept { return why; }

    /// Nothing is refused, or that is as by the operation itself: see expected<T>::value. The answer is a reference, so
    /// that who needs none is not warned of leaving it.
    ///
    /// Post:    the result has ok()
    constexpr const verdict& value() const { return require(why), done; }

    constexpr bool operator==(const expected&) const = default;

private:
    static constexpr verdict done{};
};

}  // namespace plait
