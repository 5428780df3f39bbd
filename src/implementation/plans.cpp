#include <plait/implementation/plans.hpp>
