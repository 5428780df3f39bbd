#pragma once
// Offsets in a layout known only at run time, prepared once: without divisions, and without checks of the indices.

#include <plait/algebra/index_terms.hpp>

#include <concepts>
#include <cstdint>
#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Division by a number known only at run time, prepared as a multiplication.
///
/// With 2^(digits - 1) < divisor <= 2^digits, the factor 2^(63 + digits) / divisor, rounded up, fits in 64 bits. It is
/// too large by less than one part in 2^63, so for an index below 2^63 the product never reaches the next quotient. For
/// 12: digits is 4, the factor is 2^67 / 12 rounded up, and 35 / 12 == (35 * factor >> 64) >> 3 == 2. For a power of
/// two the factor is exact, and the product is a shift.
class prepared_divisor {
public:
    constexpr prepared_divisor() = default;
    /// Pre:     divisor > 1
    constexpr explicit prepared_divisor(dim_t divisor) {
        const auto d = static_cast<wide>(divisor);
        int digits = 1;
        while ((wide{1} << digits) < d) ++digits;
        factor_ = static_cast<std::uint64_t>(((wide{1} << (63 + digits)) + d - 1) / d);
        shift_ = digits - 1;
    }
    /// Pre:     index < 2^63
    /// Post:    index / divisor
    [[gnu::always_inline]] constexpr std::uint64_t quotient(std::uint64_t index) const {
        return static_cast<std::uint64_t>(static_cast<wide>(index) * factor_ >> 64) >> shift_;
    }

private:
    __extension__ typedef unsigned __int128 wide;  // EDG does not accept __extension__ before `using`
    std::uint64_t factor_ = 0;
    int shift_ = 0;
};
}  // namespace detail

/// Computes the offsets of elements in a layout, as layout::offset does, in a few multiplications.
///
/// The sum of digit values times strides is the index times the stride of the innermost digit, plus a correction each
/// time that an inner digit overflows. With 16 channels per block, c / 16 * 480 + c % 16 is c + c / 16 * (480 - 16). So
/// an offset takes one product per axis, and a quotient and a product for each digit outside another.
///
/// Pre:     check_static(l).ok(); fails as layout::offset does otherwise
/// Post:    layout_reader(l)(i...) == l.offset(i...) for indices inside the tensor; indices are not checked
/// Cost:    an offset: one product per axis, and a shift and a product for each digit outside another; two products
///          instead if the inner extent is not a power of two
/// Example: examples/12_views.cpp
class layout_reader {
public:
    constexpr explicit layout_reader(const layout& l) {
        require(detail::check_static(l));
        begin_ = static_cast<std::uint64_t>(l.offset0);
        block_begin_ = begin_;
        for (const detail::index_term& t : terms_of(l)) {
            // Replaces the remainder by the whole index, and corrects for it in the digit outside.
            add(t.axis, t.divisor, static_cast<std::uint64_t>(t.stride), l.padded_offsets[t.axis]);
            if (t.extent != 0)
                add(t.axis, t.divisor * t.extent,
                    static_cast<std::uint64_t>(-detail::wrapping_multiply(t.extent, t.stride)),
                    l.padded_offsets[t.axis]);
        }
        mask_powers_of_two();
        for (int a = 0; a < l.ndims(); ++a)
            if (l.digits[a].extent > 1) block_steps_[a] = static_cast<std::uint64_t>(l.digits[a].stride);
    }

    /// Returns the offset of an element.
    ///
    /// Pre:     one index per axis
    template <std::integral... Index>
        requires(sizeof...(Index) > 0 && sizeof...(Index) <= max_ndims)
    [[gnu::always_inline]] constexpr dim_t operator()(Index... index) const {
        const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
        return offset<static_cast<int>(sizeof...(Index))>(at);
    }

    /// Returns the offset of the element at `at`, one index per axis.
    template <int Rank>
    [[gnu::always_inline]] constexpr dim_t offset(const std::uint64_t* at) const {
        return sum(at, std::make_integer_sequence<int, Rank>());
    }
    /// Returns the offset of the element at `at`, for a rank known only at run time.
    constexpr dim_t offset(const dim_t* at, int rank) const {
        std::uint64_t index[max_ndims]{};
        std::uint64_t sum = begin_;
        for (int a = 0; a < rank; ++a) {
            index[a] = static_cast<std::uint64_t>(at[a]);
            sum += index[a] * axes_[a].step + (index[a] & axes_[a].without_low_bits) * axes_[a].outer_step;
        }
        return static_cast<dim_t>(sum + sum_divided(index));
    }
    /// Returns the offset of the first element of an outermost block.
    template <int Rank>
    [[gnu::always_inline]] constexpr dim_t block_offset(const std::uint64_t* at) const {
        std::uint64_t offset = block_begin_;
        for (int a = 0; a < Rank; ++a) offset += at[a] * block_steps_[a];
        return static_cast<dim_t>(offset);
    }

private:
    /// The contribution of an index: the index times step, plus the index without its lowest digit times outer_step. If
    /// that digit has a power of two as extent, as most have, removing it clears the low bits of the index.
    struct axis_steps {
        std::uint64_t step = 0, without_low_bits = 0, outer_step = 0;
    };
    /// A digit outside another whose extent is not a power of two, so that it needs a division.
    struct divided_digit {
        detail::prepared_divisor divisor;
        std::uint64_t step = 0, padding = 0;
        dim_t divides = 0;
        int axis = 0;
    };
    enum class digits { innermost, in_powers_of_two, any };

    template <int... Axis>
    [[gnu::always_inline]] constexpr dim_t sum(const std::uint64_t* at, std::integer_sequence<int, Axis...>) const {
        const std::uint64_t innermost = (begin_ + ... + (at[Axis] * axes_[Axis].step));
        if (outer_ == digits::innermost) return static_cast<dim_t>(innermost);
        const std::uint64_t outer =
            (innermost + ... + ((at[Axis] & axes_[Axis].without_low_bits) * axes_[Axis].outer_step));
        if (outer_ == digits::in_powers_of_two) return static_cast<dim_t>(outer);
        return static_cast<dim_t>(outer + sum_divided_of(at[Axis]...));
    }
    /// Out of line: only here the indices are read by number and must be in memory, which would slow the fast path.
    template <class... Index>
    [[gnu::noinline]] constexpr std::uint64_t sum_divided_of(Index... index) const {
        const std::uint64_t at[] = {index...};
        return sum_divided(at);
    }
    constexpr std::uint64_t sum_divided(const std::uint64_t* at) const {
        std::uint64_t offset = 0;
        for (int k = 0; k < divided_digits_; ++k) {
            const divided_digit& d = divided_[k];
            offset += d.divisor.quotient(at[d.axis] + d.padding) * d.step;
        }
        return offset;
    }

    constexpr void add(int axis, dim_t divisor, std::uint64_t step, dim_t padding) {
        if (divisor == 1) {
            axes_[axis].step += step;
            begin_ += step * static_cast<std::uint64_t>(padding);
            return;
        }
        for (int k = 0; k < divided_digits_; ++k)
            if (divided_[k].axis == axis && divided_[k].divides == divisor) {
                divided_[k].step += step;
                return;
            }
        divided_[divided_digits_++] = {detail::prepared_divisor(divisor), step, static_cast<std::uint64_t>(padding),
                                       divisor, axis};
    }

    /// Replaces divisions by masks: i / 16 * step is i without its four lowest bits times step / 16, if that is whole.
    constexpr void mask_powers_of_two() {
        for (int k = divided_digits_ - 1; k >= 0; --k) {
            const divided_digit d = divided_[k];
            const auto step = static_cast<dim_t>(d.step);
            axis_steps& a = axes_[d.axis];
            if ((d.divides & (d.divides - 1)) != 0 || d.padding != 0 || step % d.divides != 0 || a.outer_step != 0)
                continue;
            a.without_low_bits = ~static_cast<std::uint64_t>(d.divides - 1);
            a.outer_step = static_cast<std::uint64_t>(step / d.divides);
            divided_[k] = divided_[--divided_digits_];
            outer_ = digits::in_powers_of_two;
        }
        if (divided_digits_ > 0) outer_ = digits::any;
    }

    std::uint64_t begin_ = 0;
    digits outer_ = digits::innermost;
    axis_steps axes_[max_ndims]{};
    int divided_digits_ = 0;
    divided_digit divided_[max_digits]{};
    std::uint64_t block_begin_ = 0;
    std::uint64_t block_steps_[max_ndims]{};
};

}  // namespace plait
