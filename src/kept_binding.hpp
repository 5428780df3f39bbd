#pragma once
// The last plan of a handle whose extents are passed with each call, shared by all threads that call it.

#include "data_span.hpp"
#include "held_attributes.hpp"

#include <plait/descriptor/descriptor.hpp>
#include <plait/reorder/planned_reorder.hpp>

#include <atomic>
#include <utility>  // std::move

namespace plait::c {

/// A plan, and the arguments that it was made from.
struct planned_parts {
    descriptor src, dst;
    held_attributes held;
    plait::planned_reorder plan;
    // Of both buffers, and the bytes in front of what the plan begins with; only if there is a plan.
    measured_data src_data, dst_data;
    std::size_t src_front = 0, dst_front = 0;
    bool is_planned = false;
};

/// The plan of the last call. Calls with the same descriptors run it, several at the same time. It is replaced only
/// while no call runs it. No call ever waits.
class kept_binding {
public:
    /// A call's use of the plan, to compare or run it; false if another call is replacing the plan.
    class shared_use {
    public:
        explicit shared_use(kept_binding& of) : of_(of), got_(of.try_share()) {}
        ~shared_use() {
            if (got_) of_.users_.fetch_sub(1, std::memory_order_release);
        }
        shared_use(const shared_use&) = delete;
        shared_use& operator=(const shared_use&) = delete;
        explicit operator bool() const { return got_; }

    private:
        kept_binding& of_;
        bool got_;
    };

    /// True if the plan is for these descriptors and attributes. Null stands for the attributes of the handle.
    ///
    /// Pre:     the caller has a shared_use
    bool is_for(const descriptor& src, const descriptor& dst, const plait_reorder_attributes_t* attributes) const {
        if (times_kept_ == 0 || !(src == parts_.src && dst == parts_.dst)) return false;
        if (attributes == nullptr) return has_attributes_of_handle_;
        return !has_attributes_of_handle_ && are_held(parts_.held.attributes, attributes);
    }
    /// Pre:     the caller has a shared_use
    const planned_parts& parts() const { return parts_; }
    /// Returns the number of plans kept so far; for tests, while no call runs.
    std::size_t times_kept() const { return times_kept_; }

    /// Ends the trials of the plan.
    ///
    /// Pre:     no call uses it meanwhile
    void stop_trials() { parts_.plan.stop_trials(); }

    /// Replaces the plan, unless a call is using it.
    void try_keep(planned_parts&& made, bool has_attributes_of_handle) {
        int nobody = 0;
        if (!users_.compare_exchange_strong(nobody, owned, std::memory_order_acquire)) return;
        parts_ = std::move(made);
        has_attributes_of_handle_ = has_attributes_of_handle;
        ++times_kept_;
        users_.store(0, std::memory_order_release);
    }

private:
    static constexpr int owned = -1;

    bool try_share() {
        int users = users_.load(std::memory_order_relaxed);
        while (users != owned)
            if (users_.compare_exchange_weak(users, users + 1, std::memory_order_acquire)) return true;
        return false;
    }

    std::atomic<int> users_{0};  // number of calls that use the plan, or `owned`
    planned_parts parts_;
    bool has_attributes_of_handle_ = false;
    std::size_t times_kept_ = 0;
};

}  // namespace plait::c
