#pragma once
// Named formats: layouts as types whose names appear in error messages and debuggers. Adding one takes one line; for
// other tags, write layout_c<layout({...}, "tag")>. Formats of one or two letters are in namespace plait::formats,
// so that `using namespace plait` does not take such short names; that namespace has the others, too.

#include <plait/typed/activation_formats.hpp>
#include <plait/typed/letter_formats.hpp>
#include <plait/typed/weight_formats.hpp>
