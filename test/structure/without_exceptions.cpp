// Checks that without exceptions and RTTI a refusal at run time prints its sentence and aborts.
#include <plait/plait.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>

int main(int argc, char**) {
    const plait::layout blocked({argc + 1, 17, 5, 4}, "nChw16c");
    if (plait::try_permute_axes(blocked, {0, 1, 2, 2})) return 1;
    if (blocked.offset(1, 16, 2, 3) != ((1 * 2 + 1) * 20 + 2 * 4 + 3) * 16) return 2;
    plait::descriptor d(plait::data_type::f32, blocked);
    if (plait::reshape(d, d, {24}) != plait::status::invalid_arguments || d.layout != blocked) return 5;
    if (plait::try_zero_pad(d, nullptr).error() != plait::status::invalid_arguments) return 6;

    // CTest reports a signal as a failure even if the output matches, so the handler ends the program normally.
    std::signal(SIGABRT, [](int) {
        std::fputs("aborted\n", stderr);
        std::_Exit(0);
    });
    return blocked.offset(1, 17, 2, 3) == 0 ? 3 : 4;
}
