// Descriptors made from tags and from strides, and comparisons of two descriptors.

#include "differential/referee.hpp"
#include "laws/stride_rules.hpp"

using namespace plait;
using namespace plait::detail;

namespace differential {
namespace {

/// True if the number of padded elements does not fit in 63 bits (semantics 1). A zero or dynamic extent counts as one.
bool overflows(const dims& extents, const format_tag& tag) {
    double product = 1;
    for (int a = 0; a < extents.size(); ++a)
        if (extents[a] > 0) {
            const auto block = static_cast<double>(tag.block_size(a));
            product *=
                (static_cast<double>(extents[a] - 1) - static_cast<double>((extents[a] - 1) % tag.block_size(a))) +
                block;
        }
    // For the strides, a zero extent counts as one block.
    for (int a = 0; a < extents.size(); ++a)
        if (extents[a] <= 0) product *= static_cast<double>(tag.block_size(a));
    return product >= 9223372036854775808.0;
}

dims random_extents(random_source& random, int n) {
    dims out;
    for (int a = 0; a < n; ++a)
        out.push_back(random.once_in(12)   ? 0
                      : random.once_in(12) ? dynamic
                      : random.once_in(4)  ? 1
                      : random.once_in(60) ? -random.between(1, 3)
                      : random.once_in(60) ? dim_t{1} << random.between(20, 40)
                                           : random.between(1, 40));
    return out;
}

/// True if some stride is dynamic in both layouts, but depends on the extents of different axes, or of no axis in one
/// of them.
bool follow_differently(const layout& a, const layout& b) {
    for (int axis = 0; axis < a.ndims() && axis < b.ndims(); ++axis) {
        const dim_t x = a.digits[axis].stride, y = b.digits[axis].stride;
        if (!is_known(x) && !is_known(y) && x != y) return true;
    }
    return false;
}

}  // namespace

void ask_tag(random_source& random, referee& judge) {
    static const std::vector<named_tag> tags = all_named_tags();
    const named_tag& named = tags[static_cast<std::size_t>(random.between(0, static_cast<dim_t>(tags.size()) - 1))];
    const int n = random.once_in(30) ? static_cast<int>(random.between(0, max_ndims)) : named.tag.ndims();
    const bool any = random.once_in(40);
    const dims extents = random_extents(random, n);
    format_tag tag = named.tag;
    if (any) tag = {}, tag.kind = format_kind::any;
    const verdict why = check_layout(extents, tag);
    const expected<layout> made = try_layout(extents, tag);
    answer theirs;
    theirs.status = dnnl_memory_desc_init_by_tag(&theirs.made, n, array_of(extents).numbers, dnnl_f32,
                                                 any ? dnnl_format_tag_any : named.number);
    const auto fail = [&](const char* what) {
        judge.failed("init_by_tag", what, {}, to_text("dims", extents) + "tag " + dnnl_fmt_tag2str(named.number), why,
                     made, theirs);
    };
    if (made.has_value() != why.ok()) return fail("the check and the operation disagree");
    if (n == 0) {
        // The empty layout is the only layout without axes.
        const bool as_said = theirs.ok() && theirs.made.ndims == 0 && (any ? !made || made->ndims() == 0 : !made);
        return as_said ? judge.differed(
                             "init_by_tag",
                             "semantics 2: no axes are the empty layout there, whatever the tag; here the rank differs")
                       : fail("no axes");
    }
    const bool too_large = overflows(extents, any ? plain_tag(n) : tag);
    if (why.reason == reason::size_overflows && too_large && theirs.ok())
        return judge.differed("init_by_tag",
                              "semantics 1: products of more than 63 bits are refused; oneDNN does not look");
    if (!same_status(why.status(), theirs.status)) return fail("the statuses differ");
    if (made && !same_fields(*made, theirs.made)) return fail("the fields differ");
    if (made && !check_layout(*made).ok()) return fail("the result is no layout");
    judge.agreed("init_by_tag", made.has_value());
}

void ask_strides(random_source& random, referee& judge) {
    const int n = static_cast<int>(random.between(1, random.once_in(10) ? max_ndims : 5));
    dims extents;
    for (int a = 0; a < n; ++a)
        extents.push_back(random.once_in(14)   ? 0
                          : random.once_in(25) ? dynamic
                          : random.once_in(3)  ? 1
                          : random.once_in(80) ? -1
                                               : random.between(1, 9));
    // Usually strides that nest, in any order, with gaps; sometimes arbitrary numbers.
    strides steps;
    for (int a = 0; a < n; ++a) steps.push_back(0);
    dim_t stride = random.between(1, 2);
    for (dim_t a : random.order(n)) {
        const int axis = static_cast<int>(a);
        steps[axis] = stride;
        if (extents[axis] > 0) stride *= extents[axis];
        stride += random.once_in(4) ? random.between(-1, 5) : 0;
    }
    for (int a = 0; a < n; ++a)
        if (random.once_in(12)) steps[a] = random.once_in(3) ? 0 : random.once_in(3) ? dynamic : random.between(-9, 60);
    const bool without = random.once_in(12);
    const expected<layout> made =
        without ? make_layout(extents, plait_test::plain_order(identity_permutation(n))) : make_layout(extents, steps);
    answer theirs;
    theirs.status = dnnl_memory_desc_init_by_strides(&theirs.made, n, array_of(extents).numbers, dnnl_f32,
                                                     without ? nullptr : array_of(steps).numbers);
    const auto fail = [&](const char* what) {
        judge.failed("init_by_strides", what, {},
                     to_text("dims", extents) + (without ? "no strides" : to_text("strides", steps)), made.error(),
                     made, theirs);
    };
    const bool unknown = has(extents, 0) || has(extents, dynamic);
    const bool same = same_status(made.error().status(), theirs.status) && (!made || same_fields(*made, theirs.made));
    if (made && !check_layout(*made).ok()) return fail("the result is no layout");
    if (without && unknown && theirs.ok()) {
        if (!made || made->strides() != plait_test::row_major(extents)) return fail("null strides are not row-major");
        if (!same) return judge.differed("init_by_strides", "semantics 3: null strides are those of the tag abc...");
    }
    if (!without && (unknown || has(steps, dynamic)) && theirs.ok() && !made) {
        if (plait_test::known_axes_nest(extents, steps)) return fail("refused, though the known axes nest");
        return judge.differed("init_by_strides",
                              "semantics 3: zero and dynamic extents do not switch the stride rule off");
    }
    if (!without && made && !theirs.ok() && !plait_test::known_axes_nest(extents, steps))
        return judge.differed("init_by_strides", "semantics 3: what is only read may have elements that share places");
    // If oneDNN accepts such strides, it uses offset0 = 0, and the layout would have elements before its memory.
    if (!same && made && runs_backwards(*made) && made->offset0 > 0)
        return judge.differed("init_by_strides",
                              "semantics 3: a negative stride is read as it is, from an offset0 that is high enough");
    if (!same) return fail("the answers differ");
    judge.agreed("init_by_strides", made.has_value());
}

void ask_equal(random_source& random, referee& judge) {
    const layout a = random_layout(random);
    layout b = random.once_in(8) ? random_layout(random) : a;
    if (a.kind == format_kind::blocked && b.kind == format_kind::blocked && !random.once_in(4)) {
        const int axis = static_cast<int>(random.between(0, b.ndims() - 1));
        switch (random.between(0, 4)) {
            case 0: b.digits[axis].stride = random.between(-3, 40); break;
            case 1: b.offset0 += random.between(0, 1); break;
            case 2: b.padded_offsets[axis] += random.between(0, 1); break;
            case 3: b.padded_dims[axis] += b.block_size(axis), b.digits[axis].extent += 1; break;
            default: b = layout(b.dims, random.tag(b.ndims(), 2, 4)); break;
        }
    }
    const dnnl_memory_desc_t x = descriptor_of(a), y = descriptor_of(b);
    const bool theirs = dnnl_memory_desc_equal(&x, &y) != 0;
    // A descriptor has less information than a layout if strides are dynamic: a layout knows which extents they depend
    // on.
    const bool ours = a == b;
    if (ours != (b == a)) return judge.failed("equal", "not symmetric", a, "against" + to_text(y), {}, {b, {}}, {});
    if (ours != theirs && theirs && a.kind == format_kind::blocked && b.kind == format_kind::blocked &&
        follow_differently(a, b))
        return judge.differed("equal",
                              "semantics 9: dynamic strides that follow from other axes are not equal to unknown ones");
    if (ours != theirs)
        return judge.failed("equal", ours ? "equal here" : "equal there", a, "against" + to_text(y), {}, {b, {}}, {});
    judge.agreed("equal", ours);
}

}  // namespace differential
