// Rows of elements that only change their type.
// Included by row_conversions.inl, in the namespace of each instruction set.
// Requires element_access.inl before it.

/// Converts rows from one type to another: first whole registers of the narrower type, then as many lanes as are
/// converted at the same time, then masked lanes.
template <element T, element U>
[[gnu::noinline]] inline void convert_plain_rows(const std::byte* from, std::byte* to,
                                                 const row_block& block) noexcept {
    using types = element_types<T, std::conditional_t<(sizeof(U) <= sizeof(T)), U, T>, U>;
    constexpr dim_t src_bytes = sizeof(T), dst_bytes = sizeof(U),
                    widest = src_bytes > dst_bytes ? src_bytes : dst_bytes;
    constexpr int wide = vector_bytes(this_isa) / static_cast<int>(sizeof(typename types::work)),
                  at_once = vector_bytes(this_isa) / static_cast<int>(widest > 4 ? widest : 4),
                  narrow = at_once < wide ? at_once : wide;
    using wide_access = access<types, wide>;
    using narrow_access = access<types, narrow>;
    dim_t count = block.count, rows = block.rows;
    if (block.from_step == count * src_bytes && block.to_step == count * dst_bytes) {  // as one row
        count *= rows;
        rows = 1;
    }
    // Rows that fit in one access are converted two at a time.
    const auto run_blocks =
        [&block, rows ](const std::byte* src, std::byte* dst, auto number) __attribute__((always_inline)) {
        constexpr int lanes = decltype(number)::value;
        using one = access<types, lanes>;
        dim_t remaining = rows;
        for (; remaining > 1; remaining -= 2, src += 2 * block.from_step, dst += 2 * block.to_step) {
            const auto first = one::template load<lanes>(src),
                       second = one::template load<lanes>(src + block.from_step);
            one::template store<lanes, false>(dst, first);
            one::template store<lanes, false>(dst + block.to_step, second);
        }
        if (remaining == 1) one::template store<lanes, false>(dst, one::template load<lanes>(src));
    };
    const auto run_rows = [&block, rows, count ](const std::byte* src, std::byte* dst) __attribute__((always_inline)) {
        for (dim_t row = 0; row < rows; ++row, src += block.from_step, dst += block.to_step) {
            dim_t i = 0;
            for (; i + wide <= count; i += wide)
                wide_access::template store<wide, false>(dst + i * dst_bytes,
                                                         wide_access::template load<wide>(src + i * src_bytes));
            if constexpr (narrow < wide)
                for (; i + narrow <= count; i += narrow)
                    narrow_access::template store<narrow, false>(
                        dst + i * dst_bytes, narrow_access::template load<narrow>(src + i * src_bytes));
            if (i == count) continue;
            const std::uint64_t lanes = ~std::uint64_t{0} >> (64 - (count - i));
            narrow_access::template store<narrow>(
                dst + i * dst_bytes, narrow_access::template load<narrow>(src + i * src_bytes, lanes), lanes);
        }
    };
    for (dim_t again = 0; again < block.repeats; ++again, from += block.from_repeat, to += block.to_repeat) {
        if constexpr (narrow == 16) {  // blocks of 16 and of 8 elements are common
            if (count == 16) {
                run_blocks(from, to, std::integral_constant<int, 16>{});
                continue;
            }
            if (count == 8) {
                run_blocks(from, to, std::integral_constant<int, 8>{});
                continue;
            }
        }
        run_rows(from, to);
    }
}

/// The function for a pair of types: between f32 and all others, and between all others except 8-bit floating-point
/// types, which are rare. It is null for other pairs, if nothing changes, and for CPUs before AVX2. Then
/// row_conversions::convert does the work, at half the speed with a tenth of the code.
template <element T, element U>
constexpr plain_rows* find_plain_rows() {
    constexpr bool has_f32 = std::is_same_v<T, float> || std::is_same_v<U, float>,
                   is_old = this_isa == isa::portable || this_isa == isa::sse41;
    if constexpr (is_old || std::is_same_v<T, U> || ((is_small_float<T> || is_small_float<U>)&&!has_f32))
        return nullptr;
    else return convert_plain_rows<T, U>;
}
template <element T, element... U>
constexpr void add_plain_rows(plain_rows_table& table) {
    ((table.of[static_cast<int>(data_type_of<T>)][static_cast<int>(data_type_of<U>)] = find_plain_rows<T, U>()), ...);
}
template <element... T>
constexpr plain_rows_table make_plain_rows() {
    plain_rows_table table;
    (add_plain_rows<T, double, float, bfloat16, float16, float8_e5m2, float8_e4m3, std::int32_t, std::int8_t,
                    std::uint8_t>(table),
     ...);
    return table;
}
/// The functions for all pairs of types. It is a template, so that including this file compiles nothing before it is
/// used.
template <class Number>
inline constexpr plain_rows_table plain_rows_of =
    make_plain_rows<std::conditional_t<std::is_same_v<Number, float>, double, Number>, float, bfloat16, float16,
                    float8_e5m2, float8_e4m3, std::int32_t, std::int8_t, std::uint8_t>();
