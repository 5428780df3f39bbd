#pragma once
// Conversion of rows of any types: rows of small types (row_type_of) are unpacked before it, and packed after it.

#include <plait/core/packed_elements.hpp>
#include <plait/engine/quantize/row_converter.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Converts rows of any types, as row_converter does.
///
/// Places of packed elements are counted as if each had a byte: the pointer to element k of the source is `in` + k. It
/// is only compared with `in`.
template <class Number>
class small_row_converter {
public:
    small_row_converter(const value_conversion& conversion, const void* in, void* out)
        : conversion_(conversion),
          in_(static_cast<const std::byte*>(in)),
          out_(static_cast<std::byte*>(out)),
          has_small_types_(conversion.has_small_types()),
          keeps_numbers_(conversion.src == conversion.dst && !conversion.has_operands() &&
                         conversion.attributes.beta == 0),
          convert_(conversion) {
        if (!has_small_types_ || conversion.copies) return;
        const auto& of = conversion.rows->small->of;
        unpack_ = of[static_cast<int>(conversion.src_memory)].unpack;
        const small_row_functions& to = of[static_cast<int>(conversion.dst_memory)];
        pack_ = conversion.in_f64 ? to.pack_f64 : to.pack;
        unpack_old_ = to.unpack;
        const nibble_row_functions* const nibbles = conversion.rows->nibbles;
        if (nibbles == nullptr || conversion.in_f64 || conversion.attributes.beta != 0) return;
        if (size_in_bits(conversion.src_memory) == 4) {
            nibbles_ = nibbles->to[static_cast<int>(conversion.dst_memory)];
            for (int i = 0; i < 16; ++i) {
                // As large as an element of any type, because GCC does not see that the type is one of 4 bits.
                const std::byte element[sizeof(double)] = {std::byte{static_cast<unsigned char>(i)}};
                elements_[i] = static_cast<float>(load_number(conversion.src_memory, element, 0));
            }
        } else if (!is_small_type(conversion.src_memory)) {
            nibbles_ = nibbles->from[static_cast<int>(conversion.src_memory)][static_cast<int>(conversion.dst_memory)];
        }
    }
    small_row_converter(const small_row_converter&) = delete;
    small_row_converter& operator=(const small_row_converter&) = delete;

    /// Converts some rows; as row_converter.
    void operator()(const std::byte* from, std::byte* to, const row_block& block, const place_of_rows& where) {
        if (!has_small_types_) return convert_(from, to, block, where);
        if (conversion_.copies) return copy_rows(from, to, block);
        const bool has_nibbles = nibbles_ != nullptr && may_use_nibbles(from, to, block, where);
        for (dim_t again = 0; again < block.repeats; ++again, from += block.from_repeat, to += block.to_repeat) {
            if (has_nibbles) {
                convert_nibbles(from, to, block, where);
                continue;
            }
            dim_t at_once = most / (block.count > 0 ? block.count : 1);
            if (at_once < 1) at_once = 1;
            if (at_once > most_rows) at_once = most_rows;
            for (dim_t row = 0; row < block.rows; row += at_once)
                convert_rows(from + row * block.from_step, to + row * block.to_step, block, row,
                             smaller_of(at_once, block.rows - row), where);
        }
    }

private:
    /// The number of elements that are unpacked, converted and packed at once. Rows with a value for each element are
    /// shorter.
    static constexpr dim_t most = 2048;
    static_assert(most >= most_values_of_a_row);
    static constexpr dim_t most_rows_at_once = most / attribute_arrays - 4;

    const value_conversion& conversion_;
    const std::byte* in_;
    std::byte* out_;
    bool has_small_types_;
    bool keeps_numbers_;  ///< true if unpacked numbers are packed as they are
    void (*unpack_)(const std::byte*, dim_t, dim_t, std::byte*) noexcept = nullptr;
    void (*unpack_old_)(const std::byte*, dim_t, dim_t, std::byte*) noexcept = nullptr;
    void (*pack_)(const std::byte*, dim_t, std::byte*, dim_t) noexcept = nullptr;
    void (*nibbles_)(const nibble_row_block&) noexcept = nullptr;
    row_converter<Number> convert_;
    alignas(64) float elements_[16];
    alignas(64) std::byte unpacked_[most * sizeof(bfloat16)];
    alignas(64) std::byte made_[most * sizeof(Number)];

    /// Returns true if rows can be converted by the functions for 4-bit elements: each has one value of each attribute,
    /// and begins at a byte. Rows must be long enough for a table.
    bool may_use_nibbles(const std::byte* from, const std::byte* to, const row_block& block,
                         const place_of_rows& where) const {
        constexpr dim_t least_row = 24;
        const bool reads = conversion_.reads_packed();
        const dim_t place = reads ? from - in_ : to - out_, step = reads ? block.from_step : block.to_step,
                    repeat = reads ? block.from_repeat : block.to_repeat;
        if (block.count < least_row || place % 2 != 0 || (block.rows > 1 && step % 2 != 0) ||
            (block.repeats > 1 && repeat % 2 != 0))
            return false;
        for (int i = 0; i < where.row_nodes && conversion_.has_arrays(); ++i)
            if (where.nodes[i].has_values()) return false;
        return true;
    }
    void convert_nibbles(const std::byte* from, std::byte* to, const row_block& block, const place_of_rows& where) {
        const bool reads = conversion_.reads_packed();
        auto* const numbers = reinterpret_cast<Number*>(made_);
        nibble_row_block rows;
        rows.from_step = reads ? block.from_step / 2 : block.from_step;
        rows.to_step = reads ? block.to_step : block.to_step / 2;
        rows.count = block.count;
        rows.elements = elements_;
        dim_t value_indices[value_arrays], axis_remaining[max_block_nodes];
        for (dim_t row = 0; row < block.rows; row += most_rows_at_once) {
            const std::byte* const src = from + row * block.from_step;
            std::byte* const dst = to + row * block.to_step;
            rows.rows = smaller_of(most_rows_at_once, block.rows - row);
            rows.from = reads ? in_ + (src - in_) / 2 : src;
            rows.to = reads ? dst : out_ + (dst - out_) / 2;
            convert_.for_numbers_of_rows(rows_from(where, row, value_indices, axis_remaining), rows.rows, numbers,
                                         [&rows](int k, const Number* with, dim_t step) {
                                             rows.with[k] = reinterpret_cast<const float*>(with);
                                             rows.with_step[k] = step;
                                         });
            nibbles_(rows);
        }
    }
    /// Returns the place of rows from row number `first` on. The arrays are filled, and must outlive the result.
    place_of_rows rows_from(const place_of_rows& where, dim_t first, dim_t* value_indices,
                            dim_t* axis_remaining) const {
        place_of_rows here = where;
        here.value_indices = value_indices;
        for (int i = 0; i < value_arrays; ++i)
            value_indices[i] = conversion_.has_arrays() ? where.value_indices[i] + first * where.row_steps[i] : 0;
        if (where.axis_remaining == nullptr) return here;
        for (int a = 0; a < where.axes; ++a)
            axis_remaining[a] = where.axis_remaining[a] - (a == where.axis ? first * where.index_step : 0);
        here.axis_remaining = axis_remaining;
        return here;
    }
    /// Converts rows that begin with row number `first` of the block.
    void convert_rows(const std::byte* from, std::byte* to, const row_block& block, dim_t first, dim_t rows,
                      const place_of_rows& where) {
        dim_t value_indices[value_arrays], axis_remaining[max_block_nodes];
        const place_of_rows here = rows_from(where, first, value_indices, axis_remaining);
        for (dim_t done = 0; done < block.count; done += most) {
            row_block part;
            part.count = smaller_of(most, block.count - done);
            part.rows = rows;
            part.from_step = block.from_step;
            part.to_step = block.to_step;
            const std::byte* src = from + done * conversion_.src_bytes;
            std::byte* dst = to + done * conversion_.dst_bytes;
            // Adjacent rows are unpacked, and packed, as one.
            const bool read_together = block.from_step == part.count * conversion_.src_bytes,
                       written_together = block.to_step == part.count * conversion_.dst_bytes;
            const dim_t src_rows = read_together ? 1 : rows, dst_rows = written_together ? 1 : rows,
                        src_count = part.count * rows / src_rows, dst_count = part.count * rows / dst_rows;
            if (keeps_numbers_) {
                if (read_together && written_together) keep(src, src_count, dst);
                else
                    for (dim_t r = 0; r < rows; ++r)
                        keep(src + r * block.from_step, part.count, dst + r * block.to_step);
                continue;
            }
            if (unpack_ != nullptr) {
                part.from_step = part.count * size_in_bytes(conversion_.src);
                for (dim_t r = 0; r < src_rows; ++r)
                    unpack(src + r * block.from_step, src_count, unpacked_ + r * part.from_step);
                src = unpacked_;
            }
            if (pack_ == nullptr) {
                convert_(src, dst, part, here);
                continue;
            }
            part.to_step = part.count * size_in_bytes(conversion_.dst);
            for (dim_t r = 0; r < rows && conversion_.attributes.beta != 0; ++r)
                load_old(dst + r * block.to_step, part.count, made_ + r * part.to_step);
            convert_(src, made_, part, here);
            for (dim_t r = 0; r < dst_rows; ++r) pack(made_ + r * part.to_step, dst_count, dst + r * block.to_step);
        }
    }
    /// Copies the bits of rows.
    void copy_rows(const std::byte* from, std::byte* to, const row_block& block) const {
        const dim_t bits = size_in_bits(conversion_.src_memory);
        for (dim_t again = 0; again < block.repeats; ++again, from += block.from_repeat, to += block.to_repeat)
            for (dim_t row = 0; row < block.rows; ++row) {
                const std::byte* const src = from + row * block.from_step;
                std::byte* const dst = to + row * block.to_step;
                if (!conversion_.writes_packed())
                    std::memcpy(dst, src, static_cast<std::size_t>(block.count * conversion_.src_bytes));
                else copy_bits(in_, (src - in_) * bits, out_, {(dst - out_) * bits, block.count * bits});
            }
    }
    /// Unpacks and packs a row whose numbers do not change, or does one of the two.
    void keep(const std::byte* from, dim_t count, std::byte* to) {
        if (pack_ == nullptr) return unpack(from, count, to);
        if (unpack_ != nullptr) unpack(from, count, unpacked_);
        pack(unpack_ != nullptr ? unpacked_ : from, count, to);
    }
    void unpack(const std::byte* from, dim_t count, std::byte* to) {
        if (conversion_.reads_packed()) unpack_(in_, from - in_, count, to);
        else unpack_(from, 0, count, to);
    }
    void pack(const std::byte* from, dim_t count, std::byte* to) {
        if (conversion_.writes_packed()) pack_(from, count, out_, to - out_);
        else pack_(from, count, to, 0);
    }
    /// Reads the old contents of the destination as the numbers that the conversion makes, for beta.
    void load_old(const std::byte* from, dim_t count, std::byte* to) {
        for (dim_t i = 0; i < count; ++i) {
            const double x = conversion_.writes_packed() ? load_number(conversion_.dst_memory, out_, from - out_ + i)
                                                         : load_number(conversion_.dst_memory, from, i);
            with_element_type(conversion_.dst, [&]<element T>(T) { store_element<T>(to, i, convert<T>(x)); });
        }
    }
};

}  // namespace plait::engine
