#pragma once
// Named formats: layouts as types whose names appear in errors and debuggers. One line adds one. Any other tag:
// layout_c<layout({...}, "tag")>. Those of one or two letters are in plait::formats: names so short are left to who
// uses the namespace plait.

#include <plait/typed/activation_formats.hpp>
#include <plait/typed/letter_formats.hpp>
#include <plait/typed/weight_formats.hpp>
