// Kernels inside a larger program: compiled once, called through a table of function pointers. They need no flags,
// allocate nothing, take no locks, throw nothing.

#include "kernels.hpp"

#include <iostream>
#include <vector>

struct step {
    void (*run)(const float*, float*) noexcept;
    std::size_t result_elements;
};
constexpr step program[] = {
    {&plait::reorder_kernel<image, blocked_image, float, float>, blocked_image.element_span()},
    {&plait::reorder_kernel<blocked_image, image, float, float>, image.element_span()},
};

int main() {
    std::vector<float> first(image.element_span());
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<float>(i);
    std::vector<float> now = first;
    for (const step& each : program) {
        std::vector<float> next(each.result_elements);
        each.run(now.data(), next.data());
        now = next;
    }
    std::cout << std::size(program) << " kernels, each compiled once; " << first.size()
              << " elements there and back: " << (now == first ? "the same\n" : "others\n");
    return now == first ? 0 : 1;
}
