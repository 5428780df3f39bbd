#include <plait/implementation/tiles_sse41.hpp>
