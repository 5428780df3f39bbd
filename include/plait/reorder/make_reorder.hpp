#pragma once
// The public way to move a tensor between layouts known only at run time.

#include <plait/contract/executor.hpp>
#include <plait/engine/kernel/plan_move.hpp>
#include <plait/engine/quantize/values_reorder.hpp>

#include <optional>  // std::construct_at; see scratch_list.hpp
#include <span>
#include <type_traits>

namespace plait {

/// A reorder that is planned: what make_reorder returns. Copyable, without memory of its own; nothing changes it, so
/// threads may share it.
///
/// Arrays of values that the attributes have stay the caller's: they are read at each call, and so have to live as
/// long.
class planned_reorder {
public:
    /// Moves a tensor. Sizes are in bytes, pointers to where offset 0 lies.
    ///
    /// Refused, before anything is read: buffer_is_null, unless that side has no elements; spans_overlap, the same
    /// pointer twice, unless every element stays what and where it is; reorder_is_not_planned, where make_reorder
    /// refused, and its value was taken all the same
    /// Pre:     in holds src_size_in_bytes(), out dst_size_in_bytes(); they do not overlap
    /// Post:    as reference_reorder of the descriptors and attributes that it was planned for
    /// Cost:    no allocation, no lock; some 30 nanoseconds more than a kernel for static layouts
    verdict operator()(const void* in, void* out) const noexcept {
        if (move_ == nullptr) return is_planned_ ? verdict{} : verdict{reason::reorder_is_not_planned};
        if (const verdict why = accept_pointers(in, out); !why.ok()) return why;
        move_->run(*this, in, out);
        return {};
    }
    /// The same for spans of bytes, whose sizes are checked.
    ///
    /// Refused besides: buffer_is_too_small; spans_overlap, in part
    verdict operator()(std::span<const std::byte> in, std::span<std::byte> out) const noexcept {
        if (const verdict why = check_buffer(in.data(), in.size(), src_bytes_, buffer_role::source); !why.ok())
            return why;
        if (const verdict why = check_buffer(out.data(), out.size(), dst_bytes_, buffer_role::destination); !why.ok())
            return why;
        const auto from = reinterpret_cast<std::uintptr_t>(in.data()),
                   to = reinterpret_cast<std::uintptr_t>(out.data());
        if (from != to && from < to + dst_bytes_ && to < from + src_bytes_)
            return overlap_of(src_bytes_, dst_bytes_, static_cast<std::ptrdiff_t>(to - from));
        return (*this)(static_cast<const void*>(in.data()), static_cast<void*>(out.data()));
    }

    /// The same on the threads of an executor; what moves less than 2 MB is done by the calling thread, which is
    /// faster.
    ///
    /// Post:    as without an executor, byte for byte, whatever the number of threads
    /// Cost:    one chunk for each thread, of at least least_chunk_bytes; throws what the executor throws. The calling
    ///          thread does all of it where elements go one by one, and where one sum is for the whole tensor
    /// Example: examples/09_threads.cpp
    template <executor E>
    verdict operator()(E&& threads, const void* in, void* out) const {
        const int chunks = move_ == nullptr ? 1 : chunks_for(move_->bytes_moved(*this), threads.concurrency());
        if (chunks == 1 || in == out) return (*this)(in, out);
        if (const verdict why = accept_pointers(in, out); !why.ok()) return why;
        move_->begin(*this, out);
        threads.run(chunks, [=, this](int chunk) noexcept { move_->run_chunk(*this, in, out, chunk, chunks); });
        move_->finish(*this, out);
        return {};
    }

    /// What a buffer needs from where offset 0 lies; see descriptor::buffer_size_in_bytes.
    std::size_t src_size_in_bytes() const noexcept { return src_bytes_; }
    std::size_t dst_size_in_bytes() const noexcept { return dst_bytes_; }
    /// The plan of tiles, for threads that share it; null where there is none.
    const engine::planned_tiles* tiles() const noexcept {
        return move_ != nullptr && move_->are_tiles ? &plan_.tiles : nullptr;
    }

private:
    template <isa Isa>
    friend void plan_reorder_with(planned_reorder& out, const descriptor& src, const descriptor& dst,
                                  const reorder_attributes& attributes, const reorder_spans& spans);

    /// Of each kind of plan one; which it is, move_ says. A std::variant of trivial types, and cheaper to include.
    union any_plan {
        char none;
        engine::planned_tiles tiles;
        engine::values_reorder values;
        engine::element_move elements;

        any_plan() : none() {}
    };
    static_assert(std::is_trivially_copyable_v<any_plan> && std::is_trivially_destructible_v<any_plan>);

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
    template <class Move>
    struct functions_of {
        // A union has the address of its members.
        static const Move& of(const planned_reorder& p) noexcept { return *reinterpret_cast<const Move*>(&p.plan_); }
        static void run(const planned_reorder& p, const void* in, void* out) noexcept { of(p)(in, out); }
        static dim_t bytes_moved(const planned_reorder& p) noexcept { return of(p).bytes_moved(); }
        static void begin(const planned_reorder& p, void* out) noexcept { of(p).begin(out); }
        static void run_chunk(const planned_reorder& p, const void* in, void* out, int chunk, int chunks) noexcept {
            of(p).run_chunk(in, out, chunk, chunks);
        }
        static void finish(const planned_reorder& p, void* out) noexcept { of(p).finish(out); }
        static constexpr bool are_tiles = std::is_same_v<Move, engine::planned_tiles>;
        static constexpr move_functions all = {are_tiles, run, bytes_moved, begin, run_chunk, finish};
    };
    template <class Move>
    Move& move_by() {
        move_ = &functions_of<Move>::all;
        return *std::construct_at(reinterpret_cast<Move*>(&plan_));
    }

    verdict accept_pointers(const void*& in, const void* out) const noexcept {
        if (in != nullptr && out != nullptr && (in != out || may_be_in_place_)) return {};
        const verdict why = check_pointers(in, out);
        if (why.ok() && in == nullptr) in = this;  // all of the destination is padding: nothing is read
        return why;
    }
    verdict check_pointers(const void* in, const void* out) const noexcept {
        if (const verdict why = check_buffer(in, src_bytes_, src_bytes_, buffer_role::source); !why.ok()) return why;
        if (const verdict why = check_buffer(out, dst_bytes_, dst_bytes_, buffer_role::destination); !why.ok())
            return why;
        return in == out && !may_be_in_place_ ? overlap_of(src_bytes_, dst_bytes_, 0) : verdict{};
    }

    any_plan plan_;
    const move_functions* move_ = nullptr;  // null: there is nothing to move, or it is not planned
    std::size_t src_bytes_ = 0, dst_bytes_ = 0;
    bool is_planned_ = false;  // there may be nothing to do
    bool may_be_in_place_ = false;
};

/// Plans in place, with one instruction set. All code of its run-time kernels belongs to this function, which only
/// plan_reorder calls.
///
/// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; cpu_has(Isa); out is as it is made
template <isa Isa>
void plan_reorder_with(planned_reorder& out, const descriptor& src, const descriptor& dst,
                       const reorder_attributes& attributes, const reorder_spans& spans) {
    out.is_planned_ = true;
    if (spans.dst == 0) return;
    out.src_bytes_ = src.buffer_size_of(spans.src);
    out.dst_bytes_ = dst.buffer_size_of(spans.dst);
    const bool moves_only = is_trivial(attributes) && dst.extra.empty();
    out.may_be_in_place_ = moves_only && src == dst;
    engine::move_factors factors;
    if ((moves_only || engine::find_factors(factors, src, dst, attributes)) &&
        engine::plan_move<Isa>(out.move_by<engine::planned_tiles>(), src, dst, spans.src, factors))
        return;
    if (moves_only && src.type == dst.type)
        out.move_by<engine::element_move>() = {src.layout, dst.layout, size_in_bytes(src.type)};
    else engine::plan_values_with<Isa>(out.move_by<engine::values_reorder>(), src, dst, attributes, spans.src);
}

/// Plans with the instruction set that is named. Only here all of them are: a unit that includes compiled.hpp has none
/// of their code. `Least` is the one that the compile flags settle, and in place of those below it.
///
/// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; out is as it is made;
///          is_of_this_architecture(instructions); who runs the plan has cpu_has(instructions)
template <isa Least>
void plan_reorder(isa instructions, planned_reorder& out, const descriptor& src, const descriptor& dst,
                  const reorder_attributes& attributes, const reorder_spans& spans) {
    with_isa<Least>(instructions, [&]<isa Isa>() { plan_reorder_with<Isa>(out, src, dst, attributes, spans); });
}

/// Plans with the widest instruction set that the CPU has.
///
/// Pre:     measure_reorder(src, dst, attributes) is ok, and has these spans; out is as it is made
template <isa Least>
void plan_reorder(planned_reorder& out, const descriptor& src, const descriptor& dst,
                  const reorder_attributes& attributes, const reorder_spans& spans) {
    isa widest = Least;
    with_widest_isa<Least>([&]<isa Isa>() { widest = Isa; });
    plan_reorder<Least>(widest, out, src, dst, attributes, spans);
}

/// Plans a reorder once, to be run often.
///
/// Refused, as the result's error: what check_reorder(src, dst, attributes) refuses
///
/// Pre:     none of the descriptors; values by index live as long as the plan is called
/// Post:    (*result)(in, out) writes what reference_reorder(src, in, dst, out, attributes) does
/// Cost:    half a microsecond to two; no allocation
/// Source:  spec semantics 12
/// Example: examples/11_run_time.cpp
template <isa Least = least_isa()>
expected<planned_reorder> make_reorder(const descriptor& src, const descriptor& dst,
                                       const reorder_attributes& attributes = {}) {
    const measured_reorder measured = measure_reorder(src, dst, attributes);
    expected<planned_reorder> out{{}, measured.why};
    if (out) plan_reorder<Least>(out.made, src, dst, attributes, measured.spans);
    return out;
}

/// Plans a reorder and runs it.
///
/// Refused: as make_reorder and the plan's call; nothing is written then
/// Pre:     `in` holds src.buffer_size_in_bytes() bytes from where offset 0 lies, `out` dst's; they do not overlap
/// Post:    as reference_reorder(src, in, dst, out, attributes)
/// Cost:    plans at each call, half a microsecond to two; no allocation
/// Source:  spec semantics 12
/// Example: examples/11_run_time.cpp
template <isa Least = least_isa()>
verdict reorder(const descriptor& src, const void* in, const descriptor& dst, void* out,
                const reorder_attributes& attributes = {}) {
    const expected<planned_reorder> planned = make_reorder<Least>(src, dst, attributes);
    return planned ? planned.made(in, out) : planned.error();
}

}  // namespace plait
