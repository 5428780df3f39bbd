// What the documents tell a user to write in CMakeLists.txt is enough for this.
#include <plait/plait.hpp>

int main() { return plait::layout({2, 3}, "ab").offset(1, 2) == 5 ? 0 : 1; }
