#include "engine/simd/convert_lanes.hpp"

#include <plait/engine/simd/neon.hpp>

#if defined(__aarch64__)
namespace plait::engine::simd::neon { namespace {

#include "engine/simd/convert_lanes.inl"

}  // namespace
}  // namespace plait::engine::simd::neon

using plait::engine::simd::neon::over_arrays;

TEST_CASE("convert_lanes: neon, every pair of types agrees with convert") {
    lanes::check_every_pair<over_arrays, plait::isa::neon>();
}
TEST_CASE("shuffles: neon, every pair of instructions moves the bits that its rule says") {
    lanes::check_every_rule<over_arrays, plait::isa::neon>();
}
TEST_CASE("convert_lanes: neon, a product that only one sum uses is rounded before it") {
    // At -O2 GCC fuses the two if nothing else needs the product.
    namespace neon = plait::engine::simd::neon;
    const auto holds = []<class T, int Lanes>(T x, T z, T wanted_sum, T wanted_difference) {
        const volatile T unknown[] = {x, z};  // so that the compiler does not compute it all
        const auto a = neon::broadcast<T, Lanes>(unknown[0]), c = neon::broadcast<T, Lanes>(unknown[1]);
        const auto sum = neon::add<T, Lanes>(neon::multiply<T, Lanes>(a, a), c);
        const auto difference = neon::subtract<T, Lanes>(c, neon::multiply<T, Lanes>(a, a));
        T lanes[Lanes];
        std::memcpy(lanes, &sum, sizeof(lanes));
        for (const T lane : lanes) CHECK(lane == wanted_sum);
        std::memcpy(lanes, &difference, sizeof(lanes));
        for (const T lane : lanes) CHECK(lane == wanted_difference);
    };
    // (1 + e)^2 = 1 + 2e + e^2, and rounding the product loses the last term.
    holds.operator()<float, 4>(1 + 0x1p-20f, -1, 0x1p-19f, -2 - 0x1p-19f);
    holds.operator()<double, 2>(1 + 0x1p-40, -1, 0x1p-39, -2 - 0x1p-39);
}
#endif
