#pragma once
// The framework's side of framework_bridge.cpp: its tensors, and its definition of a convolution.

#include <plait/plait.hpp>

#include <vector>

using plait::dim_t, plait::shaped_buffer, plait::tensor_view;

// Makes a tensor of the framework: a shape, and its elements in row-major order.
template <dim_t... Extents>
auto framework_tensor(std::vector<float>& memory) {
    memory.resize((Extents * ...));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i * i % 7) - 3;
    return shaped_buffer(memory.data(), plait::abcd<Extents...>(), plait::axis_map_c<0, 1, 2, 3>);
}

// Checks a convolution by the framework's definition, a plain loop: y(n, h, w, o) from x(n, h, w, i) and f(r, s, i, o),
// in any layouts.
template <class X, class F, class Y>
bool is_convolution(const X& x, const F& f, const Y& y) {
    const plait::dims to = y.shape(), window = f.shape();
    for (dim_t n = 0; n < to[0]; ++n)
        for (dim_t h = 0; h < to[1]; ++h)
            for (dim_t w = 0; w < to[2]; ++w)
                for (dim_t o = 0; o < to[3]; ++o) {
                    float sum = 0;
                    for (dim_t r = 0; r < window[0]; ++r)
                        for (dim_t s = 0; s < window[1]; ++s)
                            for (dim_t i = 0; i < window[2]; ++i) sum += x(n, h + r, w + s, i) * f(r, s, i, o);
                    if (y(n, h, w, o) != (sum < 0 ? 0 : sum)) return false;
                }
    return true;
}
