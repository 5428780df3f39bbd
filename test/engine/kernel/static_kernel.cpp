#include <plait/plait.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace test_engine_kernel_static_kernel { namespace {

using namespace plait;
namespace engine = plait::engine;

// Plans of 32 MB in all, each a type with trials of its own.
template <int Number>
struct large {
    static constexpr engine::reorder_plan value = *engine::make_plan(
        layout({64, 256, 16, 16}, "abcd"), layout({64, 256, 16, 16}, "aBcd16b"), engine::element_sizes(4), isa::avx512);
};
struct small {
    static constexpr engine::reorder_plan value =
        *engine::make_plan(layout({64, 256}, "ab"), layout({64, 256}, "ba"), engine::element_sizes(4), isa::avx512);
};
static_assert(engine::may_stream(large<0>::value) && !engine::may_stream(small::value));

alignas(64) constinit std::byte line[128];

/// Makes calls, and returns for each whether it was told to store past the caches. Such calls take `past`, the others
/// `into`.
template <class Plan>
std::vector<bool> calls(int count, std::chrono::milliseconds past, std::chrono::milliseconds into, bool is_first = true,
                        const std::byte* out = line) {
    std::vector<bool> made;
    for (int k = 0; k < count; ++k)
        engine::choose_static_stores<Plan>(out, is_first, [&]<bool Stream>(std::bool_constant<Stream>) {
            made.push_back(Stream);
            std::this_thread::sleep_for(Stream ? past : into);
        });
    return made;
}
constexpr std::chrono::milliseconds fast{0}, slow{3};
constexpr int trials = engine::trial_state::calls_to_try(2);

TEST_CASE("choose_static_stores: the first calls try both, later calls use the faster one") {
    std::vector<bool> tried;
    for (int k = 0; k < trials; ++k) tried.push_back(k / 2 % 2 == 0);
    CHECK(calls<large<1>>(trials, fast, slow) == tried);
    CHECK(calls<large<1>>(5, fast, slow) == std::vector<bool>(5, true));
    CHECK(calls<large<2>>(trials, slow, fast) == tried);
    CHECK(calls<large<2>>(5, slow, fast) == std::vector<bool>(5, false));
}

TEST_CASE("choose_static_stores: parts do what the first of them tries; destinations inside a cache line try nothing") {
    CHECK(calls<large<3>>(2 * trials, slow, fast, false) == std::vector<bool>(2 * trials, true));
    CHECK(calls<large<3>>(2 * trials, slow, fast, true, line + 4) == std::vector<bool>(2 * trials, false));
    CHECK(calls<large<3>>(3, slow, fast) == std::vector<bool>{true, true, false});  // its first trials
    CHECK(calls<large<3>>(2, slow, fast, false) == std::vector<bool>(2, false));
    calls<large<3>>(trials - 3, slow, fast);
    CHECK(calls<large<3>>(2, fast, slow, false) == std::vector<bool>(2, false));  // parts use what was decided
}

TEST_CASE("choose_static_stores: plans below 24 MB store into the caches") {
    CHECK(calls<small>(3, fast, fast) == std::vector<bool>(3, false));
}

TEST_CASE("stop_static_trials: later calls are the same, as was faster so far") {
    CHECK(calls<large<4>>(4, slow, fast) == std::vector<bool>{true, true, false, false});
    CHECK(calls<large<5>>(1, slow, fast) == std::vector<bool>{true});
    stop_static_trials();
    CHECK(calls<large<4>>(3, fast, slow) == std::vector<bool>(3, false));
    CHECK(calls<large<5>>(3, slow, fast) == std::vector<bool>(3, true));
    CHECK(calls<large<6>>(trials + 3, slow, fast) == std::vector<bool>(trials + 3, true));
    engine::static_trials_are_stopped = false;  // for the tests that follow
}

static_assert(layout({64, 256, 16, 16}, "aBcd16b").element_span() == layout({64, 256, 16, 16}, "abcd").element_span());

TEST_CASE("reorder: every call of a static kernel of 32 MB writes the same bytes") {
    constexpr layout src({64, 256, 16, 16}, "abcd"), dst({64, 256, 16, 16}, "aBcd16b");
    constexpr std::size_t elements = src.element_span(), bytes = elements * sizeof(float), lines = 64 / sizeof(float);
    std::vector<float> in(elements), expected(elements), room(elements + lines);
    float* const out = room.data() + lines - reinterpret_cast<std::uintptr_t>(room.data()) / sizeof(float) % lines;
    for (std::size_t i = 0; i < elements; ++i) in[i] = static_cast<float>(i);
    reference_reorder(src, in.data(), dst, expected.data());
    for (int call = 0; call < trials + 1; ++call) {
        std::memset(out, 255, bytes);
        reorder<src, dst>(in.data(), out);
        CHECK(std::memcmp(out, expected.data(), bytes) == 0);
    }
}

}}  // namespace test_engine_kernel_static_kernel
