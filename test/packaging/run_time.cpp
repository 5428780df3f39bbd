// A program that plans a reorder at run time. It tests that the code that is compiled once per program is linked.
#include <plait/reorder/make_reorder.hpp>

#include <vector>

int main() {
    using namespace plait;
    const descriptor src(data_type::f32, layout({2, 17, 5, 4}, "nchw"));
    const descriptor dst(data_type::f32, layout({2, 17, 5, 4}, "nChw16c"));
    std::vector<float> in(src.layout.element_span()), out(dst.layout.element_span(), 1.0f);
    in[static_cast<std::size_t>(src.layout.offset(1, 16, 2, 3))] = 5.0f;
    const auto planned = make_reorder(src, dst);
    if (!planned || !(*planned)(in.data(), out.data()).ok()) return 1;
    return out[static_cast<std::size_t>(dst.layout.offset(1, 16, 2, 3))] == 5.0f && out.back() == 0.0f ? 0 : 2;
}
