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

/// Checks the arguments and copies. If one is wrong, xerbla_ is called with its number, and nothing is written.
template <class T>
void run(const matrix_copy<T>& call);
template <class T>
void run(const matrix_change<T>& call);

}  // namespace plait_drop_in
