// Part of plait.cpp: functions that make descriptors, from scratch or from others.

namespace {

/// Applies an operation to the descriptor `in`, and writes the result. operate(descriptor&, expected<descriptor>&) also
/// reads the other arguments.
template <class Operate>
plait_status_t operate_on(plait_memory_desc_t* out, const plait_memory_desc_t* in, const Operate& operate) noexcept {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        descriptor from;
        if (const outcome step = read_descriptor(from, in, "in"); !step) return step;
        expected<descriptor> attempt;
        if (const outcome step = operate(from, attempt); !step) return step;
        if (const outcome step = answer(attempt.error()); !step) return step;
        return write_descriptor(out, *attempt);
    });
}

/// Writes the descriptor of a new layout. make(dims, expected<layout>&) also reads the other arguments.
template <class Make>
plait_status_t init(plait_memory_desc_t* out, int ndims, const plait_dim_t* extents, plait_data_type_t type,
                    const Make& make) noexcept {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (type <= PLAIT_UNDEF || type >= detail::element_type_count)
            return refuse(PLAIT_INVALID_ARGUMENTS, "data_type_is_unknown: number %d", type);
        dims to;
        if (const outcome step = read_numbers(to, ndims, extents, "dims"); !step) return step;
        expected<layout> attempt;
        if (const outcome step = make(to, attempt); !step) return step;
        if (const outcome step = answer(attempt.error()); !step) return step;
        if (attempt->kind == format_kind::undef) return answer({reason::layout_is_undefined});
        descriptor made;
        made.type = static_cast<data_type>(type);
        made.layout = *attempt;
        return write_descriptor(out, made);
    });
}

outcome read_tag(format_tag& out, const char* text) {
    if (const outcome step = check_pointer(text, "tag"); !step) return step;
    // Reads one character more than the longest tag has, so that a longer text is recognised as too long.
    const std::string_view tag(text, ::strnlen(text, plait::detail::max_tag_length + 1));
    const expected<format_tag> read = parse_format_tag(tag);
    out = *read;
    return answer(read.error());
}

outcome read_permutation(permutation& out, const descriptor& d, const int* numbers, const char* name) {
    if (d.layout.kind == format_kind::undef) return answer({reason::layout_is_undefined});
    return read_numbers(out, d.ndims(), numbers, name);
}

/// Regroups axes by the operation attempt(descriptor, dims).
template <class Attempt>
plait_status_t regroup_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in, int new_ndims,
                            const plait_dim_t* new_dims, const Attempt& attempt) noexcept {
    return operate_on(out, in, [&](const descriptor& from, expected<descriptor>& made) {
        dims to;
        if (const outcome step = read_numbers(to, new_ndims, new_dims, "new_dims"); !step) return step;
        made = attempt(from, to);
        return outcome{};
    });
}

}  // namespace

extern "C" {

plait_status_t plait_memory_desc_init_by_tag(plait_memory_desc_t* out, int ndims, const plait_dim_t* extents,
                                             plait_data_type_t type, const char* text) {
    return init(out, ndims, extents, type, [&](const dims& to, expected<layout>& made) {
        format_tag tag;
        if (const outcome step = read_tag(tag, text); !step) return step;
        made = plait::detail::make_layout(to, tag);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_init_by_strides(plait_memory_desc_t* out, int ndims, const plait_dim_t* extents,
                                                 const plait_dim_t* given, plait_data_type_t type) {
    return init(out, ndims, extents, type, [&](const dims& to, expected<layout>& made) {
        strides steps;
        if (given == nullptr) made = plait::detail::identity_of(to);
        else if (const outcome step = read_numbers(steps, ndims, given, "strides"); !step) return step;
        else made = plait::detail::make_layout(to, steps);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_init_by_tag_and_strides(plait_memory_desc_t* out, int ndims,
                                                         const plait_dim_t* extents, plait_data_type_t type,
                                                         const char* text, const plait_dim_t* given) {
    return init(out, ndims, extents, type, [&](const dims& to, expected<layout>& made) {
        format_tag tag;
        strides steps;
        if (const outcome step = read_tag(tag, text); !step) return step;
        if (const outcome step = read_numbers(steps, ndims, given, "strides"); !step) return step;
        made = plait::detail::make_layout(to, tag, steps);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_submemory(plait_memory_desc_t* out, const plait_memory_desc_t* parent,
                                           const plait_dim_t* extents, const plait_dim_t* offsets) {
    return operate_on(out, parent, [&](const descriptor& from, expected<descriptor>& made) {
        dims part;
        position begin;
        if (const outcome step = read_numbers(part, from.ndims(), extents, "dims"); !step) return step;
        if (const outcome step = read_numbers(begin, from.ndims(), offsets, "offsets"); !step) return step;
        made = try_submemory(from, part, begin);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_strided_slice(plait_memory_desc_t* out, const plait_memory_desc_t* in, int axis,
                                               plait_dim_t begin, plait_dim_t end, plait_dim_t step) {
    return operate_on(out, in, [&](const descriptor& from, expected<descriptor>& made) {
        made = try_strided_slice(from, axis, begin, end, step);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_of_size(plait_memory_desc_t* out, const plait_memory_desc_t* in, size_t bytes) {
    return operate_on(out, in, [&](const descriptor& from, expected<descriptor>& made) -> outcome {
        const dim_t size = bytes <= 16 ? static_cast<dim_t>(bytes) : 0;
        if (plait::detail::carrier_of(size) == data_type::undef)
            return refuse(
                PLAIT_INVALID_ARGUMENTS,
                "element_size_is_unknown: elements of %zu bytes are not moved, but those of 1, 2, 4, 8 and 16", bytes);
        if (size == 16 && from.ndims() == max_ndims)
            return refuse(
                PLAIT_INVALID_ARGUMENTS,
                "ndims_is_out_of_range: in has %d axes, but elements of 16 bytes, which are moved as two of 8, "
                "have at most %d",
                max_ndims, max_ndims - 1);
        if (!from.extra.empty()) return answer({reason::descriptor_has_extra});
        made = plait::detail::descriptor_of_size(from.layout, size);
        return {};
    });
}

plait_status_t plait_memory_desc_check(const plait_memory_desc_t* desc) {
    return guarded([&] {
        descriptor d;
        return read_descriptor(d, desc, "desc");
    });
}

plait_status_t plait_memory_desc_reshape(plait_memory_desc_t* out, const plait_memory_desc_t* in, int new_ndims,
                                         const plait_dim_t* new_dims) {
    return regroup_axes(out, in, new_ndims, new_dims,
                        [](const descriptor& d, const dims& to) { return try_reshape(d, to); });
}

plait_status_t plait_memory_desc_extended_reshape(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                                  int new_ndims, const plait_dim_t* new_dims, unsigned flags) {
    constexpr unsigned known = PLAIT_EXTENDED_RESHAPE_ALLOW_LOGICAL_PHYSICAL_ORDER_MISMATCH |
                               PLAIT_EXTENDED_RESHAPE_ALLOW_DIMS_PADDED_DIMS_MISMATCH;
    if ((flags & ~known) != 0)
        return refuse(PLAIT_INVALID_ARGUMENTS, "reshape_flag_is_unknown: the flags are %#x, of which %#x are known",
                      flags, known)
            .status;
    return regroup_axes(out, in, new_ndims, new_dims, [flags](const descriptor& d, const dims& to) {
        return try_extended_reshape(d, to, static_cast<reshape_flags>(flags));
    });
}

plait_status_t plait_memory_desc_view(plait_memory_desc_t* out, const plait_memory_desc_t* in, int new_ndims,
                                      const plait_dim_t* new_dims) {
    return regroup_axes(out, in, new_ndims, new_dims,
                        [](const descriptor& d, const dims& to) { return try_view(d, to); });
}

plait_status_t plait_memory_desc_split_axis(plait_memory_desc_t* out, const plait_memory_desc_t* in, int axis,
                                            int count, const plait_dim_t* parts) {
    return regroup_axes(out, in, count, parts,
                        [axis](const descriptor& d, const dims& to) { return try_split_axis(d, axis, to); });
}

plait_status_t plait_memory_desc_join_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in, int first,
                                           int last) {
    return operate_on(out, in, [&](const descriptor& from, expected<descriptor>& made) {
        made = try_join_axes(from, first, last);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_forget_padding(plait_memory_desc_t* out, const plait_memory_desc_t* in) {
    return operate_on(out, in, [](const descriptor& from, expected<descriptor>& made) {
        made = try_forget_padding(from);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_recast(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                        plait_data_type_t type) {
    if (type <= PLAIT_UNDEF || type >= detail::element_type_count)
        return refuse(PLAIT_INVALID_ARGUMENTS, "data_type_is_unknown: number %d", type).status;
    return operate_on(out, in, [type](const descriptor& from, expected<descriptor>& made) {
        made = try_recast(from, static_cast<data_type>(type));
        return outcome{};
    });
}

plait_status_t plait_memory_desc_permute_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                              const int* perm) {
    return operate_on(out, in, [&](const descriptor& from, expected<descriptor>& made) {
        permutation p;
        if (const outcome step = read_permutation(p, from, perm, "perm"); !step) return step;
        made = try_permute_axes(from, p);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_rename_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                             const int* renamed_axes) {
    return operate_on(out, in, [&](const descriptor& from, expected<descriptor>& made) {
        permutation names;
        if (const outcome step = read_permutation(names, from, renamed_axes, "renamed_axes"); !step) return step;
        made = try_rename_axes(from, names);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_bind(plait_memory_desc_t* out, const plait_memory_desc_t* in, int count,
                                      const plait_dim_t* values) {
    return operate_on(out, in, [&](const descriptor& from, expected<descriptor>& made) {
        dims extents;
        if (const outcome step = read_numbers(extents, count, values, "values"); !step) return step;
        made = try_bind(from, extents);
        return outcome{};
    });
}

}  // extern "C"
