// Reshaped descriptors, compared with oneDNN's.

#include "differential/elements.hpp"
#include "laws/reshape_rules.hpp"

#include <plait/algebra/reshape.hpp>

using namespace plait;
using namespace plait::detail;

using plait_test::volume_with_zeros_as_ones;

namespace differential {
namespace {

/// Returns extents that usually have the same product: axes of one element are added or removed, neighbours are joined,
/// others split.
dims random_new_dims(random_source& random, const dims& old) {
    std::vector<dim_t> out;
    for (int a = 0; a < old.size(); ++a) {
        const dim_t extent = old[a];
        if (extent == 1 && random.once_in(2)) continue;
        if (!out.empty() && extent > 0 && out.back() > 0 && random.once_in(3)) {
            out.back() *= extent;
        } else if (extent > 3 && random.once_in(2)) {
            dim_t factor = random.between(2, 4);
            while (extent % factor != 0) --factor;
            out.push_back(random.once_in(2) ? factor : extent / factor);
            out.push_back(extent / out.back());
        } else {
            out.push_back(extent);
        }
        if (random.once_in(5)) out.push_back(1);
    }
    if (random.once_in(4)) out.insert(out.begin(), 1);
    if (!out.empty() && random.once_in(12)) {
        constexpr dim_t odd[] = {0, dynamic, -1, -3, 2, 6, 12};
        out[static_cast<std::size_t>(random.between(0, static_cast<dim_t>(out.size()) - 1))] =
            odd[random.between(0, 6)];
    }
    if (out.size() > 1 && random.once_in(20)) std::swap(out.front(), out.back());
    return dims(out.data(), std::min<std::size_t>(out.size(), max_ndims));
}

}  // namespace

void ask_reshape(random_source& random, referee& judge) {
    const layout l = random_layout(random);
    const dims to = random_new_dims(random, l.dims);
    const verdict why = check_reshape(l, to);
    const expected<layout> made = try_reshape(l, to);
    const dnnl_memory_desc_t from = descriptor_of(l);
    answer theirs;
    theirs.status = dnnl_memory_desc_reshape(&theirs.made, &from, to.size(), array_of(to).numbers);
    const auto fail = [&](const char* what) { judge.failed("reshape", what, l, to_text("to", to), why, made, theirs); };
    const auto by = [&](const char* rule) { judge.differed("reshape", rule); };
    const auto before = [&](const position&, dim_t i) { return unravel(l.dims, i); };

    if (made.has_value() != why.ok()) return fail("the check and the operation disagree");
    if (l.is_dynamic()) {
        if (theirs.ok()) return fail("oneDNN reshapes what is not known");
        if (!made) return judge.agreed("reshape", false);
        return has(to, dynamic) || !has(l.dims, dynamic)
                   ? by("semantics 5: what is dynamic outside of the groups that change is kept")
                   : fail("a dynamic extent went away");
    }
    if (made && l.kind == format_kind::blocked && !keeps_elements(l, *made, before)) return fail("elements have moved");
    if (to.empty() && theirs.ok() && !made) return by("D4: oneDNN reshapes one element to no axes");
    const bool same = same_status(why.status(), theirs.status) && (!made || same_fields(*made, theirs.made));
    const bool sound = theirs.ok() && (l.kind != format_kind::blocked || keeps_elements(l, theirs.made, before));
    if (same) return theirs.ok() && !sound ? fail("both lose elements") : judge.agreed("reshape", made.has_value());
    if (made && !theirs.ok() && l.volume() == 0)
        return by("semantics 5: a tensor without elements is reshaped to any dims without elements");
    if (l.kind == format_kind::any) {
        const bool agree = volume(l.dims) == volume(to);
        const bool agree_there = volume_with_zeros_as_ones(l.dims) == volume_with_zeros_as_ones(to);
        if (agree == why.ok() && agree_there == theirs.ok() && volume(l.dims) * volume(to) == 0)
            return by(
                "semantics 5: a zero extent is zero; oneDNN counts it as one, which in `any` is all that it asks");
        return fail("the answers differ");
    }
    if (l.kind != format_kind::blocked) return fail("the answers differ");
    if (made && theirs.ok() && lack_elements(l, to) && *made == *regroup_empty(l, to))
        return by("semantics 5: without elements an axis with padding or a block is joined too, as a dense layout");
    const char* rule = plait_test::reshape_rule(l, to, why, theirs.ok(), sound);
    if (rule != nullptr) return by(rule);
    fail("the answers differ");
}

}  // namespace differential
