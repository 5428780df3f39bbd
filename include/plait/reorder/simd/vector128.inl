// 128-bit registers, for the files of SSE4.1 and above. `masks` of the file that includes it loads and stores some
// lanes.

template <int ElementBytes>
struct vector128 {
    static constexpr int element_bytes = ElementBytes;
    static constexpr int vector_bytes = 16;
    using reg = __m128i;

    [[gnu::always_inline]] static inline reg load(const std::byte* from) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
    }
    [[gnu::always_inline]] static inline void stream(std::byte* to, reg value) {
        _mm_stream_si128(reinterpret_cast<__m128i*>(to), value);
    }
    [[gnu::always_inline]] static inline void finish_streams() { _mm_sfence(); }
    [[gnu::always_inline]] static inline reg load(const std::byte* from, std::uint64_t lanes) {
        return masks::template load128<ElementBytes>(from, lanes);
    }
    [[gnu::always_inline]] static inline void store(std::byte* to, reg value, std::uint64_t lanes) {
        masks::template store128<ElementBytes>(to, value, lanes);
    }

    /// Unpack pieces of 2^first elements: the register bit enters there, and the highest lane bit leaves.
    template <shuffle_rule Rule>
    [[gnu::always_inline]] static inline void shuffle(reg& low, reg& high) {
        constexpr int piece = ElementBytes << Rule.first;
        const reg a = low, b = high;
        if constexpr (piece == 1) low = _mm_unpacklo_epi8(a, b), high = _mm_unpackhi_epi8(a, b);
        else if constexpr (piece == 2) low = _mm_unpacklo_epi16(a, b), high = _mm_unpackhi_epi16(a, b);
        else if constexpr (piece == 4) low = _mm_unpacklo_epi32(a, b), high = _mm_unpackhi_epi32(a, b);
        else low = _mm_unpacklo_epi64(a, b), high = _mm_unpackhi_epi64(a, b);
    }
};
