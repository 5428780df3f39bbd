#pragma once
// The result of an operation that may fail: the value, or the verdict that refuses it.

#include <plait/core/rejection.hpp>

#include <type_traits>
#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// A value, or the reason why there is none. Its functions have the names and meanings of std::expected<T, verdict>, so
/// that it can be replaced by that. In addition, error() may always be called: its verdict is ok() if there is a value.
///
/// Pre:     T has a default constructor
/// Post:    try_NAME(...).error() == check_NAME(...); has_value() == error().ok()
/// Cost:    the size of both; no allocation
/// Example: try_layout({2, 3}, "abc").error().reason == reason::rank_differs
template <class T>
class [[nodiscard]] expected {
public:
    using value_type = T;
    using error_type = verdict;

    constexpr expected() = default;
    constexpr expected(T value) : made_(std::move(value)) {}
    /// Pre:     !refusal.ok()
    constexpr expected(const verdict& refusal) : why_(refusal) {}
    /// The value, or the failure if `why` is one: then the value is not used.
    constexpr expected(T value, const verdict& why) : made_(std::move(value)), why_(why) {}

    [[nodiscard]] constexpr bool has_value() const noexcept { return why_.ok(); }
    constexpr explicit operator bool() const noexcept { return why_.ok(); }

    /// Returns the reason why there is no value; a verdict with ok() if there is one.
    [[nodiscard]] constexpr const verdict& error() const noexcept { return why_; }
    [[nodiscard]] constexpr verdict& error() noexcept { return why_; }

    /// Returns the value.
    ///
    /// Pre:     has_value(); not checked
    [[nodiscard]] constexpr const T& operator*() const& noexcept { return made_; }
    [[nodiscard]] constexpr T& operator*() & noexcept { return made_; }
    [[nodiscard]] constexpr T&& operator*() && noexcept { return std::move(made_); }
    [[nodiscard]] constexpr const T* operator->() const noexcept { return &made_; }
    [[nodiscard]] constexpr T* operator->() noexcept { return &made_; }

    /// Returns the value, or fails as the operation itself does. At run time it throws `rejection`; without exceptions
    /// it prints the sentence and aborts. In a constant expression, the compiler's error has the reason and the
    /// numbers.
    [[nodiscard]] constexpr const T& value() const& { return require(why_), made_; }
    [[nodiscard]] constexpr T& value() & { return require(why_), made_; }
    [[nodiscard]] constexpr T&& value() && { return require(why_), std::move(made_); }

    /// Returns the value, or `other` if there is none.
    template <class Other>
    [[nodiscard]] constexpr T value_or(Other&& other) const {
        return has_value() ? made_ : static_cast<T>(std::forward<Other>(other));
    }

    /// Returns next(value), which is itself an `expected`; passes the failure on if there is no value.
    template <class Next>
    constexpr auto and_then(Next&& next) const
        -> std::remove_cvref_t<decltype(std::forward<Next>(next)(std::declval<const T&>()))> {
        if (!has_value()) return why_;
        return std::forward<Next>(next)(made_);
    }
    /// Returns change(value), of any type, as an `expected`; passes the failure on if there is no value.
    template <class Change>
    constexpr auto transform(Change&& change) const
        -> expected<std::remove_cvref_t<decltype(std::forward<Change>(change)(std::declval<const T&>()))>> {
        if (!has_value()) return why_;
        return std::forward<Change>(change)(made_);
    }
    /// Returns *this if there is a value, otherwise instead(error()), which must have the same type.
    template <class Instead>
    constexpr expected or_else(Instead&& instead) const {
        return has_value() ? *this : std::forward<Instead>(instead)(why_);
    }

    /// Compares two results. Failures are equal if their verdicts are; the unused value is not compared.
    friend constexpr bool operator==(const expected& a, const expected& b) {
        return a.why_ == b.why_ && (!a.has_value() || a.made_ == b.made_);
    }
    friend constexpr bool operator==(const expected& a, const T& value) { return a.has_value() && a.made_ == value; }

private:
    T made_{};
    verdict why_{};
};

/// The result of an operation without a value, such as try_reorder, analogous to std::expected<void, verdict>.
///
/// Post:    has_value() == error().ok()
/// Cost:    the size of a verdict; no allocation
/// Source:  the standard's std::expected<void, E>
/// Example: try_reorder(src, in, dst, nullptr).error().reason == reason::buffer_is_null
template <>
class [[nodiscard]] expected<void> {
public:
    using value_type = void;
    using error_type = verdict;

    constexpr expected() = default;
    constexpr expected(const verdict& why) : why_(why) {}

    [[nodiscard]] constexpr bool has_value() const noexcept { return why_.ok(); }
    constexpr explicit operator bool() const noexcept { return why_.ok(); }
    /// Returns why it was not done; a verdict with ok() if it was.
    [[nodiscard]] constexpr const verdict& error() const noexcept { return why_; }

    /// Does nothing on success; otherwise fails as the operation itself does: see expected<T>::value. Returns a
    /// reference, so that discarding the result causes no warning.
    ///
    /// Post:    the result has ok()
    constexpr const verdict& value() const { return require(why_), done; }

    constexpr bool operator==(const expected&) const = default;

private:
    verdict why_{};
    static constexpr verdict done{};
};

}  // namespace plait
