#pragma once
// Errors of the C interface: a status, and a sentence that each thread keeps until its next refusal.

#include "printf_format.hpp"

#include <plait/plait.h>
#include <plait/core/rejection.hpp>

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>

namespace plait::c {

// A plain array needs no construction, so that accessing it cannot fail.
inline thread_local char last_refusal[512] = "";
inline thread_local plait_refusal_t last_refusal_fields{"", -1, 0, {0, 0, 0}};

/// Keeps the fields of a refusal. The reason is the text up to a colon, truncated if necessary.
inline void keep_fields(const char* word, int axis, dim_t first, dim_t second, dim_t third) {
    plait_refusal_t fields{"", axis, 0, {first, second, third}};
    for (std::size_t i = 0; i + 1 < sizeof fields.reason && word[i] != 0 && word[i] != ':'; ++i)
        fields.reason[i] = word[i];
    last_refusal_fields = fields;
}

/// The result of a step of a function: a status, which also decides if the function continues.
struct [[nodiscard]] outcome {
    plait_status_t status = PLAIT_SUCCESS;
    bool operator!() const { return status != PLAIT_SUCCESS; }
};

/// Keeps a sentence, formatted as by printf, and returns the status. The format begins with the reason: "reason: ".
[[gnu::format(PLAIT_PRINTF_FORMAT, 2, 3)]] inline outcome refuse(plait_status_t status, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(last_refusal, sizeof last_refusal, format, arguments);
    va_end(arguments);
    keep_fields(format, -1, 0, 0, 0);
    return {status};
}

// The statuses of C++ and C have the same numbers.
static_assert(static_cast<int>(status::success) == PLAIT_SUCCESS);
static_assert(static_cast<int>(status::out_of_memory) == PLAIT_OUT_OF_MEMORY);
static_assert(static_cast<int>(status::invalid_arguments) == PLAIT_INVALID_ARGUMENTS);
static_assert(static_cast<int>(status::unimplemented) == PLAIT_UNIMPLEMENTED);

/// Keeps the sentence of a verdict, preceded by its subject and followed by a remedy. Returns the verdict's status.
inline outcome answer(const verdict& why, const char* about = "", const char* remedy = "") {
    if (why.ok()) return {};
    const outcome step = refuse(static_cast<plait_status_t>(why.status()), "%s%s%s%s%s", about, *about != 0 ? ": " : "",
                                describe(why).c_str(), *remedy != 0 ? "; " : "", remedy);
    keep_fields(to_string(why.reason), why.axis, why.first, why.second, why.third);
    return step;
}

/// Runs the body of an interface function. No exception leaves it. If exceptions are disabled, none may be needed, so
/// bodies call the checks first.
template <class Body>
plait_status_t guarded(const Body& body) noexcept {
#if defined(__cpp_exceptions)
    try {
        return body().status;
    } catch (const rejection& refused) {
        return answer(refused.verdict()).status;
    } catch (const std::bad_alloc&) {
        return refuse(PLAIT_OUT_OF_MEMORY, "out_of_memory: an allocation failed").status;
    } catch (...) {
        return refuse(PLAIT_UNIMPLEMENTED, "exception: one that should not be possible").status;
    }
#else
    return body().status;
#endif
}

/// Refuses null and pointers that are not aligned for a T.
template <class T>
outcome check_pointer(const T* pointer, const char* name) {
    if (pointer == nullptr) return refuse(PLAIT_INVALID_ARGUMENTS, "pointer_is_null: %s is null", name);
    const auto rest = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(pointer) % alignof(T));
    if (rest != 0)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "pointer_is_misaligned: %s lies %u bytes behind a multiple of %u, which it has to be", name, rest,
                      static_cast<unsigned>(alignof(T)));
    return {};
}

/// Reads one number per axis. Refused: a null or misaligned pointer; more than 12 axes or fewer than 0.
template <class Numbers, class Integer>
outcome read_numbers(Numbers& out, int ndims, const Integer* numbers, const char* name) {
    if (ndims < 0 || ndims > max_ndims)
        return refuse(PLAIT_INVALID_ARGUMENTS,
                      "ndims_is_out_of_range: %s would have %d numbers, but a layout has at most %d axes", name, ndims,
                      max_ndims);
    if (ndims > 0)
        if (const outcome step = check_pointer(numbers, name); !step) return step;
    for (int a = 0; a < ndims; ++a) out.push_back(numbers[a]);
    return {};
}

}  // namespace plait::c
