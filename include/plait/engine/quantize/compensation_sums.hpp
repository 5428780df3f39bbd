#pragma once
// Sums for compensation, computed from rows while they are in the nearest cache; and the conversion of single elements.

#include <plait/engine/quantize/converting_plan.hpp>
#include <plait/engine/quantize/small_row_converter.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Sums rows of s8, modulo 2^32, in the memory of the compensation. It is cleared before the first row, and converted
/// to compensation after the last.
class sums_in_place {
public:
    sums_in_place(const converting_plan& plan, std::byte* out) : plan_(plan), out_(out) {}

    /// Clears the sums. Must be called before the first row.
    void begin() {
        for (const compensation_sums* sums : {&plan_.s8s8, &plan_.asymmetric_source})
            if (sums->count != 0) std::memset(out_ + sums->begin, 0, 4 * sums->count);
    }
    /// Adds rows of the destination. `steps` and `row_steps` are what an element, and a row, add to the places of the
    /// sums.
    void add(const std::byte* rows, const row_block& block, const dim_t* value_indices, const dim_t* steps,
             const dim_t* row_steps) {
        if (plan_.s8s8.count != 0)
            add(plan_.s8s8, rows, block, value_indices[s8s8_sums], steps[s8s8_sums], row_steps[s8s8_sums]);
        if (plan_.asymmetric_source.count != 0 && !plan_.has_equal_sums())
            add(plan_.asymmetric_source, rows, block, value_indices[asymmetric_source_sums],
                steps[asymmetric_source_sums], row_steps[asymmetric_source_sums]);
    }
    /// Converts the sums to compensation. Must be called after the last row.
    void finish() {
        if (plan_.has_equal_sums())
            std::memcpy(out_ + plan_.asymmetric_source.begin, out_ + plan_.s8s8.begin, 4 * plan_.s8s8.count);
        multiply(plan_.s8s8, 128);
        multiply(plan_.asymmetric_source, 1);
    }

private:
    const converting_plan& plan_;
    std::byte* out_;

    static void add_one(std::byte* to, std::uint32_t x) {
        std::uint32_t sum;
        std::memcpy(&sum, to, sizeof(sum));
        sum += x;
        std::memcpy(to, &sum, sizeof(sum));
    }
    void add(const compensation_sums& sums, const std::byte* row, const row_block& block, dim_t place, dim_t step,
             dim_t row_step) {
        std::byte* to = out_ + sums.begin + 4 * place;
        if (step == 0 && row_step == 0 && block.to_step == block.count)
            return add_one(to, plan_.conversion.rows->sum(row, block.rows * block.count));
        for (dim_t r = 0; r < block.rows; ++r, row += block.to_step, to += 4 * row_step) {
            if (step == 0) add_one(to, plan_.conversion.rows->sum(row, block.count));
            else if (step == 1) plan_.conversion.rows->add_to(row, to, block.count);
            else
                for (dim_t i = 0; i < block.count; ++i)
                    add_one(to + 4 * i * step, static_cast<std::uint32_t>(std::to_integer<std::int8_t>(row[i])));
        }
    }
    void multiply(const compensation_sums& sums, std::uint32_t factor) {
        std::byte* to = out_ + sums.begin;
        for (std::size_t i = 0; i < sums.count; ++i, to += 4) {
            std::uint32_t sum;
            std::memcpy(&sum, to, sizeof(sum));
            sum = 0 - factor * sum;
            std::memcpy(to, &sum, sizeof(sum));
        }
    }
};

/// Converts a tensor without cache blocks, one element after the other, with the same row functions.
template <class Number>
void run_elements(const converting_plan& plan, const layout& src, const layout& dst, const void* in, void* out) {
    const auto from = static_cast<const std::byte*>(in);
    const auto to = static_cast<std::byte*>(out);
    small_row_converter<Number> convert(plan.conversion, in, out);
    sums_in_place sums(plan, to);
    const attributes_by_position values(plan.conversion.attributes, dst.dims);
    const layout places[] = {compensation_layout(dst, plan.s8s8.mask),
                             compensation_layout(dst, plan.asymmetric_source.mask)};
    const cache_block_node none;
    row_block one;
    one.count = 1;
    for (dim_t number = 0; number < dst.padded_volume(); ++number) {
        const position padded = unravel(dst.padded_dims, number);
        position at = padded;
        bool inside = true;
        dim_t value_indices[value_arrays]{};
        for (int axis = 0; axis < dst.ndims(); ++axis) {
            at[axis] -= dst.padded_offsets[axis];
            inside = inside && at[axis] >= 0 && at[axis] < dst.dims[axis];
        }
        const dim_t place = dst.padded_offset(padded);
        std::byte* const here = to + place * plan.conversion.dst_bytes;
        if (inside) {
            value_indices[src_zero_points] = values.src_zero_point.place_of(at);
            value_indices[src_scales] = values.src_scale.place_of(at);
            value_indices[dst_scales] = values.dst_scale.place_of(at);
            value_indices[dst_zero_points] = values.dst_zero_point.place_of(at);
            if (plan.s8s8.count != 0) value_indices[s8s8_sums] = places[0].offset(at);
            if (plan.asymmetric_source.count != 0) value_indices[asymmetric_source_sums] = places[1].offset(at);
            convert(from + src.offset(at) * plan.conversion.src_bytes, here, one,
                    {value_indices, &none, 0, none.value_steps});
            sums.add(here, one, value_indices, none.value_steps, none.value_steps);
        } else {
            zero_element(plan.conversion.dst_memory, to, place);
        }
    }
}

}  // namespace plait::engine
