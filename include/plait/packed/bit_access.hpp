#pragma once
// The bits of records are read and written by the functions of packed_elements.hpp.

#include <plait/core/packed_elements.hpp>
