#pragma once
// A row: one pair of layouts and types, and the kernels that were compiled for it, if any.

#include <plait/contract/attributes.hpp>
#include <plait/contract/isa.hpp>
#include <plait/core/element_types.hpp>
#include <plait/descriptor/descriptor.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

using namespace plait;
using move = void (*)(const void* in, void* out, const reorder_attributes&);

struct row {
    std::string name, section;
    std::string demand;  ///< the line of the report that the row counts for; empty if none
    std::string like;    ///< of a conversion: the name of the same move without it
    layout src, dst;
    data_type src_type, dst_type;
    reorder_attributes attributes;
    move kernel;  ///< as users call it; null where only the run-time reorder takes part
    move avx2;    ///< as on a CPU without AVX-512; null where no kernel is generated
    std::shared_ptr<const std::vector<float>> scales = {};  ///< what the attributes point to, if by index

    /// The bytes that are read and written, without gaps between elements; a broadcast element counts once.
    std::size_t src_bytes() const { return moved_places(src) * static_cast<std::size_t>(size_in_bytes(src_type)); }
    std::size_t dst_bytes() const { return moved_places(dst) * static_cast<std::size_t>(size_in_bytes(dst_type)); }
    std::size_t bytes() const { return src_bytes() + dst_bytes(); }
    /// The size of a buffer from offset 0 on; a part of a tensor begins later.
    std::size_t src_buffer_bytes() const { return src_descriptor().buffer_size_in_bytes(); }
    std::size_t dst_buffer_bytes() const { return dst_descriptor().buffer_size_in_bytes(); }
    /// The larger side.
    std::size_t tensor_bytes() const { return src_bytes() < dst_bytes() ? dst_bytes() : src_bytes(); }
    descriptor src_descriptor() const { return {src_type, src}; }
    descriptor dst_descriptor() const { return {dst_type, dst}; }

    static std::size_t moved_places(const layout& l) {
        return std::min(l.element_span(), static_cast<std::size_t>(l.padded_volume()));
    }
};

/// Of the drawn rows' kernels. drawn.cpp refuses to run on a CPU without it.
#if defined(__x86_64__)
inline constexpr isa drawn_least = least_isa() > isa::avx2 ? least_isa() : isa::avx2;
#else
inline constexpr isa drawn_least = least_isa();
#endif

/// Every row of the suite, in the order of the report; written by rows.py.
std::vector<row> all_rows();
/// The drawn rows that have static kernels; written by draw.py.
std::vector<row> static_rows();

/// The plain loop of a row of the suite. Refuses (ends the program on) pairs of types that no row has.
std::function<void()> prepare_plain_loop(const row&, const void* in, void* out);

/// Elements without special cases: no NaN, no subnormal number.
void fill(data_type type, void* memory, std::size_t bytes);

}  // namespace bench
