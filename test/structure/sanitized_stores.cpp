// Checks that AddressSanitizer reports non-temporal stores: the last stores here are after the end of their buffer. In
// builds without sanitizers, plait emits these stores as inline assembly for Clang, which a sanitizer would not see.
// The program calls the kernel directly, because reorder uses non-temporal stores only for tensors of at least 12 MB.

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
