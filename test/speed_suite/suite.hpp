#pragma once
// A row of the reorder suite. bench/reorder/rows.py generates the rows, here with their static kernels.

#include <plait/algebra/broadcast_axis.hpp>
#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>
#include <plait/reorder/reorder.hpp>

#include <string>
#include <vector>

namespace bench {

using namespace plait;

struct row {
    std::string name;
    layout src, dst;
    data_type src_type, dst_type;
    reorder_attributes attributes;
    /// The static kernel.
    void (*kernel)(const void* in, void* out, const reorder_attributes&);
};

template <layout Src, layout Dst, element T, element U, bool Scaled = false>
row make_row(const char* name, const char*, const char*, const char*, const reorder_attributes& attributes = {}) {
    return {name,
            Src,
            Dst,
            data_type_of<T>,
            data_type_of<U>,
            attributes,
            [](const void* in, void* out, [[maybe_unused]] const reorder_attributes& with) {
                if constexpr (Scaled) reorder<Src, Dst>(static_cast<const T*>(in), static_cast<U*>(out), with);
                else reorder<Src, Dst>(static_cast<const T*>(in), static_cast<U*>(out));
            }};
}

/// Returns all rows, in the order of the report.
std::vector<row> all_rows();

}  // namespace bench
