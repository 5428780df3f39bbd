// Checks that views throw for indices out of range if the assertions of the standard library are enabled.
#include <plait/plait.hpp>

#include <cstdio>

int main(int argc, char**) {
    static_assert(plait::detail::checks_indices);
    static float data[64];
    data[63] = 1;
    const plait::tensor_view blocked(data, plait::nChw16c<1, 32, 2, 1>());
    if (blocked.block(0, 1, 1, 0).data() != data + 48 || blocked(0, 31, 1, 0) != 1) return 1;
    const plait::dim_t two = argc + 1;
    int refused = 0;
    const auto counts = [&refused](const auto& access) {
        try {
            access();
        } catch (const plait::rejection& why) {
            std::puts(why.what());
            ++refused;
        }
    };
    counts([&] { static_cast<void>(blocked.block(0, two, 0, 0)); });
    counts([&] { static_cast<void>(blocked.block(0, -1, 0, 0)); });
    counts([&] { static_cast<void>(blocked(0, 0, two, 0)); });
    const plait::tensor_view known_late(data, plait::layout({1, 32, two, 1}, "nchw"));
    counts([&] { static_cast<void>(known_late(0, 32, 0, 0)); });
    return refused == 4 ? 0 : 2;
}
