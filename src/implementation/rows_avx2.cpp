#include <plait/implementation/rows_avx2.hpp>
