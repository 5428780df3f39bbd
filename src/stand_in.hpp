#pragma once
// Stands in for runtime/planned_reorder.hpp and runtime/padding.hpp until they are there: slow, few types.

#include <plait/reorder/reference.hpp>
#include <plait/runtime/check_descriptor_reorder.hpp>

#include <optional>

namespace plait::stand_in {

template <class Visit>
bool visit_padding(const layout& l, Visit visit) {
    for (dim_t number = 0; number < l.padded_volume(); ++number) {
        const position at = unravel(l.padded_dims, number);
        bool inside = true;
        for (int a = 0; a < l.ndims(); ++a)
            inside = inside && at[a] >= l.padded_offsets[a] && at[a] - l.padded_offsets[a] < l.dims[a];
        if (!inside && !visit(l.padded_offset(at))) return false;
    }
    return true;
}
inline status zero_pad(const descriptor& d, void* data) {
    const auto size = static_cast<std::size_t>(size_in_bytes(d.type));
    visit_padding(d.layout, [&](dim_t at) {
        for (std::size_t i = 0; i < size; ++i) static_cast<char*>(data)[static_cast<std::size_t>(at) * size + i] = 0;
        return true;
    });
    return status::success;
}
inline bool is_padding_zero(const descriptor& d, const void* data) {
    const auto size = static_cast<std::size_t>(size_in_bytes(d.type));
    return visit_padding(d.layout, [&](dim_t at) {
        for (std::size_t i = 0; i < size; ++i)
            if (static_cast<const char*>(data)[static_cast<std::size_t>(at) * size + i] != 0) return false;
        return true;
    });
}

class planned_reorder {
public:
    planned_reorder(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes)
        : src_(src), dst_(dst), attributes_(attributes) {}
    status operator()(const void* in, void* out) const noexcept {
        const auto from = [&](auto zero) {
            using T = decltype(zero);
            const T* data = static_cast<const T*>(in);
            switch (dst_.type) {
                case data_type::f32: return move(data, static_cast<float*>(out));
                case data_type::bf16: return move(data, static_cast<bfloat16*>(out));
                case data_type::s8: return move(data, static_cast<std::int8_t*>(out));
                default: return status::unimplemented;
            }
        };
        switch (src_.type) {
            case data_type::f32: return from(float{});
            case data_type::bf16: return from(bfloat16{});
            case data_type::s8: return from(std::int8_t{});
            default: return status::unimplemented;
        }
    }

private:
    template <class T, class U>
    status move(const T* in, U* out) const {
        reference_reorder(src_.layout, in, dst_.layout, out, attributes_);
        return status::success;
    }
    descriptor src_, dst_;
    reorder_attributes attributes_;
};
inline std::optional<planned_reorder> make_reorder(const descriptor& src, const descriptor& dst,
                                                   const reorder_attributes& attributes = {}) {
    if (!check_reorder(src, dst, attributes).ok()) return std::nullopt;
    return planned_reorder(src, dst, attributes);
}

}  // namespace plait::stand_in
