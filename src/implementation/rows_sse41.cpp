#include <plait/implementation/rows_sse41.hpp>
