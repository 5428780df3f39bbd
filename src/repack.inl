// Part of plait.cpp: packs, unpacks, repacks and verifies records.

namespace {

/// Reads the plain tensors of a call, `count` of them. In `spans` are the bytes of each.
template <class Tensor, class From>
outcome read_tensors(std::vector<Tensor>& out, std::vector<c::data_span>& spans, int count, const From* from,
                     plait::detail::buffer_role which, const char* name) {
    if (count < 0 || count > plait::detail::max_record_pieces)
        return refuse(PLAIT_INVALID_ARGUMENTS, "count_is_out_of_range: %d tensors, but a record has at most %d fields",
                      count, plait::detail::max_record_pieces);
    if (count > 0)
        if (const outcome step = check_pointer(from, name); !step) return step;
    for (int i = 0; i < count; ++i) {
        using byte = std::remove_reference_t<decltype(*out.front().data.data())>;
        Tensor tensor;
        c::data_span span;
        if (const outcome step = c::read_tensor(tensor, span, from[i].name, from[i].desc,
                                                static_cast<byte*>(from[i].data), from[i].size, which);
            !step)
            return step;
        for (const Tensor& other : out)
            if (other.name == tensor.name)
                return refuse(PLAIT_INVALID_ARGUMENTS, "field_is_doubled: field '%.15s' is given twice", from[i].name);
        out.push_back(tensor);
        spans.push_back(span);
    }
    return {};
}

/// An executor that runs one of the parts that several threads run.
struct one_part {
    int part, parts;
    int concurrency() const { return parts; }
    void run(int count, const auto& run_part) const {
        if (part < count) run_part(part);
    }
};

outcome check_chunk(const plait_repack_t* repack, plait_dim_t number) {
    if (const outcome step = check_pointer(repack, "repack"); !step) return step;
    if (number < 0 || number >= repack->plan.chunks())
        return answer({plait::reason::position_is_out_of_range, 0, number, repack->plan.chunks()});
    return {};
}

}  // namespace

extern "C" {

plait_status_t plait_repack_options_init(plait_repack_options_t* options) {
    return guarded([&] {
        if (const outcome step = check_pointer(options, "options"); !step) return step;
        *options = {};
        options->version = PLAIT_REPACK_OPTIONS_VERSION;
        return outcome{};
    });
}

plait_status_t plait_repack_create(plait_repack_t** out, const plait_record_t* src, const plait_record_t* dst,
                                   const plait_repack_options_t* options) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (const outcome step = check_pointer(src, "src"); !step) return step;
        if (const outcome step = check_pointer(dst, "dst"); !step) return step;
        repack_options read;
        if (const outcome step = c::read_options(read, options); !step) return step;
        expected<planned_repack> planned = make_repack(src->record, dst->record, read);
        if (const outcome step = answer(planned.error()); !step) return step;
        auto* const held = new (std::nothrow) plait_planned_repack{std::move(*planned)};
        if (held == nullptr) return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: for the plan of a repack");
        *out = held;
        return outcome{};
    });
}

plait_status_t plait_repack_execute(const plait_repack_t* repack, const void* src, size_t src_size, void* dst,
                                    size_t dst_size) {
    return guarded([&] {
        if (const outcome step = check_pointer(repack, "repack"); !step) return step;
        const std::span<const std::byte> from(static_cast<const std::byte*>(src), src_size);
        return answer(repack->plan.attempt(from, {static_cast<std::byte*>(dst), dst_size}).error());
    });
}

plait_status_t plait_repack_execute_part(const plait_repack_t* repack, int part, int parts, const void* src,
                                         size_t src_size, void* dst, size_t dst_size) {
    return guarded([&] {
        if (const outcome step = check_pointer(repack, "repack"); !step) return step;
        if (part < 0 || part >= parts) return answer({plait::reason::position_is_out_of_range, 0, part, parts});
        const std::span<const std::byte> from(static_cast<const std::byte*>(src), src_size);
        const one_part threads{part, parts};
        return answer(repack->plan.attempt(threads, from, {static_cast<std::byte*>(dst), dst_size}).error());
    });
}

plait_dim_t plait_repack_get_chunk_count(const plait_repack_t* repack) {
    const plait_status_t status = guarded([&] { return check_pointer(repack, "repack"); });
    return status == PLAIT_SUCCESS ? repack->plan.chunks() : 0;
}

plait_status_t plait_repack_get_chunk(plait_repack_chunk_t* out, const plait_repack_t* repack, plait_dim_t number) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (const outcome step = check_chunk(repack, number); !step) return step;
        const repack_chunk part = repack->plan.chunk(number);
        *out = {static_cast<size_t>(part.src_begin), static_cast<size_t>(part.src_bytes),
                static_cast<size_t>(part.dst_begin), static_cast<size_t>(part.dst_bytes)};
        return outcome{};
    });
}

plait_status_t plait_repack_execute_chunk(const plait_repack_t* repack, plait_dim_t number, const void* src,
                                          size_t src_size, void* dst, size_t dst_size) {
    return guarded([&] {
        if (const outcome step = check_chunk(repack, number); !step) return step;
        const repack_chunk part = repack->plan.chunk(number);
        const std::span<const std::byte> from(static_cast<const std::byte*>(src), src_size);
        const std::span<std::byte> to(static_cast<std::byte*>(dst), dst_size);
        // The bytes that are accessed; sizes are checked by attempt_chunk.
        const auto used = [](std::span<const std::byte> bytes, dim_t most) {
            return c::span_of_bytes(bytes.first(std::min(bytes.size(), static_cast<std::size_t>(most))));
        };
        if (const outcome step = check_apart(used(from, part.src_bytes), used(to, part.dst_bytes)); !step) return step;
        return answer(repack->plan.attempt_chunk(number, from, to).error());
    });
}

void plait_repack_destroy(plait_repack_t* repack) { delete repack; }

plait_status_t plait_pack(const plait_record_t* handle, int count, const plait_field_values_t* values, void* out,
                          size_t size, const plait_repack_options_t* options) {
    return guarded([&] {
        using plait::detail::buffer_role;
        std::span<std::byte> to;
        if (const outcome step =
                c::read_record_data(to, handle, static_cast<std::byte*>(out), size, buffer_role::destination, "out");
            !step)
            return step;
        repack_options read;
        if (const outcome step = c::read_options(read, options); !step) return step;
        std::vector<field_values> tensors;
        std::vector<c::data_span> spans;
        if (const outcome step = read_tensors(tensors, spans, count, values, buffer_role::source, "values"); !step)
            return step;
        for (const c::data_span& span : spans)
            if (const outcome step = check_apart(span, c::span_of_bytes(to)); !step) return step;
        return answer(try_pack(handle->record, tensors, to, read).error());
    });
}

plait_status_t plait_unpack(const plait_record_t* handle, const void* data, size_t size, int count,
                            const plait_field_target_t* targets) {
    return plait_unpack_with_options(handle, data, size, count, targets, nullptr);
}

plait_status_t plait_unpack_with_options(const plait_record_t* handle, const void* data, size_t size, int count,
                                         const plait_field_target_t* targets, const plait_repack_options_t* options) {
    return guarded([&] {
        using plait::detail::buffer_role;
        std::span<const std::byte> from;
        if (const outcome step = c::read_record_data(from, handle, static_cast<const std::byte*>(data), size,
                                                     buffer_role::source, "data");
            !step)
            return step;
        std::vector<field_target> tensors;
        std::vector<c::data_span> spans;
        if (const outcome step = read_tensors(tensors, spans, count, targets, buffer_role::destination, "targets");
            !step)
            return step;
        for (std::size_t i = 0; i < spans.size(); ++i) {
            if (const outcome step = check_apart(c::span_of_bytes(from), spans[i]); !step) return step;
            for (std::size_t k = 0; k < i; ++k)
                if (const outcome step = check_apart(spans[k], spans[i]); !step) return step;
        }
        repack_options read;
        if (const outcome step = c::read_options(read, options); !step) return step;
        return answer(try_unpack(handle->record, from, tensors, read).error());
    });
}

plait_status_t plait_record_verify(const plait_record_t* handle, const void* data, size_t size,
                                   const plait_repack_options_t* options) {
    return guarded([&] {
        std::span<const std::byte> bytes;
        if (const outcome step = c::read_record_data(bytes, handle, static_cast<const std::byte*>(data), size,
                                                     plait::detail::buffer_role::source, "data");
            !step)
            return step;
        repack_options read;
        if (const outcome step = c::read_options(read, options); !step) return step;
        return answer(verify(handle->record, bytes, read));
    });
}

}  // extern "C"
