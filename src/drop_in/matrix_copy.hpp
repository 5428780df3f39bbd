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
void run_checked(const matrix_copy<T>& call);
template <class T>
void run(const matrix_change<T>& call);

extern template void run_checked(const matrix_copy<float>&);
extern template void run_checked(const matrix_copy<double>&);
extern template void run_checked(const matrix_copy<std::complex<float>>&);
extern template void run_checked(const matrix_copy<std::complex<double>>&);

/// Copies as run_checked. A matrix of up to 512 elements whose arguments are right is copied here, because to look for
/// a plan takes longer.
template <class T>
inline void run(const matrix_copy<T>& call) {
    constexpr count most = 512, longest = 1 << 20;
    const bool by_rows = call.order == storage::row_major, transposed = transposes(call.operation);
    const count lines = by_rows ? call.rows : call.columns, length = by_rows ? call.columns : call.rows;
    const bool is_small = call.order != storage::unknown && call.operation != matrix_operation::unknown && lines >= 1 &&
                          length >= 1 && lines <= most && length <= most && lines * length <= most &&
                          call.lda >= length && call.ldb >= (transposed ? lines : length) && call.lda < longest &&
                          call.ldb < longest && !call.has_steps && call.alpha != T{0} && call.a != nullptr &&
                          call.b != nullptr;
    if (!is_small) return run_checked(call);
    const auto from = reinterpret_cast<std::uintptr_t>(call.a), to = reinterpret_cast<std::uintptr_t>(call.b);
    // Whole leading dimensions, which is more than the elements span.
    const auto from_end = from + static_cast<std::uintptr_t>(lines * call.lda) * sizeof(T),
               to_end = to + static_cast<std::uintptr_t>((transposed ? length : lines) * call.ldb) * sizeof(T);
    if (from < to_end && to < from_end) return run_checked(call);
    with_computation<T>({call.alpha, T{0}, conjugates(call.operation)}, [&](const auto& compute) {
        if (transposed) compute.transpose(lines, length, call.a, call.lda, call.b, call.ldb);
        else compute.copy(lines, length, call.a, call.lda, call.b, call.ldb);
    });
}

}  // namespace plait_drop_in
