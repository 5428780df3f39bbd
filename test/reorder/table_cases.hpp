#pragma once
// What a reorder through tables must write, element by element, from plain lists of indices.

#include <plait/contract/attributes.hpp>
#include <plait/descriptor/descriptor.hpp>

#include <cstring>
#include <functional>
#include <vector>

namespace table_cases {

using namespace plait;

/// Returns the place of an index of the padded tensor, from the digits as the specification has them (section 4).
inline dim_t place_of(const layout& l, std::vector<dim_t> at) {
    dim_t place = l.offset0;
    for (int k = l.digits.size() - 1; k >= 0; --k) {
        const digit& d = l.digits[k];
        dim_t& rest = at[static_cast<std::size_t>(d.axis)];
        if (k < l.ndims()) {
            place += rest * d.stride;
        } else {
            place += rest % d.extent * d.stride;
            rest /= d.extent;
        }
    }
    return place;
}

/// Calls visit(index) for every index of a box.
template <class Visit>
void for_each_index(const std::vector<dim_t>& extents, const Visit& visit) {
    std::vector<dim_t> at(extents.size(), 0);
    for (const dim_t e : extents)
        if (e == 0) return;
    for (;;) {
        visit(at);
        std::size_t a = extents.size();
        while (a > 0 && ++at[a - 1] == extents[a - 1]) at[--a] = 0;
        if (a == 0) return;
    }
}

/// One side: the index in memory of each index along the axis, and the indices that are zeroed.
struct side {
    descriptor tensor;
    std::vector<dim_t> indices, zeroed;
};

/// Returns the attributes of an element, by its positions in the padded source and in the padded destination.
using values_at = std::function<detail::element_attributes(const std::vector<dim_t>&, const std::vector<dim_t>&)>;

/// Writes what the reorder must write; `value` returns the attributes of an element.
inline void expect(const side& from, const std::byte* in, const side& to, std::byte* out, int axis,
                   const values_at& value = {}) {
    const layout &src = from.tensor.layout, &dst = to.tensor.layout;
    const auto a = static_cast<std::size_t>(axis);
    std::vector<dim_t> inner(dst.padded_dims.begin(), dst.padded_dims.end());
    const auto put = [&](const std::vector<dim_t>& at, dim_t number, bool is_padding) {
        const dim_t place = place_of(dst, at);
        if (is_padding) return detail::zero_element(to.tensor.type, out, place);
        std::vector<dim_t> read = at;
        for (std::size_t k = 0; k < read.size(); ++k)
            if (k != a) read[k] += src.padded_offsets[static_cast<int>(k)] - dst.padded_offsets[static_cast<int>(k)];
        read[a] = from.indices[static_cast<std::size_t>(number)];
        const dim_t source = place_of(src, read);
        with_element_type(from.tensor.type, [&]<element T>(T) {
            with_element_type(to.tensor.type, [&]<element U>(U) {
                const T x = detail::load_element<T>(in, source);
                U y = detail::load_element<U>(out, place);
                if (value) y = convert_with<U>(x, y, value(read, at));
                else if constexpr (std::is_same_v<T, U>) y = x;
                else y = convert<U>(x);
                detail::store_element<U>(out, place, y);
            });
        });
    };
    const auto write = [&](dim_t index, dim_t number) {
        inner[a] = 1;
        for_each_index(inner, [&](std::vector<dim_t> at) {
            bool is_padding = number < 0;
            for (std::size_t k = 0; k < at.size(); ++k) {
                const dim_t front = dst.padded_offsets[static_cast<int>(k)], extent = dst.dims[static_cast<int>(k)];
                if (k != a && (at[k] < front || at[k] >= front + extent)) is_padding = true;
            }
            at[a] = index;
            put(at, number, is_padding);
        });
    };
    for (const dim_t index : to.zeroed) write(index, -1);
    for (std::size_t i = 0; i < to.indices.size(); ++i) write(to.indices[i], static_cast<dim_t>(i));
}

}  // namespace table_cases
