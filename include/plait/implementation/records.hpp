#pragma once
// Plans and runs repacks of records. Compiled once in a program.

#include <plait/packed/run_repack.hpp>
