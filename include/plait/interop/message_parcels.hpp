#pragma once
// Messages cut into parcels that fit a buffer, and the reorders that fill and empty it. Needs no library that carries
// bytes.

#include <plait/distribution/plan_redistribution.hpp>
#include <plait/interop/parcel_values.hpp>
#include <plait/reorder/make_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// Calls visit for parts of at most `most` elements that together are `part`: whole steps of an outer digit.
///
/// Pre:     most > 0; the axes before `axis` have one index
template <class Visit>
void cut_part(const message_part& part, int axis, dim_t most, Visit& visit) {
    const dim_t volume = part.sent.volume();
    if (volume <= most) return visit(part);
    const dim_t extent = part.sent.dims[axis], inside = volume / extent;
    const bool inner = inside > most;
    // Parts of about equal size.
    const dim_t steps = inner ? 1 : divide_up(extent, divide_up(extent, most / inside));
    for (dim_t begin = 0; begin < extent; begin += steps) {
        message_part some = part;
        for (layout* l : {&some.sent, &some.received}) {
            l->dims[axis] = l->padded_dims[axis] = l->digits[axis].extent = smaller_of(steps, extent - begin);
            l->offset0 += begin * l->digits[axis].stride;
        }
        if (inner) cut_part(some, axis + 1, most, visit);
        else visit(some);
    }
}

/// A reorder of a parcel: which of the plans, and where its two sides begin, in bytes.
struct parcel_step {
    int plan = 0;
    std::size_t memory = 0;  ///< in the memory of the rank
    std::size_t other = 0;   ///< in the parcel; for elements that stay on the rank, in its other memory
    dim_t values = 0;        ///< in arrays of values by index
};

/// Bytes that are packed, sent and unpacked together.
struct parcel {
    std::size_t bytes = 0;
    int first_step = 0, steps = 0;
    bool is_direct = false;  ///< its bytes lie in the memory of the rank as they are sent
};

/// Returns a layout with its lowest place at offset 0, and where that place is.
inline std::size_t move_to_front(layout& l) {
    const dim_t front = reach_in_front(l);
    const dim_t begin = l.offset0 - front;
    l.offset0 = front;
    return static_cast<std::size_t>(begin);
}

/// The parcels of one rank for one peer, or of what it keeps, in order. Steps with equal strides share a plan.
class parcel_list {
public:
    /// The two sides of the reorders of a list.
    enum class direction { pack, unpack, keep };

    std::vector<parcel> parcels;
    std::vector<parcel_step> steps;

    /// Adds the parcels of a message. Both ranks cut a message alike: by its parts and the size on the way. With values
    /// by index, the strides of the sender in the plan are encoded, and `code` tells them apart.
    ///
    /// Refused: as make_reorder; too_many_axes (values by index, and a part with 12 axes)
    verdict add(const redistribution_plan& plan, const rank_message& message, direction which, data_type from,
                data_type to, const reorder_attributes& attributes, dim_t wire_size, std::size_t most_bytes,
                const value_code& code = {}) {
        verdict why;
        const auto add_some = [&](const message_part& part) {
            if (!why.ok()) return;
            message_part plain{code.decoded(part.sent, true), part.received};
            layout values;
            if (code.split != 0) {
                if (plain.sent.dims.full())
                    return static_cast<void>(why = {reason::too_many_axes, -1, max_ndims + 1, max_ndims});
                values = code.decoded(part.sent, false);
                for (layout* l : {&plain.sent, &plain.received, &values}) add_unit_axis(*l);
            }
            why = add_part(plain, values, which, from, to, attributes, wire_size, most_bytes);
        };
        const dim_t most = larger_of(1, static_cast<dim_t>(most_bytes) / wire_size);
        plan.for_each_part(message, [&](const message_part& part) { cut_part(part, 0, most, add_some); });
        return why;
    }

    /// Runs a step.
    void run(const parcel_step& step, const std::byte* in, std::byte* out) const {
        const shared_plan& plan = plans_[static_cast<std::size_t>(step.plan)];
        if (plan.values != nullptr) plan.values->gather(step.values);
        plan.reorder.attempt(in, out).value();
    }

private:
    struct shared_plan {
        layout from, to, steps;  ///< of both sides, and in arrays of values
        planned_reorder reorder;
        std::unique_ptr<part_values> values;  ///< null if there are none by index
    };

    /// Adds an axis with one index.
    static void add_unit_axis(layout& l) {
        l.digits.push_back({l.ndims(), 1, 1});
        l.dims.push_back(1);
        l.padded_dims.push_back(1);
        l.padded_offsets.push_back(0);
    }
    static bool by_index(const reorder_attributes& a) {
        return (a.src_scale.mask | a.dst_scale.mask | a.src_zero_point.mask | a.dst_zero_point.mask) != 0;
    }

    verdict add_part(const message_part& part, layout values, direction which, data_type from, data_type to,
                     const reorder_attributes& attributes, dim_t wire_size, std::size_t most_bytes) {
        layout packed = identity_of(part.sent.dims).value();
        layout memory = which == direction::unpack ? part.received : part.sent;
        layout other = which == direction::keep ? part.received : packed;
        const data_type memory_type = which == direction::unpack ? to : from;
        parcel_step step;
        step.memory = move_to_front(memory) * static_cast<std::size_t>(size_in_bytes(memory_type));
        const std::size_t bytes = static_cast<std::size_t>(part.sent.volume() * wire_size);
        if (parcels.empty() || parcels.back().bytes + bytes > most_bytes)
            parcels.push_back({0, static_cast<int>(steps.size()), 0, false});
        parcel& last = parcels.back();
        step.other =
            which == direction::keep ? move_to_front(other) * static_cast<std::size_t>(size_in_bytes(to)) : last.bytes;
        last.bytes += bytes;
        ++last.steps;
        last.is_direct =
            which != direction::keep && last.steps == 1 && from == to && is_trivial(attributes) && memory == packed;
        const layout &first = which == direction::unpack ? other : memory,
                     &second = which == direction::unpack ? memory : other;
        step.values = values.offset0;
        values.offset0 = 0;
        const verdict why = find_plan(step.plan, {from, first}, {to, second}, values, attributes);
        steps.push_back(step);
        return why;
    }

    /// Finds a plan among the last ones, or makes it.
    verdict find_plan(int& at, const descriptor& from, const descriptor& to, const layout& values,
                      const reorder_attributes& attributes) {
        constexpr std::size_t looked_at = 32;
        const std::size_t end = plans_.size(), begin = end < looked_at ? 0 : end - looked_at;
        for (std::size_t k = end; k > begin; --k)
            if (plans_[k - 1].from == from.layout && plans_[k - 1].to == to.layout && plans_[k - 1].steps == values) {
                at = static_cast<int>(k - 1);
                return {};
            }
        std::unique_ptr<part_values> gathered;
        if (by_index(attributes)) gathered = std::make_unique<part_values>(attributes, values);
        const expected<planned_reorder> made =
            make_reorder(from, to, gathered != nullptr ? gathered->attributes() : attributes);
        if (!made) return made.error();
        at = static_cast<int>(end);
        plans_.push_back({from.layout, to.layout, values, *made, std::move(gathered)});
        return {};
    }

    std::vector<shared_plan> plans_;
};

}  // namespace plait::detail
