#pragma once
// What a planned repack keeps, and its options.

#include <plait/packed/record.hpp>

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

/// The code that is compiled once in a program, as in engine/kernel/compiled_once.hpp.
struct link_plait_plait_or_include_plait_implementation_hpp_in_one_unit {
    static verdict plan(shared_plan& out, const record& from, const record& to, const repack_options& options);
    static dim_t chunks(const repack_plan& plan);
    static repack_chunk chunk(const repack_plan& plan, dim_t number);
    static void run_chunk(const repack_plan& plan, dim_t number, const std::byte* from, std::byte* to);
    static void run(const repack_plan& plan, const std::byte* const* from, std::byte* const* to, dim_t first,
                    dim_t last);
    static void add_owner(const repack_plan& plan);
    static void remove_owner(const repack_plan& plan);
};
using compiled_repack = link_plait_plait_or_include_plait_implementation_hpp_in_one_unit;

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
}  // namespace detail

}  // namespace plait
