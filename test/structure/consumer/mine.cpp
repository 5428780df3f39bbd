// A program whose lines in CMakeLists.txt are those that the documents tell a user to write.
#include <plait/plait.hpp>

#include "image_kernels.hpp"

#include <vector>

int main() {
    std::vector<float> image(image_kernels::pack_src.element_span(), 1.0f);
    std::vector<float> blocked(image_kernels::pack_dst.element_span());
    image_kernels::pack(image.data(), blocked.data());
    return plait::layout({2, 3}, "ab").offset(1, 2) == 5 && blocked.back() == 1.0f ? 0 : 1;
}
