#pragma once
// C descriptors that are filled in field by field, and the checks that each call of the C interface must pass.

#include <plait/plait.h>
#include <plait/plait.hpp>

#include <cstring>
#include <string>

namespace plait_test {

inline plait_status_t to_c(plait::status s) {
    return s == plait::status::success             ? PLAIT_SUCCESS
           : s == plait::status::invalid_arguments ? PLAIT_INVALID_ARGUMENTS
                                                   : PLAIT_UNIMPLEMENTED;
}

/// Returns the C descriptor of d, filled in field by field without the library.
inline plait_memory_desc_t to_c(const plait::descriptor& d) {
    plait_memory_desc_t out;
    std::memset(&out, 0, sizeof out);
    out.version = 1;
    out.ndims = d.ndims();
    out.data_type = static_cast<plait_data_type_t>(d.type);
    out.format_kind = static_cast<plait_format_kind_t>(d.layout.kind);
    out.offset0 = d.layout.offset0;
    for (int a = 0; a < d.ndims(); ++a) {
        out.dims[a] = d.layout.dims[a];
        out.padded_dims[a] = d.layout.padded_dims[a];
        out.padded_offsets[a] = d.layout.padded_offsets[a];
        if (d.layout.kind == plait::format_kind::blocked) out.blocking.strides[a] = d.layout.digits[a].stride;
    }
    for (int k = d.ndims(); k < d.layout.digits.size(); ++k, ++out.blocking.inner_nblks) {
        out.blocking.inner_idxs[k - d.ndims()] = d.layout.digits[k].axis;
        out.blocking.inner_blks[k - d.ndims()] = d.layout.digits[k].extent;
        out.blocking.inner_strides[k - d.ndims()] = d.layout.digits[k].stride;
    }
    out.extra.flags = (d.extra.s8s8_compensation ? 1u : 0u) | (d.extra.scale_adjust != 1 ? 2u : 0u) |
                      (d.extra.asymmetric_source_compensation ? 8u : 0u);
    out.extra.compensation_mask = d.extra.s8s8_mask;
    out.extra.asymmetric_source_mask = d.extra.asymmetric_source_mask;
    out.extra.scale_adjust = d.extra.scale_adjust;
    return out;
}
inline plait_memory_desc_t to_c(const plait::layout& l, plait::data_type type = plait::data_type::f32) {
    return to_c(plait::descriptor(type, l));
}

inline bool same_bytes(const plait_memory_desc_t& a, const plait_memory_desc_t& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Extents of a tensor, and its C descriptor in blocks with padding.
inline constexpr plait_dim_t four[] = {2, 17, 5, 4};
inline plait_memory_desc_t blocked() { return to_c(plait::layout({2, 17, 5, 4}, "nChw16c")); }

/// Returns the content of `out` before a call, to check that the call does not write it.
inline plait_memory_desc_t pattern() {
    plait_memory_desc_t out;
    std::memset(&out, 0xa5, sizeof out);
    return out;
}

/// True if the last refusal on this thread contains `part`.
inline bool says(const char* part) { return std::string(plait_last_refusal()).find(part) != std::string::npos; }

/// Compares a C function that makes a descriptor with the C++ function. Both must give the same result, also in place.
/// If C++ refuses, C must refuse with the same sentence and write nothing. call(out, in) calls the C function;
/// `expected` is the result of the C++ function.
///
/// Post:    returns "" if they agree, otherwise the difference
template <class Call>
std::string compare_calls(const plait_memory_desc_t& in, const plait::expected<plait::descriptor>& expected,
                          const Call& call) {
    plait_memory_desc_t apart = pattern(), in_place = in;
    const plait_status_t status = call(&apart, &in);
    if (status != to_c(expected.error().status())) return "another status";
    if (status != PLAIT_SUCCESS && !says(describe(expected.error()).c_str())) return "another sentence";
    if (call(&in_place, &in_place) != status) return "another status in place";
    if (!same_bytes(apart, status == PLAIT_SUCCESS ? to_c(*expected) : pattern())) return "another result";
    if (!same_bytes(in_place, status == PLAIT_SUCCESS ? apart : in)) return "another result in place";
    return "";
}

}  // namespace plait_test
