#include <plait/implementation/rows_portable.hpp>
