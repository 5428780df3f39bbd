// The store past the cache, for the files of x86.
// Read once in each instruction set's namespace, see tile_moves.inl.
// Needs nothing before it; registers need it.

/// Stores a register past the cache, as the intrinsic does.
///
/// For Clang the instruction is text. Clang's intrinsic is an ordinary store with a note, !nontemporal, and the passes
/// of LLVM may drop notes: where both branches of an `if` begin with the same store, Clang 14 makes one of the two, in
/// front of the branch, without the note (SimplifyCFG). That was the first store of every tile, and the line that it is
/// in was written half past the cache and half through it. A sanitizer has to see what is stored: it gets the
/// intrinsic.
///
/// Pre:     `to` is a multiple of the register's size
template <class Register>
[[gnu::always_inline]] inline void store_past_cache(Register* to, Register value) {
    if constexpr (stores_are_text) {
        // Both ways to write operands, as -masm=intel may choose. Without AVX there is no form with a v.
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
