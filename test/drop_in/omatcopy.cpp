// libplait_omatcopy writes what plain loops write: every type, order and operation, between inaccessible pages.

#include "drop_in/matrix_functions.hpp"

#include <doctest/doctest.h>

#include <tuple>

extern "C" {
void somatcopy_(const char*, const char*, const int*, const int*, const float*, const float*, const int*, float*,
                const int*);
void zomatcopy_(const char*, const char*, const int*, const int*, const void*, const void*, const int*, void*,
                const int*);
void dimatcopy_(const char*, const char*, const int*, const int*, const double*, double*, const int*, const int*);
void mkl_domatcopy_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, double*,
                    const int*);
void mkl_somatcopy(char, char, std::size_t, std::size_t, float, const float*, std::size_t, float*, std::size_t);
void mkl_dimatcopy(char, char, std::size_t, std::size_t, double, double*, std::size_t, std::size_t);
void mkl_zomatcopy(char, char, std::size_t, std::size_t, std::complex<double>, const void*, std::size_t, void*,
                   std::size_t);
void mkl_somatcopy2(char, char, std::size_t, std::size_t, float, const float*, std::size_t, std::size_t, float*,
                    std::size_t, std::size_t);
}

namespace test_drop_in_omatcopy { namespace {

using namespace drop_in;

constexpr int orders[] = {row_major, column_major};
constexpr int operations[] = {no_transpose, transpose, conjugate_transpose, conjugate};

/// Copies a matrix three times: without a plan, planned, and by the plan that was kept.
template <class T>
void check_copy(random_bits& bits, int order, int operation, int rows, int columns, T alpha) {
    const shape from(order, rows, columns), to = from.transposed_if(transposes(operation));
    const int lda = static_cast<int>(from.length) + number(bits, 0, 1) * number(bits, 0, 19),
              ldb = static_cast<int>(to.length) + number(bits, 0, 1) * number(bits, 0, 19);
    CAPTURE(order);
    CAPTURE(operation);
    CAPTURE(rows);
    CAPTURE(columns);
    CAPTURE(lda);
    CAPTURE(ldb);
    CAPTURE(alpha == T{1});
    fenced_numbers<T> a(from.span(lda), random_fence(bits), bits), b(to.span(ldb), random_fence(bits), bits);
    const std::vector<T> a_before = a.values();
    std::vector<T> wanted = b.values();
    plain_copy(operation, from, alpha, a.data(), lda, wanted.data(), ldb);
    const std::vector<T> b_before = b.values();
    for (int call = 0; call < 3; ++call) {
        CAPTURE(call);
        std::copy(b_before.begin(), b_before.end(), b.data());
        omatcopy(order, operation, rows, columns, alpha, a.data(), lda, b.data(), ldb);
        REQUIRE(b.equals(wanted));
    }
    REQUIRE(a.equals(a_before));
    CHECK(last_refused.number == 0);
}

TEST_CASE_TEMPLATE("omatcopy: random matrices are copied as plain loops copy them", T, float, double, complex_float,
                   complex_double) {
    random_bits bits(1);
    last_refused.number = 0;
    for (const int order : orders)
        for (const int operation : operations)
            for (int round = 0; round < 40; ++round)
                check_copy<T>(bits, order, operation, number(bits, 1, 90), number(bits, 1, 90), random_factor<T>(bits));
}

TEST_CASE_TEMPLATE("omatcopy: matrices with rows or columns of one element, and of many", T, float, double,
                   complex_float, complex_double) {
    random_bits bits(2);
    last_refused.number = 0;
    for (const int order : orders)
        for (const int operation : operations)
            for (const auto& [rows, columns] :
                 {std::pair{1, 1}, {1, 300}, {300, 1}, {2, 5000}, {5000, 3}, {257, 511}, {640, 129}, {17, 2048}})
                check_copy<T>(bits, order, operation, rows, columns, random_factor<T>(bits));
}

TEST_CASE("omatcopy: large matrices, whose first calls try orders of loops") {
    random_bits bits(3);
    last_refused.number = 0;
    for (const float alpha : {1.0f, 0.5f})
        for (int round = 0; round < 3; ++round) check_copy<float>(bits, row_major, transpose, 1500, 1100, alpha);
}

TEST_CASE_TEMPLATE("omatcopy: elements at any address that their type allows", T, float, double, complex_float,
                   complex_double) {
    random_bits bits(4);
    constexpr int rows = 40, columns = 70;
    std::vector<T> memory(static_cast<std::size_t>(2 * rows * columns + 4), T{7});
    for (T& number : memory) number = random_value<T>(bits);
    std::vector<T> wanted(rows * columns);
    // Complex numbers of 8 bytes may begin at a multiple of 4.
    T* const a = reinterpret_cast<T*>(reinterpret_cast<char*>(memory.data()) + alignof(T));
    T* const b = a + rows * columns + 1;
    for (const T& alpha : {T{1}, random_value<T>(bits)}) {
        plain_copy(transpose, shape(row_major, rows, columns), alpha, a, columns, wanted.data(), rows);
        for (int call = 0; call < 3; ++call) {
            std::fill_n(b, rows * columns, T{0});
            omatcopy(row_major, transpose, rows, columns, alpha, a, columns, b, rows);
            CHECK(std::memcmp(b, wanted.data(), sizeof(T) * rows * columns) == 0);
        }
    }
}

TEST_CASE_TEMPLATE("imatcopy: random matrices are changed as plain loops change a copy", T, float, double,
                   complex_float, complex_double) {
    random_bits bits(5);
    last_refused.number = 0;
    for (const int order : orders)
        for (const int operation : operations)
            for (int round = 0; round < 60; ++round) {
                const int rows = number(bits, 1, 200), columns = number(bits, 0, 2) == 0 ? number(bits, 1, 200) : rows;
                const shape from(order, rows, columns), to = from.transposed_if(transposes(operation));
                const int lda = static_cast<int>(from.length) + number(bits, 0, 1) * number(bits, 0, 19),
                          ldb = static_cast<int>(to.length) + number(bits, 0, 1) * number(bits, 0, 19);
                const T alpha = random_factor<T>(bits);
                CAPTURE(operation);
                CAPTURE(rows);
                CAPTURE(columns);
                CAPTURE(lda);
                CAPTURE(ldb);
                const std::size_t span = std::max(from.span(lda), to.span(ldb));
                fenced_numbers<T> a(span, random_fence(bits), bits);
                std::vector<T> result(to.span(ldb));
                plain_copy(operation, from, alpha, a.data(), lda, result.data(), ldb);
                imatcopy(order, operation, rows, columns, alpha, a.data(), lda, ldb);
                // The elements between the lines of the result are unspecified.
                bool same = true;
                for (count i = 0; i < to.lines; ++i)
                    same = same && std::memcmp(a.data() + i * ldb, result.data() + i * ldb,
                                               static_cast<std::size_t>(to.length) * sizeof(T)) == 0;
                REQUIRE(same);
            }
    CHECK(last_refused.number == 0);
}

TEST_CASE("imatcopy: what is not the matrix keeps its value if both leading dimensions are equal") {
    random_bits bits(6);
    for (const int operation : operations) {
        fenced_numbers<double> a(100 * 130, kernels::fence::behind, bits);
        const std::vector<double> before = a.values();
        imatcopy(row_major, operation, 100, 100, 3.0, a.data(), 130, 130);
        for (std::size_t i = 0; i < 100; ++i)
            for (std::size_t j = 100; j < 130; ++j) CHECK(a.data()[i * 130 + j] == before[i * 130 + j]);
    }
}

TEST_CASE("omatcopy: the names of Fortran and of MKL do the same") {
    random_bits bits(7);
    constexpr int rows = 30, columns = 21, lda = 35, ldb = 40;
    const auto check = [&]<class T>(T alpha, char operation, const auto& call) {
        const int number = operation == 'N' ? no_transpose : operation == 'T' ? transpose : conjugate_transpose;
        fenced_numbers<T> a(lda * columns, kernels::fence::behind, bits), b(ldb * rows, kernels::fence::behind, bits);
        std::vector<T> wanted = b.values();
        plain_copy(number, shape(column_major, rows, columns), alpha, a.data(), lda, wanted.data(), ldb);
        call(alpha, a.data(), b.data());
        CHECK(b.equals(wanted));
    };
    const int r = rows, c = columns, from = lda, to = ldb;
    check(1.5f, 'T', [&](const float& alpha, const float* a, float* b) {
        somatcopy_("C", "T", &r, &c, &alpha, a, &from, b, &to);
    });
    check(complex_double(1, 2), 'C', [&](const complex_double& alpha, const complex_double* a, complex_double* b) {
        zomatcopy_("c", "c", &r, &c, &alpha, a, &from, b, &to);
    });
    check(1.0, 'N', [&](const double& alpha, const double* a, double* b) {
        mkl_domatcopy_("C", "n", &r, &c, &alpha, a, &from, b, &to);
    });
    check(2.0f, 'T', [&](float alpha, const float* a, float* b) {
        mkl_somatcopy('C', 'T', rows, columns, alpha, a, lda, b, ldb);
    });
    check(complex_double(1, 2), 'C', [&](complex_double alpha, const complex_double* a, complex_double* b) {
        mkl_zomatcopy('C', 'C', rows, columns, alpha, a, lda, b, ldb);
    });
    check(1.0, 'T', [&](const double& alpha, const double* a, double* b) {
        std::vector<double> matrix(static_cast<std::size_t>(lda) * lda, 0.0), other = matrix;
        std::copy(a, a + lda * (columns - 1) + rows, matrix.begin());
        other = matrix;
        dimatcopy_("C", "T", &r, &c, &alpha, matrix.data(), &from, &to);
        mkl_dimatcopy('C', 'T', rows, columns, alpha, other.data(), lda, ldb);
        CHECK(matrix == other);
        for (int i = 0; i < rows; ++i) std::copy_n(matrix.begin() + i * ldb, columns, b + i * ldb);
    });
}

TEST_CASE("omatcopy2: elements of a line may lie apart") {
    random_bits bits(8);
    for (int round = 0; round < 100; ++round) {
        const int rows = number(bits, 1, 40), columns = number(bits, 1, 40), a_step = number(bits, 1, 3),
                  b_step = number(bits, 1, 3);
        const bool transposed = round % 2 == 0;
        const int lda = (columns - 1) * a_step + 1 + number(bits, 0, 3),
                  ldb = ((transposed ? rows : columns) - 1) * b_step + 1 + number(bits, 0, 3);
        fenced_numbers<float> a(static_cast<std::size_t>((rows - 1) * lda + (columns - 1) * a_step + 1),
                                random_fence(bits), bits);
        fenced_numbers<float> b(static_cast<std::size_t>(transposed ? (columns - 1) * ldb + (rows - 1) * b_step + 1
                                                                    : (rows - 1) * ldb + (columns - 1) * b_step + 1),
                                random_fence(bits), bits);
        std::vector<float> wanted = b.values();
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j)
                wanted[static_cast<std::size_t>(transposed ? j * ldb + i * b_step : i * ldb + j * b_step)] =
                    0.5f * a.data()[i * lda + j * a_step];
        for (int call = 0; call < 2; ++call)
            mkl_somatcopy2('R', transposed ? 'T' : 'N', static_cast<std::size_t>(rows),
                           static_cast<std::size_t>(columns), 0.5f, a.data(), static_cast<std::size_t>(lda),
                           static_cast<std::size_t>(a_step), b.data(), static_cast<std::size_t>(ldb),
                           static_cast<std::size_t>(b_step));
        CHECK(b.equals(wanted));
    }
}

}}  // namespace test_drop_in_omatcopy
