// What works on any pair of layouts, for the pairs of types that have rows.

#include "plain_loop.hpp"
#include "suite.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bench {
namespace {

template <bool Scaled, element T, element U>
std::function<void()> prepare_loop(const row& r, const T* in, U* out) {
    return [=, loop = plain_loop<T, U, Scaled>(r.src, r.dst, r.attributes)]() mutable { loop(in, out); };
}

template <element T, element U>
constexpr typed_moves moves_of = {
    [](const row& r, const void* in, void* out) {
        reference_reorder(r.src, static_cast<const T*>(in), r.dst, static_cast<U*>(out), r.attributes);
    },
    [](const row& r, const void* in, void* out) {
        const auto from = static_cast<const T*>(in);
        const auto to = static_cast<U*>(out);
        return is_trivial(r.attributes) ? prepare_loop<false>(r, from, to) : prepare_loop<true>(r, from, to);
    },
};

template <element T, element U>
bool is_pair(data_type src, data_type dst) {
    return src == data_type_of<T> && dst == data_type_of<U>;
}

template <element T, element... Us>
const typed_moves* among(data_type src, data_type dst) {
    const typed_moves* found = nullptr;
    ((is_pair<T, Us>(src, dst) ? void(found = &moves_of<T, Us>) : void()), ...);
    return found;
}

}  // namespace

typed_moves typed_moves_of(data_type src, data_type dst) {
    using s8 = std::int8_t;
    using u8 = std::uint8_t;
    for (const typed_moves* found :
         {among<float, float, bfloat16, float16, float8_e4m3, s8, u8>(src, dst),
          among<bfloat16, bfloat16, float>(src, dst), among<float16, float16, float>(src, dst),
          among<float8_e4m3, float8_e4m3>(src, dst), among<float8_e5m2, bfloat16>(src, dst),
          among<s8, s8, float>(src, dst), among<u8, u8, float>(src, dst), among<std::int32_t, float>(src, dst),
          among<double, double, float>(src, dst)})
        if (found != nullptr) return *found;
    std::fprintf(stderr, "no row has %s -> %s: add the pair to typed_moves.cpp\n", to_string(src), to_string(dst));
    std::exit(2);
}

void fill(data_type type, void* memory, std::size_t bytes) {
    std::uint64_t state = 88172645463325252u;
    const auto next = [&] {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return static_cast<std::uint32_t>(state >> 20);
    };
    const auto each = [&]<class Element>(Element, auto make) {
        auto* const elements = static_cast<Element*>(memory);
        for (std::size_t i = 0; i < bytes / sizeof(Element); ++i) elements[i] = static_cast<Element>(make(next()));
    };
    switch (type) {
        case data_type::f64: return each(double{}, [](std::uint32_t x) { return (x % 65536 - 32768.0) / 128; });
        case data_type::f32:
            return each(float{}, [](std::uint32_t x) { return (static_cast<float>(x % 65536) - 32768) / 128; });
        case data_type::bf16:
        case data_type::f16:  // both signs, two exponents
            return each(std::uint16_t{}, [](std::uint32_t x) { return 0x3c00u | (x & 0x87ffu); });
        case data_type::s32: return each(std::int32_t{}, [](std::uint32_t x) { return x % 200000 - 100000; });
        case data_type::f8_e5m2:
        case data_type::f8_e4m3: return each(std::uint8_t{}, [](std::uint32_t x) { return 0x30u | (x & 0x8fu); });
        default: return each(std::uint8_t{}, [](std::uint32_t x) { return x; });
    }
}

}  // namespace bench
