#include <plait/implementation/rows_neon.hpp>
