#pragma once
// Plans, binds and runs reorders known only at run time. Compiled once in a program.

#include <plait/reorder/bind_reorder.hpp>
#include <plait/reorder/plan_reorder.hpp>
#include <plait/reorder/reorder_choice.hpp>
