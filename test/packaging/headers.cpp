// A program that includes the headers without kernels, which compile fast. It tests that the compiler finds them.
#include <plait/layouts.hpp>

int main() { return plait::nChw16c<2, 17, 5, 4>::value.offset(0, 16, 2, 3) == 5 * 4 * 16 + (2 * 4 + 3) * 16 ? 0 : 1; }
