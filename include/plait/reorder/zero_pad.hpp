#pragma once
// The contract of padding, for those who write kernels.
//
// A layout with blocks has more places than the tensor has elements: nChw16c with 17 channels has places for 32.
// - Reading: the padding of every input is zero in all bits. A kernel may therefore read, multiply and add whole blocks
//   without knowing where the tensor ends.
// - Writing: a kernel leaves zeros in the padding of every output. If it computes whole blocks, the results in the
//   padding must be zero, which they are not after a bias, exp, or a zero point. Otherwise call zero_pad, or store only
//   the elements.
// - reorder follows both rules: it never reads the source's padding, and writes zeros to the destination's padding. So
//   do all operations of the algebra: padding stays padding.
// - Gaps of a strided layout are not padding: they may belong to other data, and nothing here reads or writes them. A
//   part of a tensor (submemory) has padding only if it reaches the end of its parent: then it has the parent's.
// - Whoever creates a buffer zeroes its padding once: zero_pad(d, data) after writing elements one by one.

#include <plait/algebra/is_injective.hpp>
#include <plait/core/packed_elements.hpp>
#include <plait/descriptor/descriptor.hpp>
#include <plait/engine/plan/padding_boxes.hpp>
#include <plait/engine/simd/zero_runs.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that no padding of d shares a place with an element.
///
/// Refused: what check_descriptor refuses; undefined, any and dynamic layouts; destination_is_not_injective, if a
/// padded axis repeats its elements or overlaps with another, because its padding then lies on elements
constexpr verdict check_zero_pad(const descriptor& d) {
    if (const verdict why = check_descriptor(d); !why.ok()) return why;
    if (const verdict why = detail::check_static(d.layout); !why.ok()) return why;
    const inline_list<dim_t, max_digits> values = detail::reached_extents(d.layout);
    for (int k = 0; k < d.layout.digits.size(); ++k) {
        const digit& shared = d.layout.digits[k];
        if (shared.stride == 0 && values[k] > 1 && d.layout.padded_dims[shared.axis] != d.layout.dims[shared.axis])
            return {reason::destination_is_not_injective, shared.axis, values[k], 0};
    }
    // If the strides do not nest, padding may lie on elements.
    if (!d.layout.is_padded() || detail::check_nesting(d.layout).ok()) return {};
    return detail::check_unique_places(d.layout, reason::destination_is_not_injective);
}

namespace detail {
/// True if `length` bytes are all zero. Reads whole words; the last may overlap the one before it.
///
/// Pre:     length >= sizeof(Word)
template <class Word>
inline bool are_words_zero(const unsigned char* at, std::size_t length) {
    Word bits = 0, word = 0;
    for (std::size_t i = 0; i + sizeof(Word) < length; i += sizeof(Word)) {
        std::memcpy(&word, at + i, sizeof(Word));
        bits = static_cast<Word>(bits | word);
    }
    std::memcpy(&word, at + length - sizeof(Word), sizeof(Word));
    return static_cast<Word>(bits | word) == 0;
}

/// True if the bytes of a run are all zero. Reads the widest words that fit into it; the last two may overlap.
///
/// Pre:     length >= 1; `at` points to `length` bytes, aligned or not
/// Post:    true exactly if at[i] == 0 for every i < length
/// Cost:    length / 8 words read, rounded up; if the run is shorter than 8 bytes, words of 4, 2 or 1 bytes
/// Source:  spec semantics 11
/// Example: the bytes 0, 0, 0: true; 0, 0, 1: false
inline bool is_zero_run(const unsigned char* at, std::size_t length) {
    if (length >= 8) return are_words_zero<std::uint64_t>(at, length);
    if (length >= 4) return are_words_zero<std::uint32_t>(at, length);
    return length >= 2 ? are_words_zero<std::uint16_t>(at, length) : *at == 0;
}

/// Calls visit(place) for each element of padding, until a call returns false; returns false then. For elements smaller
/// than a byte, of which others share the byte, and for constant expressions.
///
/// Pre:     check_zero_pad allows the layout
template <class Visit>
constexpr bool visit_padding_places(const layout& l, const Visit& visit) {
    return engine::visit_padding(l, [&](const engine::place_box& box) {
        bool continues = true;
        engine::visit_places(box, [&](dim_t place) { continues = continues && visit(place); });
        return continues;
    });
}

/// Writes zeros into the padding of a layout; `element_size` is in bytes.
///
/// Pre:     check_zero_pad allows the layout; `data` points to where offset 0 lies
inline void zero_padding_bytes(const layout& l, unsigned char* data, dim_t element_size) noexcept {
    engine::visit_padding(l, [&](const engine::place_box& box) {
        return engine::visit_runs(box, data, element_size,
                                  [](unsigned char* at, dim_t count, dim_t step, std::size_t length) {
                                      engine::zero_runs_widely(at, count, step, length);
                                      return true;
                                  });
    });
}

/// Checks that all bytes of the padding of a layout are zero.
///
/// Pre:     as for zero_padding_bytes
inline bool are_padding_bytes_zero(const layout& l, const unsigned char* data, dim_t element_size) noexcept {
    return engine::visit_padding(l, [&](const engine::place_box& box) {
        return engine::visit_runs(box, data, element_size,
                                  [](const unsigned char* at, dim_t count, dim_t step, std::size_t length) {
                                      for (dim_t i = 0; i < count; ++i)
                                          if (!is_zero_run(at + i * step, length)) return false;
                                      return true;
                                  });
    });
}
}  // namespace detail

/// Writes zeros into the padding as zero_pad does, or returns the verdict that refuses it; throws nothing.
inline expected<void> try_zero_pad(const descriptor& d, void* data) noexcept {
    if (const verdict why = check_zero_pad(d); !why.ok()) return why;
    if (!d.layout.is_padded()) return {};
    if (data == nullptr) return detail::check_buffer(data, 0, d.buffer_size_in_bytes(), detail::buffer_role::buffer);
    if (detail::is_packed(d.type))
        detail::visit_padding_places(d.layout, [&](dim_t place) {
            detail::zero_element(d.type, static_cast<std::byte*>(data), place);
            return true;
        });
    else detail::zero_padding_bytes(d.layout, static_cast<unsigned char*>(data), size_in_bytes(d.type));
    return {};
}
/// Writes zeros into the padding of a tensor. Elements, gaps, compensation and all other bytes stay as they are.
///
/// `data` points to offset 0, aligned or not, and has buffer_size_in_bytes() bytes; it may be null if the layout has no
/// padding. Refused: what check_zero_pad refuses; buffer_is_null. Then `rejection` is thrown and nothing is written.
///
/// Pre:     check_zero_pad(d).ok()
/// Post:    is_padding_zero(d, data); every byte without padding is as it was, and was not written to; an element that
///          shares a byte with padding keeps its value
/// Cost:    that of writing the cache lines that have padding; no allocation
/// Source:  spec semantics 11
/// Example: examples/11_run_time.cpp
inline const verdict& zero_pad(const descriptor& d, void* data) { return try_zero_pad(d, data).value(); }

/// True if all bits of the padding are zero; false if check_zero_pad refuses d, or if data is null and d has padding.
///
/// Pre:     data as for zero_pad
/// Post:    true after zero_pad(d, data) succeeded, and for layouts without padding; nothing is written
/// Cost:    that of reading the padding, up to the first element that is not zero
/// Source:  spec semantics 11
/// Example: nChw8c of 17 channels: false if one of the 7 channels after the last has a bit set
inline bool is_padding_zero(const descriptor& d, const void* data) noexcept {
    if (!check_zero_pad(d).ok()) return false;
    if (!d.layout.is_padded()) return true;
    if (data == nullptr) return d.buffer_size_in_bytes() == 0;
    if (const int bits = size_in_bits(d.type); detail::is_packed(d.type))
        return detail::visit_padding_places(d.layout, [&](dim_t place) {
            return detail::read_bits(static_cast<const std::byte*>(data), place * bits, bits) == 0;
        });
    return detail::are_padding_bytes_zero(d.layout, static_cast<const unsigned char*>(data), size_in_bytes(d.type));
}

}  // namespace plait
