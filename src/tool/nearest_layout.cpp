#include "nearest_layout.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/algebra/view.hpp>

#include <algorithm>

namespace tool {

namespace {

/// Returns the extents with the smallest change of one of them that gives the wanted number of elements.
plait::dims with_volume(const plait::dims& to, plait::dim_t wanted) {
    plait::dims best;
    plait::dim_t least = 0;
    for (int a = 0; a < to.size(); ++a) {
        plait::detail::checked_integer others{1};
        for (int b = 0; b < to.size(); ++b)
            if (b != a) others *= to[b];
        if (!others.ok() || others.value < 1 || wanted % others.value != 0) continue;
        const plait::dim_t extent = wanted / others.value;
        const plait::dim_t change = extent < to[a] ? to[a] - extent : extent - to[a];
        if (!best.empty() && change > least) continue;  // of equal changes, the innermost
        best = to;
        best[a] = extent;
        least = change;
    }
    return best;
}

/// Returns the axes in order without blocks: "nchw" for nChw16c.
std::string plain_tag_like(const named_layout& from) { return letters_of(from.tag, from.layout.ndims()); }

void add_copy(std::vector<std::string>& out, const named_layout& from, const plait::dims& to) {
    const auto plain = plait::try_layout(from.layout.dims, plait::detail::plain_tag(from.layout.ndims()));
    const auto after = plain ? plait::try_reshape(*plain, to) : plait::expected<plait::layout>{{}, plain.error()};
    if (!after) return;
    const std::string tag = plain_tag_like(from);
    out.push_back(line("nearest", "a copy, which then is " + write_layout(*after)));
    if (!from.tag.empty() && from.text.find(':') == from.text.npos && from.layout.offset0 == 0)
        out.push_back(line("", "plait reorder IN.npy OUT.npy --from " + from.tag + " --to " + tag + " --dims " +
                                   plait::to_string(from.layout.dims)));
}

}  // namespace

std::vector<std::string> both_sides(const named_layout& from, const std::string& to) {
    const plait::layout& l = from.layout;
    return {line("from", from.text + (l.is_padded() ? ", padded to " + plait::to_string(l.padded_dims) : "")),
            line("to", to)};
}

std::vector<std::string> nearest_reshape(const named_layout& from, const plait::dims& to, const plait::verdict& why,
                                         bool was_view) {
    std::vector<std::string> out = both_sides(from, plait::to_string(to));
    const auto works = [&](const plait::dims& extents) {
        return was_view ? plait::try_view(from.layout, extents) : plait::try_reshape(from.layout, extents);
    };
    if (!was_view)
        if (const auto seen = plait::try_view(from.layout, to)) {
            out.push_back(line("nearest", "in place: plait view " + from.text + ' ' + plait::to_string(to) + " is " +
                                              write_layout(*seen)));
            return out;
        }
    if (why.reason == plait::reason::volumes_differ) {
        const plait::dims near = with_volume(to, from.layout.volume());
        if (!near.empty()) {
            const auto made = works(near);
            out.push_back(
                line("nearest", plait::to_string(near) + (made ? ", which is " + write_layout(*made) : ", in a copy")));
        }
        return out;
    }
    if (why.reason == plait::reason::extents_do_not_divide && why.third > 0)
        out.push_back(
            line("nearest", "the extent " + std::to_string(why.third) + " in place of " + std::to_string(why.second)));
    add_copy(out, from, to);
    return out;
}

std::vector<std::string> nearest_part(const named_layout& from, const plait::dims& extents,
                                      const plait::position& offsets) {
    const plait::layout& l = from.layout;
    std::vector<std::string> out = both_sides(from, plait::to_string(extents) + " from " + plait::to_string(offsets));
    if (extents.size() != l.ndims() || offsets.size() != l.ndims()) return out;
    // First around the requested part, in whole blocks; then inside the tensor.
    for (const bool whole_blocks : {false, true}) {
        plait::dims size = extents;
        plait::position first = offsets;
        for (int a = 0; a < l.ndims(); ++a) {
            const plait::dim_t block = whole_blocks ? l.block_size(a) : 1;
            first[a] = std::min(offsets[a], std::max<plait::dim_t>(l.dims[a] - 1, 0)) / block * block;
            const plait::dim_t room = l.dims[a] - first[a], gap = whole_blocks ? offsets[a] - first[a] : 0;
            // Cannot overflow, because the distance to the end is compared before anything is added.
            const bool to_the_end = gap >= room || extents[a] >= room - gap;
            size[a] = to_the_end ? room : std::min(room, (extents[a] + gap + block - 1) / block * block);
        }
        if (const auto part = plait::try_submemory(l, size, first)) {
            out.push_back(line("nearest", plait::to_string(size) + ' ' + plait::to_string(first) + ", which is " +
                                              write_layout(*part, from.tag)));
            return out;
        }
    }
    return out;
}

std::vector<std::string> nearest_permutation(const plait::permutation& p, int ndims) {
    std::vector<int> missing;
    const auto appears = [&](int number, int before) {
        for (int i = 0; i < before; ++i)
            if (p[i] == number) return true;
        return false;
    };
    for (int number = 0; number < ndims; ++number)
        if (!appears(number, p.size())) missing.push_back(number);
    std::string text;
    std::size_t next = 0;
    for (int i = 0; i < ndims; ++i) {
        const bool keep = i < p.size() && p[i] >= 0 && p[i] < ndims && !appears(static_cast<int>(p[i]), i);
        const plait::dim_t number = keep || next == missing.size() ? (i < p.size() ? p[i] : 0) : missing[next++];
        text += (i == 0 ? "" : ",") + std::to_string(number);
    }
    return {line("nearest", text)};
}

}  // namespace tool
