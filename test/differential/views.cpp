// Descriptors of parts and permuted descriptors, compared with oneDNN's.

#include <plait/algebra/inverse.hpp>
#include "differential/elements.hpp"
#include "laws/part_rules.hpp"

#include <plait/algebra/permute_axes.hpp>
#include <plait/algebra/reshape.hpp>
#include <plait/algebra/submemory.hpp>

using namespace plait;
using namespace plait::detail;
using plait_test::may_be_part, plait_test::part_rule;

namespace differential {

namespace {

/// Returns a part of l, or l permuted or reshaped, as the argument of the next operation.
layout operated_on(random_source& random, const layout& l) {
    switch (random.between(0, 2)) {
        case 0: return permute_axes(l, random.order(l.ndims()));
        case 1: {
            dims extents = l.dims;
            position offsets = l.padded_offsets;
            for (int a = 0; a < l.ndims(); ++a) {
                const dim_t block = l.block_size(a), blocks = divide_up(l.dims[a], block);
                offsets[a] = blocks == 0 ? 0 : random.between(0, blocks - 1) * block;
                extents[a] -= offsets[a];
                if (extents[a] > 0 && random.once_in(3)) extents[a] = random.between(1, extents[a]);
            }
            return try_submemory(l, extents, offsets).value_or(l);
        }
        default: {
            dims to = l.dims;
            for (dim_t& extent : to)
                if (extent > 3 && extent % 2 == 0 && to.size() < max_ndims) {
                    extent /= 2;
                    to.push_back(1);
                    for (int a = to.size() - 1; &to[a - 1] != &extent; --a) to[a] = to[a - 1];
                    *(&extent + 1) = 2;
                    break;
                }
            return try_reshape(l, to).value_or(l);
        }
    }
}

}  // namespace

layout random_layout(random_source& random) {
    if (random.once_in(60)) return {};
    if (random.once_in(30)) {
        format_tag any;
        any.kind = format_kind::any;
        return *make_layout(random.small_layout().dims, any);
    }
    layout l = random.small_layout();
    while (runs_backwards(l)) l = random.small_layout();  // oneDNN has no negative strides
    while (random.once_in(3)) {
        // If strides overlap, an axis may be split into digits that no descriptor of oneDNN can express.
        const layout next = operated_on(random, l);
        if (is_blocking(next)) l = next;
    }
    if (random.once_in(20)) {
        dims extents = l.dims;
        extents[static_cast<int>(random.between(0, l.ndims() - 1))] = dynamic;
        return layout(extents, random.tag(l.ndims(), 2, 4));
    }
    if (random.once_in(50)) {
        const dims extents = l.dims;
        l = layout(extents, plait_test::plain_order(random.order(l.ndims())));
        l.digits[static_cast<int>(random.between(0, l.ndims() - 1))].stride = dynamic;
    }
    return l;
}

void ask_submemory(random_source& random, referee& judge) {
    const layout parent = random_layout(random);
    dims extents;
    position offsets;
    for (int a = 0; a < parent.ndims(); ++a) {
        const dim_t extent = parent.dims[a] == dynamic ? 4 : parent.dims[a];
        const dim_t block = parent.kind == format_kind::blocked ? parent.block_size(a) : 1;
        dim_t first = random.between(0, extent);
        if (!random.once_in(4)) first -= first % block;
        dim_t size = random.once_in(3) ? extent - first : random.between(0, extent - first);
        if (!random.once_in(4) && size > block) size -= size % block;
        if (random.once_in(40)) size = random.once_in(2) ? dynamic : random.between(-2, 9);
        if (random.once_in(40)) first = random.once_in(2) ? dynamic : random.between(-2, 9);
        extents.push_back(size);
        offsets.push_back(first);
    }
    const verdict why = check_submemory(parent, extents, offsets);
    const expected<layout> made = try_submemory(parent, extents, offsets);
    const dnnl_memory_desc_t from = descriptor_of(parent);
    answer theirs;
    theirs.status =
        dnnl_memory_desc_init_submemory(&theirs.made, &from, array_of(extents).numbers, array_of(offsets).numbers);
    const auto fail = [&](const char* what) {
        judge.failed("submemory", what, parent, to_text("dims", extents) + to_text("offsets", offsets), why, made,
                     theirs);
    };
    const auto before = [&](const position& at, dim_t) {
        position out = at;
        for (int a = 0; a < at.size(); ++a) out[a] += offsets[a];
        return out;
    };
    if (made.has_value() != why.ok()) return fail("the check and the operation disagree");
    if (made && !keeps_elements(parent, *made, before)) return fail("elements have moved");
    if (theirs.ok() && !keeps_elements(parent, theirs.made, before)) return fail("oneDNN moves elements");
    if (same_status(why.status(), theirs.status) && (!made || same_fields(*made, theirs.made)))
        return judge.agreed("submemory", made.has_value());
    const bool unknown = parent.is_dynamic() || has(extents, dynamic) || has(offsets, dynamic);
    if (unknown && why.reason == reason::part_is_outside_parent && theirs.status == dnnl_unimplemented)
        return judge.differed("submemory", "semantics 8: whether the part is inside is asked before what is dynamic");
    if (made && theirs.ok() && made->volume() == 0 && theirs.made.offset0 < 0) {
        theirs.made.offset0 = made->offset0;
        return same_fields(*made, theirs.made)
                   ? judge.differed("submemory", "semantics 1: of no elements, the offset is not negative")
                   : fail("the answers differ");
    }
    if (parent.kind != format_kind::blocked || unknown) return fail("the answers differ");
    const bool allowed = may_be_part(parent, extents, offsets);
    if (allowed != made.has_value()) return fail("the rule for parts says otherwise");
    const char* rule = allowed && theirs.status == dnnl_unimplemented ? part_rule(parent, extents, offsets) : nullptr;
    if (rule != nullptr) return judge.differed("submemory", rule);
    fail("the answers differ");
}

void ask_permute(random_source& random, referee& judge) {
    const layout l = random_layout(random);
    permutation p = random.order(l.ndims());
    if (!p.empty() && random.once_in(15))
        p[static_cast<int>(random.between(0, p.size() - 1))] = random.between(-1, p.size());
    const verdict why = check_permute_axes(l, p);
    const expected<layout> made = try_permute_axes(l, p);
    const dnnl_memory_desc_t from = descriptor_of(l);
    int numbers[DNNL_MAX_NDIMS]{};
    for (int i = 0; i < p.size(); ++i) numbers[i] = static_cast<int>(p[i]);
    answer theirs;
    theirs.status = dnnl_memory_desc_permute_axes(&theirs.made, &from, numbers);
    const auto fail = [&](const char* what) {
        judge.failed("permute_axes", what, l, to_text("by", p), why, made, theirs);
    };
    if (made.has_value() != why.ok()) return fail("the check and the operation disagree");
    if (made && l.kind == format_kind::blocked && l.is_dynamic() && !theirs.ok()) {
        if (permute_axes(*made, inverse(p)) != l) return fail("there and back is not the same");
        return judge.differed("permute_axes", "semantics 6: what is dynamic may be permuted");
    }
    const auto before = [&](const position& at, dim_t) {
        position out = at;
        for (int i = 0; i < p.size(); ++i) out[i] = at[static_cast<int>(p[i])];
        return out;
    };
    if (made && l.kind == format_kind::blocked && !keeps_elements(l, *made, before)) return fail("elements have moved");
    if (!same_status(why.status(), theirs.status) || (made && !same_fields(*made, theirs.made)))
        return fail("the answers differ");
    judge.agreed("permute_axes", made.has_value());
}

}  // namespace differential
