#pragma once
// Reorders on the caller's threads. The executor is the first argument, as in the standard's algorithms.

#include <plait/contract/executor.hpp>
#include <plait/reorder/reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// True if chunks of a tensor of elements of type T have a kernel; otherwise one thread moves all of it.
template <layout Src, layout Dst, class T>
concept is_cut_into_chunks = (element<T> && has_kernel<Src, Dst>) || (moved_element<T> && has_carrier<Src, Dst, T>);
}  // namespace detail

/// Moves chunk number `chunk` of `chunks` of a tensor: one thread's part of a reorder. Instantiate it explicitly; all
/// executors share it.
///
/// The elements of a chunk depend only on the layouts, the types, the instruction set and the number of chunks. No two
/// chunks write the same byte, so that they may run at the same time.
///
/// Pre:     0 <= chunk < chunks; else as reorder_kernel
/// Post:    after all chunks, in any order: as reorder_kernel<Src, Dst>(in, out)
/// Cost:    the first chunks may have one tile more than the last; if there are more chunks than tiles along a loop,
///          some are empty. If a pair of layouts has no generated kernel, chunk 0 moves all of it
/// Source:  spec semantics 11, 12
/// Example: for (int c = 0; c < 4; ++c) reorder_chunk<Src, Dst>(in, out, c, 4)
template <layout Src, layout Dst, class T, class U>
    requires(detail::reordered_bytes<T, U>)
void reorder_chunk(const T* in, U* out, int chunk, int chunks) noexcept {
    if constexpr (!allowed<check_reorder(Src, Dst)>) {
        return;  // after the one error of allowed: no further errors
    } else if constexpr (!element<T>) {
        if constexpr (detail::has_carrier<Src, Dst, T>)
            reorder_chunk<detail::carried<Src, T>, detail::carried<Dst, T>, detail::carrier<T>, detail::carrier<T>>(
                detail::carrier_pointer(in), detail::carrier_pointer(out), chunk, chunks);
        else if (chunk == 0) reorder_kernel<Src, Dst, T, U>(in, out);
    } else if constexpr (detail::has_kernel<Src, Dst>) {
        if constexpr (Dst.padded_volume() != 0)
            engine::move_tensor<Src, Dst, engine::element_types_of<T, U>>(in, out, engine::chunk_number{chunk, chunks});
    } else {
        if (chunk == 0) reference_reorder(Src, in, Dst, out);
    }
}

/// Does what reorder<Src, Dst>(threads, in, out) does, but returns a rejection at run time instead of throwing it.
/// Throws only what the executor throws.
template <layout Src, layout Dst, executor E, class T, class U>
    requires(detail::reordered_bytes<T, U>)
expected<void> try_reorder(E&& threads, const T* in, U* out) {
    constexpr dim_t bytes = Dst.padded_volume() * static_cast<dim_t>(sizeof(T) + sizeof(U));
    // Tensors too small for threads instantiate no code for them.
    if constexpr (std::is_same_v<std::remove_cvref_t<E>, sequential_executor> ||
                  !detail::is_cut_into_chunks<Src, Dst, T> || detail::chunks_for(bytes, 2) == 1) {
        return try_reorder<Src, Dst, T, U>(in, out);
    } else {
        if (const verdict why = check_buffers(Src, in, Dst, out, detail::all_stays<Src, Dst, T, U>); !why.ok())
            return {why};
        const int chunks = detail::chunks_for(bytes, threads.concurrency());
        const auto run = [=](int chunk) noexcept { reorder_chunk<Src, Dst, T, U>(in, out, chunk, chunks); };
        if (chunks == 1) run(0);
        else threads.run(chunks, run);
        return {};
    }
}
/// Copies a tensor as reorder<Src, Dst>(in, out) does, on the threads of an executor. If less than 1 MB is moved, the
/// calling thread does it, which is faster.
///
/// Pre:     check_reorder(Src, Dst).ok(); also refused, as without an executor: buffer_is_null, spans_overlap
/// Post:    as reorder<Src, Dst>(in, out)
/// Cost:    one chunk for each thread, of at least least_chunk_bytes; throws what the executor throws
/// Source:  spec semantics 11, 12
/// Example: examples/09_threads.cpp
template <layout Src, layout Dst, executor E, class T, class U>
    requires(detail::reordered_bytes<T, U>)
void reorder(E&& threads, const T* in, U* out) {
    if constexpr (allowed<check_reorder(Src, Dst)>) require(try_reorder<Src, Dst, E&, T, U>(threads, in, out).error());
}

/// Does what reorder<Src, Dst>(threads, in, out, attributes) does, but returns a rejection at run time instead of
/// throwing it.
template <layout Src, layout Dst, executor E, element T, element U>
expected<void> try_reorder(E&& threads, const T* in, U* out, const tensor_attributes& attributes) {
    if (attributes == tensor_attributes{}) return try_reorder<Src, Dst, E&, T, U>(threads, in, out);
    return try_reorder<Src, Dst, T, U>(in, out, attributes);
}
template <layout Src, layout Dst, executor E, element T, element U,
          detail::any_attributes Attributes = reorder_attributes>
expected<void> try_reorder(E&& threads, const T* in, U* out, const Attributes& attributes) {
    if (detail::is_trivial(attributes)) return try_reorder<Src, Dst, E&, T, U>(threads, in, out);
    return try_reorder<Src, Dst, T, U>(in, out, attributes);
}
/// Copies a tensor with attributes on the threads of an executor. If the attributes change anything, the calling thread
/// moves all of it.
///
/// Pre:     check_reorder(Src, Dst, attributes).ok(); also refused: buffer_is_null, spans_overlap
/// Post:    as reorder<Src, Dst>(in, out, attributes)
/// Cost:    if is_trivial(attributes), the cost of the reorder without them
template <layout Src, layout Dst, executor E, element T, element U>
void reorder(E&& threads, const T* in, U* out, const tensor_attributes& attributes) {
    if constexpr (allowed<check_reorder(Src, Dst)>)
        require(try_reorder<Src, Dst, E&, T, U>(threads, in, out, attributes).error());
}
template <layout Src, layout Dst, executor E, element T, element U,
          detail::any_attributes Attributes = reorder_attributes>
void reorder(E&& threads, const T* in, U* out, const Attributes& attributes) {
    if constexpr (allowed<check_reorder(Src, Dst)>)
        require(try_reorder<Src, Dst, E&, T, U>(threads, in, out, attributes).error());
}

/// Calls reorder<Src::value, Dst::value>(threads, in, out) for layouts that are types.
///
/// Pre:     as reorder<Src::value, Dst::value>(threads, in, out)
/// Post:    as reorder<Src::value, Dst::value>(threads, in, out)
/// Cost:    as reorder<Src::value, Dst::value>(threads, in, out)
/// Example: reorder<nchw<1, 3, 8, 8>, nhwc<1, 3, 8, 8>>(threads, in, out)
template <layout_type Src, layout_type Dst, executor E, class T, class U>
    requires(detail::reordered_bytes<T, U>)
void reorder(E&& threads, const T* in, U* out) { reorder<Src::value, Dst::value, E&, T, U>(threads, in, out); }
template <layout_type Src, layout_type Dst, executor E, element T, element U>
void reorder(E&& threads, const T* in, U* out, const tensor_attributes& attributes) {
    reorder<Src::value, Dst::value, E&, T, U>(threads, in, out, attributes);
}
template <layout_type Src, layout_type Dst, executor E, element T, element U,
          detail::any_attributes Attributes = reorder_attributes>
void reorder(E&& threads, const T* in, U* out, const Attributes& attributes) {
    reorder<Src::value, Dst::value, E&, T, U>(threads, in, out, attributes);
}
template <layout_type Src, layout_type Dst, executor E, class T, class U>
    requires(detail::reordered_bytes<T, U>)
expected<void> try_reorder(E&& threads, const T* in, U* out) {
    return try_reorder<Src::value, Dst::value, E&, T, U>(threads, in, out);
}
template <layout_type Src, layout_type Dst, executor E, element T, element U>
expected<void> try_reorder(E&& threads, const T* in, U* out, const tensor_attributes& attributes) {
    return try_reorder<Src::value, Dst::value, E&, T, U>(threads, in, out, attributes);
}
template <layout_type Src, layout_type Dst, executor E, element T, element U,
          detail::any_attributes Attributes = reorder_attributes>
expected<void> try_reorder(E&& threads, const T* in, U* out, const Attributes& attributes) {
    return try_reorder<Src::value, Dst::value, E&, T, U>(threads, in, out, attributes);
}

}  // namespace plait
