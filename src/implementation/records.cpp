#include <plait/implementation/records.hpp>
