#pragma once
// The forms that tensors take: each layout is made once for all tensors of the same dims, and what reorders between
// forms cost.

#include <plait/algebra/same_memory.hpp>
#include <plait/graph/check_graph.hpp>

namespace plait {

/// How a reorder moves data: in runs of a cache line or more, in shorter runs along one axis, or with another axis
/// innermost in memory. The same both ways.
enum class reorder_class { runs, pieces, transposition };

/// What is said of costs besides the graph.
struct cost_options {
    /// By reorder_class, in hundredths: a byte of such a reorder counts as so many hundredths of one.
    dim_t percent[3] = {100, 100, 100};
    /// How often the graph runs: the reorders of constants, made once, are shared among them. 0: they cost nothing.
    dim_t runs = 0;
    /// How many subproblems branch and bound looks at before it answers the best it has, and says so.
    int most_nodes = 256;
    constexpr bool operator==(const cost_options&) const = default;
};

/// Costs stay below this, so that sums of them stay in 63 bits on the way.
inline constexpr dim_t most_cost = dim_t{1} << 61;

/// A layout of all tensors of some dims; layouts in the same memory and of the same size are one form.
struct graph_form {
    int format = -1;
    layout canonical;
    dim_t span = 0;  ///< elements, padding included
    int inner_axis = -1;
    dim_t inner_run = 1;  ///< elements of that axis in a row
};

/// The forms by dims and format.
class graph_forms {
public:
    template <class Storage>
    constexpr explicit graph_forms(const basic_graph<Storage>& g)
        : formats_(g.formats.size()), shape_of_(g.tensors.size()) {
        for (int t = 0; t < g.tensors.size(); ++t) {
            int s = 0;
            while (s < shapes_.size() && !(shapes_[s] == g.tensors[t].dims)) ++s;
            if (s == shapes_.size()) shapes_.push_back(g.tensors[t].dims);
            shape_of_[t] = s;
        }
        form_of_.resize(shapes_.size() * formats_, -1);
    }

    /// The form of a tensor in a format of its rank; -1 where it leaves the range of 63 bits.
    template <class Storage>
    constexpr int form(const basic_graph<Storage>& g, int tensor, int format) {
        const int shape = shape_of_[tensor];
        int& known = form_of_[shape * formats_ + format];
        if (known != -1) return known < 0 ? -1 : known;
        const expected<layout> made = make_layout(shapes_[shape], g.formats[format]);
        known = -2;
        if (!made.why.ok() || made.made.padded_volume() >= most_cost) return -1;
        graph_form added{format, made.made, 0, -1, 1};
        added.span = static_cast<dim_t>(made.made.element_span());
        if (const expected<layout> simplest = make_canonical_form(made.made); simplest.why.ok())
            added.canonical = simplest.made;
        for (const digit& d : made.made.digits)
            if (d.stride == 1 && d.extent > 1) added.inner_axis = d.axis, added.inner_run = d.extent;
        for (int other = 0; other < formats_ && known < 0; ++other) {
            const int f = form_of_[shape * formats_ + other];
            if (f >= 0 && forms_[f].span == added.span && forms_[f].canonical == added.canonical) known = f;
        }
        if (known < 0) {
            known = forms_.size();
            forms_.push_back(added);
        }
        return known;
    }
    constexpr const graph_form& operator[](int form) const { return forms_[form]; }
    constexpr int size() const { return forms_.size(); }

    /// How a reorder between two forms of elements of so many bytes moves them.
    constexpr reorder_class class_of(int a, int b, int bytes) const {
        const graph_form &x = forms_[a], &y = forms_[b];
        if (x.inner_axis != y.inner_axis) return reorder_class::transposition;
        const dim_t run = x.inner_run < y.inner_run ? x.inner_run : y.inner_run;
        return run * bytes >= 64 ? reorder_class::runs : reorder_class::pieces;
    }

    /// What a reorder between two forms costs: the bytes of both times the factor of its class, rounded up; of a
    /// constant divided by the number of runs, rounded up. 0 of a form to itself. -1 where it leaves 61 bits.
    ///
    /// Example: f32, {1, 64, 56, 56}, nhwc to nChw16c: 2 * 802816 bytes
    constexpr dim_t cost(const graph_tensor& tensor, int a, int b, const cost_options& options) const {
        if (a == b || (tensor.is_constant && options.runs == 0)) return 0;
        const int bytes = size_in_bytes(tensor.type);
        checked_integer sum{forms_[a].span};
        sum += forms_[b].span;
        sum *= bytes;
        if (const dim_t percent = options.percent[static_cast<int>(class_of(a, b, bytes))]; percent != 100) {
            sum *= percent;
            sum.value = divide_up(sum.value, 100);
        }
        if (!sum.ok() || sum.value >= most_cost) return -1;
        return tensor.is_constant ? divide_up(sum.value, options.runs) : sum.value;
    }

private:
    int formats_;
    heap_list<dims> shapes_;
    heap_list<int> shape_of_;  // by tensor
    heap_list<int> form_of_;   // by shape and format; -1: not made yet, -2: cannot be
    heap_list<graph_form> forms_;
};

}  // namespace plait
