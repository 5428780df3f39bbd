#include <plait/implementation/tiles_avx512.hpp>
