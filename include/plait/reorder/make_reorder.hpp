#pragma once
// The public way to move a tensor between layouts known only at run time.

#include <plait/reorder/planned_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Plans a reorder once, to be run many times. If an extent or a stride is dynamic, planning waits for `bind`.
///
/// Refused, as the result's error: what check_reorder(src, dst, attributes) refuses; if an extent or a stride is
/// dynamic, what check_dynamic_reorder(src, dst, attributes) refuses
///
/// Pre:     none for the descriptors; arrays of attribute values outlive the last call of the plan
/// Post:    (*result)(in, out) writes what reference_reorder(src, in, dst, out, attributes) does. If an extent or a
///          stride is dynamic, result->is_dynamic(): calls are refused until result->bind(...).ok()
/// Cost:    0.5 to 2 microseconds; no allocation
/// Source:  spec semantics 12
/// Example: examples/11_run_time.cpp
inline expected<planned_reorder> make_reorder(const descriptor& src, const descriptor& dst,
                                              const reorder_attributes& attributes = {}) {
    return engine::compiled_once::make(src, dst, attributes);
}

/// Does what reorder(src, in, dst, out, attributes) does, but returns a rejection instead of throwing it.
inline expected<void> try_reorder(const descriptor& src, const void* in, const descriptor& dst, void* out,
                                  const reorder_attributes& attributes = {}) {
    const expected<planned_reorder> planned = make_reorder(src, dst, attributes);
    return planned ? planned->attempt(in, out) : expected<void>{planned.error()};
}
/// Plans a reorder and runs it. A rejection is thrown; the returned verdict is always ok.
///
/// Refused: what check_reorder(src, dst, attributes) and the call of the plan refuse; nothing is written then
/// Pre:     `in` and `out` point to offset 0 and hold src.buffer_size_in_bytes() and dst.buffer_size_in_bytes() bytes;
///          they do not overlap
/// Post:    as reference_reorder(src, in, dst, out, attributes)
/// Cost:    plans at each call, which takes 0.5 to 2 microseconds; no allocation
/// Source:  spec semantics 12
/// Example: examples/11_run_time.cpp
inline const verdict& reorder(const descriptor& src, const void* in, const descriptor& dst, void* out,
                              const reorder_attributes& attributes = {}) {
    return try_reorder(src, in, dst, out, attributes).value();
}

}  // namespace plait
