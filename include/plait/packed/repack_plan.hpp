#pragma once
// What a planned repack keeps, its options, and which fields two records have in common, which is known without a plan.

#include <plait/contract/executor.hpp>
#include <plait/contract/isa.hpp>
#include <plait/engine/kernel/for_all_units.hpp>
#include <plait/packed/record.hpp>

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// The options of a repack.
struct repack_options {
    /// A number that is given at run time, for a field such as `bias:s32 8n /k =+sum(w)*-izp`.
    struct parameter {
        field_name name;
        double value = 0;
        /// A name of more than 15 letters is that of no parameter, and stays empty.
        parameter(std::string_view of, double is)
            : name(of.size() <= 15 ? detail::field_name_of(of) : field_name()), value(is) {}
    };
    std::vector<parameter> parameters = {};
    std::vector<std::string_view> dropped = {};  ///< fields of the source that the destination has not
    dim_t chunk_bytes = dim_t{1} << 16;          ///< about how many bytes are packed before the next ones are read
    bool ignore_padding = false;                 ///< verify does not check padding; what packs writes it all the same

    /// Returns the number of a parameter, or null.
    const double* find(const field_name& name) const {
        for (const parameter& p : parameters)
            if (p.name == name) return &p.value;
        return nullptr;
    }
};

/// The bytes of one chunk of a repack. Chunks follow one another on both sides.
struct repack_chunk {
    dim_t src_begin = 0, src_bytes = 0;  ///< src_bytes is 0 if the chunk reads bytes all over the source
    dim_t dst_begin = 0, dst_bytes = 0;
};

namespace detail {
struct repack_plan;
class shared_plan;
struct explained_repack;

/// The ways of moving values, in the order in which they are tried, and of computing sums.
enum class mover : std::int8_t { permutes, reorder, table, values, row_sums, listed_sums };

/// A mover that a plan uses for pieces of a field.
struct used_mover {
    field_name field;
    mover how = mover::values;
    isa instructions = isa::portable;
    int pieces = 0;
};

/// The options of a repack without containers, which have other sizes in units with _GLIBCXX_DEBUG.
struct plain_repack_options {
    struct text {
        const char* begin;
        std::size_t size;
    };
    struct parameter {
        text name;
        double value;
    };
    const parameter* parameters;
    std::size_t parameter_count;
    const text* dropped;
    std::size_t dropped_count;
    dim_t chunk_bytes;
    bool ignore_padding;
};

/// One of `count` parts of a check, which threads make. Each visits a range of the outermost steps of all that is
/// checked.
struct check_part {
    dim_t number = 0, count = 1;

    /// A range of steps.
    struct range {
        dim_t first, last;
    };
    constexpr range of(dim_t steps) const {
        return {steps / count * number + steps % count * number / count,
                steps / count * (number + 1) + steps % count * (number + 1) / count};
    }
};
/// The first thing that a part of a check found, and at which step of the check.
struct check_result {
    verdict why;
    dim_t step = 0;
};
/// Returns what one check finds first, of what its parts found.
inline verdict first_of(std::span<const check_result> parts) {
    check_result out;
    for (const check_result& one : parts)
        if (!one.why.ok() && (out.why.ok() || one.step < out.step)) out = one;
    return out.why;
}

/// The sizes of the types with which repacks are planned.
using repack_types = for_all_units::types_of_bytes<sizeof(record), sizeof(record_tag), sizeof(record_piece),
                                                   sizeof(repack_chunk), sizeof(verdict), sizeof(plain_repack_options),
                                                   sizeof(plain_repack_options::parameter), sizeof(used_mover),
                                                   sizeof(check_part), sizeof(check_result)>;
static_assert(std::is_trivially_copyable_v<record> && std::is_trivially_copyable_v<repack_chunk> &&
              std::is_trivially_copyable_v<used_mover>);
}  // namespace detail

}  // namespace plait

namespace plait::for_all_units::records {

/// The functions that detail::compiled_repack calls. Pointers are to the types of its functions.
///
/// If a program lacks the definitions, the linker prints this name.
struct link_plait_plait_or_include_plait_implementation_hpp_in_one_unit {
    using types = detail::repack_types;
    static const void* plan(types, void* why, const void* from, const void* to, const void* options);
    static long long chunks(types, const void* plan);
    static long long chunks_at_once(types, const void* plan);
    static void chunk(types, const void* plan, long long number, void* out);
    static long long movers(types, const void* plan);
    static void mover(types, const void* plan, long long number, void* out);
    static void run_chunk(types, const void* plan, long long number, const void* from, void* to);
    static void run(types, const void* plan, const void* from, const void* to, long long first, long long last);
    static void check_bytes(types, void* found, const void* of, const void* bytes, const void* options,
                            const void* part);
    static void add_owner(types, const void* plan);
    static void remove_owner(types, const void* plan);
};

}  // namespace plait::for_all_units::records

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The code that is compiled once in a program, as in engine/kernel/compiled_once.hpp.
struct compiled_repack {
    static inline verdict plan(shared_plan& out, const record& from, const record& to, const repack_options& options);
    static dim_t chunks(const repack_plan& plan) { return once::chunks({}, &plan); }
    /// Returns how many chunks threads may move at the same time: all, or 1 if some share a byte of the destination.
    static dim_t chunks_at_once(const repack_plan& plan) { return once::chunks_at_once({}, &plan); }
    static repack_chunk chunk(const repack_plan& plan, dim_t number) {
        repack_chunk out;
        once::chunk({}, &plan, number, &out);
        return out;
    }
    static dim_t movers(const repack_plan& plan) { return once::movers({}, &plan); }
    static used_mover mover_at(const repack_plan& plan, dim_t number) {
        used_mover out;
        once::mover({}, &plan, number, &out);
        return out;
    }
    static void run_chunk(const repack_plan& plan, dim_t number, const std::byte* from, std::byte* to) {
        once::run_chunk({}, &plan, number, from, to);
    }
    /// `from` and `to` have a buffer for each side of plain_tensors.hpp, or one for a record.
    static void run(const repack_plan& plan, const std::byte* const* from, std::byte* const* to, dim_t first,
                    dim_t last) {
        once::run({}, &plan, from, to, first, last);
    }
    /// Runs all chunks on the threads of an executor, as many as pay for `bytes` bytes on both sides.
    template <executor E>
    static void run_on(E&& threads, const repack_plan& plan, const std::byte* const* from, std::byte* const* to,
                       dim_t bytes) {
        const dim_t count = chunks(plan),
                    parts = smaller_of(chunks_for(bytes, threads.concurrency()), chunks_at_once(plan));
        threads.run(static_cast<int>(parts),
                    [&, from, to](int part) { run(plan, from, to, count * part / parts, count * (part + 1) / parts); });
    }
    /// Checks the bytes of a record on the threads of an executor, as many as pay.
    template <executor E>
    static verdict check_on(E&& threads, const record& r, const std::byte* bytes, const repack_options& options);
    static void add_owner(const repack_plan& plan) { once::add_owner({}, &plan); }
    static void remove_owner(const repack_plan& plan) { once::remove_owner({}, &plan); }

private:
    using once = for_all_units::records::link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;
};

/// Owns a plan together with its copies. Not std::shared_ptr: <memory> takes a third of a second to compile.
class shared_plan {
public:
    shared_plan() = default;
    explicit shared_plan(const repack_plan* plan) : plan_(plan) {}  // which has one owner
    shared_plan(const shared_plan& o) : plan_(o.plan_) {
        if (plan_ != nullptr) compiled_repack::add_owner(*plan_);
    }
    shared_plan(shared_plan&& o) noexcept : plan_(std::exchange(o.plan_, nullptr)) {}
    shared_plan& operator=(shared_plan o) noexcept { return std::swap(plan_, o.plan_), *this; }
    ~shared_plan() {
        if (plan_ != nullptr) compiled_repack::remove_owner(*plan_);
    }
    const repack_plan& operator*() const { return *plan_; }
    bool is_empty() const { return plan_ == nullptr; }

private:
    const repack_plan* plan_ = nullptr;
};

/// The options of a repack as those of compiled code, which point into this object and into the options.
class options_for_all_units {
public:
    explicit options_for_all_units(const repack_options& options) {
        for (const repack_options::parameter& p : options.parameters)
            parameters_.push_back({{p.name.data(), static_cast<std::size_t>(p.name.size())}, p.value});
        for (const std::string_view name : options.dropped) dropped_.push_back({name.data(), name.size()});
        plain_ = {parameters_.data(), parameters_.size(),  dropped_.data(),
                  dropped_.size(),    options.chunk_bytes, options.ignore_padding};
    }
    options_for_all_units(const options_for_all_units&) = delete;
    options_for_all_units& operator=(const options_for_all_units&) = delete;
    const plain_repack_options* get() const { return &plain_; }

private:
    std::vector<plain_repack_options::parameter> parameters_;
    std::vector<plain_repack_options::text> dropped_;
    plain_repack_options plain_{};
};

inline verdict compiled_repack::plan(shared_plan& out, const record& from, const record& to,
                                     const repack_options& options) {
    verdict why;
    const void* const made = once::plan({}, &why, &from, &to, options_for_all_units(options).get());
    if (why.ok()) out = shared_plan(static_cast<const repack_plan*>(made));
    return why;
}
template <executor E>
verdict compiled_repack::check_on(E&& threads, const record& r, const std::byte* bytes, const repack_options& options) {
    constexpr dim_t least_part = dim_t{64} << 10;  // takes some 100 microseconds, and a thread less than 10 to start
    const options_for_all_units plain(options);
    const dim_t most = larger_of(1, r.size / least_part);
    const int parts = static_cast<int>(smaller_of(most, larger_of(1, threads.concurrency())));
    std::vector<check_result> found(static_cast<std::size_t>(parts));
    threads.run(parts, [&](int part) {
        const check_part here{part, parts};
        once::check_bytes({}, &found[static_cast<std::size_t>(part)], &r, bytes, plain.get(), &here);
    });
    return first_of(found);
}

/// Checks that two records have the same index space.
///
/// Refused: rank_differs, dims_differ
constexpr verdict check_same_indices(const record& from, const record& to) {
    if (from.ndims() != to.ndims())
        return detail::ranks_differ(detail::counted::source, from.ndims(), detail::counted::destination, to.ndims());
    for (int a = 0; a < to.ndims(); ++a)
        if (from.dims[a] != to.dims[a]) return {reason::dims_differ, a, from.dims[a], to.dims[a]};
    return {};
}

/// Checks that each field of the source has a place in the destination, or is dropped by name.
///
/// Refused: field_is_dropped
constexpr verdict check_dropped(const record& from, const record& to, std::span<const std::string_view> dropped) {
    for (const record_field& field : from.tag.fields) {
        bool kept = false;
        for (const record_field& other : to.tag.fields) kept = kept || other.name == field.name;
        for (const std::string_view name : dropped) kept = kept || has_name(field.name, name);
        if (!kept) return {reason::field_is_dropped, -1, short_name(field.name)};
    }
    return {};
}

/// Checks that a record can be repacked into another without any options, as far as names and extents decide it.
///
/// Refused: rank_differs, dims_differ, field_is_dropped, field_is_missing, parameter_is_missing
constexpr verdict check_matching_fields(const record& from, const record& to) {
    if (const verdict why = check_same_indices(from, to); !why.ok()) return why;
    if (const verdict why = check_dropped(from, to, {}); !why.ok()) return why;
    for (const record_field& field : to.tag.fields) {
        bool found = false;
        for (const record_field& other : from.tag.fields) found = found || other.name == field.name;
        if (field.content.kind == field_content::sum && field.content.parameter.size() > 0)
            return {reason::parameter_is_missing, -1, short_name(field.content.parameter)};
        if (field.content.kind != field_content::sum && !found)
            return {reason::field_is_missing, -1, short_name(field.name)};
    }
    return {};
}

}  // namespace plait::detail
