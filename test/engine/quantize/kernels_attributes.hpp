#pragma once
// Kernels with attributes: each instruction set of the CPU, compared with the reference bit for bit.

#include "engine/kernel/kernels.hpp"

namespace kernels {

/// Numbers around zero, with fractions; some large, and NaN if the type has it.
template <class T>
std::vector<T> various(std::size_t size) {
    std::vector<T> out(size);
    for (std::size_t i = 0; i < size; ++i) {
        double x = static_cast<double>(i * 37 % 601) * 0.75 - 225;
        if (i % 29 == 3) x *= 1e6;
        if (i % 31 == 5) x = -0.0;
        out[i] = convert<T>(x);
    }
    return out;
}

/// True if the bits are equal or both are NaN.
template <class U>
bool same_numbers(const std::vector<U>& a, const std::vector<U>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if constexpr (std::is_floating_point_v<U>)
            if (a[i] != a[i] && b[i] != b[i]) continue;
        if (std::memcmp(&a[i], &b[i], sizeof(U)) != 0) return false;
    }
    return true;
}

/// The arrays end with the values, so that the address sanitizer reports every access after them.
struct attribute_values {
    std::vector<float> src, dst;
    std::vector<std::int32_t> src_zero, dst_zero;

    attribute_values(const dims& extents, int mask) {
        for (dim_t i = 0; i < mask_volume(extents, mask); ++i) {
            src.push_back(static_cast<float>(i % 7 + 1) * 0.37f);
            dst.push_back(static_cast<float>(i % 5 + 1) * -1.7f);
            src_zero.push_back(static_cast<std::int32_t>(i % 11) - 5);
            dst_zero.push_back(static_cast<std::int32_t>(i % 3) - 1);
        }
    }
};

template <layout Src, layout Dst, class T, class U, isa Isa>
void is_as_reference(const reorder_attributes& attributes) {
    if constexpr (is_of_this_architecture(Isa) && has_attributed_kernels(Isa)) {
        if (!cpu_has(Isa)) return;
        INFO(to_string(Src), " -> ", to_string(Dst), " ", std::string(to_string(Isa)), " ",
             std::string(to_string(data_type_of<T>)), " -> ", std::string(to_string(data_type_of<U>)), " beta ",
             attributes.beta, " masks ", attributes.src_scale.mask, " ", attributes.dst_scale.mask, " ",
             attributes.src_zero_point.mask, " ", attributes.dst_zero_point.mask);
        const std::vector<T> in = various<T>(Src.element_span() + static_cast<std::size_t>(Src.offset0));
        std::vector<U> out = various<U>(Dst.element_span() + static_cast<std::size_t>(Dst.offset0)), wanted = out;
        reference_reorder(Src, in.data(), Dst, wanted.data(), attributes);
        move_attributed_tensor_with<Src, Dst, T, U, Isa>(in.data(), out.data(), attributes);
        CHECK(same_numbers(out, wanted));
    }
}

template <layout Src, layout Dst, class T, class U>
void with_every_isa(const reorder_attributes& attributes) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (is_as_reference<Src, Dst, T, U, every_isa[I]>(attributes), ...);
    }
    (std::make_index_sequence<std::size(every_isa)>{});
}

/// One value for the tensor, and values by position, each with and without a part of the destination.
template <layout Src, layout Dst, class T, class U>
void matches_with_attributes() {
    const auto test = [](const reorder_attributes& attributes) { with_every_isa<Src, Dst, T, U>(attributes); };
    test({.src_scale = 0.3f, .dst_scale = 1.7f, .src_zero_point = 3, .dst_zero_point = -7});
    test({.src_scale = -0.7f});
    test({.src_zero_point = -5, .dst_zero_point = 1});
    test({.src_zero_point = 2, .beta = 1});
    test({.src_scale = 0.3f, .dst_scale = 1.7f, .src_zero_point = 3, .dst_zero_point = -7, .beta = 0.5f});
    for (const int mask : {1, 2, 3, 5, 1 << (Src.ndims() - 1)}) {
        if (mask >> Src.ndims() != 0) continue;
        const attribute_values values(Src.dims, mask);
        const reorder_attributes::scale from(values.src, mask), to(values.dst, mask);
        const reorder_attributes::zero_point from_zero(values.src_zero, mask), to_zero(values.dst_zero, mask);
        test({.src_scale = from});
        test({.src_scale = 0.3f, .dst_scale = to, .src_zero_point = from_zero, .dst_zero_point = to_zero});
        test({.src_scale = from, .dst_zero_point = to_zero, .beta = 0.5f});
    }
}

}  // namespace kernels
