#pragma once
// What the handles of records and repacks point to, and the arguments of packing: names, options, plain tensors.

#include "c_descriptor.hpp"
#include "data_span.hpp"

#include <plait/contract/check_reorder.hpp>
#include <plait/packed/pack.hpp>
#include <plait/packed/plain_tensors.hpp>

#include <cstring>
#include <string_view>
#include <vector>

/// The object that plait_record_create makes. It is constant afterwards.
struct plait_record {
    plait::record record;
};
/// The object that plait_repack_create makes. It is constant afterwards.
struct plait_planned_repack {
    plait::planned_repack plan;
};

namespace plait::c {

static_assert(sizeof(plait_record_field_t) == 32 + 96 + 32);
static_assert(sizeof(void*) != 8 || sizeof(plait_repack_options_t) == 72);
static_assert(sizeof(plait_record_field_t::name) == sizeof(field_name::characters));

/// Reads the name of a field or a parameter.
inline outcome read_name(std::string_view& out, const char* text, const char* what) {
    if (const outcome step = check_pointer(text, what); !step) return step;
    constexpr std::size_t longest = sizeof(field_name::characters) - 1;
    out = {text, ::strnlen(text, longest + 1)};
    if (out.size() > longest)
        return refuse(PLAIT_INVALID_ARGUMENTS, "field_is_missing: %s is '%.16s...', but names have at most %d letters",
                      what, text, static_cast<int>(longest));
    return {};
}

/// Reads options. The names of `out` are the caller's.
inline outcome read_options(repack_options& out, const plait_repack_options_t* pointer) {
    if (pointer == nullptr) return {};
    if (const outcome step = check_pointer(pointer, "options"); !step) return step;
    const plait_repack_options_t from = *pointer;
    if (from.version != PLAIT_REPACK_OPTIONS_VERSION)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "version_is_unknown: options has version %d, where this library reads %d", from.version,
                      PLAIT_REPACK_OPTIONS_VERSION);
    if (!all_zero(from.reserved))
        return refuse(PLAIT_INVALID_ARGUMENTS, "reserved_is_not_zero: options has numbers in reserved");
    for (const std::int32_t count : {from.dropped_count, from.parameter_count})
        if (count < 0 || count > detail::max_record_pieces)
            return refuse(PLAIT_INVALID_ARGUMENTS,
                          "count_is_out_of_range: options has %d names, but a record at most %d", count,
                          detail::max_record_pieces);
    if (from.chunk_bytes < 0)
        return refuse(PLAIT_INVALID_ARGUMENTS, "count_is_out_of_range: options has chunks of %lld bytes",
                      static_cast<long long>(from.chunk_bytes));
    if (from.ignore_padding != 0 && from.ignore_padding != 1)
        return refuse(PLAIT_INVALID_ARGUMENTS, "flag_is_unknown: options has %d as ignore_padding, which is 0 or 1",
                      from.ignore_padding);
    out.ignore_padding = from.ignore_padding != 0;
    if (from.chunk_bytes > 0) out.chunk_bytes = from.chunk_bytes;
    if (from.dropped_count > 0)
        if (const outcome step = check_pointer(from.dropped, "dropped"); !step) return step;
    if (from.parameter_count > 0) {
        if (const outcome step = check_pointer(from.parameter_names, "parameter_names"); !step) return step;
        if (const outcome step = check_pointer(from.parameter_values, "parameter_values"); !step) return step;
    }
    std::string_view name;
    for (int i = 0; i < from.dropped_count; ++i) {
        if (const outcome step = read_name(name, from.dropped[i], "a name of dropped"); !step) return step;
        out.dropped.push_back(name);
    }
    for (int i = 0; i < from.parameter_count; ++i) {
        if (const outcome step = read_name(name, from.parameter_names[i], "a name of parameter_names"); !step)
            return step;
        out.parameters.emplace_back(name, from.parameter_values[i]);
    }
    return {};
}

/// Returns the addresses of some bytes.
inline data_span span_of_bytes(std::span<const std::byte> bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    return {begin, begin + bytes.size()};
}

/// Reads a record and a buffer that holds it.
template <class Bytes>
outcome read_record_data(std::span<Bytes>& out, const plait_record_t* record, Bytes* data, std::size_t size,
                         detail::buffer_role which, const char* name) {
    if (const outcome step = check_pointer(record, "record"); !step) return step;
    const std::size_t needed = record->record.size_in_bytes();
    if (const outcome step = answer(detail::check_buffer(data, size, needed, which), name); !step) return step;
    out = {data, needed};
    return {};
}

/// Reads a plain tensor: its name, its descriptor, and the bytes that it covers.
template <class Tensor, class Bytes>
outcome read_tensor(Tensor& out, data_span& span, const char* name, const plait_memory_desc_t* desc, Bytes* data,
                    std::size_t size, detail::buffer_role which) {
    if (const outcome step = read_name(out.name, name, "the name of a field"); !step) return step;
    char about[32] = "";
    std::memcpy(about, out.name.data(), out.name.size());
    if (const outcome step = read_descriptor(out.what, desc, about); !step) return step;
    if (!out.what.extra.empty()) return answer({reason::descriptor_has_extra}, about);
    // Elements of a source may share places, those of a target may not.
    if (which == detail::buffer_role::destination)
        if (const outcome step = answer(check_reorder(out.what.layout, out.what.layout), about); !step) return step;
    if (const outcome step = answer(check_size(out.what), about); !step) return step;
    const std::size_t needed = out.what.buffer_size_in_bytes();
    if (const outcome step = answer(detail::check_buffer(data, size, needed, which), about); !step) return step;
    if (const outcome step = check_data(span, out.what, data, size, which); !step) return step;
    out.data = {data, size};
    return {};
}

}  // namespace plait::c
