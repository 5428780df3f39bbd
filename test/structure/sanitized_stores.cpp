// A sanitizer sees the stores past the cache, which for Clang are text elsewhere: the last of these pass the end of
// their buffer. The kernel is asked for by name, as tensors that reorder stores in this way have 12 MB and more.

#include <plait/engine/kernel/static_kernel.hpp>

#include <cstdlib>

inline constexpr plait::layout numbers({1024}, "a");

int main() {
    using plan =
        plait::engine::static_plan<numbers, numbers, plait::engine::simd::moved_elements<4>, plait::isa::sse41>;
    auto* const from = static_cast<std::byte*>(std::aligned_alloc(64, 4096));
    auto* const to = static_cast<std::byte*>(std::aligned_alloc(64, 4096 - 64));
    plait::engine::run_plan<plait::isa::sse41, plan, true>(from, to);
    std::free(from);
    std::free(to);
}
