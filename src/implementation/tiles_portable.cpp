#include <plait/implementation/tiles_portable.hpp>
