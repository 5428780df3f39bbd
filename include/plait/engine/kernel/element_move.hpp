#pragma once
// Moves without tiles: of elements smaller than a byte that share bytes in ways that tiles do not exchange, such as in
// rows of an odd number of halves of bytes, and what tiles leave of them at the end of axes; and of elements of any
// size between the few layouts that have no common refinement.
//
// Example: u4 ab -> ba, 511 x 513 elements of rows of 514 and of 512: 510 x 512 elements by tiles; then row 510 of the
// source, which is the last place of each row of the destination; then column 512, one row of the destination.

#include <plait/contract/reference.hpp>
#include <plait/engine/plan/byte_refinement.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// A row of elements at equal distances, in bits: `valid` of them have a source, and those up to `stored` are zero.
struct element_row {
    dim_t src = 0, src_step = 0, dst = 0, dst_step = 0;
    dim_t valid = 0, stored = 0;
};

/// Moves the elements of a row, which have `Bits` bits each: whole bytes at a time if they are adjacent in the
/// destination. Places are multiples of `Bits`, so that only elements of 6 bits lie in two bytes.
template <int Bits>
constexpr void move_elements(const std::byte* from, std::byte* to, const element_row& row) {
    constexpr int elements = Bits == 6 ? 4 : 8 / Bits, bytes = elements * Bits / 8;  // that have no byte in common
    dim_t src = row.src, dst = row.dst, left = row.valid;
    const auto next = [&] {
        unsigned out = 0;
        if constexpr (Bits == 6) out = static_cast<unsigned>(read_bits(from, src, Bits));
        else out = std::to_integer<unsigned>(from[src >> 3]) >> (src & 7) & ((1u << Bits) - 1);
        src += row.src_step;
        return out;
    };
    const auto move_one = [&] {
        write_bits(to, dst, Bits, next());
        dst += row.dst_step;
        --left;
    };
    if (row.dst_step == Bits) {
        while (left > 0 && dst % 8 != 0) move_one();
        for (; left >= elements; left -= elements, dst += elements * Bits) {
            unsigned together = 0;
            for (int k = 0; k < elements; ++k) together |= next() << k * Bits;
            for (int k = 0; k < bytes; ++k) to[(dst >> 3) + k] = static_cast<std::byte>(together >> 8 * k & 255);
        }
    }
    while (left > 0) move_one();
}

/// Moves a row of elements of `bits` bits.
constexpr void move_row(const std::byte* from, std::byte* to, const element_row& row, int bits) {
    if (row.dst_step == bits && row.src_step == bits) copy_bits(from, row.src, to, {row.dst, row.valid * bits});
    else if (bits == 1) move_elements<1>(from, to, row);
    else if (bits == 2) move_elements<2>(from, to, row);
    else if (bits == 4) move_elements<4>(from, to, row);
    else move_elements<6>(from, to, row);
    const dim_t padding = row.dst + row.valid * row.dst_step, count = row.stored - row.valid;
    if (row.dst_step == bits) return clear_bits(to, {padding, count * bits});
    for (dim_t k = 0; k < count; ++k) write_bits(to, padding + k * row.dst_step, bits, 0);
}

/// Moves elements row by row, along the nodes of a refinement in bits.
class bit_walk {
public:
    /// `from` and `to` point to offset 0 of the two tensors.
    bit_walk(const refinement& r, int bits, const std::byte* from, std::byte* to) noexcept
        : r_(r), bits_(bits), from_(from), to_(to) {
        for (int i = 0; i < r.nodes.size(); ++i)
            if (!r.nodes[i].is_uneven && (row_ < 0 || cost(r.nodes[i]) < cost(r.nodes[row_]))) row_ = i;
        for (int a = 0; a < r.bounds.size(); ++a) index_[a] = first_[a] = 0;
    }
    /// Moves only what has at least the index `first` along an axis.
    void begin_at(int axis, dim_t first) noexcept { first_[axis] = first; }
    void operator()() noexcept { run(0, r_.src_offset, r_.dst_offset); }

private:
    const refinement& r_;
    const int bits_;
    const std::byte* const from_;
    std::byte* const to_;
    int row_ = -1;  ///< the node that rows go along; -1: there are no nodes
    dim_t index_[max_nodes], first_[max_nodes];

    /// Returns about how long an element takes in rows along a node, in tenths of a nanosecond. Measured (Zen 4): a row
    /// takes 20 ns; an element 2.5 ns, 0.7 if it is adjacent to others in the destination, and less on both sides.
    dim_t cost(const reorder_node& n) const noexcept {
        const bool is_dense = n.extent > 1 && n.dst == bits_;
        return 200 / larger_of(n.extent, 1) + (!is_dense ? 25 : n.src == bits_ ? 1 : 7);
    }
    /// Returns the first step of a node that leads to the first index of its axis.
    dim_t first_step(const reorder_node& n) const noexcept {
        for (const reorder_node& other : r_.nodes)
            if (other.axis == n.axis && other.index_step > n.index_step) return 0;
        return first_[n.axis] / n.index_step;
    }
    void run(int k, dim_t src, dim_t dst) noexcept {
        if (k == r_.nodes.size()) return move_one_row(src, dst);
        if (k == row_) return run(k + 1, src, dst);
        const reorder_node& n = r_.nodes[k];
        dim_t& index = index_[n.axis];
        const dim_t before = index;
        for (dim_t i = first_step(n); i < n.extent; ++i) {
            index = before + i * n.index_step;
            if (index >= r_.bounds[n.axis].stored) break;
            uneven_offsets more;
            if (n.is_uneven) more = uneven_within(r_.uneven_steps, n.axis, i);
            run(k + 1, src + i * n.src + more.src, dst + i * n.dst + more.dst);
        }
        index = before;
    }
    void move_one_row(dim_t src, dim_t dst) noexcept {
        bool is_valid = true;
        for (int a = 0; a < r_.bounds.size(); ++a) {
            if (row_ >= 0 && a == r_.nodes[row_].axis) continue;
            if (index_[a] < first_[a] || r_.bounds[a].stored == 0) return;
            is_valid = is_valid && index_[a] < r_.bounds[a].valid;
        }
        const reorder_node node = row_ >= 0 ? r_.nodes[row_] : reorder_node{};
        element_row row{src, node.src, dst, node.dst, is_valid ? 1 : 0, 1};
        if (row_ >= 0) {
            const auto steps_below = [&](dim_t index) {
                const dim_t left = index - index_[node.axis];
                return left <= 0 ? 0 : smaller_of(divide_up(left, node.index_step), node.extent);
            };
            const dim_t skipped = steps_below(first_[node.axis]);
            row.stored = steps_below(r_.bounds[node.axis].stored) - skipped;
            row.valid = is_valid ? steps_below(r_.bounds[node.axis].valid) - skipped : 0;
            row.src += skipped * node.src;
            row.dst += skipped * node.dst;
        }
        row.valid = larger_of(0, smaller_of(row.valid, row.stored));
        if (row.stored > 0) move_row(from_, to_, row, bits_);
    }
};

/// Moves elements of `bits` bits without tiles, by one thread: all, or those that tiles leave.
struct element_move {
    layout src, dst;
    int bits = 0;
    byte_rests rests;  ///< no axes: tiles move nothing

    void operator()(const void* in, void* out) const noexcept {
        const auto* const from = static_cast<const std::byte*>(in);
        auto* const to = static_cast<std::byte*>(out);
        refinement r;
        if (bits >= 8 || !refine_in_bits(r, src, dst, end_of_elements(src), bits))
            return detail::reference_bits(src, from, dst, to, bits);
        if (rests.axes.empty()) {
            coalesce_nodes(r);
            return bit_walk(r, bits, from, to)();
        }
        for (int k = 0; k < rests.axes.size(); ++k) {
            bit_walk rest(r, bits, from, to);
            rest.begin_at(rests.axes[k], rests.moved[k]);
            rest();
            axis_bound& bound = r.bounds[rests.axes[k]];  // the next rest is of what tiles move along this axis
            bound = {smaller_of(bound.valid, rests.moved[k]), rests.moved[k]};
        }
    }
    /// Does nothing: the interface is that of planned_tiles. One thread moves all elements; the others do nothing.
    void begin(void*) const noexcept {}
    void run_chunk(const void* in, void* out, int chunk, int) const noexcept {
        if (chunk == 0) (*this)(in, out);
    }
    void finish(void*) const noexcept {}
    dim_t bytes_moved() const noexcept { return 0; }
};

}  // namespace plait::engine
