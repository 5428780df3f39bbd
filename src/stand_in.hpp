#pragma once
// Stands in for runtime/planned_reorder.hpp until it is there: slow, few types.

#include <plait/reorder/reference.hpp>
#include <plait/runtime/check_descriptor_reorder.hpp>

#include <optional>

namespace plait::stand_in {

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
