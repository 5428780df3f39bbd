#pragma once
// Laws of interop/onednn.hpp that hold for each version of oneDNN: the installed one, and the stub of version 3.

#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/submemory.hpp>
#include <plait/interop/onednn.hpp>

#include "laws/random_layouts.hpp"

#include <dnnl_debug.h>
#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace onednn_laws {

using namespace plait;
using namespace plait::detail;

/// Returns the tags that this oneDNN names, parsed by plait.
inline std::vector<format_tag> named_tags() {
    std::vector<format_tag> out;
    for (int i = dnnl_format_tag_undef + 2; i < dnnl_format_tag_last; ++i)
        if (const auto tag = parse_format_tag(std::string_view(dnnl_fmt_tag2str(static_cast<dnnl_format_tag_t>(i)))))
            out.push_back(*tag);
    return out;
}

inline dims random_extents(plait_test::random_source& random, int n) {
    dims out;
    for (int a = 0; a < n; ++a)
        out.push_back(random.once_in(12) ? 0 : random.once_in(3) ? 1 : random.between(1, n < 6 ? 40 : 3));
    return out;
}

/// Returns a layout of one of oneDNN's tags with random extents; sometimes a part of a larger one, or with permuted
/// axes.
inline layout random_tagged_layout(plait_test::random_source& random, const std::vector<format_tag>& tags) {
    const format_tag& tag = tags[static_cast<std::size_t>(random.between(0, static_cast<dim_t>(tags.size()) - 1))];
    const dims extents = random_extents(random, tag.ndims());
    layout l(extents, tag);
    if (random.once_in(3)) {
        dims part = extents;
        position first;
        for (int a = 0; a < l.ndims(); ++a) {
            const dim_t block = l.block_size(a);
            first.push_back(extents[a] < 1 ? 0 : random.between(0, (extents[a] - 1) / block) * block);
            const dim_t rest = extents[a] - first[a];
            part[a] = rest == 0 || random.once_in(2) ? rest : random.between(1, std::min(block, rest));
        }
        l = try_submemory(l, part, first).value_or(l);
    }
    if (random.once_in(3)) l = permute_axes(l, random.order(l.ndims()));
    return l;
}

/// Returns the argument that try_from_onednn takes: the descriptor in version 2, its handle in version 3.
template <class Descriptor>
decltype(auto) as_argument(const Descriptor& d) {
    if constexpr (std::is_same_v<onednn_source, const Descriptor&>) return (d);
    else return d.get();
}

/// Checks the round trip: from(to(d)) == d, and to(from(md)) equals md for oneDNN. Returns the verdict that refuses d.
inline verdict ask_there_and_back(const descriptor& d) {
    const expected<onednn_descriptor> made = try_to_onednn(d);
    if (!made) return made.error();
    const expected<descriptor> back = try_from_onednn(as_argument(*made));
    CHECK(back == d);
    const expected<onednn_descriptor> again = try_to_onednn(back.value_or(descriptor()));
    CHECK(again.has_value());
    if (again) CHECK(dnnl_memory_desc_equal(pointer_to(*made), pointer_to(*again)) != 0);
    // oneDNN's size covers the same bytes if offset0 is 0. It is too small for parts of one block, for repeated
    // elements, and for axes that interleave.
    if (d.layout.kind == format_kind::blocked && !d.layout.is_dynamic() && d.extra.empty() && d.layout.offset0 == 0) {
        bool says_less = !check_nesting(d.layout).ok();
        for (int a = 0; a < d.ndims(); ++a)
            says_less = says_less || d.layout.padded_dims[a] % d.layout.block_size(a) != 0 ||
                        (d.layout.digits[a].stride == 0 && d.layout.padded_dims[a] > 1);
        if (!says_less) CHECK(dnnl_memory_desc_get_size(pointer_to(*made)) == d.memory_size_in_bytes());
    }
    return {};
}

}  // namespace onednn_laws
