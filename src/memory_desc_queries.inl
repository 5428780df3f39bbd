// Part of plait.cpp: queries of descriptors.

namespace {

/// Returns one of a descriptor's sizes, in bytes; 0 if it has none.
template <class Size>
std::size_t size_of(const plait_memory_desc_t* desc, const Size& size) noexcept {
    std::size_t bytes = 0;
    static_cast<void>(guarded([&] {
        descriptor d;
        if (const outcome step = read_descriptor(d, desc, "desc"); !step) return step;
        if (const outcome step = answer(check_size(d), "desc"); !step) return step;
        bytes = size(d);
        return outcome{};
    }));
    return bytes;
}

}  // namespace

extern "C" {

plait_status_t plait_memory_desc_get_offset(plait_dim_t* out, const plait_memory_desc_t* desc,
                                            const plait_dim_t* numbers) {
    return guarded([&] {
        descriptor d;
        position at;
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (const outcome step = read_descriptor(d, desc, "desc"); !step) return step;
        if (const outcome step = read_numbers(at, d.ndims(), numbers, "position"); !step) return step;
        if (const outcome step = answer(check_position(d.layout, d.layout.dims, at)); !step) return step;
        *out = d.layout.offset(at);
        return outcome{};
    });
}

plait_status_t plait_memory_desc_get_common_run(plait_dim_t* out, const plait_memory_desc_t* lhs,
                                                const plait_memory_desc_t* rhs) {
    return guarded([&] {
        descriptor a, b;
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (const outcome step = read_descriptor(a, lhs, "lhs"); !step) return step;
        if (const outcome step = read_descriptor(b, rhs, "rhs"); !step) return step;
        *out = common_run(a.layout, b.layout);
        return outcome{};
    });
}

plait_status_t plait_count_copies(plait_dim_t* out, const plait_memory_desc_t* src, const plait_memory_desc_t* dst) {
    return guarded([&] {
        descriptor a, b;
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (const outcome step = read_descriptor(a, src, "src"); !step) return step;
        if (const outcome step = read_descriptor(b, dst, "dst"); !step) return step;
        const expected<dim_t> count = try_count_copies(a, b);
        if (!count) return answer(count.error());
        *out = *count;
        return outcome{};
    });
}

plait_status_t plait_list_copies(plait_contiguous_copy_t* out, plait_dim_t size, const plait_memory_desc_t* src,
                                 const plait_memory_desc_t* dst) {
    return guarded([&] {
        descriptor a, b;
        if (const outcome step = read_descriptor(a, src, "src"); !step) return step;
        if (const outcome step = read_descriptor(b, dst, "dst"); !step) return step;
        const expected<dim_t> count = try_count_copies(a, b);
        if (!count) return answer(count.error());
        if (*count == 0) return outcome{};
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (size < *count)
            return refuse(PLAIT_INVALID_ARGUMENTS,
                          "buffer_is_too_small: out has room for %lld copies, but there are %lld",
                          static_cast<long long>(size), static_cast<long long>(*count));
        for_each_copy(a, b, [&out](const contiguous_copy& c) { *out++ = {c.dst, c.src, c.count}; });
        return outcome{};
    });
}

int plait_memory_desc_is_contiguous_along(const plait_memory_desc_t* desc, int axis) {
    bool contiguous = false;
    static_cast<void>(guarded([&] {
        descriptor d;
        if (const outcome step = read_descriptor(d, desc, "desc"); !step) return step;
        contiguous = is_contiguous_along(d.layout, axis);
        return outcome{};
    }));
    return contiguous ? 1 : 0;
}

int plait_memory_desc_equal(const plait_memory_desc_t* lhs, const plait_memory_desc_t* rhs) {
    bool equal = false;
    static_cast<void>(guarded([&] {
        descriptor a, b;
        if (const outcome step = read_descriptor(a, lhs, "lhs"); !step) return step;
        if (const outcome step = read_descriptor(b, rhs, "rhs"); !step) return step;
        equal = a == b;
        return outcome{};
    }));
    return equal ? 1 : 0;
}

int plait_memory_desc_matches_tag(const plait_memory_desc_t* desc, const char* text, const plait_dim_t* given) {
    bool matches = false;
    static_cast<void>(guarded([&] {
        descriptor d;
        format_tag tag;
        strides steps;
        if (const outcome step = read_descriptor(d, desc, "desc"); !step) return step;
        if (const outcome step = read_tag(tag, text); !step) return step;
        if (given != nullptr)
            if (const outcome step = read_numbers(steps, d.ndims(), given, "strides"); !step) return step;
        matches = given != nullptr ? matches_tag(d, tag, steps) : matches_tag(d, tag);
        return outcome{};
    }));
    return matches ? 1 : 0;
}

size_t plait_memory_desc_get_size(const plait_memory_desc_t* desc) {
    return size_of(desc, [](const descriptor& d) { return d.memory_size_in_bytes(); });
}

size_t plait_memory_desc_get_buffer_size(const plait_memory_desc_t* desc) {
    return size_of(desc, [](const descriptor& d) { return d.buffer_size_in_bytes(); });
}

plait_status_t plait_memory_desc_format_name(const plait_memory_desc_t* desc, char* text, size_t size) {
    return guarded([&] {
        descriptor d;
        if (const outcome step = read_descriptor(d, desc, "desc"); !step) return step;
        if (const outcome step = check_pointer(text, "text"); !step) return step;
        const layout_name name = format_name(d.layout);
        const auto needed = static_cast<std::size_t>(name.size()) + 1;
        if (size < needed)
            return refuse(PLAIT_INVALID_ARGUMENTS, "buffer_is_too_small: text has %zu bytes, but the name needs %zu",
                          size, needed);
        std::memcpy(text, name.c_str(), needed);
        return outcome{};
    });
}

}  // extern "C"
