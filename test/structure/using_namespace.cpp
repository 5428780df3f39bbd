// A program with `using namespace plait` and names of its own. Neither may make the other ambiguous.

#include <plait/plait.hpp>

#include <numeric>
#include <vector>

using namespace plait;

// The program's own names in the global namespace: short names as formats have, and words of quantisation.
constexpr int a = 1, ab = 2, io = 3;
constexpr float zero_point = 0.25f;
constexpr float scale = 0.5f;
using result = layout;
struct nc {
    int value = 4;
};

int main() {
    const layout plain({2, 17, 5, 4}, "nchw");
    if (status(check_reshape(plain, {2, 17, 20})) != status::success) return 1;
    const result flat = reshape(plain, {2, 17, 20}), part = slice(plain, 1, 3), other = view(plain, {2, 340});
    if (flat.ndims() != 3 || part.ndims() != 3 || other.ndims() != 2) return 2;
    std::vector<float> in(680), out(680);
    std::iota(in.begin(), in.end(), 0.0f);
    constexpr layout from({2, 17, 5, 4}, "nchw"), to({2, 17, 5, 4}, "nhwc");
    reorder<from, to>(in.data(), out.data(), {.src_scale = scale, .dst_zero_point = a});
    tensor_view view(out.data(), layout_c<to>);
    if (view(0, 0, 0, 1) != 0.5f + static_cast<float>(a)) return 3;
    {
        const int scale = 2, slice = 3, reorder = 4, status = 5, axis = 1, tile = 6, dims = 1;
        if (scale + slice + reorder + status + axis + tile + dims != 22) return 4;
    }
    if (!is_injective(plain) || size_in_bytes(data_type::f32) != 4) return 5;
    return a + ab + io + nc{}.value == 10 && zero_point < scale ? 0 : 6;
}
