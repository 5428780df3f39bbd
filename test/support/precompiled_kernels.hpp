#pragma once
// What most kernel tests begin with, read once.

#include "support/precompiled.hpp"

#include <plait/engine/kernel/static_kernel.hpp>
#include <plait/io/print.hpp>
