#pragma once
// The public way to move a tensor between layouts known only at run time.

#include <plait/reorder/planned_reorder.hpp>

namespace plait {

/// Plans a reorder once, to be run often. If an extent or a stride is dynamic, it is planned when it is bound.
///
/// Refused, as the result's error: what check_reorder(src, dst, attributes) refuses; if an extent or a stride is
/// dynamic, what check_dynamic_reorder(src, dst, attributes) does
///
/// Pre:     none of the descriptors; values by index live as long as the plan is called
/// Post:    (*result)(in, out) writes what reference_reorder(src, in, dst, out, attributes) does. If an extent or a
///          stride is dynamic, result->is_dynamic(): calls are refused until result->bind(...).ok()
/// Cost:    half a microsecond to two; no allocation
/// Source:  spec semantics 12
/// Example: examples/11_run_time.cpp
inline expected<planned_reorder> make_reorder(const descriptor& src, const descriptor& dst,
                                              const reorder_attributes& attributes = {}) {
    return engine::compiled_once::make(src, dst, attributes);
}

/// reorder(src, in, dst, out, attributes), or what is refused; throws nothing.
inline expected<void> try_reorder(const descriptor& src, const void* in, const descriptor& dst, void* out,
                                  const reorder_attributes& attributes = {}) {
    const expected<planned_reorder> planned = make_reorder(src, dst, attributes);
    return planned ? planned->attempt(in, out) : expected<void>{planned.error()};
}
/// Plans a reorder and runs it. What is refused is thrown; the answer is that it was done.
///
/// Refused: as check_reorder(src, dst, attributes) and the plan's call; nothing is written then
/// Pre:     `in` holds src.buffer_size_in_bytes() bytes from where offset 0 lies, `out` dst's; they do not overlap
/// Post:    as reference_reorder(src, in, dst, out, attributes)
/// Cost:    plans at each call, half a microsecond to two; no allocation
/// Source:  spec semantics 12
/// Example: examples/11_run_time.cpp
inline const verdict& reorder(const descriptor& src, const void* in, const descriptor& dst, void* out,
                              const reorder_attributes& attributes = {}) {
    return try_reorder(src, in, dst, out, attributes).value();
}

}  // namespace plait
