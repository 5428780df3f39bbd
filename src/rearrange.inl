// Part of plait.cpp, after memory_desc.inl: rearranges axes of descriptors by a pattern, with a copy if necessary.

namespace {

outcome read_pattern(axis_pattern& out, const char* text) {
    if (const outcome step = check_pointer(text, "pattern"); !step) return step;
    // Reads one character more than the longest pattern has, so that a longer text is recognised as too long.
    const expected<axis_pattern> read =
        parse_axis_pattern({text, ::strnlen(text, plait::detail::max_pattern_length + 1)});
    out = *read;
    return answer(read.error());
}

/// Reads the extents of a pattern from names and numbers. `names` stay the caller's.
outcome read_extents(expected<dims>& out, const axis_pattern& pattern, int count, const char* const* names,
                     const plait_dim_t* extents) {
    dims numbers;
    if (const outcome step = read_numbers(numbers, count, extents, "extents"); !step) return step;
    if (count > 0)
        if (const outcome step = check_pointer(names, "names"); !step) return step;
    named_extent said[max_ndims];
    for (int i = 0; i < count; ++i) {
        if (names[i] == nullptr) return refuse(PLAIT_INVALID_ARGUMENTS, "pointer_is_null: names[%d] is null", i);
        said[i] = {{names[i], ::strnlen(names[i], plait::detail::max_pattern_length + 1)}, numbers[i]};
    }
    out = plait::detail::extents_by_name(pattern, {said, static_cast<std::size_t>(count)});
    return outcome{};
}

/// The arguments of einops' rearrange: axes by a pattern, and extents by their names.
struct rearrange_question {
    axis_pattern pattern;
    expected<dims> given;
};
outcome read_rearrange(rearrange_question& out, const char* text, int count, const char* const* names,
                       const plait_dim_t* extents) {
    if (const outcome step = read_pattern(out.pattern, text); !step) return step;
    return read_extents(out.given, out.pattern, count, names, extents);
}
/// Returns the copy that has the axes of a pattern, or the reason why check_rearrange_copy refuses it.
expected<rearranged_copy> attempt_rearrange_copy(const descriptor& d, const rearrange_question& asked) {
    if (!asked.given) return {{}, asked.given.error()};
    if (!d.extra.empty()) return {{}, {reason::descriptor_has_extra}};
    return plait::detail::make_rearranged_copy(d.layout, asked.pattern, *asked.given);
}

}  // namespace

extern "C" {

plait_status_t plait_memory_desc_rearrange(plait_memory_desc_t* out, const plait_memory_desc_t* in, const char* text,
                                           int count, const char* const* names, const plait_dim_t* extents) {
    return operate_on(out, in, [&](const descriptor& from, expected<descriptor>& made) {
        rearrange_question asked;
        if (const outcome step = read_rearrange(asked, text, count, names, extents); !step) return step;
        made = plait::detail::with_made_layout(
            from, from.type, sums_rule::refuse, asked.given.and_then([&](const dims& given) {
                return plait::detail::make_rearranged(from.layout, asked.pattern, given);
            }));
        if (made) return outcome{};
        const expected<rearranged_copy> copy = attempt_rearrange_copy(from, asked);
        if (!copy) return outcome{};
        char remedy[200];
        std::snprintf(remedy, sizeof remedy, "a reorder to %.150s does it: rearrange_copy",
                      format_name(copy->to).c_str());
        return answer(made.error(), "", remedy);
    });
}

plait_status_t plait_memory_desc_rearrange_copy(plait_memory_desc_t* to, plait_memory_desc_t* result,
                                                const plait_memory_desc_t* in, const char* text, int count,
                                                const char* const* names, const plait_dim_t* extents) {
    return guarded([&] {
        if (const outcome step = check_pointer(to, "to"); !step) return step;
        if (const outcome step = check_pointer(result, "result"); !step) return step;
        descriptor from;
        if (const outcome step = read_descriptor(from, in, "in"); !step) return step;
        rearrange_question asked;
        if (const outcome step = read_rearrange(asked, text, count, names, extents); !step) return step;
        const expected<rearranged_copy> copy = attempt_rearrange_copy(from, asked);
        if (const outcome step = answer(copy.error()); !step) return step;
        const auto described = [&](const layout& l) {
            return plait::detail::with_made_layout(from, from.type, sums_rule::refuse, {l, {}});
        };
        const expected<descriptor> moved = described(copy->to), rearranged = described(copy->result);
        if (const outcome step = answer(!moved ? moved.error() : rearranged.error()); !step) return step;
        plait_memory_desc_t written;  // so that the first is unchanged if the second is refused
        if (const outcome step = write_descriptor(&written, *moved); !step) return step;
        if (const outcome step = write_descriptor(result, *rearranged); !step) return step;
        *to = written;
        return outcome{};
    });
}

}  // extern "C"
