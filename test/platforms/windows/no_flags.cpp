// A user's unit on Windows, compiled without flags and linked with the library. GCC keeps registers on a stack that is
// aligned to 16 bytes, so a static kernel may use SSE4.1 at most; the library's kernels use all that the CPU has.
#include <plait/plait.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

namespace {

using plain = plait::nchw<2, 19, 33, 35>;
using blocked = plait::nChw16c<2, 19, 33, 35>;

bool has_elements_of(const plait::tensor_view<const float, plain>& a, const plait::tensor_view<float, blocked>& b) {
    for (int n = 0; n < 2; ++n)
        for (int c = 0; c < 19; ++c)
            for (int h = 0; h < 33; ++h)
                for (int w = 0; w < 35; ++w)
                    if (a(n, c, h, w) != b(n, c, h, w)) return false;
    return true;
}

}  // namespace

int main() {
#if !defined(__clang__)
    static_assert(!plait::is_of_this_architecture(plait::isa::avx2));
    if (plait::cpu_has(plait::isa::avx2) || plait::cpu_has(plait::isa::avx512)) return 1;
#endif
    std::vector<float> in(plain::value.element_span()), out(blocked::value.element_span());
    std::iota(in.begin(), in.end(), 1.0f);
    const plait::tensor_view image(std::as_const(in).data(), plain());
    const plait::tensor_view v(out.data(), blocked());
    plait::reorder(image, v);
    if (!has_elements_of(image, v)) return 2;

    std::vector<float> again(out.size(), -1.0f);
    const plait::planned_reorder planned =
        plait::make_reorder({plait::data_type::f32, plain::value}, {plait::data_type::f32, blocked::value}).value();
    planned(in.data(), again.data());
    return again == out ? 0 : 3;
}
