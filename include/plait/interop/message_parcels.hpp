#pragma once
// Messages cut into parcels that fit a buffer, and the reorders that fill and empty it. Needs no library that carries
// bytes.

#include <plait/contract/attributes.hpp>
#include <plait/contract/check_attributes.hpp>
#include <plait/distribution/plan_redistribution.hpp>
#include <plait/distribution/redistribution_plan.hpp>
#include <plait/reorder/make_reorder.hpp>

#include <memory>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

// Attributes with a value for each index: which values a part of a message needs, and where a reorder of the part reads
// them.

/// Two numbers in one stride: a distance in memory, and one in an array of values.
struct value_code {
    dim_t split = 0;  ///< what a step in the array adds; 0 if there are no values by index

    constexpr dim_t place(dim_t number) const {
        if (split == 0) return number;
        const dim_t rest = number % split, positive = rest < 0 ? rest + split : rest;
        return positive > split / 2 ? positive - split : positive;
    }
    constexpr dim_t value(dim_t number) const { return split == 0 ? 0 : (number - place(number)) / split; }

    /// Returns a layout with only the places, or only the values.
    constexpr layout decoded(layout l, bool places) const {
        l.offset0 = places ? place(l.offset0) : value(l.offset0);
        for (int k = 0; k < l.digits.size(); ++k)
            l.digits[k].stride = places ? place(l.digits[k].stride) : value(l.digits[k].stride);
        return l;
    }
};

/// Returns the mask that the attributes with values by index share; 0 if there are none.
///
/// Refused: mask_is_not_sent (two attributes have values by index along different axes; values by group or layout)
constexpr expected<int> shared_mask(const reorder_attributes& attributes) {
    int out = 0;
    verdict why;
    for_each_values(attributes, [&](const auto& a) {
        const bool by_mask = a.where == nullptr && a.group.empty();
        if (why.ok() && (!by_mask || (a.mask != 0 && out != 0 && a.mask != out)))
            why = {reason::mask_is_not_sent, -1, axes_of(a), out};
        if (a.mask != 0) out = a.mask;
    });
    return {out, why};
}

/// Adds to the strides of a layout what a step adds in an array of values with this mask, so that the parts of a plan
/// know both. Returns how to tell them apart.
///
/// Refused: size_overflows (the two numbers do not fit in 63 bits)
/// Pre:     check_static_layout(l).ok(), mask != 0
constexpr expected<value_code> encode_values(layout& l, int mask) {
    const dim_t end = l.span_begin() + static_cast<dim_t>(l.element_span());
    value_code out{2 * larger_of(end, 1)};
    const strides steps = mask_strides(l.dims, mask);
    for (int a = 0; a < l.ndims(); ++a) {
        dim_t index_step = 1;
        const auto add = [&](digit& d) {
            const checked_integer stride = checked_integer{steps[a]} * index_step * out.split + d.stride;
            const checked_integer reach = stride * larger_of(d.extent, 1);
            d.stride = stride.value;
            return stride.ok() && reach.ok();
        };
        for (int k = l.digits.size() - 1; k >= l.ndims(); --k) {
            if (l.digits[k].axis != a) continue;
            if (!add(l.digits[k])) return verdict{reason::size_overflows, a, steps[a], out.split};
            index_step *= l.digits[k].extent;
        }
        if (!add(l.digits[a])) return verdict{reason::size_overflows, a, steps[a], out.split};
    }
    return out;
}

/// The arguments of make_redistribution, apart from the communicator, and of make_local_redistribution.
struct redistribution_arguments {
    data_type from_type = data_type::undef;
    distribution from;
    data_type to_type = data_type::undef;
    distribution to;
    reorder_attributes attributes;

    /// Refused: as make_local_redistribution, apart from make_reorder's reasons
    verdict check() const {
        if (const verdict why = check_plan_redistribution(from, to); !why.ok()) return why;
        if (const verdict why = check_attributes(attributes, from.dims()); !why.ok()) return why;
        if (const verdict why = shared_mask(attributes).error(); !why.ok()) return why;
        for (const bool before : {true, false}) {
            descriptor local;
            local.type = before ? from_type : to_type;
            local.layout = before ? from.local : to.local;
            if (const verdict why = check_descriptor(local); !why.ok()) return why;
            if (size_in_bits(local.type) % 8 != 0)
                return {reason::data_type_is_unknown, -1, static_cast<dim_t>(local.type), 0};
        }
        return {};
    }
    /// Returns true if elements are converted before they are sent, because they are then smaller. If the result
    /// depends on what the receiver has, only the receiver can compute it.
    bool converts_early() const { return attributes.beta == 0 && size_in_bytes(to_type) < size_in_bytes(from_type); }
};

/// Adds the steps of values by index to the strides of the sender's memory, if attributes have such values.
///
/// Refused: as encode_values
/// Pre:     shared_mask(attributes).has_value()
constexpr verdict encode_values(distribution& from, value_code& code, const reorder_attributes& attributes) {
    const int mask = *shared_mask(attributes);
    if (mask == 0) return {};
    const expected<value_code> encoded = encode_values(from.local, mask);
    if (encoded) code = *encoded;
    return encoded.error();
}

/// The values of the attributes that a reorder of a part reads, copied from the user's arrays before each run.
class part_values {
public:
    /// Prepares for parts with these steps in the arrays. The last axis of `values` has one index, so that there is an
    /// axis for a mask even if all elements have one value.
    part_values(const reorder_attributes& from, const layout& values) : from_(from), values_(values) {
        mask_ = 1 << (values.ndims() - 1);
        for (int a = 0; a + 1 < values.ndims(); ++a)
            if (values.digits[a].stride != 0 && values.dims[a] > 1) {
                mask_ |= 1 << a;
                count_ *= values.dims[a];
            }
        for (std::vector<float>& list : scales_) list.assign(static_cast<std::size_t>(count_), 1.0f);
        for (std::vector<std::int32_t>& list : zero_points_) list.assign(static_cast<std::size_t>(count_), 0);
    }
    /// Returns the attributes of the reorder of a part. They point into this object.
    reorder_attributes attributes() const {
        reorder_attributes out = from_;
        if (from_.src_scale.mask != 0) out.src_scale = {std::span<const float>(scales_[0]), mask_};
        if (from_.dst_scale.mask != 0) out.dst_scale = {std::span<const float>(scales_[1]), mask_};
        if (from_.src_zero_point.mask != 0)
            out.src_zero_point = {std::span<const std::int32_t>(zero_points_[0]), mask_};
        if (from_.dst_zero_point.mask != 0)
            out.dst_zero_point = {std::span<const std::int32_t>(zero_points_[1]), mask_};
        return out;
    }
    /// Copies the values of the part that begins with this one.
    void gather(dim_t begin) {
        position at;
        for (int a = 0; a < values_.ndims(); ++a) at.push_back(0);
        for (dim_t n = 0; n < count_; ++n) {
            dim_t rest = n, place = begin;
            for (int a = values_.ndims() - 1; a >= 0; --a) {
                if ((mask_ >> a & 1) == 0 || values_.dims[a] == 1) continue;
                place += rest % values_.dims[a] * values_.digits[a].stride;
                rest /= values_.dims[a];
            }
            const auto to = static_cast<std::size_t>(n);
            if (from_.src_scale.mask != 0) scales_[0][to] = from_.src_scale.at(place);
            if (from_.dst_scale.mask != 0) scales_[1][to] = from_.dst_scale.at(place);
            if (from_.src_zero_point.mask != 0) zero_points_[0][to] = from_.src_zero_point.at(place);
            if (from_.dst_zero_point.mask != 0) zero_points_[1][to] = from_.dst_zero_point.at(place);
        }
    }

private:
    reorder_attributes from_;
    layout values_;
    int mask_ = 0;
    dim_t count_ = 1;
    std::vector<float> scales_[2];
    std::vector<std::int32_t> zero_points_[2];
};

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

    /// Ends the last parcel: the next message begins a parcel of its own.
    void end_parcel() { begins_anew_ = true; }
    /// True if steps gather values by index in arrays that they share, so that no two may run at the same time.
    bool shares_arrays() const {
        bool out = false;
        for (const shared_plan& plan : plans_) out = out || plan.values != nullptr;
        return out;
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
        if (parcels.empty() || begins_anew_ || parcels.back().bytes + bytes > most_bytes)
            parcels.push_back({0, static_cast<int>(steps.size()), 0, false});
        begins_anew_ = false;
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
    bool begins_anew_ = false;
};

}  // namespace plait::detail
