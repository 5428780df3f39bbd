#include <plait/implementation/rows_avx512.hpp>
