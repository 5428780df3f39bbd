#pragma once
// Moves without tiles: of elements smaller than a byte that share bytes in ways that tiles do not exchange, such as in
// rows of an odd number of halves of bytes; and of elements of any size between the few layouts that have no common
// refinement.

#include <plait/contract/reference.hpp>
#include <plait/engine/kernel/bit_rows.hpp>
#include <plait/engine/plan/coalesce.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

/// Moves elements smaller than a byte row by row, along the nodes of a refinement in elements.
class bit_move {
public:
    /// `from` and `to` point to offset 0 of the two tensors.
    bit_move(const refinement& r, int bits, const std::byte* from, std::byte* to) noexcept
        : r_(r), bits_(bits), from_(from), to_(to) {
        for (int i = 0; i < r.nodes.size(); ++i)
            if (!r.nodes[i].is_uneven && (row_ < 0 || rank(r.nodes[i]) > rank(r.nodes[row_]))) row_ = i;
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

    /// Returns how good rows along a node are: in whole bytes of the destination; at least of the source; long.
    static dim_t rank(const reorder_node& n) noexcept {
        const dim_t extent = smaller_of(n.extent, dim_t{1} << 40);
        if (n.extent > 1 && n.dst == 1) return extent << (n.src == 1 ? 22 : 21);
        return n.extent > 1 && n.src == 1 ? extent << 1 : extent;
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

/// Moves elements without tiles, by one thread.
struct element_move {
    layout src, dst;
    data_type type = data_type::undef;

    void operator()(const void* in, void* out) const noexcept {
        if (detail::is_packed(type)) {
            refinement r;
            if (refine(r, src, dst, static_cast<dim_t>(src.element_span()))) {
                coalesce_nodes(r);
                bit_move(r, size_in_bits(type), static_cast<const std::byte*>(in), static_cast<std::byte*>(out))();
                return;
            }
        }
        // The bytes may be elements of any type of this size.
        if (!detail::is_packed(type))
            return detail::reference_bytes(src, static_cast<const std::byte*>(in), dst, static_cast<std::byte*>(out),
                                           size_in_bytes(type));
        const auto move = [&]<element T>(T) {
            reference_reorder<T, T>(src, static_cast<const detail::memory_of<T>*>(in), dst,
                                    static_cast<detail::memory_of<T>*>(out));
        };
        switch (size_in_bits(type)) {
            case 1: return move(u1{});
            case 2: return move(u2{});
            case 4: return move(u4{});
            default: return move(float6_e2m3{});
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
