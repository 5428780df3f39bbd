#pragma once
// The result of an operation that may fail: the value, or the verdict that refuses it.

#include <plait/core/rejection.hpp>

#include <type_traits>
#include <utility>

namespace plait {

/// A value, or the reason why there is none. Its functions have the names and meanings of std::expected<T, verdict>, so
/// that it can be replaced by that. In addition, error() may always be called: its verdict is ok() if there is a value.
///
/// The two members are for code that constructs results; code that receives one uses the functions. They are public so
/// that the type is structural if T is, as layout is.
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

    /// Returns the reason why there is no value; a verdict with ok() if there is one.
    [[nodiscard]] constexpr const verdict& error() const noexcept { return why; }

    /// Returns the value.
    ///
    /// Pre:     has_value(); not checked
    [[nodiscard]] constexpr const T& operator*() const& noexcept { return made; }
    [[nodiscard]] constexpr T& operator*() & noexcept { return made; }
    [[nodiscard]] constexpr T&& operator*() && noexcept { return std::move(made); }
    [[nodiscard]] constexpr const T* operator->() const noexcept { return &made; }
    [[nodiscard]] constexpr T* operator->() noexcept { return &made; }

    /// Returns the value, or fails as the operation itself does. At run time it throws `rejection`; without exceptions
    /// it prints the sentence and aborts. In a constant expression, the compiler's error has the reason and the
    /// numbers.
    [[nodiscard]] constexpr const T& value() const& { return require(why), made; }
    [[nodiscard]] constexpr T& value() & { return require(why), made; }
    [[nodiscard]] constexpr T&& value() && { return require(why), std::move(made); }

    /// Returns the value, or `other` if there is none.
    template <class Other>
    [[nodiscard]] constexpr T value_or(Other&& other) const {
        return has_value() ? made : static_cast<T>(std::forward<Other>(other));
    }

    /// Returns next(value), which is itself an `expected`; passes the failure on if there is no value.
    template <class Next>
    constexpr auto and_then(Next&& next) const -> std::remove_cvref_t<decltype(std::forward<Next>(next)(made))> {
        if (!has_value()) return {{}, why};
        return std::forward<Next>(next)(made);
    }
    /// Returns change(value), of any type, as an `expected`; passes the failure on if there is no value.
    template <class Change>
    constexpr auto transform(Change&& change) const
        -> expected<std::remove_cvref_t<decltype(std::forward<Change>(change)(made))>> {
        if (!has_value()) return {{}, why};
        return {std::forward<Change>(change)(made), {}};
    }
    /// Returns *this if there is a value, otherwise instead(error()), which must have the same type.
    template <class Instead>
    constexpr expected or_else(Instead&& instead) const {
        return has_value() ? *this : std::forward<Instead>(instead)(why);
    }

    /// Compares two results. Failures are equal if their verdicts are; the unused value is not compared.
    friend constexpr bool operator==(const expected& a, const expected& b) {
        return a.why == b.why && (!a.has_value() || a.made == b.made);
    }
    friend constexpr bool operator==(const expected& a, const T& value) { return a.has_value() && a.made == value; }
};

/// The result of an operation without a value, such as try_reorder, analogous to std::expected<void, verdict>.
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
    /// Returns why it was not done; a verdict with ok() if it was.
    [[nodiscard]] constexpr const verdict& error() const noexcept { return why; }

    /// Does nothing on success; otherwise fails as the operation itself does: see expected<T>::value. Returns a
    /// reference, so that discarding the result causes no warning.
    ///
    /// Post:    the result has ok()
    constexpr const verdict& value() const { return require(why), done; }

    constexpr bool operator==(const expected&) const = default;

private:
    static constexpr verdict done{};
};

}  // namespace plait
