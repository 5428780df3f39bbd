#pragma once
// Stands in for runtime/planned_reorder.hpp until it is there: every reorder as one that changes values.

#include <plait/runtime/check_descriptor_reorder.hpp>
#include <plait/runtime/values_reorder.hpp>

#include <optional>

namespace plait::stand_in {

class planned_reorder {
public:
    explicit planned_reorder(const values_reorder& plan) : plan_(plan) {}
    status operator()(const void* in, void* out) const noexcept {
        plan_(in, out);
        return status::success;
    }

private:
    values_reorder plan_;
};
inline std::optional<planned_reorder> make_reorder(const descriptor& src, const descriptor& dst,
                                                   const reorder_attributes& attributes = {}) {
    if (!check_reorder(src, dst, attributes).ok()) return std::nullopt;
    const auto plan = plan_values(src, dst, attributes);
    if (!plan) return std::nullopt;
    return planned_reorder(*plan);
}

}  // namespace plait::stand_in
