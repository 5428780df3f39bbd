#pragma once
// The forms that tensors take, and the costs of reorders between them. Tensors of the same dims share each layout.

#include <plait/algebra/same_memory.hpp>
#include <plait/graph/check_graph.hpp>

#include <cstdint>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// How a reorder moves data: in runs of a cache line or more, in shorter runs along one axis, or between different
/// innermost axes. The class of a reorder and of its inverse is the same.
enum class reorder_class { runs, pieces, transposition };
}  // namespace detail

/// Options of the cost model. None is negative.
struct cost_options {
    /// By reorder_class: the cost of one byte of such a reorder, in hundredths of a byte.
    dim_t percent[3] = {100, 100, 100};
    /// The number of runs of the graph, which share the cost of reordering constants once. 0: constants are free.
    dim_t runs = 0;
    /// The number of subproblems that branch and bound solves before it returns the best choice so far, marked as such.
    int most_nodes = 256;
    /// The search also ends if the cost is within this many hundredths of the lower bound; 0: only at the least cost.
    int within_percent = 0;
    constexpr bool operator==(const cost_options&) const = default;
};

namespace detail {
/// Checks that no option is negative.
constexpr verdict check_cost_options(const cost_options& of) {
    const dim_t numbers[] = {of.percent[0], of.percent[1], of.percent[2], of.runs, of.most_nodes, of.within_percent};
    for (dim_t i = 0; const dim_t number : numbers) {
        if (number < 0) return {reason::cost_option_is_negative, -1, i, number};
        ++i;
    }
    return {};
}

/// The upper limit of costs, so that intermediate sums fit in 63 bits.
inline constexpr dim_t most_cost = dim_t{1} << 61;

/// Returns the bytes of a number of elements of `bits` bits, rounded up.
///
/// Example: bytes_of_elements(4, {15}).value == 8
constexpr checked_integer bytes_of_elements(int bits, checked_integer count) {
    if (bits % 8 == 0) return count * (bits / 8);
    // Eight elements are whole bytes. Elements smaller than a byte take fewer bytes than their number.
    return {count.value / 8 * bits + divide_up(count.value % 8 * bits, 8), count.exact};
}

/// A layout shared by all tensors of some dims. Layouts of the same memory and size are one form, whatever their first
/// offset, because a pointer can be moved.
struct graph_form {
    layout canonical;
    dim_t span = 0;   ///< elements from the first to the last, padding included
    dim_t moved = 0;  ///< elements that a reorder moves, without the gaps between them
    int inner_axis = -1;
    dim_t inner_run = 1;  ///< consecutive elements of that axis
    int place = -1;       ///< the port of a concatenation that this is a copy for, which no other port may read
};

/// The forms by dims and format. Numbers from max_graph_formats on stand for layouts: first those of the graph, then
/// those that views make, in the order in which they were found.
class graph_forms {
public:
    constexpr explicit graph_forms(const any_graph auto& g)
        : formats_(g.formats.size()),
          shape_of_(g.tensors.size()),
          given_(g.layouts.size()),
          has_views_(!g.views.empty() || given_ > 0) {
        int places = 4;
        while (places < 2 * g.tensors.size()) places *= 2;
        heap_list<int> table(places, -1);  // shapes by their hash
        for (int t = 0; t < g.tensors.size(); ++t) {
            std::uint64_t hash = 0;
            for (const dim_t extent : g.tensors[t].dims) hash = (hash + static_cast<std::uint64_t>(extent)) * hash_step;
            int at = static_cast<int>(hash >> 33) % places;
            while (table[at] >= 0 && !(shapes_[table[at]] == g.tensors[t].dims)) at = (at + 1) % places;
            if (table[at] < 0) {
                table[at] = shapes_.size();
                shapes_.push_back(g.tensors[t].dims);
            }
            shape_of_[t] = table[at];
        }
        form_of_.resize(shapes_.size() * formats_, -1);
        for (const layout& l : g.layouts) layouts_.push_back(l);
        form_of_layout_.resize(given_, -1);
    }

    /// Returns the form of a tensor in a format of its rank, or in a layout of its dims; -1 if it exceeds 63 bits.
    constexpr int form(const any_graph auto& g, int tensor, int format) {
        if (format >= max_graph_formats) {
            const int k = format - max_graph_formats;
            if (layouts_[k].dims != g.tensors[tensor].dims) return -1;
            if (form_of_layout_[k] == -1) form_of_layout_[k] = add_form(layouts_[k], 0, forms_.size());
            return form_of_layout_[k];
        }
        const int shape = shape_of_[tensor];
        int& known = form_of_[shape * formats_ + format];
        if (known != -1) return known < 0 ? -1 : known;
        const expected<layout> made = make_layout(shapes_[shape], g.formats[format]);
        known = -2;
        if (!made) return -1;
        known = add_form(*made, shape, has_views_ ? forms_.size() : 0);
        if (known < 0) known = -2;
        return known < 0 ? -1 : known;
    }
    constexpr const graph_form& operator[](int form) const { return forms_[form]; }
    constexpr int size() const { return forms_.size(); }

    /// Returns the layout with a number from max_graph_formats on.
    constexpr const layout& layout_at(int format) const { return layouts_[format - max_graph_formats]; }
    constexpr int layouts() const { return layouts_.size(); }
    /// Returns the number of a tensor's layout, from 0 on. If a format of the graph is the same form, returns the
    /// number of that format. -1 if the layout exceeds 63 bits.
    constexpr int number_of(const any_graph auto& g, int tensor, layout l) {
        l.offset0 -= l.span_begin();
        const int wanted = add_form(l, 0, forms_.size());
        if (wanted < 0) return -1;
        for (int f = 0; f < formats_; ++f)
            if (g.formats[f].ndims() == l.ndims() && form(g, tensor, f) == wanted) return f;
        for (int k = given_; k < layouts_.size(); ++k)
            if (form_of_layout_[k] == wanted) return max_graph_formats + k;
        layouts_.push_back(l);
        form_of_layout_.push_back(wanted);
        return max_graph_formats + layouts_.size() - 1;
    }
    /// Returns a separate form for a copy that a port of a concatenation needs.
    constexpr int copy_for(int form, int port) {
        for (int k = 0; k < forms_.size(); ++k)
            if (forms_[k].place == port && forms_[k].span == forms_[form].span &&
                forms_[k].canonical == forms_[form].canonical)
                return k;
        graph_form added = forms_[form];
        added.place = port;
        forms_.push_back(added);
        return forms_.size() - 1;
    }

    /// Returns how a reorder between two forms, of elements of `bits` bits, moves data.
    constexpr reorder_class class_of(int a, int b, int bits) const {
        const graph_form &x = forms_[a], &y = forms_[b];
        if (x.inner_axis != y.inner_axis) return reorder_class::transposition;
        const dim_t run = x.inner_run < y.inner_run ? x.inner_run : y.inner_run;
        return run >= divide_up(64 * 8, bits) ? reorder_class::runs : reorder_class::pieces;
    }

    /// Returns the cost of a reorder between two forms: the bytes of both times the factor of its class, rounded up;
    /// for a constant, divided by the number of runs and rounded up. 0 from a form to itself. -1 if it exceeds 61 bits.
    ///
    /// Example: f32, {1, 64, 56, 56}, nhwc to nChw16c: 2 * 802816 bytes
    constexpr dim_t cost(int bits, bool is_constant, int a, int b, const cost_options& options) const {
        if (a == b || (is_constant && options.runs == 0)) return 0;
        checked_integer sum = bytes_of_elements(bits, {forms_[a].moved});
        const checked_integer other = bytes_of_elements(bits, {forms_[b].moved});
        sum += other.value;
        sum.exact = sum.exact && other.exact;
        if (const dim_t percent = options.percent[static_cast<int>(class_of(a, b, bits))]; percent != 100) {
            sum *= percent;
            sum.value = divide_up(sum.value, 100);
        }
        if (!sum.ok() || sum.value >= most_cost) return -1;
        return is_constant ? divide_up(sum.value, options.runs) : sum.value;
    }

private:
    static constexpr std::uint64_t hash_step = 0x9e3779b97f4a7c15u;  // odd, with irregular bits
    int formats_;
    heap_list<dims> shapes_;
    heap_list<int> shape_of_;  // by tensor
    int given_ = 0;            // number of layouts of the graph
    bool has_views_ = false;   // if true, forms are compared with all others
    heap_list<layout> layouts_;
    heap_list<int> form_of_layout_;  // -1: not made yet
    heap_list<int> form_of_;         // by shape and format; -1: not made yet, -2: impossible
    heap_list<graph_form> forms_;

    /// Returns the form of a layout, after searching the formats of this shape or the first `search` forms for it; -1
    /// if it exceeds 63 bits.
    constexpr int add_form(const layout& l, int shape, int search) {
        if (l.padded_volume() >= most_cost || l.element_span() >= static_cast<std::size_t>(most_cost)) return -1;
        graph_form added;
        added.canonical = l;
        added.span = static_cast<dim_t>(l.element_span());
        added.moved = added.span < l.padded_volume() ? added.span : l.padded_volume();
        if (const expected<layout> simplest = make_canonical_form(l); simplest.has_value()) added.canonical = *simplest;
        added.canonical.offset0 = 0;
        for (const digit& d : l.digits)
            if (d.stride == 1 && d.extent > 1) added.inner_axis = d.axis, added.inner_run = d.extent;
        const auto is_same = [&](int f) {
            return forms_[f].place < 0 && forms_[f].span == added.span && forms_[f].canonical == added.canonical;
        };
        for (int f = 0; f < search; ++f)
            if (is_same(f)) return f;
        for (int other = 0; search == 0 && other < formats_; ++other)
            if (const int f = form_of_[shape * formats_ + other]; f >= 0 && is_same(f)) return f;
        forms_.push_back(added);
        return forms_.size() - 1;
    }
};
}  // namespace detail
}  // namespace plait
