// The non-temporal store of the x86 instruction sets.
// Included by vector128.inl, in the namespace of each instruction set.
// Requires nothing before it.

/// Stores a register past the cache, as the intrinsic does.
///
/// With Clang, the instruction is inline assembly. Clang's intrinsic is an ordinary store with !nontemporal metadata,
/// which LLVM passes may drop. If both branches of an `if` begin with the same store, Clang 14 merges the two in front
/// of the branch, without the metadata (SimplifyCFG). This happened to the first store of every tile, so its line was
/// written half past the cache and half through it. A sanitizer must see the store, so it gets the intrinsic.
///
/// Pre:     `to` is a multiple of the register's size
template <class Register>
[[gnu::always_inline]] inline void store_past_cache(Register* to, Register value) {
    if constexpr (stores_are_text) {
        // Both assembler syntaxes, because -masm=intel may be set. Without AVX there is no form with a v.
        if constexpr (this_isa == isa::sse41 && !has_avx_everywhere)
            asm("{movntdq %1, %0|movntdq %0, %1}" : "=m"(*to) : "x"(value));
        else asm("{vmovntdq %1, %0|vmovntdq %0, %1}" : "=m"(*to) : "v"(value));
    } else if constexpr (sizeof(Register) == 16) {
        _mm_stream_si128(to, value);
    } else if constexpr (sizeof(Register) == 32) {
        _mm256_stream_si256(to, value);
    } else {
        _mm512_stream_si512(to, value);
    }
}
