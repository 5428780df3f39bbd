#include <plait/implementation/tiles_avx2.hpp>
