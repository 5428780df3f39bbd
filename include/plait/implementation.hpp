#pragma once
// The code that is compiled once in a program: plans and kernels of reorders known only at run time, for make_reorder,
// bind, and reorder of layouts or descriptors; and repacks of records. All other headers only declare it.
//
// A program that links with plait::plait (libplait.a) gets this code from there. Any other program does one of these:
//
// - Exactly one unit includes this header. That unit takes a minute to compile, so it is best one that contains nothing
//   else and seldom changes.
// - For each header below, exactly one unit includes it, as in plait/src/implementation/. These units can be compiled
//   at the same time. The longest takes a third of a minute.
//
// Compile all of this code with the same flags, those of the least CPU that the program runs on: kernels for
// instruction sets below the one that the flags guarantee are left out. So are those of other architectures.

// As in plait.hpp: GCC looks up names of constructors and lambdas in the global namespace too.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <plait/implementation/plans.hpp>
#include <plait/implementation/records.hpp>
#include <plait/implementation/rows_avx2.hpp>
#include <plait/implementation/rows_avx512.hpp>
#include <plait/implementation/rows_neon.hpp>
#include <plait/implementation/rows_portable.hpp>
#include <plait/implementation/rows_sse41.hpp>
#include <plait/implementation/tiles_avx2.hpp>
#include <plait/implementation/tiles_avx512.hpp>
#include <plait/implementation/tiles_neon.hpp>
#include <plait/implementation/tiles_portable.hpp>
#include <plait/implementation/tiles_sse41.hpp>

#pragma GCC diagnostic pop
