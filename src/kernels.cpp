// All code that a program compiles once, in one unit, for builds that list their sources by hand. It takes a minute and
// a half; the units in implementation/, which plait::plait consists of, can be compiled in parallel.

#include <plait/implementation.hpp>
