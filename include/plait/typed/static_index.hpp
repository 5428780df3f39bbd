#pragma once
// The offset of an element of a layout that the type says: constants' arithmetic, written by the compiler.

#include <plait/algebra/index_terms.hpp>

#include <cstdint>
#include <utility>

namespace plait::detail {

/// The term of an index: unsigned, so that powers of two are shifts, and sums may wrap around without being undefined.
template <dim_t Divisor, dim_t Extent>
[[gnu::always_inline]] constexpr std::uint64_t digit_value(std::uint64_t index) {
    if constexpr (Divisor != 1 && Extent != 0)
        return index / static_cast<std::uint64_t>(Divisor) % static_cast<std::uint64_t>(Extent);
    else if constexpr (Divisor != 1) return index / static_cast<std::uint64_t>(Divisor);
    else if constexpr (Extent != 0) return index % static_cast<std::uint64_t>(Extent);
    else return index;
}

/// Offsets in a layout whose digits are constants; strides that follow from dynamic extents are given as numbers.
///
/// Post:    offset(p) == L.offset(p), block_offset(b) == L.block_offset(b), for what those do not refuse
/// Cost:    at -O2 that of the same arithmetic written by hand; nothing is checked
template <layout L>
struct static_index {
    static constexpr layout known = L;  // which Clang 14 needs, to read a digit by a number that is not constant
    static constexpr int rank = L.ndims();
    static constexpr index_terms terms = terms_of(L);

    /// Where the number of a stride that is not known is found: how many axes before it have none either.
    static constexpr int slot_of(int axis) {
        int slot = 0;
        for (int a = 0; a < axis; ++a) slot += !is_known(known.digits.values[a].stride);
        return slot;
    }
    static constexpr int slots = slot_of(rank);

    /// Of the element at `at`, one number an axis; `strides` has those that L does not know.
    [[gnu::always_inline]] static constexpr dim_t offset(const std::uint64_t* at, const dim_t* strides = nullptr) {
        return sum(at, strides, std::make_integer_sequence<int, terms.size()>());
    }
    /// Of the first element of an outermost block.
    [[gnu::always_inline]] static constexpr dim_t block_offset(const std::uint64_t* at,
                                                               const dim_t* strides = nullptr) {
        return sum_blocks(at, strides, std::make_integer_sequence<int, rank>());
    }
    /// What the index along one axis adds to an offset.
    template <int Axis>
    [[gnu::always_inline]] static constexpr dim_t axis_offset(std::uint64_t index, const dim_t* strides = nullptr) {
        std::uint64_t at[max_ndims]{};
        at[Axis] = index;
        return sum_axis<Axis>(at, strides, std::make_integer_sequence<int, terms.size()>());
    }
    /// The element with a row-major number, the last axis fastest.
    [[gnu::always_inline]] static constexpr dim_t linear_offset(std::uint64_t number) {
        return sum_linear(number, std::make_integer_sequence<int, rank>());
    }

private:
    template <dim_t Stride, int Axis>
    [[gnu::always_inline]] static constexpr std::uint64_t times_stride(std::uint64_t value, const dim_t* strides) {
        if constexpr (is_known(Stride)) return value * static_cast<std::uint64_t>(Stride);
        else return value * static_cast<std::uint64_t>(strides[slot_of(Axis)]);
    }
    template <int K>
    [[gnu::always_inline]] static constexpr std::uint64_t term(const std::uint64_t* at, const dim_t* strides) {
        constexpr index_term t = terms.values[K];
        constexpr auto padding = static_cast<std::uint64_t>(L.padded_offsets.values[t.axis]);
        return times_stride<t.stride, t.axis>(digit_value<t.divisor, t.extent>(at[t.axis] + padding), strides);
    }
    template <int... K>
    [[gnu::always_inline]] static constexpr dim_t sum([[maybe_unused]] const std::uint64_t* at,
                                                      [[maybe_unused]] const dim_t* strides,
                                                      std::integer_sequence<int, K...>) {
        return static_cast<dim_t>((static_cast<std::uint64_t>(L.offset0) + ... + term<K>(at, strides)));
    }
    template <int Axis, int... K>
    [[gnu::always_inline]] static constexpr dim_t sum_axis([[maybe_unused]] const std::uint64_t* at,
                                                           [[maybe_unused]] const dim_t* strides,
                                                           std::integer_sequence<int, K...>) {
        return static_cast<dim_t>(
            (std::uint64_t{0} + ... + (terms.values[K].axis == Axis ? term<K>(at, strides) : std::uint64_t{0})));
    }

    template <int Axis>
    [[gnu::always_inline]] static constexpr std::uint64_t block_term(const std::uint64_t* at, const dim_t* strides) {
        constexpr digit d = L.digits.values[Axis];
        if constexpr (d.extent == 0 || d.extent == 1) return 0;
        else return times_stride<d.stride, Axis>(at[Axis], strides);
    }
    template <int... Axis>
    [[gnu::always_inline]] static constexpr dim_t sum_blocks([[maybe_unused]] const std::uint64_t* at,
                                                             [[maybe_unused]] const dim_t* strides,
                                                             std::integer_sequence<int, Axis...>) {
        return static_cast<dim_t>((static_cast<std::uint64_t>(L.offset0) + ... + block_term<Axis>(at, strides)));
    }

    /// How many numbers one step along the axis is.
    static constexpr dim_t numbers_inside(int axis) {
        dim_t numbers = 1;
        for (int a = axis + 1; a < rank; ++a) numbers *= known.dims.values[a] > 0 ? known.dims.values[a] : 1;
        return numbers;
    }
    template <int... Axis>
    [[gnu::always_inline]] static constexpr dim_t sum_linear(std::uint64_t number,
                                                             std::integer_sequence<int, Axis...>) {
        const std::uint64_t at[] = {digit_value < numbers_inside(Axis),
                                    Axis == 0 || L.dims.values[Axis] < 1 ? 0 : L.dims.values[Axis] > (number)...};
        return offset(at);
    }
};

}  // namespace plait::detail
