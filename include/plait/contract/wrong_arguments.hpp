#pragma once
// Compile errors for arguments that no reorder takes: vectors instead of pointers, pointers to other types.

#include <plait/contract/executor.hpp>
#include <plait/core/data_type.hpp>
#include <plait/core/layout.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// True if a type is a pointer to elements that a reorder can read, const or not.
///
/// Example: points_to_elements<const float*>; false for std::vector<float> and const char*
template <class T>
inline constexpr bool points_to_elements = false;
template <class T>
inline constexpr bool points_to_elements<T*> = element<std::remove_const_t<T>>;

/// True if a type is a pointer to elements that a reorder can write.
///
/// Example: points_to_writable<float*>; false for const float*
template <class T>
inline constexpr bool points_to_writable = false;
template <class T>
inline constexpr bool points_to_writable<T*> = element<T>;

/// True if a reorder can read from In and write to Out.
template <class In, class Out>
concept reorder_pointers = points_to_elements<std::decay_t<In>> && points_to_writable<std::decay_t<Out>>;

/// True if a type is a pointer to elements that a reorder can only read.
template <class T>
concept points_to_const = points_to_elements<T> && !points_to_writable<T>;
}  // namespace detail

/// Fails to compile, with an error that says what a reorder takes.
///
/// Pre:     none: every call that selects this overload is wrong
template <layout Src, layout Dst, class In, class Out, class... More>
    requires(!executor<In> && !detail::reorder_pointers<In, Out>)
void reorder(const In&, const Out&, const More&...) {
    static_assert(!detail::points_to_const<std::decay_t<Out>>,
                  "a reorder writes to its second pointer, the destination: it cannot point to const elements");
    static_assert(std::is_pointer_v<std::decay_t<In>> && std::is_pointer_v<std::decay_t<Out>>,
                  "a reorder takes pointers to where offset 0 lies: of a vector v, v.data()");
    static_assert(
        !std::is_pointer_v<std::decay_t<In>> || !std::is_pointer_v<std::decay_t<Out>> ||
            detail::points_to_const<std::decay_t<Out>>,
        "a reorder takes pointers to double, float, std::int32_t, std::int8_t, std::uint8_t, plait::bfloat16, "
        "plait::float16, plait::float8_e5m2 or plait::float8_e4m3");
}

/// Fails to compile in the same way for layouts that are types.
template <layout_type Src, layout_type Dst, class In, class Out, class... More>
    requires(!executor<In> && !detail::reorder_pointers<In, Out>)
void reorder(const In&, const Out&, const More&...) {
    static_assert(!detail::points_to_const<std::decay_t<Out>>,
                  "a reorder writes to its second pointer, the destination: it cannot point to const elements");
    static_assert(std::is_pointer_v<std::decay_t<In>> && std::is_pointer_v<std::decay_t<Out>>,
                  "a reorder takes pointers to where offset 0 lies: of a vector v, v.data()");
    static_assert(
        !std::is_pointer_v<std::decay_t<In>> || !std::is_pointer_v<std::decay_t<Out>> ||
            detail::points_to_const<std::decay_t<Out>>,
        "a reorder takes pointers to double, float, std::int32_t, std::int8_t, std::uint8_t, plait::bfloat16, "
        "plait::float16, plait::float8_e5m2 or plait::float8_e4m3");
}

/// Fails to compile in the same way for layouts known only at run time.
template <class In, class Out, class... More>
    requires(!detail::reorder_pointers<In, Out>)
void reorder(const layout&, const In&, const layout&, const Out&, const More&...) {
    static_assert(!detail::points_to_const<std::decay_t<Out>>,
                  "a reorder writes to its second pointer, the destination: it cannot point to const elements");
    static_assert(std::is_pointer_v<std::decay_t<In>> && std::is_pointer_v<std::decay_t<Out>>,
                  "a reorder takes pointers to where offset 0 lies: of a vector v, v.data()");
    static_assert(
        !std::is_pointer_v<std::decay_t<In>> || !std::is_pointer_v<std::decay_t<Out>> ||
            detail::points_to_const<std::decay_t<Out>>,
        "a reorder takes pointers to double, float, std::int32_t, std::int8_t, std::uint8_t, plait::bfloat16, "
        "plait::float16, plait::float8_e5m2 or plait::float8_e4m3");
}

/// Fails to compile, with an error that says that the element types named by a call are not those of its pointers.
///
/// Pre:     none: every call that selects this overload is wrong
template <layout Src, layout Dst, element T, element U, class In, class Out, class... More>
    requires(detail::reorder_pointers<In, Out> &&
             !(std::is_convertible_v<In, const T*> && std::is_convertible_v<Out, U*>))
void reorder(const In&, const Out&, const More&...) {
    static_assert(std::is_convertible_v<In, const T*> && std::is_convertible_v<Out, U*>,
                  "the element types that this reorder names are not those of its pointers: leave them out, they are "
                  "deduced; values are converted from the one to the other");
}

}  // namespace plait
