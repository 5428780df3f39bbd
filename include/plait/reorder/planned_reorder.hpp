#pragma once
// A planned reorder, and how it is bound to extents that are known later.

#include <plait/contract/executor.hpp>
#include <plait/engine/kernel/compiled_once.hpp>
#include <plait/engine/kernel/for_all_units.hpp>
#include <plait/engine/kernel/order_trials.hpp>
#include <plait/support/inline_text.hpp>

#include <span>
#include <string_view>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {

// Names in errors: why a plan does not take its arguments.
namespace rejected {
struct a_plan_takes_pointers_or_spans_of_bytes_of_a_vector_v_pass_v_data;
struct a_plan_writes_to_its_second_pointer_which_cannot_be_const;
struct the_first_of_three_arguments_is_an_executor_which_has_concurrency_and_run;
}  // namespace rejected
namespace detail {
/// True if a plan reads from In, or writes to Out, that is a pointer or a span of bytes.
template <class In>
concept read_by_plan = std::is_convertible_v<In, const void*> || std::is_convertible_v<In, std::span<const std::byte>>;
template <class Out>
concept written_by_plan = std::is_convertible_v<Out, void*> || std::is_convertible_v<Out, std::span<std::byte>>;

/// True if a plan takes no such arguments: the last two are the source and the destination.
template <class... Arguments>
inline constexpr bool wrong_for_plan = false;
template <class In, class Out>
inline constexpr bool wrong_for_plan<In, Out> = !read_by_plan<In> || !written_by_plan<Out>;
template <class E, class In, class Out>
inline constexpr bool wrong_for_plan<E, In, Out> =
    !executor<E> || !std::is_convertible_v<In, const void*> || !std::is_convertible_v<Out, void*>;

template <class... Arguments>
struct plan_problem;
template <class In, class Out>
struct plan_problem<In, Out> {
    static constexpr bool is_const = std::is_convertible_v<Out, const void*> && !written_by_plan<Out>;
    using type = std::conditional_t<is_const, rejected::a_plan_writes_to_its_second_pointer_which_cannot_be_const,
                                    rejected::a_plan_takes_pointers_or_spans_of_bytes_of_a_vector_v_pass_v_data>;
};
template <class E, class In, class Out>
struct plan_problem<E, In, Out> {
    using type =
        std::conditional_t<executor<E>, typename plan_problem<In, Out>::type,
                           rejected::the_first_of_three_arguments_is_an_executor_which_has_concurrency_and_run>;
};
/// The type that names why a plan does not take these arguments.
template <class... Arguments>
using why_not_plan = typename plan_problem<Arguments...>::type;
}  // namespace detail

/// A planned reorder: the result of make_reorder. Copyable, without memory of its own. Threads may share one, because
/// only bind, stop_trials and set_choice change it.
///
/// If it was made from descriptors with dynamic extents or strides (is_dynamic), nothing is planned yet: `bind` takes
/// the descriptors with numbers, and plans for them. The plan is kept for the next bind to the same descriptors. A
/// thread that binds needs a copy of its own.
///
/// If the cache lines that are read and written are 2 MB or more, the first calls try orders of loops, and stores past
/// the caches or into them; later calls use the fastest: see docs/design/kernels.md, which has the number of calls. All
/// write the same bytes. `stop_trials` makes all calls the same; `set_choice` makes the first call as fast as those
/// after the trials of another plan, whose `choice` it takes.
///
/// Arrays of attribute values stay the caller's. They are read at each call, and must stay alive until the last one.
class planned_reorder {
public:
    /// Creates a reorder that is not planned. Not defaulted, because `planned_reorder()` would then zero the object.
    planned_reorder() noexcept {}
    planned_reorder(const planned_reorder& other) noexcept { copy(other); }
    planned_reorder& operator=(const planned_reorder& other) noexcept {
        if (this != &other) copy(other);
        return *this;
    }

    /// Moves a tensor. Sizes are in bytes; pointers point to offset 0. A rejection is thrown; the returned verdict is
    /// always ok. attempt(...) takes the same arguments, throws nothing, and returns an expected.
    ///
    /// Refused, before anything is read: buffer_is_null, unless that side has no elements; spans_overlap, if both
    /// pointers are the same and an element changes its value or place; dim_is_dynamic, stride_is_dynamic, if it was
    /// never bound; reorder_is_not_planned, if make_reorder refused and its value was used anyway
    /// Pre:     in holds src_size_in_bytes(), out dst_size_in_bytes(); they do not overlap
    /// Post:    as reference_reorder of the descriptors and attributes that it was planned for
    /// Cost:    no allocation, no lock; about 30 nanoseconds more than a kernel for static layouts
    const verdict& operator()(const void* in, void* out) const { return attempt(in, out).value(); }
    expected<void> attempt(const void* in, void* out) const noexcept {
        if (move_ == nullptr) return {is_planned_ ? verdict{} : refuse_unplanned()};
        if (const verdict why = accept_pointers(in, out); !why.ok()) return {why};
        move_->run(this, in, out);
        return {};
    }
    /// Moves a tensor between spans of bytes, whose sizes are checked.
    ///
    /// Also refused: buffer_is_too_small; spans_overlap, for a partial overlap
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

    // Wrong arguments: the compiler names the cause.
    template <class In, class Out, class Why = detail::why_not_plan<In, Out>>
        requires(detail::wrong_for_plan<In, Out>)
    const verdict& operator()(In&&, Out&&) const = delete;
    template <class In, class Out, class Why = detail::why_not_plan<In, Out>>
        requires(detail::wrong_for_plan<In, Out>)
    expected<void> attempt(const In&, const Out&)
    const = delete;
    template <class E, class In, class Out, class Why = detail::why_not_plan<E, In, Out>>
        requires(detail::wrong_for_plan<E, In, Out>)
    const verdict& operator()(E&&, In&&, Out&&) const = delete;
    template <class E, class In, class Out, class Why = detail::why_not_plan<E, In, Out>>
        requires(detail::wrong_for_plan<E, In, Out>)
    expected<void> attempt(const E&, const In&, const Out&)
    const = delete;

    /// Moves a tensor on the threads of an executor. If less than 2 MB is moved, the calling thread does it, which is
    /// faster.
    ///
    /// Post:    as without an executor, byte for byte, whatever the number of threads
    /// Cost:    one chunk for each thread, of at least least_chunk_bytes; throws what the executor throws. The calling
    ///          thread does all the work if elements move one by one, or if one sum covers the whole tensor
    /// Example: examples/09_threads.cpp
    template <executor E>
    const verdict& operator()(E&& threads, const void* in, void* out) const {
        return attempt(threads, in, out).value();
    }
    template <executor E>
    expected<void> attempt(E&& threads, const void* in, void* out) const {
        const int chunks = move_ == nullptr ? 1 : detail::chunks_for(move_->bytes_moved(this), threads.concurrency());
        if (chunks == 1 || in == out) return attempt(in, out);
        if (const verdict why = accept_pointers(in, out); !why.ok()) return {why};
        move_->begin(this, out);
        threads.run(chunks, [=, this](int chunk) noexcept { move_->run_chunk(this, in, out, chunk, chunks); });
        move_->finish(this, out);
        return {};
    }

    /// True if it was made from dynamic extents or strides. It must then be bound before it is called.
    bool is_dynamic() const noexcept { return is_dynamic_; }
    /// Plans for descriptors that have numbers in place of dynamic ones. Has no effect if it is already bound to equal
    /// descriptors and attributes.
    ///
    /// `attributes` replace those of make_reorder, because their number of values may depend on the extents. Without
    /// them, those of make_reorder apply. One value for the tensor is read here, values by index at each call.
    ///
    /// Refused, and the previous binding is kept: what check_bound refuses for each side; what check_reorder refuses
    /// for the new descriptors, including dims_differ; bound_values_do_not_match, if it is not dynamic
    /// Pre:     no other thread uses this object meanwhile: copies are independent
    /// Post:    if ok, calls do what those of *make_reorder(src, dst, attributes) do
    /// Cost:    if equal, two comparisons of descriptors; else planning, as make_reorder. No allocation
    /// Source:  spec semantics 12; DNNL_RUNTIME_DIM_VAL of oneDNN
    /// Example: made by make_reorder({f32, layout({dynamic, 3}, "ab")}, {f32, layout({dynamic, 3}, "ba")}):
    ///          bind({f32, layout({2, 3}, "ab")}, {f32, layout({2, 3}, "ba")})
    verdict bind(const descriptor& src, const descriptor& dst) {
        return engine::compiled_once::bind(*this, src, dst, nullptr);
    }
    verdict bind(const descriptor& src, const descriptor& dst, const reorder_attributes& attributes) {
        return engine::compiled_once::bind(*this, src, dst, &attributes);
    }
    /// Plans for these extents, one for each axis. The strides follow from them.
    ///
    /// Also refused: rank_differs; dim_is_dynamic, dim_is_negative, size_overflows; stride_is_dynamic, if a stride does
    /// not follow from the extents
    verdict bind(const dims& extents) { return engine::compiled_once::bind(*this, extents); }
    /// Binds to the descriptors and moves the tensor.
    ///
    /// Refused: what bind and the call refuse; nothing is written then
    const verdict& operator()(const descriptor& src, const void* in, const descriptor& dst, void* out) {
        return attempt(src, in, dst, out).value();
    }
    expected<void> attempt(const descriptor& src, const void* in, const descriptor& dst, void* out) {
        const verdict why = bind(src, dst);
        return why.ok() ? attempt(in, out) : expected<void>{why};
    }
    /// Returns how often bind has planned. A bind to the same descriptors and attributes does not count.
    std::size_t times_planned() const noexcept { return is_dynamic_ ? dynamic_.parts.times_planned : 0; }

    /// Ends the trials, also those of later binds: all calls are then the same. They use the order that trials or
    /// set_choice have decided for, otherwise the plan's own.
    ///
    /// Pre:     no other thread uses this object meanwhile
    /// Post:    calls use one order; they write the same bytes as before
    /// Cost:    none
    /// Source:  plait's own
    /// Example: test/reorder/reorder_choice.cpp
    void stop_trials() noexcept { trials_.stop(); }
    /// Returns what the trials have decided, as one line of text for set_choice: a version; the instruction set, types
    /// and layouts that the plan is for; the number of the order, and of how many. The number is 0 for the plan's own
    /// order, and `?` while orders are tried. A plan that tries nothing has `0/1`.
    ///
    /// Pre:     none; threads may call the plan meanwhile
    /// Post:    empty if there is no plan; otherwise set_choice takes it, in plans for the same CPU and reorder
    /// Cost:    a hash of the plan; no allocation
    /// Source:  plait's own
    /// Example: "plait-choice 1 avx512 f32 f32 1f3b0a5c24c09d77 3/11"
    inline_text<96> choice() const noexcept {
        inline_text<96> out;
        engine::compiled_once::choice(out, *this);
        return out;
    }
    /// Ends the trials as another plan has decided, so that the first call is as fast as the last of that plan. Its
    /// text may come from a file. A text with `?` has no effect, and one with `0/1` is for a plan that tries nothing.
    ///
    /// Refused, and nothing changes: choice_is_malformed (the column), choice_does_not_fit (the part that differs);
    /// dim_is_dynamic, stride_is_dynamic, reorder_is_not_planned, as a call
    /// Pre:     no other thread uses this object meanwhile
    /// Post:    if ok, choice() is the text, unless its number is `?`
    /// Cost:    as choice
    /// Source:  plait's own
    /// Example: test/reorder/reorder_choice.cpp
    verdict set_choice(std::string_view text) noexcept { return engine::compiled_once::set_choice(*this, text); }

    /// The bytes that the buffer of each side needs from offset 0, or 0 if this object must be bound first; see
    /// descriptor::buffer_size_in_bytes.
    std::size_t src_size_in_bytes() const noexcept { return src_bytes_; }
    std::size_t dst_size_in_bytes() const noexcept { return dst_bytes_; }

private:
    friend engine::reorder_planner;
    friend planned_table_reorder;

    /// The bytes reserved for a plan of any kind. plan_reorder.hpp knows the types and checks that it is enough, so
    /// that units that include this header need no definition of a plan.
    static constexpr std::size_t plan_bytes = 9216;
    using plan_alignment = dim_t;

    /// The functions that move a tensor by one kind of plan. Only the planning function names them, so that a unit that
    /// only includes this header or calls plans does not compile them.
    struct move_functions {
        bool are_tiles;
        /// Returns the number of orders that calls may use, and adds the plan to a hash.
        int (*orders)(const void* planned, std::uint64_t& hash) noexcept;
        // `planned` points to the planned_reorder, whose type has another name in units with other flags.
        void (*run)(const void* planned, const void* in, void* out) noexcept;
        void (*run_with)(const void* planned, const void* in, void* out, const void* values) noexcept;
        std::int64_t (*bytes_moved)(const void* planned) noexcept;
        // On threads, call begin, then all chunks in any order, then finish.
        void (*begin)(const void* planned, void* out) noexcept;
        void (*run_chunk)(const void* planned, const void* in, void* out, int chunk, int chunks) noexcept;
        void (*finish)(const void* planned, void* out) noexcept;
    };

    /// Copies what has a value. Other threads may meanwhile call `other`, which changes its trials alone.
    void copy(const planned_reorder& other) noexcept {
        if (other.move_ != nullptr) __builtin_memcpy(plan_, other.plan_, plan_bytes);
        if (other.is_dynamic_) dynamic_ = other.dynamic_;
        trials_ = other.trials_;
        move_ = other.move_;
        src_bytes_ = other.src_bytes_;
        dst_bytes_ = other.dst_bytes_;
        src_type_ = other.src_type_;
        dst_type_ = other.dst_type_;
        instructions_ = other.instructions_;
        is_planned_ = other.is_planned_;
        may_be_in_place_ = other.may_be_in_place_;
        is_dynamic_ = other.is_dynamic_;
    }
    /// Moves a tensor with arrays of values that begin elsewhere, and are as those that were planned with otherwise.
    ///
    /// Pre:     it was planned with an array of values, and `in` and `out` are not null
    void run_with(const void* in, void* out, const reorder_attributes& values) const noexcept {
        if (move_ != nullptr) move_->run_with(this, in, out, &values);
    }
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

    /// The dynamic descriptors and attributes, and those that they are bound to.
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

    alignas(plan_alignment) std::byte plan_[plan_bytes];  // an object of the type that move_ knows
    any_dynamic dynamic_;                                 // parts only if is_dynamic_
    engine::order_trials trials_;                         // of orders, for large tensors
    const move_functions* move_ = nullptr;                // null: nothing to move, or not planned
    std::size_t src_bytes_ = 0, dst_bytes_ = 0;
    data_type src_type_{}, dst_type_{};
    isa instructions_{};
    bool is_planned_ = false;  // a planned reorder may have nothing to do
    bool may_be_in_place_ = false;
    bool is_dynamic_ = false;
};

namespace engine {
/// The sizes of the types with which plans are made.
using reorder_types =
    for_all_units::types_of_bytes<sizeof(planned_reorder), sizeof(descriptor), sizeof(layout), sizeof(dims),
                                  sizeof(reorder_attributes), sizeof(reorder_attributes::scale), sizeof(reorder_ends),
                                  sizeof(verdict), sizeof(inline_text<96>)>;
static_assert(std::is_trivially_copyable_v<descriptor> && std::is_trivially_copyable_v<reorder_attributes> &&
              std::is_trivially_copyable_v<reorder_ends> && std::is_trivially_copyable_v<verdict>);
}  // namespace engine

}  // namespace plait

namespace plait::for_all_units::reorders {

/// The functions that engine::compiled_once calls. Pointers are to the types of its functions. A negative instruction
/// set is the widest one that the CPU has.
///
/// If a program lacks the definitions, the linker prints this name.
struct link_plait_plait_or_include_plait_implementation_hpp_in_one_unit {
    using types = engine::reorder_types;
    static void plan(types, int instructions, void* out, const void* src, const void* dst, const void* attributes,
                     const void* ends);
    static void make(types, int instructions, void* out, void* why, const void* src, const void* dst,
                     const void* attributes);
    static void bind(types, void* out, void* why, const void* src, const void* dst, const void* attributes);
    static void bind(types, void* out, void* why, const void* extents);
    static void choice(types, void* out, const void* planned) noexcept;
    static void set_choice(types, void* planned, void* why, const char* text, unsigned long long size) noexcept;
    static const void* tiles_of(types, const void* planned) noexcept;
    static const void* cache_blocks_of(types, const void* planned) noexcept;
};

}  // namespace plait::for_all_units::reorders

namespace plait::inline PLAIT_UNIT_FLAGS::engine {

using reorders_once = for_all_units::reorders::link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

inline void compiled_once::plan(isa instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                                const reorder_attributes& attributes, const reorder_ends& ends) {
    reorders_once::plan({}, static_cast<int>(instructions), &out, &src, &dst, &attributes, &ends);
}
inline void compiled_once::plan(planned_reorder& out, const descriptor& src, const descriptor& dst,
                                const reorder_attributes& attributes, const reorder_ends& ends) {
    reorders_once::plan({}, -1, &out, &src, &dst, &attributes, &ends);
}
inline expected<planned_reorder> compiled_once::make(isa instructions, const descriptor& src, const descriptor& dst,
                                                     const reorder_attributes& attributes) {
    expected<planned_reorder> out;
    reorders_once::make({}, static_cast<int>(instructions), &*out, &out.error(), &src, &dst, &attributes);
    return out;
}
inline expected<planned_reorder> compiled_once::make(const descriptor& src, const descriptor& dst,
                                                     const reorder_attributes& attributes) {
    expected<planned_reorder> out;
    reorders_once::make({}, -1, &*out, &out.error(), &src, &dst, &attributes);
    return out;
}
inline verdict compiled_once::bind(planned_reorder& out, const descriptor& src, const descriptor& dst,
                                   const reorder_attributes* attributes) {
    verdict why;
    reorders_once::bind({}, &out, &why, &src, &dst, attributes);
    return why;
}
inline verdict compiled_once::bind(planned_reorder& out, const dims& extents) {
    verdict why;
    reorders_once::bind({}, &out, &why, &extents);
    return why;
}
inline void compiled_once::choice(inline_text<96>& out, const planned_reorder& planned) noexcept {
    reorders_once::choice({}, &out, &planned);
}
inline verdict compiled_once::set_choice(planned_reorder& planned, std::string_view text) noexcept {
    verdict why;
    reorders_once::set_choice({}, &planned, &why, text.data(), text.size());
    return why;
}
inline const planned_tiles* compiled_once::tiles_of(const planned_reorder& planned) noexcept {
    return static_cast<const planned_tiles*>(reorders_once::tiles_of({}, &planned));
}
inline const cache_block_plan* compiled_once::cache_blocks_of(const planned_reorder& planned) noexcept {
    return static_cast<const cache_block_plan*>(reorders_once::cache_blocks_of({}, &planned));
}

}  // namespace plait::engine
