// The plain loop on any pair of layouts, for the pairs of types that have rows.

#include "plain_loop.hpp"
#include "row.hpp"

#include <cstdio>
#include <cstdlib>

namespace bench {
namespace {

template <bool Scaled, element T, element U>
std::function<void()> prepare_loop(const row& r, const T* in, U* out) {
    return [=, loop = plain_loop<T, U, Scaled>(r.src, r.dst, r.attributes)]() mutable { loop(in, out); };
}

using loop_maker = std::function<void()> (*)(const row&, const void* in, void* out);

template <element T, element U>
constexpr loop_maker loop_of = [](const row& r, const void* in, void* out) {
    const auto from = static_cast<const T*>(in);
    const auto to = static_cast<U*>(out);
    return plait::detail::is_trivial(r.attributes) ? prepare_loop<false>(r, from, to) : prepare_loop<true>(r, from, to);
};

template <element T, element U>
bool is_pair(data_type src, data_type dst) {
    return src == data_type_of<T> && dst == data_type_of<U>;
}

template <element T, element... Us>
loop_maker among(data_type src, data_type dst) {
    loop_maker found = nullptr;
    ((is_pair<T, Us>(src, dst) ? void(found = loop_of<T, Us>) : void()), ...);
    return found;
}

}  // namespace

std::function<void()> prepare_plain_loop(const row& r, const void* in, void* out) {
    using s8 = std::int8_t;
    using u8 = std::uint8_t;
    const data_type src = r.src_type, dst = r.dst_type;
    for (const loop_maker found : {among<float, float, bfloat16, float16, float8_e4m3, s8, u8>(src, dst),
                                   among<bfloat16, bfloat16, float>(src, dst), among<float16, float16, float>(src, dst),
                                   among<float8_e4m3, float8_e4m3>(src, dst), among<float8_e5m2, bfloat16>(src, dst),
                                   among<s8, s8, float>(src, dst), among<u8, u8, float>(src, dst),
                                   among<std::int32_t, float>(src, dst), among<double, double, float>(src, dst)})
        if (found != nullptr) return found(r, in, out);
    std::fprintf(stderr, "no row has %s -> %s: add the pair to plain_loops.cpp\n", to_string(src), to_string(dst));
    std::exit(2);
}

}  // namespace bench
