#pragma once
// An axis whose outermost digit is read through an array: pages of a cache, rows of an embedding, groups of experts.
//
// An axis_table maps the indices of a tensor's axis to indices of an axis in memory, in runs of consecutive ones:
// - pages: sequence after sequence; index i of a sequence lies at table[i / block] * block + i % block
// - groups: group after group; group g begins at block * (the blocks of the groups before it)
// - nothing: every index lies at its own number
//
// Inside a block the places are those of the layout, so everything that is proved for layouts stays proved; what the
// array must satisfy is checked in one pass over it.

#include <plait/algebra/index_digits.hpp>
#include <plait/core/layout.hpp>
#include <plait/core/places.hpp>
#include <plait/support/owning_temporary.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// An integer of 32 or 64 bits.
template <class T>
concept table_integer = std::integral<T> &&(sizeof(T) == 4 || sizeof(T) == 8);
/// An array of such integers.
template <class Range>
concept table_range = std::ranges::contiguous_range<const std::remove_cvref_t<Range>> &&
    table_integer<std::ranges::range_value_t<const std::remove_cvref_t<Range>>>;
/// The entries of a table, or the offsets of groups: an array of integers of 32 or 64 bits, which stays the caller's.
///
/// Pre:     the array outlives this object, and does not change while a reorder reads it
/// Post:    numbers(a)[i] == a[i]; an unsigned number beyond 63 bits is negative
/// Cost:    a pointer and a length; no copy
/// Source:  plait's own
/// Example: table_numbers(page_table), where page_table is a std::vector<int>
class table_numbers {
public:
    constexpr table_numbers() = default;
    template <table_range Range>
        requires(!owning_temporary<Range> && !std::same_as<std::remove_cvref_t<Range>, table_numbers>)
    constexpr table_numbers(Range&& range) : table_numbers(std::ranges::data(range), std::ranges::size(range)) {}
    template <table_integer T>
    constexpr table_numbers(const T* data, std::size_t count)
        : data_(data), count_(count), is_long_(sizeof(T) == 8), is_signed_(std::is_signed_v<T>) {}

    constexpr std::size_t size() const { return count_; }
    /// Returns number `at`.
    ///
    /// Pre:     at < size()
    dim_t operator[](std::size_t at) const {
        if (is_long_) return static_cast<const std::int64_t*>(data_)[at];
        if (is_signed_) return static_cast<const std::int32_t*>(data_)[at];
        return static_cast<const std::uint32_t*>(data_)[at];
    }
    /// Returns visit(a pointer to the numbers), with the type of the numbers; those of 64 bits as signed ones.
    template <class Visit>
    auto with_type(const Visit& visit) const {
        if (is_long_) return visit(static_cast<const std::int64_t*>(data_));
        if (is_signed_) return visit(static_cast<const std::int32_t*>(data_));
        return visit(static_cast<const std::uint32_t*>(data_));
    }

private:
    const void* data_ = nullptr;
    std::size_t count_ = 0;
    bool is_long_ = false, is_signed_ = true;
};

}  // namespace detail

/// A sequence in pages: the pages that it lies in, and the part of it that is read or written.
///
/// Example: {table, 1, length}: the token that is appended to a sequence of `length` tokens
struct page_sequence {
    detail::table_numbers table;  ///< page number of each block of the sequence
    dim_t extent = 0;             ///< how many indices are read or written
    dim_t first = 0;              ///< the first of them, counted from the beginning of the sequence
};

namespace detail {
/// Consecutive indices of the axis in memory.
struct index_run {
    dim_t at = 0, count = 0;
};

/// The meaning of the numbers of an axis_table.
enum class table_kind { none, pages, groups };

/// Finds numbers that occur twice, with memory of a fixed size. Each number marks a byte if the limit is small,
/// otherwise a bit, range by range; few numbers in a long range are looked up in a hash table.
///
/// Cost:    32 KB of stack; O(count) steps, times the ranges of 2^18 numbers if there are more than 1024
class repeated_numbers {
public:
    /// Calls for_each(visit), which calls visit(numbers, count) for each array of numbers. Returns false if a number
    /// occurs twice.
    ///
    /// Pre:     every number is at least 0 and less than `limit`
    template <class ForEach>
    bool are_distinct(dim_t count, dim_t limit, const ForEach& for_each) {
        if (count < 2) return true;
        bool distinct = true;
        if (limit <= bytes) {
            clear(divide_up(limit, 8));
            for_each([&](const auto* numbers, std::size_t n) { distinct = mark_bytes(numbers, n) && distinct; });
        } else if (count <= most_hashed && limit > bits) {
            dim_t entries = 4;
            while (entries < 2 * count) entries *= 2;
            clear(entries);
            for_each([&](const auto* numbers, std::size_t n) { distinct = hash(numbers, n, entries - 1) && distinct; });
        } else {
            for (dim_t begin = 0; begin < limit && distinct; begin += bits) {
                const dim_t size = smaller_of(limit - begin, bits);
                clear(divide_up(size, 64));
                for_each([&](const auto* numbers, std::size_t n) {
                    distinct = mark_bits(numbers, n, begin, size) && distinct;
                });
            }
        }
        return distinct;
    }

    /// Calls pass(seen) once for each range that has numbers; seen(number) returns true if the number is in the range
    /// and was seen before.
    ///
    /// Pre:     every number is at least 0 and less than `limit`
    template <class Pass>
    void find_first(dim_t limit, const Pass& pass) {
        for (dim_t begin = 0; begin < limit;) {
            const dim_t size = smaller_of(limit - begin, bits);
            dim_t next = INT64_MAX;  // the least number after this range
            clear(divide_up(size, 64));
            pass([&](dim_t number) {
                if (number >= begin + size && number < next) next = number;
                const auto at = static_cast<std::uint64_t>(number - begin);
                if (at >= static_cast<std::uint64_t>(size)) return false;
                const std::uint64_t bit = std::uint64_t{1} << (at % 64);
                const bool was_seen = (words_[at / 64] & bit) != 0;
                words_[at / 64] |= bit;
                return was_seen;
            });
            if (next == INT64_MAX) return;
            begin = next;
        }
    }

    /// Calls for_each(visit) and for_each_other(visit) as are_distinct does. Returns true if no number is in both.
    ///
    /// Pre:     every number is at least 0 and less than `limit`
    template <class ForEach, class ForEachOther>
    bool are_apart(dim_t limit, const ForEach& for_each, const ForEachOther& for_each_other) {
        bool apart = true;
        for (dim_t begin = 0; begin < limit && apart; begin += bits) {
            const dim_t size = smaller_of(limit - begin, bits);
            clear(divide_up(size, 64));
            for_each([&](const auto* numbers, std::size_t n) { mark_bits(numbers, n, begin, size); });
            for_each_other([&](const auto* numbers, std::size_t n) {
                for (std::size_t k = 0; k < n; ++k) {
                    const auto at = static_cast<std::uint64_t>(static_cast<dim_t>(numbers[k]) - begin);
                    if (at < static_cast<std::uint64_t>(size) && (words_[at / 64] >> (at % 64) & 1) != 0) apart = false;
                }
            });
        }
        return apart;
    }

private:
    static constexpr dim_t words = 4096, bytes = 8 * words, bits = 64 * words, most_hashed = 1024;

    void clear(dim_t count) {
        for (dim_t k = 0; k < count; ++k) words_[k] = 0;
    }
    // No loop stops early: repeated numbers are an error, and a loop without exits is twice as fast.
    template <class Number>
    bool mark_bytes(const Number* numbers, std::size_t count) {
        auto* const marks = reinterpret_cast<unsigned char*>(words_);
        unsigned repeated = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const auto at = static_cast<std::size_t>(numbers[k]);
            repeated |= marks[at];
            marks[at] = 1;
        }
        return repeated == 0;
    }
    template <class Number>
    bool mark_bits(const Number* numbers, std::size_t count, dim_t begin, dim_t size) {
        std::uint64_t repeated = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const auto at = static_cast<std::uint64_t>(static_cast<dim_t>(numbers[k]) - begin);
            if (at >= static_cast<std::uint64_t>(size)) continue;
            const std::uint64_t word = words_[at / 64], bit = std::uint64_t{1} << (at % 64);
            repeated |= word & bit;
            words_[at / 64] = word | bit;
        }
        return repeated == 0;
    }
    // A slot is free if it is 0, and otherwise has a number plus 1.
    template <class Number>
    bool hash(const Number* numbers, std::size_t count, dim_t last_slot) {
        bool repeated = false;
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint64_t key = static_cast<std::uint64_t>(numbers[k]) + 1,
                                last = static_cast<std::uint64_t>(last_slot);
            std::uint64_t slot = (key * 0x9e3779b97f4a7c15u >> 32) & last;
            while (words_[slot] != 0 && words_[slot] != key) slot = (slot + 1) & last;
            repeated = repeated || words_[slot] == key;
            words_[slot] = key;
        }
        return !repeated;
    }

    std::uint64_t words_[static_cast<std::size_t>(words)];
};

/// Returns true if every number is at least 0 and less than `limit`; may also return false if `limit` exceeds half of
/// the range of their type.
///
/// Cost:    a quarter of a nanosecond for each number: at -O2 compilers keep the loop of single numbers as it is
template <table_integer Number>
bool are_below(const Number* numbers, std::size_t count, dim_t limit) {
    using word = std::make_unsigned_t<Number>;
    using lanes [[gnu::vector_size(16)]] = word;
    if (count == 0) return true;
    if (limit < 1 || (sizeof(word) == 4 && limit > dim_t{1} << 31)) return false;
    // The sign of n | (limit - 1 - n) is set if n is negative or too large.
    const auto last = static_cast<word>(limit - 1);
    constexpr std::size_t width = 16 / sizeof(word);
    lanes wrong = {};
    std::size_t k = 0;
    for (; k + width <= count; k += width) {
        lanes n;
        __builtin_memcpy(&n, numbers + k, sizeof(n));
        wrong |= n | (last - n);
    }
    word all = 0;
    for (std::size_t lane = 0; lane < width; ++lane) all |= wrong[lane];
    for (; k < count; ++k) all |= static_cast<word>(numbers[k]) | (last - static_cast<word>(numbers[k]));
    return all >> (8 * sizeof(word) - 1) == 0;
}

/// Which indices of an axis in memory the indices of a tensor's axis are.
class axis_table {
public:
    /// Every index is its own number.
    static constexpr axis_table none(dim_t extent) {
        axis_table out;
        out.extent_ = extent;
        return out;
    }
    static constexpr axis_table pages(dim_t block, const page_sequence& one) {
        axis_table out;
        out.kind_ = table_kind::pages;
        out.block_ = block;
        out.one_ = one;
        out.extent_ = one.extent;
        return out;
    }
    /// Pre:     the sequences outlive this object
    static constexpr axis_table pages(dim_t block, std::span<const page_sequence> sequences) {
        axis_table out;
        out.kind_ = table_kind::pages;
        out.block_ = block;
        out.sequences_ = sequences.data();
        out.count_ = sequences.size();
        checked_integer sum;
        for (const page_sequence& s : sequences) sum += s.extent;
        out.extent_ = sum.ok() ? sum.value : -1;
        return out;
    }
    static axis_table groups(dim_t block, const table_numbers& offsets) {
        axis_table out;
        out.kind_ = table_kind::groups;
        out.block_ = block;
        out.one_.table = offsets;
        out.extent_ = offsets.size() == 0 ? 0 : offsets[offsets.size() - 1];
        return out;
    }

    constexpr table_kind kind() const { return kind_; }
    constexpr dim_t block() const { return block_; }
    /// The number of indices of the tensor's axis.
    constexpr dim_t extent() const { return extent_; }

    /// Checks what the table says about an axis that has `length` indices in memory.
    ///
    /// Refused: dim_is_negative, position_is_out_of_range (a sequence that begins before 0); table_is_too_short;
    ///          table_entry_is_out_of_range; if it is written, table_entries_repeat. Of groups: table_is_too_short
    ///          (no offset), offsets_do_not_rise, part_is_outside_parent (the blocks do not fit in the axis). Entries
    ///          are numbered through the tables of all sequences
    /// Post:    if ok, every run lies within 0 to length - 1; if it is written, no two overlap
    /// Cost:    O(entries) steps, and those of repeated_numbers
    verdict check(int axis, dim_t length, bool is_written) const {
        if (kind_ == table_kind::none) return {};
        return kind_ == table_kind::pages ? check_pages(axis, length / block_, is_written) : check_groups(axis, length);
    }

    /// Returns true if both are tables of pages of one size, and no page is in both: a pool can then be read through
    /// one and written through the other.
    ///
    /// Pre:     check(...).ok() of both, for an axis that has `length` indices in memory
    bool shares_no_page(const axis_table& other, dim_t length) const {
        if (kind_ != table_kind::pages || other.kind_ != table_kind::pages || block_ != other.block_) return false;
        repeated_numbers marks;
        return marks.are_apart(
            length / block_, [this](const auto& visit) { for_each_table(visit); },
            [&other](const auto& visit) { other.for_each_table(visit); });
    }

    /// Visits the places behind the last index of each group: visit(run).
    ///
    /// Pre:     check(...).ok()
    template <class Visit>
    void for_each_gap(const Visit& visit) const {
        if (kind_ != table_kind::groups) return;
        dim_t begin = 0;
        for (std::size_t g = 0; g + 1 < one_.table.size(); ++g) {
            const dim_t size = one_.table[g + 1] - one_.table[g], padded = (size + block_ - 1) / block_ * block_;
            if (padded != size) visit(index_run{begin + size, padded - size});
            begin += padded;
        }
    }

private:
    friend class run_cursor;

    constexpr std::span<const page_sequence> sequences() const {
        if (sequences_ != nullptr) return {sequences_, count_};
        return {&one_, std::size_t{count_ == 0}};
    }
    /// The first of the entries that a sequence uses, and the one after the last.
    constexpr std::size_t first_entry(const page_sequence& s) const {
        return static_cast<std::size_t>(s.first / block_);
    }
    constexpr std::size_t end_entry(const page_sequence& s) const {
        return s.extent == 0 ? first_entry(s) : static_cast<std::size_t>((s.first + s.extent - 1) / block_) + 1;
    }
    verdict check_pages(int axis, dim_t blocks, bool is_written) const {
        dim_t used = 0, before = 0, number = 0;
        for (const page_sequence& s : sequences()) {
            dim_t end = 0;
            if (s.extent < 0) return {reason::dim_is_negative, axis, s.extent, 0};
            if (s.first < 0) return {reason::position_is_out_of_range, axis, s.first, s.extent};
            if (add_overflows(s.first, s.extent, end)) return {reason::size_overflows, axis, s.first, s.extent};
            const std::size_t from = first_entry(s), to = end_entry(s);
            if (to > from && to > s.table.size())
                return {reason::table_is_too_short, axis, static_cast<dim_t>(s.table.size()), static_cast<dim_t>(to),
                        number};
            const dim_t outside = s.table.with_type([&](const auto* entries) {
                if (are_below(entries + from, to - from, blocks)) return dim_t{-1};
                for (std::size_t k = from; k < to; ++k)
                    if (const auto e = static_cast<dim_t>(entries[k]); e < 0 || e >= blocks)
                        return static_cast<dim_t>(k);
                return dim_t{-1};
            });
            if (outside >= 0)
                return {reason::table_entry_is_out_of_range, axis, before + outside,
                        s.table[static_cast<std::size_t>(outside)], blocks};
            used += static_cast<dim_t>(to - from);
            before += static_cast<dim_t>(s.table.size());
            ++number;
        }
        if (extent_ < 0) return {reason::size_overflows, axis, static_cast<dim_t>(count_), 0};
        repeated_numbers marks;
        if (!is_written || marks.are_distinct(used, blocks, [this](const auto& visit) { for_each_table(visit); }))
            return {};
        return find_repeated(axis, blocks);
    }
    /// Visits the used entries of each sequence: visit(entries, count).
    template <class Visit>
    void for_each_table(const Visit& visit) const {
        for (const page_sequence& s : sequences())
            s.table.with_type(
                [&](const auto* entries) { visit(entries + first_entry(s), end_entry(s) - first_entry(s)); });
    }
    /// Returns the verdict that names the first entry which equals an earlier one.
    ///
    /// Pre:     there is one
    [[gnu::cold, gnu::noinline]] verdict find_repeated(int axis, dim_t blocks) const {
        verdict why{reason::table_entries_repeat, axis, -1, INT64_MAX};
        repeated_numbers marks;
        marks.find_first(blocks, [&](const auto& seen) {
            for_each_used([&](dim_t number, dim_t entry) {
                if (number < why.second && seen(entry)) why.second = number, why.third = entry;
            });
        });
        for_each_used([&](dim_t number, dim_t entry) {
            if (entry == why.third && why.first < 0) why.first = number;
        });
        return why;
    }
    /// Visits the used entries: visit(number through the tables of all sequences, entry).
    template <class Visit>
    void for_each_used(const Visit& visit) const {
        dim_t before = 0;
        for (const page_sequence& s : sequences()) {
            for (std::size_t k = first_entry(s); k < end_entry(s); ++k)
                visit(before + static_cast<dim_t>(k), s.table[k]);
            before += static_cast<dim_t>(s.table.size());
        }
    }
    verdict check_groups(int axis, dim_t length) const {
        const table_numbers& offsets = one_.table;
        if (offsets.size() == 0) return {reason::table_is_too_short, axis, 0, 1};
        if (offsets[0] != 0) return {reason::offsets_do_not_rise, axis, 0, offsets[0], 0};
        dim_t end = 0;
        for (std::size_t g = 1; g < offsets.size(); ++g) {
            const dim_t size = offsets[g] - offsets[g - 1];
            if (offsets[g] < offsets[g - 1])
                return {reason::offsets_do_not_rise, axis, static_cast<dim_t>(g), offsets[g], offsets[g - 1]};
            dim_t padded = 0;
            if (multiply_overflows(size / block_ + (size % block_ != 0 ? 1 : 0), block_, padded) ||
                add_overflows(end, padded, end))
                return {reason::size_overflows, axis, size, block_};
            if (end > length) return {reason::part_is_outside_parent, axis, end, length};
        }
        return {};
    }

    table_kind kind_ = table_kind::none;
    dim_t block_ = 1, extent_ = 0;
    page_sequence one_;  // the sequence, if there is one; the offsets of groups
    const page_sequence* sequences_ = nullptr;
    std::size_t count_ = 0;
};

/// The runs of an axis_table, one after the other.
class run_cursor {
public:
    /// Begins with the run that has index `first`.
    ///
    /// Pre:     table.check(...).ok(); 0 <= first < table.extent(); the table outlives this object
    run_cursor(const axis_table& table, dim_t first) : table_(table) {
        if (table.kind_ == table_kind::none) {
            run_ = {first, table.extent_ - first};
        } else if (table.kind_ == table_kind::pages) {
            while (table.sequences()[part_].extent <= first) first -= table.sequences()[part_++].extent;
            begin_sequence(first);
        } else {
            const table_numbers& offsets = table.one_.table;
            while (offsets[part_ + 1] <= first) begin_ += padded_size(part_++);
            run_ = {begin_ + first - offsets[part_], offsets[part_ + 1] - first};
        }
    }
    const index_run& run() const { return run_; }
    /// Goes on by `count` indices.
    ///
    /// Pre:     count <= run().count; there is a further index if they are equal
    void advance(dim_t count) {
        run_.at += count;
        run_.count -= count;
        if (run_.count == 0) begin_next();
    }

private:
    dim_t padded_size(std::size_t group) const {
        const dim_t size = table_.one_.table[group + 1] - table_.one_.table[group];
        return (size + table_.block_ - 1) / table_.block_ * table_.block_;
    }
    void begin_sequence(dim_t inside) {
        const page_sequence& s = table_.sequences()[part_];
        const dim_t index = s.first + inside;
        entry_ = static_cast<std::size_t>(index / table_.block_);
        rest_ = s.extent - inside;
        begin_page(s, index % table_.block_);
    }
    void begin_page(const page_sequence& s, dim_t inside) {
        const dim_t room = table_.block_ - inside;
        run_ = {s.table[entry_++] * table_.block_ + inside, room < rest_ ? room : rest_};
        rest_ -= run_.count;
    }
    void begin_next() {
        if (table_.kind_ == table_kind::pages) {
            const std::span<const page_sequence> sequences = table_.sequences();
            if (rest_ > 0) return begin_page(sequences[part_], 0);
            while (++part_ < sequences.size() && sequences[part_].extent == 0) {}
            if (part_ < sequences.size()) begin_sequence(0);
        } else if (table_.kind_ == table_kind::groups) {
            const table_numbers& offsets = table_.one_.table;
            begin_ += padded_size(part_++);
            while (part_ + 1 < offsets.size() && offsets[part_ + 1] == offsets[part_]) ++part_;
            if (part_ + 1 < offsets.size()) run_ = {begin_, offsets[part_ + 1] - offsets[part_]};
        }
    }

    const axis_table& table_;
    index_run run_;
    std::size_t part_ = 0, entry_ = 0;  // the sequence or the group; the next page
    dim_t rest_ = 0, begin_ = 0;        // the sequence's indices after the run; where the group begins
};

/// Checks that blocks of an axis can be read through a table: they begin at a digit, and have places of their own.
///
/// Refused: what check_static refuses; axis_is_out_of_range; blocks_do_not_align; axis_is_padded (padding in front);
///          layout_is_not_injective (an axis that repeats one element)
constexpr verdict check_table_axis(const layout& l, int axis, dim_t block) {
    if (const verdict why = check_static(l); !why.ok()) return why;
    if (axis < 0 || axis >= l.ndims()) return {reason::axis_is_out_of_range, -1, axis, l.ndims()};
    const dim_t length = l.padded_dims[axis];
    if (l.padded_offsets[axis] != 0) return {reason::axis_is_padded, axis, length, l.dims[axis]};
    const axis_places places = places_of(l, axis, length);
    if (length > 1 && places.jumps.empty()) return {reason::layout_is_not_injective, axis, length, 0};
    if (block == 1 || (block == length && block > 0)) return {};
    bool aligns = block > 0 && (length < 2 || (places.jumps.size() == 1 && places.jumps[0].border == 1));
    dim_t nearest = 1;
    for (const jump& j : places.jumps) {
        aligns = aligns || j.border == block;
        if (j.border <= block) nearest = j.border;
    }
    return aligns ? verdict{} : verdict{reason::blocks_do_not_align, axis, block, nearest};
}
/// Checks that groups can lie along an axis: it has no padding of its own.
///
/// Refused: what check_static refuses; axis_is_out_of_range; axis_is_padded; blocks_do_not_align (no block)
constexpr verdict check_group_axis(const layout& l, int axis, dim_t block) {
    if (const verdict why = check_static(l); !why.ok()) return why;
    if (axis < 0 || axis >= l.ndims()) return {reason::axis_is_out_of_range, -1, axis, l.ndims()};
    if (l.padded_dims[axis] != l.dims[axis]) return {reason::axis_is_padded, axis, l.padded_dims[axis], l.dims[axis]};
    return block > 0 ? verdict{} : verdict{reason::blocks_do_not_align, axis, block, 1};
}

/// Checks a table of one tensor against the other tensor's indices along the axis.
///
/// Refused: offsets_end_elsewhere, dims_differ
inline verdict check_table_extents(int axis, const axis_table& from, const axis_table& to) {
    if (from.extent() == to.extent()) return {};
    for (const bool source : {true, false}) {
        const axis_table &one = source ? from : to, &other = source ? to : from;
        if (one.kind() == table_kind::groups && other.kind() == table_kind::none)
            return {reason::offsets_end_elsewhere, axis, one.extent(), other.extent()};
    }
    return {reason::dims_differ, axis, from.extent(), to.extent()};
}

/// Which indices of an axis are moved as one. Larger units come first; the last is 1.
///
/// Example: pages of 64 indices: 64, 8, 1
using table_units = inline_list<dim_t, 3>;

/// Returns the largest number up to `most` that every smaller border of both places divides.
constexpr dim_t largest_unit(const axis_places& a, const axis_places& b, dim_t most) {
    for (bool reduced = true; reduced;) {
        reduced = false;
        for (const axis_places* places : {&a, &b})
            for (const jump& j : places->jumps)
                if (j.border < most && most % j.border != 0) {
                    most -= most % j.border;
                    reduced = true;
                }
    }
    return most;
}
/// Returns the units in which runs of up to `most` indices are moved: all, about the root of it for what is left, and
/// single ones.
///
/// Pre:     most >= 1
constexpr table_units units_of(const axis_places& a, const axis_places& b, dim_t most) {
    table_units out;
    out.push_back(largest_unit(a, b, most));
    dim_t middle = 1;
    while (middle * middle < out[0] && middle < dim_t{1} << 20) middle *= 2;
    middle = middle < out[0] ? largest_unit(a, b, middle) : 1;
    if (middle > 1 && middle < out[0]) out.push_back(middle);
    if (out[0] > 1) out.push_back(1);
    return out;
}

/// Returns true if indices index to index + unit - 1 lie as indices 0 to unit - 1 do, at another place.
///
/// Pre:     smaller borders divide `unit`
constexpr bool fits(const axis_places& places, dim_t index, dim_t unit) {
    for (const jump& j : places.jumps) {
        if (j.border == 1) continue;
        const dim_t inside = index % j.border;
        if (inside != 0 && unit > j.border - inside) return false;
    }
    return true;
}

/// Returns the layout of indices 0 to unit - 1 of the padded axis, with the least offset0. Padding of the axis counts
/// as indices.
///
/// Pre:     check_static_layout(l).ok(), 1 <= unit <= padded_dims[axis], and smaller borders of the axis divide it
/// Post:    result.offset(p) - result.offset0 == l.padded_offset(p), relative to index 0, for p[axis] < unit
constexpr layout unit_layout(const layout& l, int axis, dim_t unit) {
    layout out = l;
    out.dims[axis] = out.padded_dims[axis] = unit;
    out.padded_offsets[axis] = 0;
    replace_digits(out, axis, fewest_digits(l, axis, unit));
    if (unit == 1) out.digits[axis].extent = 1;
    out.offset0 = reach_in_front(out);
    return out;
}
}  // namespace detail
}  // namespace plait
