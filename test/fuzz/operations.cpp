// Arbitrary bytes as a layout, valid or not, and operations on it with arbitrary arguments. Each operation is refused
// or keeps its law.

#include "chains/brute_force.hpp"
#include "fuzz/arguments.hpp"
#include "fuzz/descriptors.hpp"
#include "fuzz/laws.hpp"

#include <plait/plait.hpp>

using namespace plait;
using namespace plait::detail;
using chains::joined, chains::map_of, chains::part, chains::permuted, chains::sliced, chains::starting_over,
    chains::stepped;
using fuzz::byte_source, fuzz::found;

namespace {

/// True if each operation is printed before it runs, which helps to examine a finding.
const bool tracing = std::getenv("PLAIT_FUZZ_TRACE") != nullptr;

/// Runs one operation in all its forms on l. Replaces l by the result, if there is one.
///
/// law(before, after) is called if the elements of both can be checked.
template <class Check, class Attempt, class Operate, class Into, class Law>
void run(const char* name, layout& l, const Check& check, const Attempt& attempt, const Operate& operate,
         const Into& into, const Law& law) {
    if (tracing) fuzz::print(name, l);
    const layout before = l;
    const bool was_one = check_layout(before).ok();
    const verdict why = check(l);
    const expected<layout> made = attempt(l);
    if (made.error() != why) found("the check and the operation disagree", name, l);
    for (const extra& besides : {extra(), extra{.s8s8_compensation = true, .s8s8_mask = 1},
                                 extra{.s8s8_compensation = true, .s8s8_mask = 3}}) {
        descriptor d;
        d.type = data_type::s8;
        d.layout = before;
        d.extra = besides;
        fuzz::run_descriptor(name, d, why, made, into);
    }
    if (describe(why).size() == 0) found("a verdict without a sentence", name, l);
    verdict thrown;
    try {
        l = operate(l);  // in place
    } catch (const rejection& refused) {
        thrown = refused.verdict();
    }
    if (thrown != why) found("refused with another verdict than that of the check", name, before);
    if (!made) {
        if (!fuzz::same_value(l, before)) found("refused, and yet the argument changed", name, before, l);
        return;
    }
    if (!fuzz::same_value(l, *made)) found("in place it is another result", name, before, l);
    if (!was_one) return;
    if (!check_layout(*made).ok()) found("the result is no layout", name, before, *made);
    if (fuzz::is_small(before) && fuzz::is_small(*made) && !law(before, *made))
        found("the law is broken", name, before, *made);
}

// The check and the operations of one name, with their arguments bound.
#define PLAIT_FUZZ_FORMS(operation, ...)                                                           \
#operation, l, [&](const layout& x) { return check_##operation(x __VA_OPT__(, ) __VA_ARGS__); }, \
        [&](const layout& x) { return try_##operation(x __VA_OPT__(, ) __VA_ARGS__); },   \
        [&](const layout& x) { return operation(x __VA_OPT__(, ) __VA_ARGS__); },         \
        [&](auto& out, const auto& in) requires requires { \
        operation(out, in __VA_OPT__(, ) __VA_ARGS__);                                             \
    }                                                                                              \
    { return operation(out, in __VA_OPT__(, ) __VA_ARGS__); }

layout another(byte_source& bytes) {
    const layout out = fuzz::layout_from(bytes);
    if (tracing) fuzz::print("another", out);
    return out;
}

void operate(layout& l, byte_source& bytes) {
    const auto axis = [&] { return bytes.once_in(10) ? bytes.integer() : bytes.below(l.ndims() + 1); };
    const auto none = [](const layout&, const layout&) { return true; };
    switch (bytes.below(24)) {
        case 0: {
            const permutation p = fuzz::permutation_from(bytes, l.ndims());
            return run(PLAIT_FUZZ_FORMS(permute_axes, p),
                       [&](const layout& a, const layout& b) { return map_of(b) == permuted(map_of(a), p); });
        }
        case 1: {
            const permutation p = fuzz::permutation_from(bytes, l.ndims());
            return run(PLAIT_FUZZ_FORMS(rename_axes, p),
                       [&](const layout& a, const layout& b) { return map_of(a) == permuted(map_of(b), p); });
        }
        case 2: {
            const dims to = fuzz::extents_near(bytes, l.dims);
            return run(PLAIT_FUZZ_FORMS(reshape, to), fuzz::same_order);
        }
        case 3: {
            const dims to = fuzz::extents_near(bytes, l.dims);
            return run(PLAIT_FUZZ_FORMS(view, to), fuzz::same_order);
        }
        case 4: {
            const auto flags = static_cast<reshape_flags>(bytes.below(4));
            const dims to = fuzz::extents_near(
                bytes, has_flag(flags, reshape_flags::allow_padding_mismatch) ? l.padded_dims : l.dims);
            return run(PLAIT_FUZZ_FORMS(extended_reshape, to, flags), [&](const layout& a, const layout& b) {
                if (flags == reshape_flags::none) return fuzz::same_order(a, b);
                return flags != reshape_flags::allow_order_mismatch || fuzz::same_places(a, b);
            });
        }
        case 5: {
            const fuzz::region r = fuzz::region_in(bytes, l);
            return run(PLAIT_FUZZ_FORMS(submemory, r.extents, r.offsets), [&](const layout& a, const layout& b) {
                return map_of(b) == part(map_of(a), r.extents, r.offsets);
            });
        }
        case 6: {
            const int first = axis(), last = bytes.once_in(4) ? axis() : first + bytes.below(3);
            return run(PLAIT_FUZZ_FORMS(join_axes, first, last), fuzz::same_order);
        }
        case 7: {
            const int which = axis();
            dims one;
            one.push_back(which >= 0 && which < l.ndims() ? l.dims[which] : 4);
            const dims to = fuzz::extents_near(bytes, one);
            return run(PLAIT_FUZZ_FORMS(split_axis, which, to), fuzz::same_order);
        }
        case 8: {
            const int first = axis(), last = axis();
            return run(PLAIT_FUZZ_FORMS(flatten, first, last), fuzz::same_order);
        }
        case 9: {
            const auto values = bytes.numbers<dims>(1);
            return run(PLAIT_FUZZ_FORMS(bind, values), none);
        }
        case 10: {
            const int which = axis();
            const dim_t index = bytes.number();
            return run(PLAIT_FUZZ_FORMS(slice, which, index),
                       [&](const layout& a, const layout& b) { return map_of(b) == sliced(map_of(a), which, index); });
        }
        case 11: {
            if (bytes.once_in(2)) {
                const int which = axis();
                const dim_t begin = bytes.number(), end = bytes.number(), step = bytes.number();
                return run(PLAIT_FUZZ_FORMS(strided_slice, which, begin, end, step),
                           [&](const layout& a, const layout& b) {
                               return map_of(b) == stepped(map_of(a), which, begin, b.dims[which], step);
                           });
            }
            const int which = axis();
            const dim_t count = bytes.number();
            return run(PLAIT_FUZZ_FORMS(repeat, which, count), [&](const layout& a, const layout& b) {
                return map_of(b) == starting_over(map_of(a), which, a.dims[which] * count);
            });
        }
        case 12: {
            const int which = axis();
            const dim_t extent = bytes.number();
            return run(PLAIT_FUZZ_FORMS(broadcast_axis, which, extent), [&](const layout& a, const layout& b) {
                return map_of(b) == starting_over(map_of(a), which, extent);
            });
        }
        case 13: {
            strides steps = l.strides();
            if (bytes.once_in(2)) steps = bytes.numbers<strides>(l.ndims());
            return run(PLAIT_FUZZ_FORMS(with_strides, steps), none);
        }
        case 14: return run(PLAIT_FUZZ_FORMS(canonical_form), fuzz::same_order);
        case 15: return run(PLAIT_FUZZ_FORMS(inverse), fuzz::inverted);
        case 16: {
            const dim_t size = bytes.once_in(2) ? bytes.number() : bytes.below(30) * bytes.below(30);
            return run(PLAIT_FUZZ_FORMS(complement, size), none);
        }
        case 17: {
            const layout other = another(bytes);
            return run(PLAIT_FUZZ_FORMS(compose, other),
                       [&](const layout& a, const layout& b) { return fuzz::composed(a, other, b); });
        }
        case 18: {
            const layout other = another(bytes);
            return run(PLAIT_FUZZ_FORMS(concatenate, other), none);
        }
        case 19: {
            const layout other = another(bytes);
            if (bytes.once_in(2)) return run(PLAIT_FUZZ_FORMS(divide, other), none);
            return run(PLAIT_FUZZ_FORMS(product, other), none);
        }
        case 20: {
            // The two parts of a tensor that was cut, or any other layout.
            const int which = axis();
            dims first = l.dims, second = l.dims;
            position begin = fuzz::origin_of(l), behind = begin;
            layout other = l;
            if (which >= 0 && which < l.ndims() && l.dims[which] > 0 && !bytes.once_in(6)) {
                first[which] = behind[which] = std::min<dim_t>(l.dims[which], bytes.below(9));
                second[which] -= first[which];
                other = try_submemory(l, second, behind).value_or(l);
                l = try_submemory(l, first, begin).value_or(l);
            } else {
                other = another(bytes);
            }
            return run(PLAIT_FUZZ_FORMS(concatenate_along, other, which), [&](const layout& a, const layout& b) {
                return !fuzz::is_small(other) || map_of(b) == joined(map_of(a), map_of(other), which);
            });
        }
        case 21: {
            const auto have = fuzz::map_from(bytes, l.ndims()), need = fuzz::map_from(bytes, l.ndims());
            return run(PLAIT_FUZZ_FORMS(adapt, have, need), fuzz::same_places);
        }
        case 23: {
            const auto pattern = parse_axis_pattern(fuzz::pattern_from(bytes, l.ndims()));
            if (!pattern) return;
            std::vector<named_extent> found;
            dims given;
            for (int i = 0; i < pattern->names.size(); ++i) {
                given.push_back(bytes.once_in(2) ? dynamic : bytes.number());
                if (given.back() != dynamic) found.push_back({pattern->name(i), given.back()});
            }
            if (bytes.once_in(16)) found.push_back({"other", bytes.number()});
            const named_extents extents(found.data(), found.size());
            return run(PLAIT_FUZZ_FORMS(rearrange, *pattern, extents),
                       [&](const layout& a, const layout& b) { return fuzz::rearranged(a, b, *pattern, given); });
        }
        default: {
            const auto sizes = bytes.numbers<dims>(l.ndims());
            return run(PLAIT_FUZZ_FORMS(tile, sizes), none);
        }
    }
}

/// Calls all functions that only read a layout, valid or not.
void look_at(const layout& l, byte_source& bytes) {
    if (explain(l).empty()) found("nothing to say", "explain", l);
    static_cast<void>(hash_of(l));
    static_cast<void>(alias_names(l));
    static_cast<void>(matches_tag(l, fuzz::tag_from(bytes, l.ndims())));
    static_cast<void>(try_v0_blocking_of(l));
    if (l.is_dense() && !is_injective(l)) found("dense, and elements share places", "is_dense", l);
    if (check_find_overlap(l).ok()) {
        const std::optional<overlap> shared = find_overlap(l);
        if (shared.has_value() == is_injective(l)) found("both", "find_overlap", l);
        if (shared && (shared->first == shared->second || l.padded_offset(shared->first) != shared->offset ||
                       l.padded_offset(shared->second) != shared->offset))
            found("nothing is shared there", "find_overlap", l);
    }
    if (check_static_layout(l).ok()) {
        const offset_range range = element_offsets(l);
        if (range.first < 0 || range.last < range.first - 1) found("no range", "element_offsets", l);
        if (range.last > 0 && static_cast<std::size_t>(range.last - l.span_begin()) >= l.element_span())
            found("beyond the span", "element_offsets", l);
        if (!check_canonical_form(l).ok()) found("a layout is refused", "canonical_form", l);
        if (is_injective(l) && !has_unique_elements(l)) found("elements share places", "has_unique_elements", l);
        if (fills_its_offsets(l) && element_offsets(l).first != 0) found("a gap in front", "fills_its_offsets", l);
        if (check_element_strides(l).ok()) static_cast<void>(element_strides(l));
    }
    if (check_find_gap(l).ok()) static_cast<void>(find_gap(l));
    if (!check_layout(l).ok() && (check_find_gap(l).ok() || check_position_of(l).ok()))
        found("decided, though it is no layout", "find_gap", l);
    if (is_nested(l) && check_static_layout(l).ok() && !is_injective(l) && first_shared_digit(l) < 0)
        found("no digit shares", "first_shared_digit", l);
    if (!same_memory(l, l) && check_canonical_form(l).ok() && l.kind == format_kind::blocked && !l.is_dynamic())
        found("not the same as itself", "same_memory", l);
    if (is_nested(l) != check_nested(l).ok()) found("both", "is_nested", l);
    if (check_position_of(l).ok()) static_cast<void>(position_of(l, bytes.number()));
    fuzz::look_at_descriptor(fuzz::descriptor_from(l, bytes));
    if (fuzz::is_small(l) && !fuzz::offsets_lead_back(l)) found("an offset does not lead back", "position_of", l);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    byte_source bytes(data, size);
    layout l = fuzz::layout_from(bytes);
    look_at(l, bytes);
    for (int times = 0; times < 6 && !bytes.empty(); ++times) operate(l, bytes);
    look_at(l, bytes);
    return 0;
}
