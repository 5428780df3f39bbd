#pragma once
// Random graphs with views.

#include <plait/graph/graph.hpp>

#include <random>
#include <vector>

namespace plait_test {

using namespace plait;

/// Makes graphs of up to six operations, half of them views. Tensors have three ranks; some are constant, and some have
/// a layout with gaps.
struct random_views {
    std::mt19937_64 random;
    large_graph g{};
    std::vector<tensor_id> made{};
    explicit random_views(std::uint64_t seed) : random(seed) {}
    /// True if some kernels need zeros in padding and others leave garbage in it, and given tensors have unknown
    /// padding.
    bool with_padding = false;
    int below(int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); }
    const dims& extents(tensor_id t) const { return g.tensors[t.number].dims; }

    format_tag tag(int rank) {
        static constexpr format_tag four[] = {"abcd", "acdb", "aBcd8b"}, three[] = {"abc", "acb", "aBc8b"};
        static constexpr format_tag two[] = {"ab", "ba", "aB16b"};
        const int which =
            with_padding && below(2) == 0 ? 2 : below(3);  // the last number means blocks that pad 17 channels
        return rank == 4 ? four[which] : rank == 3 ? three[which] : two[which];
    }
    format_tag some_tag(int rank, int rarely) { return below(rarely) == 0 ? tag(rank) : format_tag("any"); }
    padding_state padding() { return with_padding && below(2) == 0 ? padding_state::unknown : padding_state::zero; }
    tensor_id result(const dims& shape) {
        return g.tensor(shape, data_type::f32, some_tag(shape.size(), 5), padding());
    }

    tensor_id permute(tensor_id source) {
        const dims from = extents(source);
        permutation p = identity_permutation(from.size());
        for (int a = from.size() - 1; a > 0; --a) std::swap(p[a], p[below(a + 1)]);
        dims to = from;
        for (int a = 0; a < from.size(); ++a) to[static_cast<int>(p[a])] = from[a];
        const tensor_id out = result(to);
        g.permute_axes(source, p, out);
        return out;
    }
    tensor_id reshape(tensor_id source) {
        dims to = extents(source);
        if (to.size() > 2) {  // the last two axes are joined
            dims joined;
            for (int a = 0; a + 1 < to.size(); ++a) joined.push_back(to[a]);
            joined[joined.size() - 1] *= to[to.size() - 1];
            to = joined;
        } else if (to[1] % 2 == 0) {
            to = {to[0], to[1] / 2, 2};
        }
        const tensor_id out = result(to);
        if (below(2) == 0) g.reshape(source, out);
        else g.view(source, out);
        return out;
    }
    tensor_id part(tensor_id source) {
        dims to = extents(source);
        position begin;
        for (int a = 0; a < to.size(); ++a) begin.push_back(0);
        const int axis = below(2);
        begin[axis] = to[axis] / 2;
        to[axis] -= begin[axis];
        const tensor_id out = result(to);
        g.submemory(source, begin, out);
        return out;
    }
    tensor_id join(tensor_id a) {
        tensor_id b = a;
        for (const tensor_id t : made)
            if (extents(t) == extents(a) && below(2) == 0) b = t;
        dims to = extents(a);
        const int axis = below(2);
        to[axis] *= 2;
        const tensor_id out = result(to);
        g.concatenate({a, b}, axis, out);
        return out;
    }
    tensor_id compute(tensor_id source) {
        const tensor_id out = result(extents(source));
        const int rank = extents(source).size();
        if (below(3) == 0) {
            g.operation(primitive_kind::eltwise, {source}, {out});
            return out;
        }
        auto added = g.operation(primitive_kind::matmul, {source}, {out});
        for (int a = 0, count = 1 + below(2); a < count; ++a) {
            added.accepts({tag(rank)}, {tag(rank)}, below(3) * 100);
            if (with_padding && below(4) != 0) added.needs_zero_padding();
            if (with_padding && below(4) != 0) added.leaves_padding_unknown();
        }
        return out;
    }
    large_graph make(int operations) {
        g = {};
        made.clear();
        const dims shape{1 + below(2), !with_padding && below(2) == 0 ? 8 : 17, 1 + below(3), 2};
        made.push_back(below(3) == 0 ? g.constant(shape, data_type::f32, tag(4), padding())
                                     : g.tensor(shape, data_type::f32, tag(4), padding()));
        if (below(2) == 0)
            made.push_back(g.tensor(layout(shape, strides{shape[1] * shape[2] * 4, shape[2] * 4, 4, 1}), data_type::f32,
                                    padding()));
        for (int i = 0; i < operations; ++i) {
            const tensor_id source =
                below(2) == 0 ? made.back() : made[static_cast<std::size_t>(below(static_cast<int>(made.size())))];
            const int kind = below(9);
            made.push_back(kind == 0   ? permute(source)
                           : kind == 1 ? reshape(source)
                           : kind == 2 ? part(source)
                           : kind < 5  ? join(source)
                                       : compute(source));
        }
        return g;
    }
};

}  // namespace plait_test
