// Runs graphs with views in memory, according to the choice: each tensor must have the values that the operations
// define.
#include <plait/graph/choose_formats.hpp>

#include "graph/random_views.hpp"
#include "support/number_from_environment.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>

namespace test_graph_views_in_memory { namespace {

using namespace plait;
using namespace plait::detail;

using values = std::vector<double>;  // in row-major order

position position_of(dim_t number, const dims& extents) {
    position out;
    for (int a = 0; a < extents.size(); ++a) out.push_back(0);
    for (int a = extents.size() - 1; a >= 0; --a) out[a] = number % extents[a], number /= extents[a];
    return out;
}
dim_t number_of(const position& at, const dims& extents) {
    dim_t out = 0;
    for (int a = 0; a < extents.size(); ++a) out = out * extents[a] + at[a];
    return out;
}

/// Returns the elements of the result of an operation, by its definition, from those of its sources. No layout is used.
values meaning(const large_graph& g, int i, const std::vector<values>& of) {
    const graph_operation& o = g.operations[i];
    const dims& extents = g.tensors[g.tensor_at(i, o.sources)].dims;
    const auto source = [&](int p) -> const values& { return of[static_cast<std::size_t>(g.tensor_at(i, p))]; };
    values out(static_cast<std::size_t>(volume(extents)));
    for (dim_t k = 0; k < volume(extents); ++k) {
        position at = position_of(k, extents);
        int p = 0;
        dim_t from = k;
        if (const graph_view* const what = g.view_of(i)) {
            if (what->kind == view_kind::permute_axes) {
                position back = at;
                for (int a = 0; a < at.size(); ++a) back[a] = at[static_cast<int>(what->numbers[a])];
                from = number_of(back, g.tensors[g.tensor_at(i, 0)].dims);
            } else if (what->kind == view_kind::submemory) {
                for (int a = 0; a < at.size(); ++a) at[a] += what->numbers[a];
                from = number_of(at, g.tensors[g.tensor_at(i, 0)].dims);
            } else if (what->kind == view_kind::concatenate) {
                const int axis = static_cast<int>(what->numbers[0]);
                while (at[axis] >= g.tensors[g.tensor_at(i, p)].dims[axis])
                    at[axis] -= g.tensors[g.tensor_at(i, p++)].dims[axis];
                from = number_of(at, g.tensors[g.tensor_at(i, p)].dims);
            }
        }
        const double value = source(p)[static_cast<std::size_t>(from)];
        out[static_cast<std::size_t>(k)] = o.view < 0 ? 2 * value + i : value;
    }
    return out;
}

/// The memory of each form of each tensor: its own memory, or that of another tensor, as in the choice.
class memory {
public:
    memory(const large_graph& g, const basic_choice<heap_storage>& chosen) : g_(g), chosen_(chosen) {
        for (int t = 0; t < g.tensors.size(); ++t) made_.push_back(std::make_unique<values>());
        for (int r = 0; r < chosen.reorders.size(); ++r) reordered_.push_back(std::make_unique<values>());
    }
    struct place {
        values* in;
        dim_t begin;
        layout how;
    };
    place made(int t) {
        layout l = chosen_.layout_of({t});
        l.offset0 = 0;
        for (int i = 0; i < g_.operations.size(); ++i) {
            if (g_.operations[i].view < 0) continue;
            const int sources = g_.operations[i].sources;
            if (!joins(i) && g_.tensor_at(i, 1) == t) return part(read(i, 0), i, 1, l);
            for (int p = 0; joins(i) && p < sources; ++p)
                if (g_.tensor_at(i, p) == t && written_into(g_.operations[i].first_port + p) < 0) {
                    CHECK(!is_given(t));
                    return part(made(g_.tensor_at(i, sources)), i, p, l);
                }
        }
        return own(*made_[static_cast<std::size_t>(t)], l);
    }
    place reordered(int r) {
        const graph_reorder& one = chosen_.reorders[r];
        layout l = chosen_.to(one);
        l.offset0 = 0;
        if (one.into < 0) return own(*reordered_[static_cast<std::size_t>(r)], l);
        int i = 0;
        while (g_.operations[i].first_port + g_.operations[i].ports() <= one.into) ++i;
        const int p = one.into - g_.operations[i].first_port;
        return part(made(g_.tensor_at(i, g_.operations[i].sources)), i, p, l);
    }
    /// Returns the place from which a source port reads its tensor.
    place read(int i, int p) {
        const int t = g_.tensor_at(i, p), port = g_.operations[i].first_port + p;
        if (joins(i))
            if (const int r = written_into(port); r >= 0) return reordered(r);
        return in_form(t, chosen_.layout_in({t}, chosen_.port_formats[port]));
    }
    place in_form(int t, const layout& wanted) {
        if (is_same(chosen_.layout_of({t}), wanted)) return made(t);
        for (int r = 0; r < chosen_.reorders.size(); ++r)
            if (chosen_.reorders[r].tensor.number == t && is_same(chosen_.to(chosen_.reorders[r]), wanted))
                return reordered(r);
        FAIL("no form of tensor " << t);
        return made(t);
    }
    static values load(const place& from) {
        values out(static_cast<std::size_t>(volume(from.how.dims)));
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = from.in->at(at(from, k));
        return out;
    }
    static void store(const place& to, const values& what) {
        for (std::size_t k = 0; k < what.size(); ++k) to.in->at(at(to, k)) = what[k];
    }

private:
    const large_graph& g_;
    const basic_choice<heap_storage>& chosen_;
    std::vector<std::unique_ptr<values>> made_, reordered_;

    bool joins(int i) const { return g_.view_of(i) != nullptr && g_.view_of(i)->kind == view_kind::concatenate; }
    static std::size_t at(const place& p, std::size_t k) {
        return static_cast<std::size_t>(p.begin + p.how.linear_offset(static_cast<dim_t>(k)));
    }
    static place own(values& in, const layout& l) {
        in.resize(l.element_span(), -1);
        return {&in, 0, l};
    }
    place part(const place& whole, int i, int p, const layout& l) const {
        for (const graph_part& one : chosen_.parts)
            if (one.operation == i && one.port == p) return {whole.in, whole.begin + one.offset, l};
        FAIL("port " << p << " of operation " << i << " is no part");
        return whole;
    }
    bool is_given(int t) const {
        for (int i = 0; i < g_.operations.size(); ++i)
            for (int p = g_.operations[i].sources; p < g_.operations[i].ports(); ++p)
                if (g_.tensor_at(i, p) == t) return false;
        return true;
    }
    int written_into(int port) const {
        for (int r = 0; r < chosen_.reorders.size(); ++r)
            if (chosen_.reorders[r].into == port) return r;
        return -1;
    }
    static bool is_same(layout a, layout b) {
        a.offset0 = b.offset0 = 0;
        return same_memory(a, b) && a.element_span() == b.element_span();
    }
};

void run(const large_graph& g, const basic_choice<heap_storage>& chosen) {
    std::vector<values> expected(static_cast<std::size_t>(g.tensors.size()));
    memory all(g, chosen);
    std::vector<bool> is_made(expected.size());
    for (int i = 0; i < g.operations.size(); ++i)
        is_made[static_cast<std::size_t>(g.tensor_at(i, g.operations[i].sources))] = true;
    for (int t = 0; t < g.tensors.size(); ++t) {
        auto& here = expected[static_cast<std::size_t>(t)];
        here.resize(static_cast<std::size_t>(volume(g.tensors[t].dims)));
        for (std::size_t k = 0; k < here.size(); ++k) here[k] = 1000 * (t + 1) + static_cast<double>(k);
        if (!is_made[static_cast<std::size_t>(t)]) memory::store(all.made(t), here);
    }
    const auto reorder_behind = [&](int i) {
        for (int r = 0; r < chosen.reorders.size(); ++r)
            if (chosen.reorders[r].behind == i) {
                const graph_reorder& one = chosen.reorders[r];
                memory::store(all.reordered(r), memory::load(all.in_form(one.tensor.number, chosen.from(one))));
            }
    };
    reorder_behind(-1);
    for (const int i : chosen.order) {
        const graph_operation& o = g.operations[i];
        const int t = g.tensor_at(i, o.sources);
        expected[static_cast<std::size_t>(t)] = meaning(g, i, expected);
        if (o.view < 0) {  // a kernel reads and writes memory; views do not
            std::vector<values> read(expected.size());
            for (int p = 0; p < o.sources; ++p)
                read[static_cast<std::size_t>(g.tensor_at(i, p))] = memory::load(all.read(i, p));
            memory::store(all.made(t), meaning(g, i, read));
        }
        reorder_behind(i);
    }
    for (int t = 0; t < g.tensors.size(); ++t) {
        CAPTURE(t);
        CHECK(memory::load(all.made(t)) == expected[static_cast<std::size_t>(t)]);
    }
    for (int r = 0; r < chosen.reorders.size(); ++r) {
        CAPTURE(r);
        CHECK(memory::load(all.reordered(r)) == expected[static_cast<std::size_t>(chosen.reorders[r].tensor.number)]);
    }
}

TEST_CASE("views: a program that follows the choice computes the elements that the operations define") {
    plait_test::random_views graphs(plait_test::number_from_environment("PLAIT_GRAPH_SEED", 8));
    int solved = 0, parts = 0, in_whole = 0;
    for (std::uint64_t i = 0, count = plait_test::number_from_environment("PLAIT_GRAPHS", 400); i < count; ++i) {
        const large_graph g = graphs.make(1 + graphs.below(9));
        const auto found = try_choose_formats(g);
        if (!found) continue;
        CAPTURE(i);
        run(g, *found);
        ++solved;
        parts += found->parts.size();
        for (const graph_reorder& r : found->reorders) in_whole += r.into >= 0;
    }
    CHECK(solved > 300);
    CHECK(parts > 300);
    CHECK(in_whole > 50);
}

}}  // namespace test_graph_views_in_memory
