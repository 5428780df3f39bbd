#include "truth.hpp"

#include <plait/contract/descriptor_reference.hpp>

#include <cstring>

namespace bench {
namespace {

constexpr dim_t largest_for_reference = 1 << 17;  // places; the reference takes some 100 ns each

/// The offset that each index of each axis contributes: table[a][i] for place i + padded_offsets of axis a.
class offset_tables {
public:
    explicit offset_tables(const layout& l) {
        const position origin = unravel(l.padded_dims, 0);
        for (int a = 0; a < l.ndims(); ++a) {
            position at = origin;
            std::vector<dim_t>& table = tables_.emplace_back();
            for (at[a] = 0; at[a] < l.padded_dims[a]; ++at[a]) table.push_back(plait::detail::evaluate_digits(l, at));
        }
    }
    const dim_t* of_axis(int a) const { return tables_[static_cast<std::size_t>(a)].data(); }

private:
    std::vector<std::vector<dim_t>> tables_;
};

/// Walks through the places of the padded destination, row-major, and keeps the sums of the axes outside of the last.
class table_walk {
public:
    table_walk(const row& r, const void* in, void* out)
        : r_(r),
          in_(static_cast<const std::byte*>(in)),
          out_(static_cast<std::byte*>(out)),
          from_(r.src),
          to_(r.dst),
          convert_(plait::detail::find_element_converter(r.src_type, r.dst_type)),
          attributes_(r.attributes, r.dst.dims),
          changes_(!plait::detail::is_trivial(r.attributes)) {
        for (int a = 0; a < r.dst.ndims(); ++a) at_.push_back(0);
    }
    void run() { run(0, r_.src.offset0, r_.dst.offset0, true); }

private:
    void run(int a, dim_t from, dim_t to, bool inside) {
        if (a == r_.dst.ndims()) return place(from, to, inside);
        const dim_t* const destination = to_.of_axis(a);
        const dim_t* const source = from_.of_axis(a) + r_.src.padded_offsets[a];
        for (dim_t i = 0; i < r_.dst.padded_dims[a]; ++i) {
            const dim_t index = at_[a] = i - r_.dst.padded_offsets[a];
            const bool here = inside && index >= 0 && index < r_.dst.dims[a];
            run(a + 1, here ? from + source[index] : 0, to + destination[i], here);
        }
    }
    void place(dim_t from, dim_t to, bool inside) const {
        if (!inside) {
            plait::detail::zero_element(r_.dst_type, out_, to);
        } else if (changes_) {
            const plait::detail::element_attributes how = attributes_.at(at_);
            convert_(r_.src_type, in_, from, r_.dst_type, out_, to, &how);
        } else {
            convert_(r_.src_type, in_, from, r_.dst_type, out_, to, nullptr);
        }
    }

    const row& r_;
    const std::byte* in_;
    std::byte* out_;
    offset_tables from_, to_;
    plait::detail::element_converter convert_;
    plait::detail::attributes_by_position attributes_;
    bool changes_;
    position at_;
};

}  // namespace

bool write_truth(const row& r, const void* in, void* out) {
    if (r.dst.padded_volume() > largest_for_reference) {
        table_walk(r, in, out).run();
        return true;
    }
    const std::size_t bytes = r.dst_buffer_bytes();
    std::vector<std::byte> by_tables(static_cast<const std::byte*>(out), static_cast<const std::byte*>(out) + bytes);
    table_walk(r, in, by_tables.data()).run();
    reference_reorder(r.src_descriptor(), in, r.dst_descriptor(), out, r.attributes);
    return std::memcmp(by_tables.data(), out, bytes) == 0;
}

}  // namespace bench
