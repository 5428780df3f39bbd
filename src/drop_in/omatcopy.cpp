// The entry points of libplait_omatcopy: ?omatcopy and ?imatcopy under the names of OpenBLAS and of MKL.
//
// Integers are int, as in builds of these libraries that are not ILP64; MKL's C functions take size_t.

#include "matrix_copy.hpp"

#include <limits>

namespace {

using namespace plait_drop_in;
using complex_float = std::complex<float>;
using complex_double = std::complex<double>;

storage storage_of(int number) {
    return number == 101 ? storage::row_major : number == 102 ? storage::column_major : storage::unknown;
}
storage storage_of(char letter) {
    if (letter == 'R' || letter == 'r') return storage::row_major;
    return letter == 'C' || letter == 'c' ? storage::column_major : storage::unknown;
}
matrix_operation operation_of(int number) {
    switch (number) {
        case 111: return matrix_operation::copy;
        case 112: return matrix_operation::transpose;
        case 113: return matrix_operation::conjugate_transpose;
        case 114: return matrix_operation::conjugate;
        default: return matrix_operation::unknown;
    }
}
matrix_operation operation_of(char letter) {
    switch (letter) {
        case 'N':
        case 'n': return matrix_operation::copy;
        case 'T':
        case 't': return matrix_operation::transpose;
        case 'C':
        case 'c': return matrix_operation::conjugate_transpose;
        case 'R':
        case 'r': return matrix_operation::conjugate;
        default: return matrix_operation::unknown;
    }
}

count count_of(int number) { return number; }
/// Returns a size as a signed number; one that is too large as -1, which is refused.
count count_of(std::size_t number) {
    return number > static_cast<std::size_t>(std::numeric_limits<count>::max()) ? -1 : static_cast<count>(number);
}

template <class T>
[[gnu::noinline]] void copy_checked(const char* name, storage order, matrix_operation operation, count rows,
                                    count columns, const T& alpha, const T* a, count lda, T* b, count ldb) {
    run(matrix_copy<T>{name, order, operation, rows, columns, alpha, a, lda, b, ldb});
}
template <class T, class Word, class Integer>
[[gnu::always_inline]] inline void copy(const char* name, Word order, Word operation, Integer rows, Integer columns,
                                        const T& alpha, const void* a, Integer lda, void* b, Integer ldb) {
    const storage by = storage_of(order);
    const matrix_operation as = operation_of(operation);
    const T* const from = static_cast<const T*>(a);
    T* const to = static_cast<T*>(b);
    if (copy_small(by, as, count_of(rows), count_of(columns), alpha, from, count_of(lda), to, count_of(ldb))) return;
    copy_checked(name, by, as, count_of(rows), count_of(columns), alpha, from, count_of(lda), to, count_of(ldb));
}
template <class T, class Word, class Integer>
void change(const char* name, Word order, Word operation, Integer rows, Integer columns, const T& alpha, void* a,
            Integer lda, Integer ldb) {
    run(matrix_change<T>{name, storage_of(order), operation_of(operation), count_of(rows), count_of(columns), alpha,
                         static_cast<T*>(a), count_of(lda), count_of(ldb)});
}
template <class T>
void copy2(const char* name, char order, char operation, std::size_t rows, std::size_t columns, const T& alpha,
           const void* a, std::size_t lda, std::size_t a_step, void* b, std::size_t ldb, std::size_t b_step) {
    run(matrix_copy<T>{name, storage_of(order), operation_of(operation), count_of(rows), count_of(columns), alpha,
                       static_cast<const T*>(a), count_of(lda), static_cast<T*>(b), count_of(ldb), count_of(a_step),
                       count_of(b_step), true});
}
/// Reads a number that is passed by its address.
template <class T>
T at(const void* address) {
    T number;
    std::memcpy(&number, address, sizeof(T));
    return number;
}

// MKL passes complex numbers as structs of two.
struct float_pair {
    float real, imag;
    operator complex_float() const { return {real, imag}; }
};
struct double_pair {
    double real, imag;
    operator complex_double() const { return {real, imag}; }
};

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

// OpenBLAS, from C. A complex alpha is passed by its address.
void cblas_somatcopy(int order, int trans, int rows, int cols, float alpha, const void* a, int lda, void* b, int ldb) {
    copy<float>("SOMATCOPY", order, trans, rows, cols, alpha, a, lda, b, ldb);
}
void cblas_domatcopy(int order, int trans, int rows, int cols, double alpha, const void* a, int lda, void* b, int ldb) {
    copy<double>("DOMATCOPY", order, trans, rows, cols, alpha, a, lda, b, ldb);
}
void cblas_comatcopy(int order, int trans, int rows, int cols, const void* alpha, const void* a, int lda, void* b,
                     int ldb) {
    copy<complex_float>("COMATCOPY", order, trans, rows, cols, at<complex_float>(alpha), a, lda, b, ldb);
}
void cblas_zomatcopy(int order, int trans, int rows, int cols, const void* alpha, const void* a, int lda, void* b,
                     int ldb) {
    copy<complex_double>("ZOMATCOPY", order, trans, rows, cols, at<complex_double>(alpha), a, lda, b, ldb);
}
void cblas_simatcopy(int order, int trans, int rows, int cols, float alpha, void* a, int lda, int ldb) {
    change<float>("SIMATCOPY", order, trans, rows, cols, alpha, a, lda, ldb);
}
void cblas_dimatcopy(int order, int trans, int rows, int cols, double alpha, void* a, int lda, int ldb) {
    change<double>("DIMATCOPY", order, trans, rows, cols, alpha, a, lda, ldb);
}
void cblas_cimatcopy(int order, int trans, int rows, int cols, const void* alpha, void* a, int lda, int ldb) {
    change<complex_float>("CIMATCOPY", order, trans, rows, cols, at<complex_float>(alpha), a, lda, ldb);
}
void cblas_zimatcopy(int order, int trans, int rows, int cols, const void* alpha, void* a, int lda, int ldb) {
    change<complex_double>("ZIMATCOPY", order, trans, rows, cols, at<complex_double>(alpha), a, lda, ldb);
}

// OpenBLAS, from Fortran.
void somatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha,
                const void* a, const int* lda, void* b, const int* ldb) {
    copy<float>("SOMATCOPY", *order, *trans, *rows, *cols, at<float>(alpha), a, *lda, b, *ldb);
}
void domatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha,
                const void* a, const int* lda, void* b, const int* ldb) {
    copy<double>("DOMATCOPY", *order, *trans, *rows, *cols, at<double>(alpha), a, *lda, b, *ldb);
}
void comatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha,
                const void* a, const int* lda, void* b, const int* ldb) {
    copy<complex_float>("COMATCOPY", *order, *trans, *rows, *cols, at<complex_float>(alpha), a, *lda, b, *ldb);
}
void zomatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha,
                const void* a, const int* lda, void* b, const int* ldb) {
    copy<complex_double>("ZOMATCOPY", *order, *trans, *rows, *cols, at<complex_double>(alpha), a, *lda, b, *ldb);
}
void simatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha, void* a,
                const int* lda, const int* ldb) {
    change<float>("SIMATCOPY", *order, *trans, *rows, *cols, at<float>(alpha), a, *lda, *ldb);
}
void dimatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha, void* a,
                const int* lda, const int* ldb) {
    change<double>("DIMATCOPY", *order, *trans, *rows, *cols, at<double>(alpha), a, *lda, *ldb);
}
void cimatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha, void* a,
                const int* lda, const int* ldb) {
    change<complex_float>("CIMATCOPY", *order, *trans, *rows, *cols, at<complex_float>(alpha), a, *lda, *ldb);
}
void zimatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha, void* a,
                const int* lda, const int* ldb) {
    change<complex_double>("ZIMATCOPY", *order, *trans, *rows, *cols, at<complex_double>(alpha), a, *lda, *ldb);
}

// MKL, from Fortran.
void mkl_somatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha,
                    const void* a, const int* lda, void* b, const int* ldb) {
    copy<float>("SOMATCOPY", *order, *trans, *rows, *cols, at<float>(alpha), a, *lda, b, *ldb);
}
void mkl_domatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha,
                    const void* a, const int* lda, void* b, const int* ldb) {
    copy<double>("DOMATCOPY", *order, *trans, *rows, *cols, at<double>(alpha), a, *lda, b, *ldb);
}
void mkl_comatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha,
                    const void* a, const int* lda, void* b, const int* ldb) {
    copy<complex_float>("COMATCOPY", *order, *trans, *rows, *cols, at<complex_float>(alpha), a, *lda, b, *ldb);
}
void mkl_zomatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha,
                    const void* a, const int* lda, void* b, const int* ldb) {
    copy<complex_double>("ZOMATCOPY", *order, *trans, *rows, *cols, at<complex_double>(alpha), a, *lda, b, *ldb);
}
void mkl_simatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha, void* a,
                    const int* lda, const int* ldb) {
    change<float>("SIMATCOPY", *order, *trans, *rows, *cols, at<float>(alpha), a, *lda, *ldb);
}
void mkl_dimatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha, void* a,
                    const int* lda, const int* ldb) {
    change<double>("DIMATCOPY", *order, *trans, *rows, *cols, at<double>(alpha), a, *lda, *ldb);
}
void mkl_cimatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha, void* a,
                    const int* lda, const int* ldb) {
    change<complex_float>("CIMATCOPY", *order, *trans, *rows, *cols, at<complex_float>(alpha), a, *lda, *ldb);
}
void mkl_zimatcopy_(const char* order, const char* trans, const int* rows, const int* cols, const void* alpha, void* a,
                    const int* lda, const int* ldb) {
    change<complex_double>("ZIMATCOPY", *order, *trans, *rows, *cols, at<complex_double>(alpha), a, *lda, *ldb);
}

// MKL, from C.
void mkl_somatcopy(char order, char trans, std::size_t rows, std::size_t cols, float alpha, const void* a,
                   std::size_t lda, void* b, std::size_t ldb) {
    copy<float>("SOMATCOPY", order, trans, rows, cols, alpha, a, lda, b, ldb);
}
void mkl_domatcopy(char order, char trans, std::size_t rows, std::size_t cols, double alpha, const void* a,
                   std::size_t lda, void* b, std::size_t ldb) {
    copy<double>("DOMATCOPY", order, trans, rows, cols, alpha, a, lda, b, ldb);
}
void mkl_comatcopy(char order, char trans, std::size_t rows, std::size_t cols, float_pair alpha, const void* a,
                   std::size_t lda, void* b, std::size_t ldb) {
    copy<complex_float>("COMATCOPY", order, trans, rows, cols, alpha, a, lda, b, ldb);
}
void mkl_zomatcopy(char order, char trans, std::size_t rows, std::size_t cols, double_pair alpha, const void* a,
                   std::size_t lda, void* b, std::size_t ldb) {
    copy<complex_double>("ZOMATCOPY", order, trans, rows, cols, alpha, a, lda, b, ldb);
}
void mkl_simatcopy(char order, char trans, std::size_t rows, std::size_t cols, float alpha, void* a, std::size_t lda,
                   std::size_t ldb) {
    change<float>("SIMATCOPY", order, trans, rows, cols, alpha, a, lda, ldb);
}
void mkl_dimatcopy(char order, char trans, std::size_t rows, std::size_t cols, double alpha, void* a, std::size_t lda,
                   std::size_t ldb) {
    change<double>("DIMATCOPY", order, trans, rows, cols, alpha, a, lda, ldb);
}
void mkl_cimatcopy(char order, char trans, std::size_t rows, std::size_t cols, float_pair alpha, void* a,
                   std::size_t lda, std::size_t ldb) {
    change<complex_float>("CIMATCOPY", order, trans, rows, cols, alpha, a, lda, ldb);
}
void mkl_zimatcopy(char order, char trans, std::size_t rows, std::size_t cols, double_pair alpha, void* a,
                   std::size_t lda, std::size_t ldb) {
    change<complex_double>("ZIMATCOPY", order, trans, rows, cols, alpha, a, lda, ldb);
}
void mkl_somatcopy2(char order, char trans, std::size_t rows, std::size_t cols, float alpha, const void* a,
                    std::size_t lda, std::size_t stridea, void* b, std::size_t ldb, std::size_t strideb) {
    copy2<float>("SOMATCOPY2", order, trans, rows, cols, alpha, a, lda, stridea, b, ldb, strideb);
}
void mkl_domatcopy2(char order, char trans, std::size_t rows, std::size_t cols, double alpha, const void* a,
                    std::size_t lda, std::size_t stridea, void* b, std::size_t ldb, std::size_t strideb) {
    copy2<double>("DOMATCOPY2", order, trans, rows, cols, alpha, a, lda, stridea, b, ldb, strideb);
}
void mkl_comatcopy2(char order, char trans, std::size_t rows, std::size_t cols, float_pair alpha, const void* a,
                    std::size_t lda, std::size_t stridea, void* b, std::size_t ldb, std::size_t strideb) {
    copy2<complex_float>("COMATCOPY2", order, trans, rows, cols, alpha, a, lda, stridea, b, ldb, strideb);
}
void mkl_zomatcopy2(char order, char trans, std::size_t rows, std::size_t cols, double_pair alpha, const void* a,
                    std::size_t lda, std::size_t stridea, void* b, std::size_t ldb, std::size_t strideb) {
    copy2<complex_double>("ZOMATCOPY2", order, trans, rows, cols, alpha, a, lda, stridea, b, ldb, strideb);
}

#pragma GCC visibility pop
}  // extern "C"
