// Part of plait.cpp: records, their fields, and their blobs.

namespace {

/// Longer texts are no tags, even with blanks between all marks.
constexpr std::size_t longest_record_text = 4096;

outcome read_record(expected<record>& out, const char* text, int ndims, const plait_dim_t* extents) {
    if (const outcome step = check_pointer(text, "text"); !step) return step;
    dims to;
    if (const outcome step = read_numbers(to, ndims, extents, "dims"); !step) return step;
    const std::string_view tag(text, ::strnlen(text, longest_record_text + 1));
    if (tag.size() > longest_record_text)
        return refuse(PLAIT_INVALID_ARGUMENTS, "record_is_too_large: the text has more than %zu letters",
                      longest_record_text);
    out = parse_record(tag, to);
    return answer(out.error());
}

/// Gives a record to the caller.
outcome hand_out(plait_record_t** out, const record& made) {
    auto* const held = new (std::nothrow) plait_record{made};
    if (held == nullptr) return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: for a record");
    *out = held;
    return {};
}

plait_record_field_t described(const plait::detail::plain_field& field) {
    plait_record_field_t out{};
    std::memcpy(out.name, field.name.data(), static_cast<std::size_t>(field.name.size()));
    out.data_type = static_cast<plait_data_type_t>(field.type);
    out.bits = field.bits;
    out.pieces = field.pieces;
    out.flags = (field.is_sum ? PLAIT_FIELD_IS_SUM : 0) | (field.adds_sum ? PLAIT_FIELD_ADDS_SUM : 0) |
                (field.is_mapped ? PLAIT_FIELD_IS_MAPPED : 0);
    for (int a = 0; a < field.extents.size(); ++a) out.dims[a] = field.extents[a];
    return out;
}

/// Checks that a record has a field, and an index.
outcome check_place(const record& r, std::string_view name, const position& index) {
    for (int a = 0; a < r.ndims(); ++a)
        if (index[a] < 0 || index[a] >= r.dims[a])
            return answer({reason::position_is_out_of_range, a, index[a], r.dims[a]});
    for (const record_field& f : r.tag.fields)
        if (plait::detail::has_name(f.name, name)) return {};
    return answer(plait::detail::no_field(name));
}

}  // namespace

extern "C" {

plait_status_t plait_record_create(plait_record_t** out, const char* text, int ndims, const plait_dim_t* extents) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        expected<record> made;
        if (const outcome step = read_record(made, text, ndims, extents); !step) return step;
        return hand_out(out, *made);
    });
}

void plait_record_destroy(plait_record_t* handle) { delete handle; }

size_t plait_record_get_size(const plait_record_t* handle) {
    const plait_status_t status = guarded([&] { return check_pointer(handle, "record"); });
    return status == PLAIT_SUCCESS ? handle->record.size_in_bytes() : 0;
}

int plait_record_get_ndims(const plait_record_t* handle) {
    const plait_status_t status = guarded([&] { return check_pointer(handle, "record"); });
    return status == PLAIT_SUCCESS ? handle->record.ndims() : 0;
}

int plait_record_get_field_count(const plait_record_t* handle) {
    const plait_status_t status = guarded([&] { return check_pointer(handle, "record"); });
    return status == PLAIT_SUCCESS ? plait::detail::plain_fields_of(handle->record).size() : 0;
}

plait_status_t plait_record_get_dims(plait_dim_t* out, const plait_record_t* handle) {
    return guarded([&] {
        if (const outcome step = check_pointer(handle, "record"); !step) return step;
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        for (int a = 0; a < handle->record.ndims(); ++a) out[a] = handle->record.dims[a];
        return outcome{};
    });
}

int plait_record_equal(const plait_record_t* lhs, const plait_record_t* rhs) {
    const plait_status_t status = guarded([&] {
        if (const outcome step = check_pointer(lhs, "lhs"); !step) return step;
        return check_pointer(rhs, "rhs");
    });
    return status == PLAIT_SUCCESS && lhs->record == rhs->record ? 1 : 0;
}

plait_status_t plait_record_format_text(const plait_record_t* handle, char* text, size_t size) {
    return guarded([&] {
        if (const outcome step = check_pointer(handle, "record"); !step) return step;
        if (const outcome step = check_pointer(text, "text"); !step) return step;
        const auto written = handle->record.tag.text();
        const std::size_t needed = static_cast<std::size_t>(written.size()) + 1;
        using plait::detail::buffer_role;
        if (const outcome step = answer(plait::detail::check_buffer(text, size, needed, buffer_role::buffer), "text");
            !step)
            return step;
        std::memcpy(text, written.c_str(), needed);
        return outcome{};
    });
}

plait_status_t plait_record_get_field(plait_record_field_t* out, const plait_record_t* handle, int field) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (const outcome step = check_pointer(handle, "record"); !step) return step;
        const auto fields = plait::detail::plain_fields_of(handle->record);
        if (field < 0 || field >= fields.size())
            return refuse(PLAIT_INVALID_ARGUMENTS, "field_is_missing: there is no field %d, but %d from 0 on", field,
                          fields.size());
        *out = described(fields[field]);
        return outcome{};
    });
}

plait_status_t plait_record_get_bit_offset(plait_dim_t* out, const plait_record_t* handle, const char* field,
                                           const plait_dim_t* index) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (const outcome step = check_pointer(handle, "record"); !step) return step;
        std::string_view name;
        if (const outcome step = c::read_name(name, field, "field"); !step) return step;
        position at;
        if (const outcome step = read_numbers(at, handle->record.ndims(), index, "position"); !step) return step;
        if (const outcome step = check_place(handle->record, name, at); !step) return step;
        *out = handle->record.bit_offset(name, at);
        return outcome{};
    });
}

plait_status_t plait_record_get_field_desc(plait_memory_desc_t* out, const plait_record_t* handle, const char* field) {
    return guarded([&] {
        if (const outcome step = check_pointer(out, "out"); !step) return step;
        if (const outcome step = check_pointer(handle, "record"); !step) return step;
        std::string_view name;
        if (const outcome step = c::read_name(name, field, "field"); !step) return step;
        const expected<layout> places = try_layout_of(handle->record, name);
        if (const outcome step = answer(places.error()); !step) return step;
        descriptor made;
        made.layout = *places;
        for (const record_field& f : handle->record.tag.fields)
            if (plait::detail::has_name(f.name, name)) made.type = f.type;
        if (made.type == data_type::undef)
            return refuse(PLAIT_INVALID_ARGUMENTS, "data_type_is_unknown: no data type has the bits of field '%s'",
                          field);
        return write_descriptor(out, made);
    });
}

size_t plait_blob_get_size(const plait_record_t* handle) {
    size_t size = 0;
    static_cast<void>(guarded([&] {
        if (const outcome step = check_pointer(handle, "record"); !step) return step;
        size = blob_header_size(handle->record) + handle->record.size_in_bytes();
        return outcome{};
    }));
    return size;
}

plait_status_t plait_blob_make(void* out, size_t size, const plait_record_t* handle, const void* data, size_t data_size,
                               const char* key) {
    return guarded([&] {
        std::span<std::byte> to;
        std::span<const std::byte> from;
        using plait::detail::buffer_role;
        if (const outcome step = c::read_record_data(from, handle, static_cast<const std::byte*>(data), data_size,
                                                     buffer_role::source, "data");
            !step)
            return step;
        const std::size_t header = blob_header_size(handle->record), needed = header + from.size();
        if (const outcome step =
                answer(plait::detail::check_buffer(out, size, needed, buffer_role::destination), "out");
            !step)
            return step;
        constexpr std::size_t longest = plait::detail::blob_key_size;
        const std::string_view letters(key == nullptr ? "" : key, key == nullptr ? 0 : ::strnlen(key, longest + 1));
        if (letters.size() > longest)
            return refuse(PLAIT_INVALID_ARGUMENTS, "key_is_too_long: the key of a blob has at most %zu letters",
                          longest);
        to = {static_cast<std::byte*>(out), needed};
        if (const outcome step = check_apart(c::span_of_bytes(from), c::span_of_bytes(to)); !step) return step;
        write_blob_header(handle->record, from, to, letters);
        if (!from.empty()) std::memcpy(to.data() + header, from.data(), from.size());
        return outcome{};
    });
}

plait_status_t plait_blob_open(plait_record_t** made, const void** data, char* key, const void* bytes, size_t size) {
    return guarded([&] {
        if (const outcome step = check_pointer(made, "record"); !step) return step;
        if (const outcome step = check_pointer(data, "data"); !step) return step;
        if (const outcome step = check_pointer(static_cast<const char*>(bytes), "blob"); !step) return step;
        const expected<blob> opened = open_blob({static_cast<const std::byte*>(bytes), size});
        if (const outcome step = answer(opened.error()); !step) return step;
        if (const outcome step = hand_out(made, opened->record); !step) return step;
        *data = opened->data.data();
        if (key != nullptr) {
            std::memset(key, 0, plait::detail::blob_key_size + 1);
            std::memcpy(key, opened->key.data(), static_cast<std::size_t>(opened->key.size()));
        }
        return outcome{};
    });
}

}  // extern "C"
