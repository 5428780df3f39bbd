#pragma once
// The code that is compiled once in a program: plans and kernels of reorders known only at run time, for make_reorder,
// bind, and reorder of layouts or descriptors. All other headers only declare it.
//
// A program that links with plait::plait (libplait.a) gets this code from there. In any other program, exactly one unit
// includes this header. That unit takes half a minute to compile, so it is best one that contains nothing else and
// seldom changes. Compile it with the flags of the least CPU that the program runs on: kernels for instruction sets
// below the one that the flags guarantee are left out.

#include <plait/packed/run_repack.hpp>
#include <plait/reorder/bind_reorder.hpp>
#include <plait/reorder/plan_reorder.hpp>
