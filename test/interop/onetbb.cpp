#include "executors.hpp"

#include <plait/interop/onetbb.hpp>

int main() {
    if (const int failed = interop::check(plait::onetbb_executor{})) return failed;
    tbb::task_arena arena(3);
    return arena.execute(
        [] { return plait::onetbb_executor::concurrency() == 3 ? interop::check(plait::onetbb_executor{}) : 10; });
}
