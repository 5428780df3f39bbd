#pragma once
// What the standard library of Debian's emscripten (libc++ 13) lacks: std::bit_cast, which its compiler has, and the
// concepts of ranges in <span>. Only the explorer's build for WebAssembly includes this, in front of everything.

#include <bit>
#include <ranges>

#if !defined(__cpp_lib_bit_cast)
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
