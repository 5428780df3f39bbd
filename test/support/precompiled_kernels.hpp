#pragma once
// The headers that most kernel tests include, compiled once per program.

#include "support/precompiled.hpp"

#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/io/print.hpp>
