#pragma once
// What to say of arguments that no reorder takes: vectors for pointers, pointers to other types.

#include <plait/contract/executor.hpp>
#include <plait/core/data_type.hpp>
#include <plait/core/layout.hpp>

namespace plait {

/// Whether a type is a pointer to elements that a reorder moves, to const ones too.
///
/// Example: points_to_elements<const float*>; not so of std::vector<float>, nor of const char*
template <class T>
inline constexpr bool points_to_elements = false;
template <class T>
inline constexpr bool points_to_elements<T*> = element<std::remove_const_t<T>>;

/// Ends in an error that says what a reorder takes.
///
/// Pre:     none: a call that comes here is wrong
template <layout Src, layout Dst, class In, class Out, class... More>
    requires(!executor<In> && !(points_to_elements<std::decay_t<In>> && points_to_elements<std::decay_t<Out>>))
void reorder(const In&, const Out&, const More&...) {
    static_assert(std::is_pointer_v<std::decay_t<In>> && std::is_pointer_v<std::decay_t<Out>>,
                  "a reorder takes pointers to where offset 0 lies: of a vector v, v.data()");
    static_assert(
        !std::is_pointer_v<std::decay_t<In>> || !std::is_pointer_v<std::decay_t<Out>>,
        "a reorder takes pointers to double, float, std::int32_t, std::int8_t, std::uint8_t, plait::bfloat16, "
        "plait::float16, plait::float8_e5m2 or plait::float8_e4m3");
}

}  // namespace plait
