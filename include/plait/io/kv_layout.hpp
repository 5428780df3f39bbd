#pragma once
// The layouts of caches of keys and values, as serving systems name them: vLLM's "LBHNC", LMCache's "NL_X_NB_BS_NH_CS".

#include <plait/io/notation.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The axes of a cache in their logical order: layers, blocks of tokens, heads, tokens of a block, keys and values, and
/// the numbers of a head (of its key, its value, or both).
enum kv_axis { kv_layer, kv_block, kv_head, kv_token, kv_pair, kv_content, kv_axes };

/// The axes of a tensor in the order of memory, outermost first.
struct kv_order {
    inline_list<int, kv_axes> axes;
    constexpr bool has(int axis) const {
        for (const int other : axes)
            if (other == axis) return true;
        return false;
    }
};

/// Reads letters: one for each axis.
constexpr expected<kv_order> parse_kv_letters(notation_reader in) {
    kv_order out;
    for (; !in.done(); in.advance()) {
        int axis = 0;
        switch (in.next()) {
            case 'L': axis = kv_layer; break;
            case 'B': axis = kv_block; break;
            case 'H': axis = kv_head; break;
            case 'N': axis = kv_token; break;
            case 'C': [[fallthrough]];
            case 'D': axis = kv_content; break;
            default: return in.malformed();
        }
        if (out.has(axis)) return in.malformed();
        out.axes.push_back(axis);
    }
    return out.axes.empty() ? expected<kv_order>(in.malformed()) : expected<kv_order>(out);
}

/// Reads words with underscores between them. What is in front of the last X are lists of tensors.
constexpr expected<kv_order> parse_kv_words(notation_reader in) {
    kv_order out, lists;
    bool is_list_of_planes = false;
    for (;; in.advance()) {
        const notation_reader begin = in;
        const std::string_view word = in.take_until('_');
        if (word == "X") {
            if (out.axes.empty() && !is_list_of_planes) return begin.malformed();
            for (const int axis : out.axes) lists.axes.push_back(axis);
            out = {};
            is_list_of_planes = false;
            if (in.done()) return in.malformed();
            continue;
        }
        if (is_list_of_planes) return begin.malformed();
        int axis = kv_axes, inside = kv_axes;
        if (word == "NL") axis = kv_layer;
        else if (word == "NB") axis = kv_block;
        else if (word == "NH") axis = kv_head;
        else if (word == "BS") axis = kv_token;
        else if (word == "TWO") axis = kv_pair;
        else if (word == "HS" || word == "CS") axis = kv_content;
        else if (word == "NBBS") axis = kv_block, inside = kv_token;  // all tokens of all blocks
        else if (word == "NP") is_list_of_planes = true;
        else if (word != "ONE") return begin.malformed();
        for (const int next : {axis, inside}) {
            if (next == kv_axes) continue;
            if (out.has(next) || lists.has(next)) return begin.malformed();
            out.axes.push_back(next);
        }
        if (in.done()) break;
    }
    return out.axes.empty() || is_list_of_planes ? expected<kv_order>(in.malformed()) : expected<kv_order>(out);
}
}  // namespace detail

/// Parses the layout of a cache of keys and values, by the name that a serving system gives it. The text names the axes
/// from the outermost in memory to the innermost.
///
/// - vLLM's KVCacheLayout has a letter for each axis: L layers, B blocks, H heads, N tokens of a block, C content. D is
///   C, so FlashInfer's "NHD" and "HND" are the layouts of one block.
/// - LMCache's EngineKVFormat has words: NL, NB, NH, BS for tokens of a block, CS or HS for content, TWO for keys and
///   values, NBBS for all tokens of all blocks (NB and BS side by side), ONE for an axis of one element, which is left
///   out. Names in front of an X, such as NL in "NL_X_NB_BS_NH_CS", say that there is a list of tensors: the layout is
///   that of one of them.
///
/// The dims are in the logical order, which is the same for all names: layers, blocks, heads, tokens, keys and values,
/// content; those that the text does not have, are left out. Axes are dense; a layout with padding between its pages
/// has strides, which these names do not say: with_strides.
///
/// Pre:     none; any text
/// Refused: notation_is_malformed (a name that is not known, or comes twice: its column); rank_differs; dims_differ (of
///          keys and values, whose extent is 2); dim_is_dynamic, dim_is_negative; size_overflows
/// Post:    parse_kv_layout("LBHNC", d) == layout(d, "abcde"), and other orders are other orders of these letters
/// Cost:    O(length of the text + digits squared) steps
/// Source:  vLLM, issue 42082 and pull request 51718; LMCache, csrc/engine_kv_format.h, pull requests 4220 and 4729
/// Example: parse_kv_layout("BLNHC", {32, 1000, 8, 16, 256}) == layout({32, 1000, 8, 16, 256}, "badce")
[[nodiscard]] constexpr expected<layout> parse_kv_layout(std::string_view text, const dims& extents) {
    const detail::notation_reader in(text);
    const expected<detail::kv_order> order =
        text.find('_') == text.npos ? detail::parse_kv_letters(in) : detail::parse_kv_words(in);
    if (!order) return order.error();
    const int ndims = order->axes.size();
    if (extents.size() != ndims)
        return detail::ranks_differ(detail::counted::notation, ndims, detail::counted::extents, extents.size());
    if (const verdict why = detail::check_known_dims(extents); !why.ok()) return why;
    detail::memory_digits list;
    int outermost[max_ndims]{};
    for (int k = 0; k < ndims; ++k) {
        int axis = 0;  // its number among those that the text has
        for (const int other : order->axes) axis += other < order->axes[k];
        if (order->axes[k] == detail::kv_pair && extents[axis] != 2)
            return verdict{reason::dims_differ, axis, extents[axis], 2};
        outermost[axis] = k;
        list.push_back({axis, extents[axis], 0});
    }
    return detail::make_from_digits(extents, list, outermost);
}

}  // namespace plait
