#pragma once
// What a planned repack keeps, and its options.

#include <plait/engine/kernel/for_all_units.hpp>
#include <plait/packed/record.hpp>

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
        parameter(std::string_view of, double is) : name(detail::field_name_of(of)), value(is) {}
    };
    std::vector<parameter> parameters = {};
    std::vector<std::string_view> dropped = {};  ///< fields of the source that the destination has not
    dim_t chunk_bytes = dim_t{1} << 16;          ///< about how many bytes are packed before the next ones are read

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
};

/// The sizes of the types with which repacks are planned.
using repack_types = for_all_units::types_of_bytes<sizeof(record), sizeof(record_tag), sizeof(record_piece),
                                                   sizeof(repack_chunk), sizeof(verdict), sizeof(plain_repack_options),
                                                   sizeof(plain_repack_options::parameter)>;
static_assert(std::is_trivially_copyable_v<record> && std::is_trivially_copyable_v<repack_chunk>);
}  // namespace detail

}  // namespace plait

namespace plait::for_all_units::records {

/// The functions that detail::compiled_repack calls. Pointers are to the types of its functions.
///
/// If a program lacks the definitions, the linker prints this name.
struct link_plait_plait_or_include_plait_implementation_hpp_in_one_unit {
    using types = detail::repack_types;
    static const void* plan(types, void* why, const void* from, const void* to, const void* options);
    static long chunks(types, const void* plan);
    static void chunk(types, const void* plan, long number, void* out);
    static void run_chunk(types, const void* plan, long number, const void* from, void* to);
    static void run(types, const void* plan, const void* from, const void* to, long first, long last);
    static void add_owner(types, const void* plan);
    static void remove_owner(types, const void* plan);
};

}  // namespace plait::for_all_units::records

namespace plait::inline PLAIT_UNIT_FLAGS::detail {

/// The code that is compiled once in a program, as in engine/kernel/compiled_once.hpp.
struct compiled_repack {
    static inline verdict plan(shared_plan& out, const record& from, const record& to, const repack_options& options);
    static dim_t chunks(const repack_plan& plan) { return once::chunks({}, &plan); }
    static repack_chunk chunk(const repack_plan& plan, dim_t number) {
        repack_chunk out;
        once::chunk({}, &plan, number, &out);
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

inline verdict compiled_repack::plan(shared_plan& out, const record& from, const record& to,
                                     const repack_options& options) {
    std::vector<plain_repack_options::parameter> parameters;
    for (const repack_options::parameter& p : options.parameters)
        parameters.push_back({{p.name.data(), static_cast<std::size_t>(p.name.size())}, p.value});
    std::vector<plain_repack_options::text> dropped;
    for (const std::string_view name : options.dropped) dropped.push_back({name.data(), name.size()});
    const plain_repack_options plain{parameters.data(), parameters.size(), dropped.data(), dropped.size(),
                                     options.chunk_bytes};
    verdict why;
    const void* const made = once::plan({}, &why, &from, &to, &plain);
    if (why.ok()) out = shared_plan(static_cast<const repack_plan*>(made));
    return why;
}

}  // namespace plait::detail
