#pragma once
// What is compiled once in a program: the plans and the kernels of reorders known only at run time, for make_reorder,
// bind, and reorder of layouts or descriptors. All other headers only declare them.
//
// A program that is linked with plait::plait (libplait.a) has them; else one of its units includes this. That unit
// takes half a minute to compile, so it is best one that has nothing else and seldom changes. Its compile flags say
// which instruction sets are left out, as the CPU has better ones: it wants those of the plainest CPU that the program
// runs on.

#include <plait/reorder/bind_reorder.hpp>
#include <plait/reorder/plan_reorder.hpp>
