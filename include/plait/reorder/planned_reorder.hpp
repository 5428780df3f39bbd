#pragma once
// A reorder that is planned, and how it is bound to extents that come later.

#include <plait/contract/executor.hpp>
#include <plait/engine/kernel/compiled_once.hpp>

#include <span>
#include <type_traits>

namespace plait {

/// A reorder that is planned: what make_reorder returns. Copyable, without memory of its own. Threads may share one, as
/// only bind changes it.
///
/// If descriptors with dynamic extents or strides made it, nothing is planned yet (is_dynamic): `bind` takes the
/// descriptors with numbers, and plans for them. The plan is kept for the next bind to the same descriptors. A thread
/// that binds needs a copy of its own.
///
/// Arrays of values that the attributes have stay the caller's: they are read at each call, and so have to live as
/// long.
class planned_reorder {
public:
    /// A reorder that is not planned. Not defaulted: `planned_reorder()` would fill all of it with zeros before.
    planned_reorder() noexcept {}

    /// Moves a tensor. Sizes are in bytes, pointers to where offset 0 lies. What is refused is thrown; the answer is
    /// that it was done. attempt(...), of the same arguments, throws nothing, and answers an expected.
    ///
    /// Refused, before anything is read: buffer_is_null, unless that side has no elements; spans_overlap, the same
    /// pointer twice, unless every element stays what and where it is; dim_is_dynamic, stride_is_dynamic, if it was
    /// never bound; reorder_is_not_planned, where make_reorder refused, and its value was taken all the same
    /// Pre:     in holds src_size_in_bytes(), out dst_size_in_bytes(); they do not overlap
    /// Post:    as reference_reorder of the descriptors and attributes that it was planned for
    /// Cost:    no allocation, no lock; some 30 nanoseconds more than a kernel for static layouts
    const verdict& operator()(const void* in, void* out) const { return attempt(in, out).value(); }
    expected<void> attempt(const void* in, void* out) const noexcept {
        if (move_ == nullptr) return {is_planned_ ? verdict{} : refuse_unplanned()};
        if (const verdict why = accept_pointers(in, out); !why.ok()) return {why};
        move_->run(*this, in, out);
        return {};
    }
    /// The same for spans of bytes, whose sizes are checked.
    ///
    /// Refused besides: buffer_is_too_small; spans_overlap, in part
    const verdict& operator()(std::span<const std::byte> in, std::span<std::byte> out) const {
        return attempt(in, out).value();
    }
    expected<void> attempt(std::span<const std::byte> in, std::span<std::byte> out) const noexcept {
        if (const verdict why = detail::check_buffer(in.data(), in.size(), src_bytes_, detail::buffer_role::source);
            !why.ok())
            return {why};
        if (const verdict why =
                detail::check_buffer(out.data(), out.size(), dst_bytes_, detail::buffer_role::destination);
            !why.ok())
            return {why};
        const auto from = reinterpret_cast<std::uintptr_t>(in.data()),
                   to = reinterpret_cast<std::uintptr_t>(out.data());
        if (from != to && from < to + dst_bytes_ && to < from + src_bytes_)
            return {detail::overlap_of(src_bytes_, dst_bytes_, static_cast<std::ptrdiff_t>(to - from))};
        return attempt(static_cast<const void*>(in.data()), static_cast<void*>(out.data()));
    }

    /// The same on the threads of an executor; what moves less than 2 MB is done by the calling thread, which is
    /// faster.
    ///
    /// Post:    as without an executor, byte for byte, whatever the number of threads
    /// Cost:    one chunk for each thread, of at least least_chunk_bytes; throws what the executor throws. The calling
    ///          thread does all of it where elements go one by one, and where one sum is for the whole tensor
    /// Example: examples/09_threads.cpp
    template <executor E>
    const verdict& operator()(E&& threads, const void* in, void* out) const {
        return attempt(threads, in, out).value();
    }
    template <executor E>
    expected<void> attempt(E&& threads, const void* in, void* out) const {
        const int chunks = move_ == nullptr ? 1 : detail::chunks_for(move_->bytes_moved(*this), threads.concurrency());
        if (chunks == 1 || in == out) return attempt(in, out);
        if (const verdict why = accept_pointers(in, out); !why.ok()) return {why};
        move_->begin(*this, out);
        threads.run(chunks, [=, this](int chunk) noexcept { move_->run_chunk(*this, in, out, chunk, chunks); });
        move_->finish(*this, out);
        return {};
    }

    /// Whether extents or strides are known only at run time, so that it has to be bound before it is called.
    bool is_dynamic() const noexcept { return is_dynamic_; }
    /// Plans for descriptors with numbers in place of what was dynamic; has no effect if it is bound to equal ones,
    /// with equal attributes, already.
    ///
    /// Attributes replace those of make_reorder, as how many values they have may depend on the extents. Without them
    /// those of make_reorder hold. One value for the tensor is read here, those by index at each call.
    ///
    /// Refused, and what it was bound to stays: as check_bound, for each side; as check_reorder of the new descriptors,
    /// dims_differ among it; bound_values_do_not_match, if it is not dynamic
    /// Pre:     no other thread uses this object meanwhile: copies are independent
    /// Post:    if ok, calls do what those of *make_reorder(src, dst, attributes) do
    /// Cost:    if equal, two comparisons of descriptors; else planning, as make_reorder. No allocation
    /// Source:  spec semantics 12; DNNL_RUNTIME_DIM_VAL of oneDNN
    /// Example: of make_reorder({f32, layout({dynamic, 3}, "ab")}, {f32, layout({dynamic, 3}, "ba")}):
    ///          bind({f32, layout({2, 3}, "ab")}, {f32, layout({2, 3}, "ba")})
    verdict bind(const descriptor& src, const descriptor& dst) {
        return engine::compiled_once::bind(*this, src, dst, nullptr);
    }
    verdict bind(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes) {
        return engine::compiled_once::bind(*this, src, dst, &attributes);
    }
    /// Plans for these extents, one for each axis; strides follow from them.
    ///
    /// Refused besides: rank_differs; dim_is_dynamic, dim_is_negative, size_overflows; stride_is_dynamic, if a stride
    /// follows from nothing
    verdict bind(const dims& extents) { return engine::compiled_once::bind(*this, extents); }
    /// Binds and moves.
    ///
    /// Refused: as bind and the call; nothing is written then
    const verdict& operator()(const descriptor& src, const void* in, const descriptor& dst, void* out) {
        return attempt(src, in, dst, out).value();
    }
    expected<void> attempt(const descriptor& src, const void* in, const descriptor& dst, void* out) {
        const verdict why = bind(src, dst);
        return why.ok() ? attempt(in, out) : expected<void>{why};
    }
    /// How often bind has planned: not when it was bound to the same before.
    std::size_t times_planned() const noexcept { return is_dynamic_ ? dynamic_.parts.times_planned : 0; }

    /// What a buffer needs from where offset 0 lies; see descriptor::buffer_size_in_bytes. 0 if it has to be bound.
    std::size_t src_size_in_bytes() const noexcept { return src_bytes_; }
    std::size_t dst_size_in_bytes() const noexcept { return dst_bytes_; }

private:
    friend engine::compiled_once;

    /// Room for a plan of any kind: plan_reorder.hpp, which has their types, proves that it is enough. So a unit that
    /// includes this reads nothing of what a plan is.
    static constexpr std::size_t plan_bytes = 7168;
    using plan_alignment = dim_t;

    /// What moves the tensor: the functions of one kind of plan. Only the function that plans names them, so that a
    /// unit that includes this, or only calls plans, compiles none of what they do.
    struct move_functions {
        bool are_tiles;
        void (*run)(const planned_reorder&, const void* in, void* out) noexcept;
        dim_t (*bytes_moved)(const planned_reorder&) noexcept;
        // On threads: begin; all chunks, in any order; finish.
        void (*begin)(const planned_reorder&, void* out) noexcept;
        void (*run_chunk)(const planned_reorder&, const void* in, void* out, int chunk, int chunks) noexcept;
        void (*finish)(const planned_reorder&, void* out) noexcept;
    };

    verdict accept_pointers(const void*& in, const void* out) const noexcept {
        if (in != nullptr && out != nullptr && (in != out || may_be_in_place_)) return {};
        const verdict why = check_pointers(in, out);
        static constexpr std::byte nothing{};
        if (why.ok() && in == nullptr) in = &nothing;  // the destination is all padding: the kernel reads no element
        return why;
    }
    verdict check_pointers(const void* in, const void* out) const noexcept {
        if (const verdict why = detail::check_buffer(in, src_bytes_, src_bytes_, detail::buffer_role::source);
            !why.ok())
            return why;
        if (const verdict why = detail::check_buffer(out, dst_bytes_, dst_bytes_, detail::buffer_role::destination);
            !why.ok())
            return why;
        return in == out && !may_be_in_place_ ? detail::overlap_of(src_bytes_, dst_bytes_, 0) : verdict{};
    }

    /// The numbers that were dynamic, and those that they are bound to.
    struct dynamic_parts {
        descriptor src, dst, bound_src, bound_dst;
        reorder_attributes attributes, bound;
        std::size_t times_planned = 0;
    };
    union any_dynamic {
        char none;
        dynamic_parts parts;

        any_dynamic() : none() {}
    };
    static_assert(std::is_trivially_copyable_v<dynamic_parts> && std::is_trivially_destructible_v<dynamic_parts>);

    [[gnu::cold, gnu::noinline]] verdict refuse_unplanned() const noexcept {
        if (!is_dynamic_) return {reason::reorder_is_not_planned};
        const verdict why = detail::check_known(dynamic_.parts.src.layout);
        return why.ok() ? detail::check_known(dynamic_.parts.dst.layout) : why;
    }

    alignas(plan_alignment) std::byte plan_[plan_bytes];  // of a type that move_ knows
    any_dynamic dynamic_;                                 // only where is_dynamic_
    const move_functions* move_ = nullptr;                // null: there is nothing to move, or it is not planned
    std::size_t src_bytes_ = 0, dst_bytes_ = 0;
    bool is_planned_ = false;  // there may be nothing to do
    bool may_be_in_place_ = false;
    bool is_dynamic_ = false;
};

}  // namespace plait
