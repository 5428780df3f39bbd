#include <plait/implementation/tiles_neon.hpp>
