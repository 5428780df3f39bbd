#pragma once
// The functions of libplait_omatcopy, by element type.

#include "drop_in/drop_in_cases.hpp"

extern "C" {
void cblas_somatcopy(int, int, int, int, float, const float*, int, float*, int);
void cblas_domatcopy(int, int, int, int, double, const double*, int, double*, int);
void cblas_comatcopy(int, int, int, int, const void*, const void*, int, void*, int);
void cblas_zomatcopy(int, int, int, int, const void*, const void*, int, void*, int);
void cblas_simatcopy(int, int, int, int, float, float*, int, int);
void cblas_dimatcopy(int, int, int, int, double, double*, int, int);
void cblas_cimatcopy(int, int, int, int, const void*, void*, int, int);
void cblas_zimatcopy(int, int, int, int, const void*, void*, int, int);
}

namespace drop_in {

using complex_float = std::complex<float>;
using complex_double = std::complex<double>;

enum { row_major = 101, column_major = 102, no_transpose = 111, transpose, conjugate_transpose, conjugate };

inline bool transposes(int operation) { return operation == transpose || operation == conjugate_transpose; }
inline bool conjugates(int operation) { return operation == conjugate || operation == conjugate_transpose; }

inline void omatcopy(int order, int operation, int rows, int columns, float alpha, const float* a, int lda, float* b,
                     int ldb) {
    cblas_somatcopy(order, operation, rows, columns, alpha, a, lda, b, ldb);
}
inline void omatcopy(int order, int operation, int rows, int columns, double alpha, const double* a, int lda, double* b,
                     int ldb) {
    cblas_domatcopy(order, operation, rows, columns, alpha, a, lda, b, ldb);
}
inline void omatcopy(int order, int operation, int rows, int columns, complex_float alpha, const complex_float* a,
                     int lda, complex_float* b, int ldb) {
    cblas_comatcopy(order, operation, rows, columns, &alpha, a, lda, b, ldb);
}
inline void omatcopy(int order, int operation, int rows, int columns, complex_double alpha, const complex_double* a,
                     int lda, complex_double* b, int ldb) {
    cblas_zomatcopy(order, operation, rows, columns, &alpha, a, lda, b, ldb);
}
inline void imatcopy(int order, int operation, int rows, int columns, float alpha, float* a, int lda, int ldb) {
    cblas_simatcopy(order, operation, rows, columns, alpha, a, lda, ldb);
}
inline void imatcopy(int order, int operation, int rows, int columns, double alpha, double* a, int lda, int ldb) {
    cblas_dimatcopy(order, operation, rows, columns, alpha, a, lda, ldb);
}
inline void imatcopy(int order, int operation, int rows, int columns, complex_float alpha, complex_float* a, int lda,
                     int ldb) {
    cblas_cimatcopy(order, operation, rows, columns, &alpha, a, lda, ldb);
}
inline void imatcopy(int order, int operation, int rows, int columns, complex_double alpha, complex_double* a, int lda,
                     int ldb) {
    cblas_zimatcopy(order, operation, rows, columns, &alpha, a, lda, ldb);
}

/// A matrix in memory: lines of elements, `stride` apart.
struct shape {
    count lines, length;

    shape(int order, int rows, int columns)
        : lines(order == row_major ? rows : columns), length(order == row_major ? columns : rows) {}
    std::size_t span(count stride) const {
        return lines == 0 || length == 0 ? 0 : static_cast<std::size_t>((lines - 1) * stride + length);
    }
    shape transposed_if(bool transposed) const {
        shape out = *this;
        if (transposed) std::swap(out.lines, out.length);
        return out;
    }
};

/// Writes alpha * op(a) to b by plain loops.
template <class T>
void plain_copy(int operation, const shape& s, T alpha, const T* a, count lda, T* b, count ldb) {
    for (count i = 0; i < s.lines; ++i)
        for (count j = 0; j < s.length; ++j) {
            T& to = transposes(operation) ? b[j * ldb + i] : b[i * ldb + j];
            const T from = alpha == T{0} ? T{0} : a[i * lda + j];
            to = expected_element(alpha, from, conjugates(operation), T{0}, T{0});
        }
}

// The last call of xerbla_, which omatcopy_refusals.cpp defines.
struct refused_argument {
    char name[16];
    int number;  // 0: none
};
extern refused_argument last_refused;

}  // namespace drop_in
