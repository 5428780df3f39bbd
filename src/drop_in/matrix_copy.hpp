#pragma once
// B = alpha * op(A) for matrices, out of place and in place, as the BLAS extensions ?omatcopy and ?imatcopy name it.

#include "rows.hpp"

#include <cstdint>

namespace plait_drop_in {

enum class storage { row_major, column_major, unknown };
enum class matrix_operation { copy, transpose, conjugate_transpose, conjugate, unknown };

/// The arguments of a copy. Leading dimensions and steps are in elements; element (i, j) of a row-major A is
/// a[i * lda + j * a_step].
template <class T>
struct matrix_copy {
    const char* name;  ///< of the function, in errors: "SOMATCOPY"
    storage order;
    matrix_operation operation;
    count rows, columns;
    T alpha;
    const T* a;
    count lda;
    T* b;
    count ldb;
    count a_step = 1, b_step = 1;
    bool has_steps = false;  ///< as ?omatcopy2: they are arguments, which moves the numbers of those after them
};

/// The arguments of a copy in place: A, with lda, becomes alpha * op(A), with ldb.
template <class T>
struct matrix_change {
    const char* name;
    storage order;
    matrix_operation operation;
    count rows, columns;
    T alpha;
    T* a;
    count lda, ldb;
};

inline bool transposes(matrix_operation operation) {
    return operation == matrix_operation::transpose || operation == matrix_operation::conjugate_transpose;
}
inline bool conjugates(matrix_operation operation) {
    return operation == matrix_operation::conjugate || operation == matrix_operation::conjugate_transpose;
}

/// Checks the arguments and copies. If one is wrong, xerbla_ is called with its number, and nothing is written.
template <class T>
void run(const matrix_copy<T>& call);
template <class T>
void run(const matrix_change<T>& call);

/// Copies a small matrix, because to look for a plan takes longer. Returns false, before anything is written, if it is
/// not small, or if an argument is wrong or rare: `run` is for these.
template <class T>
[[gnu::always_inline]] inline bool copy_small(storage order, matrix_operation operation, count rows, count columns,
                                              const T& alpha, const T* a, count lda, T* b, count ldb) {
    // Registers of 16 bytes move as many elements in the time that it takes to find a plan, and scale those that L1
    // holds faster than blocks are moved twice.
    constexpr count most = 1024, most_scaled = 32768 / sizeof(T), longest = 1 << 20;
    const bool by_rows = order == storage::row_major, transposed = transposes(operation);
    const count lines = by_rows ? rows : columns, length = by_rows ? columns : rows;
    const scaling<T> by{alpha, T{0}, conjugates(operation)};
    // Negative numbers are large ones without a sign.
    const auto is_less = [](count x, count limit) {
        return static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(limit);
    };
    if (order == storage::unknown || operation == matrix_operation::unknown) return false;
    if (!is_less(lines - 1, most_scaled) || !is_less(length - 1, most_scaled)) return false;
    const bool is_line = lines == 1 || length == 1;
    if (lines * length > (is_line || !by.moves_bytes() ? most_scaled : most)) return false;
    if (!is_less(lda - length, longest) || !is_less(ldb - (transposed ? lines : length), longest)) return false;
    if (alpha == T{0} || a == nullptr || b == nullptr) return false;
    const auto from = reinterpret_cast<std::uintptr_t>(a), to = reinterpret_cast<std::uintptr_t>(b);
    // Whole leading dimensions, which is more than the elements span.
    const auto from_end = from + static_cast<std::uintptr_t>(lines * lda) * sizeof(T),
               to_end = to + static_cast<std::uintptr_t>((transposed ? length : lines) * ldb) * sizeof(T);
    if (from < to_end && to < from_end) return false;
    with_computation(
        by, [&](const auto& compute) __attribute__((always_inline)) {
            if (transposed) compute.transpose(lines, length, a, lda, b, ldb);
            else compute.copy(lines, length, a, lda, b, ldb);
        });
    return true;
}

}  // namespace plait_drop_in
