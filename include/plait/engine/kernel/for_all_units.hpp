#pragma once
// The boundary between the units of a program, which may have different compile flags, and the code that the program
// compiles once. The names here do not contain the flags of the unit (unit_flags.hpp), so that all units call the same
// functions.
//
// Types of plait have other names in units with other flags. Functions therefore take pointers without a type, and no
// container of the standard library is among the objects that they point to: _GLIBCXX_DEBUG would change its size. What
// remains are flags that change every type, such as -fpack-struct. The first parameter of each function is a type that
// states the sizes of these objects. The linker does not find the function if the caller has other sizes.

namespace plait::for_all_units {

/// The sizes in bytes of the types that two units share.
template <unsigned long long... Bytes>
struct types_of_bytes {};

/// Begins and ends a function that is called from units with other flags. Both sides access the same objects, which
/// have types of different names. Optimisation at link time would conclude that they are different objects; a compiler
/// moves no access past these statements.
struct of_another_unit {
    [[gnu::always_inline]] of_another_unit() { asm volatile("" : : : "memory"); }
    [[gnu::always_inline]] ~of_another_unit() { asm volatile("" : : : "memory"); }
    of_another_unit(const of_another_unit&) = delete;
    of_another_unit& operator=(const of_another_unit&) = delete;
};

}  // namespace plait::for_all_units
