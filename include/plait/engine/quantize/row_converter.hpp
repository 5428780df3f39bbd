#pragma once
// Conversion of rows of values, several rows at a time, with the functions that the conversion has chosen. Rows of
// small types (row_type_of) are unpacked before it, and packed after it.

#include <plait/core/packed_elements.hpp>
#include <plait/engine/quantize/values_of_rows.hpp>

#include <cstring>  // std::memcpy

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// The place of rows among the values: what differs between rows, and what is left of the axes.
struct place_of_rows {
    const dim_t* value_indices;     ///< index of the first element in each array
    const cache_block_node* nodes;  ///< the first `row_nodes` of them count the elements of a row
    int row_nodes;
    const dim_t* row_steps;                 ///< what a row adds to the place in each array
    int axis = 0;                           ///< the axis along which rows follow each other
    dim_t index_step = 0;                   ///< what a row adds to the index along that axis
    const dim_t* axis_remaining = nullptr;  ///< of each axis, from the first element; null: all values exist
    int axes = 0;
};

/// Converts rows. Operands are cached, because consecutive rows often have the same ones.
///
/// Post:    each row equals, bit for bit, the result of convert_with, or of convert if there are no attributes.
///          Integers are converted to integers through f32 too: s8 and u8 are exact there, and only those s32 are
///          rounded that saturate anyway
template <class Number>
class row_converter {
public:
    explicit row_converter(const value_conversion& conversion) : conversion_(conversion) {
        operations_.src = conversion.src;
        operations_.dst = conversion.dst;
        if (conversion.has_operands()) prepare_tensor();
        if (conversion.look_up != nullptr) find_results();
        if (conversion.attributes.beta == 0) return;
        for (Number& x : beta_) x = static_cast<Number>(conversion.attributes.beta);
        operations_.beta.numbers = reinterpret_cast<const std::byte*>(beta_);
    }
    row_converter(const row_converter&) = delete;
    row_converter& operator=(const row_converter&) = delete;

    /// Converts some rows. The nodes of a row count its elements, the first node fastest; the last node may have fewer
    /// steps than in the cache block. The steps in `block` are those between rows.
    ///
    /// Pre:     block.rows <= most_rows if a row adds to the places of an attribute; if each row also has several
    ///          values, all rows together have at most most_values_of_a_row
    void operator()(const std::byte* from, std::byte* to, const row_block& block, const place_of_rows& where) {
        // Short rows of s8, as for compensation, are equally exact as numbers, and faster.
        if (conversion_.copies && (conversion_.dst != data_type::s8 || block.count >= 64)) {
            for (dim_t again = 0; again < block.repeats; ++again, from += block.from_repeat, to += block.to_repeat)
                for (dim_t row = 0; row < block.rows; ++row)
                    std::memcpy(to + row * block.to_step, from + row * block.from_step,
                                static_cast<std::size_t>(block.count * conversion_.src_bytes));
            return;
        }
        if (conversion_.look_up != nullptr) return conversion_.look_up(results_, from, to, block);
        if (conversion_.plain != nullptr) return conversion_.plain(from, to, block);
        if (has_arrays_) prepare(where, block);
        conversion_.rows->convert(operations_, from, to, block);
    }

    /// Returns the arithmetic that converts all rows; null if operands differ between rows, or if rows are copied or
    /// looked up.
    const row_operations* constant_operations() const {
        return has_arrays_ || conversion_.copies || conversion_.look_up != nullptr ? nullptr : &operations_;
    }
    /// Calls what(operand, numbers, step) for each operand that is computed with. Row r has number r * step, where rows
    /// have one value each. `to` has room for `rows` + 4 numbers
    /// of each operand.
    template <class What>
    void for_numbers_of_rows(const place_of_rows& where, dim_t rows, Number* to, What what) const {
        for_operands([&](int k, const auto& attribute) {
            if (attribute.is_one_value()) return what(k, operands_[k].numbers, dim_t{0});
            const bool by_row = where.row_steps[k] != 0 && rows > 1;
            values_of_rows wanted;
            wanted.axis_remaining = where.axis_remaining;
            wanted.axes = where.axes;
            if (by_row) wanted.add(where.axis, rows, where.row_steps[k], where.index_step);
            Number* const numbers = to + k * (rows + some_count);
            spread(k, numbers, attribute, where.value_indices[k], wanted, 1);
            what(k, numbers, dim_t{by_row ? 1 : 0});
        });
    }

private:
    /// Identifies the values that numbers were made of. The numbers are made again if it changes.
    struct numbers_key {
        dim_t value_index = -1, row_step = 0, count = 0, rows = 0;  ///< count 0: a row has one number
        int row_nodes = 0;
        // If numbers may be missing: of how many axes the end matters, and what is left of these from the first number;
        // and how rows follow each other. Nothing is kept if there are more axes, or if an axis has ended.
        int ends = 0;
        dim_t left[2] = {-1, -1};
        int axis = -1;
        dim_t index_step = 0;

        bool operator==(const numbers_key&) const = default;
        bool may_be_kept() const { return ends >= 0; }

        void add_end(int along, const dim_t* axis_remaining, int& last_axis) {
            if (ends < 0 || (ends > 0 && along == last_axis)) return;
            if (ends == 2) return static_cast<void>(ends = -1);
            left[ends++] = axis_remaining[last_axis = along];
        }
    };
    struct operand {
        alignas(64) Number numbers[most_values_of_a_row + most_numbers_at_once];  // spread writes whole registers
        numbers_key key;
    };
    const value_conversion& conversion_;
    bool has_arrays_ = false;
    row_operations operations_;
    operand operands_[attribute_arrays];
    alignas(64) Number beta_[most_numbers_at_once];
    alignas(64) std::byte results_[512];                      ///< of all 8-bit elements, for conversion.look_up
    static constexpr dim_t some_count = 16 / sizeof(Number);  ///< a register that every CPU has
    using some_numbers [[gnu::vector_size(16)]] = Number;
    template <class Value>
    using some_values [[gnu::vector_size(some_count * sizeof(Value))]] = Value;

    /// Calls `one(array, attribute)` for each active operand.
    template <class One>
    void for_operands(One one) const {
        const reorder_attributes& a = conversion_.attributes;
        if (conversion_.active[src_zero_points]) one(src_zero_points, a.src_zero_point);
        if (conversion_.active[src_scales]) one(src_scales, a.src_scale);
        if (conversion_.active[dst_scales]) one(dst_scales, a.dst_scale);
        if (conversion_.active[dst_zero_points]) one(dst_zero_points, a.dst_zero_point);
    }
    /// Returns values as the numbers that rows are computed with.
    template <class Value, class Values>
    some_numbers operand_of(int array, const Values& values) const {
        if constexpr (std::is_same_v<Value, float>) {
            if (array == dst_scales) return 1 / __builtin_convertvector(values, some_numbers);
            const float adjust = conversion_.scale_adjust;
            if (adjust == 1) return __builtin_convertvector(values, some_numbers);
            return __builtin_convertvector(Values(values * adjust), some_numbers);  // a product of f32, rounded as such
        } else {
            const some_numbers numbers = __builtin_convertvector(values, some_numbers);
            // Subtracted from zero, so that 0 stays +0 and does not change what it is subtracted from.
            return array == dst_zero_points ? 0 - numbers : numbers;
        }
    }
    /// Computes the results of all 256 elements of 8 bits.
    void find_results() {
        std::byte elements[256];
        for (int i = 0; i < 256; ++i) elements[i] = static_cast<std::byte>(i);
        row_block all;
        all.count = 256;
        conversion_.rows->convert(operations_, elements, results_, all);
    }
    /// Prepares the operands that are one value for the tensor. They never change.
    void prepare_tensor() {
        for_operands([this](int k, const auto& attribute) {
            if (!attribute.is_one_value()) return static_cast<void>(has_arrays_ = true);
            operand& o = operands_[k];
            using value = std::remove_cvref_t<decltype(attribute.value)>;
            value equal[std::size_t{some_count}];
            for (value& each : equal) each = attribute.value;
            some_values<value> taken;
            std::memcpy(&taken, equal, sizeof(taken));
            const some_numbers numbers = operand_of<value>(k, taken);
            for (dim_t i = 0; i < most_numbers_at_once; i += some_count)
                std::memcpy(o.numbers + i, &numbers, sizeof(numbers));
            operations_.with[k].numbers = reinterpret_cast<const std::byte*>(o.numbers);
        });
    }
    void prepare(const place_of_rows& where, const row_block& block) {
        for_operands([&](int k, const auto& attribute) {
            if (attribute.is_one_value()) return;
            operand& o = operands_[k];
            const bool by_row = where.row_steps[k] != 0 && block.rows > 1;
            int varying = 0;  // nodes of the row up to the last that has values
            for (int i = 0; i < where.row_nodes; ++i)
                if (where.nodes[i].value_steps[k] != 0) varying = i + 1;
            if (varying > 0 && !attribute.is_of_other_type() &&
                are_in_array<std::remove_cvref_t<decltype(*attribute.values)>>(k, where, block)) {
                operations_.with[k] = {reinterpret_cast<const std::byte*>(attribute.values + where.value_indices[k]),
                                       true, by_row ? where.row_steps[k] * dim_t{sizeof(Number)} : 0};
                return;
            }
            numbers_key key{where.value_indices[k], by_row ? where.row_steps[k] : 0, varying > 0 ? block.count : 0,
                            by_row ? block.rows : 1, where.row_nodes};
            if (where.axis_remaining != nullptr) {
                int last_axis = -1;
                for (int i = 0; i < where.row_nodes; ++i)
                    if (where.nodes[i].value_steps[k] != 0)
                        key.add_end(where.nodes[i].axis, where.axis_remaining, last_axis);
                if (by_row) {
                    key.add_end(where.axis, where.axis_remaining, last_axis);
                    key.axis = where.axis;
                    key.index_step = where.index_step;
                }
                // Where any axis has ended, there are no values, also not of an array without that axis.
                for (int a = 0; a < where.axes; ++a)
                    if (where.axis_remaining[a] <= 0) key.ends = -1;
            }
            if (o.key != key || !key.may_be_kept()) prepare_one(o, k, attribute, varying, where, key);
            o.key = key;
            const dim_t numbers_of_row = varying > 0 ? block.count : most_numbers_at_once;
            operations_.with[k] = {reinterpret_cast<const std::byte*>(o.numbers), varying > 0,
                                   by_row ? numbers_of_row * static_cast<dim_t>(sizeof(Number)) : 0};
        });
    }
    /// Returns true if the numbers of an operand equal the values of its array.
    template <class Value>
    bool keeps_values(int k) const {
        return std::is_same_v<Value, Number> && k == 1 && conversion_.scale_adjust == 1;
    }
    /// Returns true if the array already has the numbers as rows need them, in whole registers of 16 or 8. Returns
    /// false if this would split one long row into many.
    ///
    /// Example: s8 abcd -> ABcd16a16b with a scale for each index of a and b: adjacent rows of 16 scales
    template <class Value>
    bool are_in_array(int k, const place_of_rows& where, const row_block& block) const {
        if (!keeps_values<Value>(k) || where.axis_remaining != nullptr || block.count % 8 != 0) return false;
        dim_t length = 1;
        for (int i = 0; i < where.row_nodes; ++i) {
            if (where.nodes[i].value_steps[k] != length) return false;
            length *= where.nodes[i].block_steps;
        }
        return block.from_step != block.count * conversion_.src_bytes ||
               block.to_step != block.count * conversion_.dst_bytes || where.row_steps[k] == block.count;
    }
    template <class Value>
    void prepare_one(operand& o, int k, const values_of_attribute<Value>& array, int varying,
                     const place_of_rows& where, const numbers_key& key) const {
        values_of_rows wanted;
        wanted.axis_remaining = where.axis_remaining;
        wanted.axes = where.axes;
        const bool by_row = key.row_step != 0;
        if (varying == 0) {
            if (by_row) wanted.add(where.axis, key.rows, key.row_step, where.index_step);
            return spread(k, o.numbers, array, key.value_index, wanted, most_numbers_at_once);
        }
        // Rows that differ need all of their numbers. Within one row, the numbers repeat after the last node that has
        // values.
        dim_t length = 1, in_row = key.count;
        for (int i = 0; i < (by_row ? where.row_nodes : varying); ++i) {
            const cache_block_node& n = where.nodes[i];
            const dim_t extent = i + 1 == where.row_nodes && by_row ? in_row : n.block_steps;
            in_row /= extent;
            if (wanted.nodes == 0 && n.value_steps[k] == 0) length *= extent;
            else wanted.add(n.axis, extent, n.value_steps[k], n.index_step);
        }
        if (by_row) wanted.add(where.axis, key.rows, key.row_step, where.index_step);
        const dim_t count = key.count * key.rows;
        if (length > count) length = count;
        const dim_t distinct = divide_up(count, length);
        if (wanted.count > distinct) wanted.count = distinct;
        if (length > 1 || !keeps_values<Value>(k) || array.is_of_other_type())
            spread(k, o.numbers, array, key.value_index, wanted, length);
        else if constexpr (std::is_same_v<Value, Number>) wanted.take(o.numbers, array.values + key.value_index);
        for (dim_t done = wanted.count * length; done < count;) {
            const dim_t more = done < count - done ? done : count - done;
            std::memcpy(o.numbers + done, o.numbers, static_cast<std::size_t>(more) * sizeof(Number));
            done += more;
        }
    }
    /// Writes values as numbers, each `length` times side by side. Distinct numbers are made first, and then spread in
    /// the widest registers of the CPU. In this way short rows with values of their own are converted as one long row.
    ///
    /// Pre:     wanted.count * length <= most_values_of_a_row, except that the last value may have fewer copies
    template <class Value>
    void spread(int array, Number* to, const values_of_attribute<Value>& from, dim_t first,
                const values_of_rows& wanted, dim_t length) const {
        constexpr dim_t at_once = some_count;
        constexpr auto most = static_cast<std::size_t>(most_values_of_a_row + at_once);
        alignas(64) Value taken[most];
        alignas(64) Number made[most];
        Number* const distinct = length == 1 ? to : made;
        if (from.is_of_other_type()) take_typed_values(taken, from, first, wanted, *conversion_.rows);
        else wanted.take(taken, from.values != nullptr ? from.values + first : &from.value);
        for (dim_t i = 0; i < at_once; ++i) taken[wanted.count + i] = Value{1};
        for (dim_t i = 0; i < wanted.count; i += at_once) {
            some_values<Value> some_taken;
            std::memcpy(&some_taken, taken + i, sizeof(some_taken));
            const some_numbers some = operand_of<Value>(array, some_taken);
            std::memcpy(distinct + i, &some, sizeof(some));
        }
        if (length == 1) return;
        conversion_.rows->spread(reinterpret_cast<const std::byte*>(made), wanted.count, length,
                                 reinterpret_cast<std::byte*>(to));
    }
};

/// The numbers of the 16 elements of a type of 4 bits.
template <element T>
struct nibble_numbers {
    alignas(64) float of_bits[16];

    constexpr nibble_numbers() : of_bits{} {
        for (int i = 0; i < 16; ++i) of_bits[i] = convert<float>(T::from_bits(static_cast<std::uint8_t>(i)));
    }
};
template <element T>
inline constexpr nibble_numbers<T> numbers_of_nibbles;

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
        const auto& of = conversion.rows->of_small->of;
        unpack_ = of[static_cast<int>(conversion.src_memory)].unpack;
        const small_row_functions& to = of[static_cast<int>(conversion.dst_memory)];
        pack_ = conversion.in_f64 ? to.pack_f64 : to.pack;
        unpack_old_ = to.unpack;
        const nibble_row_functions* const nibbles = conversion.rows->nibbles;
        if (nibbles == nullptr || conversion.in_f64 || conversion.attributes.beta != 0) return;
        if (size_in_bits(conversion.src_memory) == 4) {
            nibbles_ = nibbles->to[static_cast<int>(conversion.dst_memory)];
            elements_ = with_element_type(conversion.src_memory, []<element T>(T) -> const float* {
                if constexpr (packed_element<T> && size_in_bits(data_type_of<T>) == 4)
                    return numbers_of_nibbles<T>.of_bits;
                else return nullptr;
            });
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
    const float* elements_ = nullptr;  ///< if 4-bit elements are read: the numbers of all 16
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
