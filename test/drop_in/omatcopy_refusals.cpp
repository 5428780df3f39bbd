// Wrong arguments of libplait_omatcopy: xerbla_ is called with the number of the argument, and nothing is written.

#include "drop_in/matrix_functions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

drop_in::refused_argument drop_in::last_refused{};

// The program's own, as BLAS programs have it.
extern "C" [[gnu::visibility("default")]] void xerbla_(const char* name, const int* argument, std::size_t length) {
    drop_in::refused_argument& last = drop_in::last_refused;
    std::fill(std::begin(last.name), std::end(last.name), '\0');
    std::copy_n(name, std::min<std::size_t>(length, sizeof last.name - 1), last.name);
    last.number = *argument;
}

extern "C" {
void mkl_domatcopy2(char, char, std::size_t, std::size_t, double, const double*, std::size_t, std::size_t, double*,
                    std::size_t, std::size_t);
void mkl_domatcopy(char, char, std::size_t, std::size_t, double, const double*, std::size_t, double*, std::size_t);
void domatcopy_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, double*,
                const int*);
}

namespace test_drop_in_omatcopy_refusals { namespace {

using namespace drop_in;

struct refused_matrix {
    std::vector<double> a = std::vector<double>(100, 1.0), b = std::vector<double>(100, 2.0);

    /// Checks that the last call was refused for this argument, and wrote nothing. 0: that it was not refused.
    void expect(int argument, const char* name = "DOMATCOPY") {
        CHECK(last_refused.number == argument);
        if (argument != 0) CHECK(last_refused.name == std::string(name));
        CHECK(std::all_of(a.begin(), a.end(), [](double x) { return x == 1; }));
        CHECK(std::all_of(b.begin(), b.end(), [](double x) { return x == 2; }));
        last_refused = {};
    }
    void copy(int argument, int order, int operation, int rows, int columns, int lda, int ldb) {
        CAPTURE(argument);
        omatcopy(order, operation, rows, columns, 3.0, a.data(), lda, b.data(), ldb);
        expect(argument);
    }
    void change(int argument, int order, int operation, int rows, int columns, int lda, int ldb) {
        CAPTURE(argument);
        imatcopy(order, operation, rows, columns, 3.0, a.data(), lda, ldb);
        expect(argument, "DIMATCOPY");
    }
};

TEST_CASE("omatcopy: each wrong argument is reported by its number, the first one") {
    refused_matrix m;
    last_refused = {};
    m.copy(1, 100, transpose, 3, 4, 4, 3);
    m.copy(2, row_major, 110, 3, 4, 4, 3);
    m.copy(2, row_major, 115, 3, 4, 4, 3);
    m.copy(3, row_major, transpose, -1, 4, 4, 3);
    m.copy(4, row_major, transpose, 3, -4, 4, 3);
    m.copy(7, row_major, transpose, 3, 4, 3, 3);
    m.copy(7, column_major, transpose, 4, 3, 3, 3);
    m.copy(9, row_major, transpose, 3, 4, 4, 2);
    m.copy(9, row_major, conjugate_transpose, 3, 4, 4, 2);
    m.copy(9, row_major, no_transpose, 3, 4, 4, 3);
    m.copy(9, row_major, conjugate, 3, 4, 4, 3);
    m.copy(9, column_major, no_transpose, 4, 3, 4, 3);
    m.copy(9, column_major, transpose, 4, 3, 4, 2);
    m.copy(1, 0, 0, -1, -1, -1, -1);
    m.copy(3, row_major, no_transpose, std::numeric_limits<int>::min(), 1, 1, 1);
}

TEST_CASE("omatcopy: extents of 0 are valid and write nothing; leading dimensions are still checked") {
    refused_matrix m;
    last_refused = {};
    m.copy(0, row_major, transpose, 0, 4, 4, 1);
    m.copy(0, row_major, transpose, 3, 0, 1, 3);
    m.copy(7, row_major, transpose, 0, 4, 3, 1);
    m.copy(7, row_major, transpose, 3, 0, 0, 3);
    m.change(0, row_major, transpose, 0, 4, 4, 1);
    omatcopy(row_major, transpose, 0, 4, 1.0, static_cast<const double*>(nullptr), 4, static_cast<double*>(nullptr), 1);
    m.expect(0);
}

TEST_CASE("omatcopy: a matrix that no memory can hold is refused by its leading dimension") {
    refused_matrix m;
    last_refused = {};
    constexpr int most = std::numeric_limits<int>::max();
    // 2^31 lines of 2^31 numbers of 8 bytes, 2^65 bytes.
    m.copy(7, row_major, transpose, most, 1, most, most);
    m.copy(9, row_major, transpose, 1, most, most, most);
    m.change(7, row_major, transpose, most, 2, most, most);
    constexpr auto huge = std::numeric_limits<std::size_t>::max();
    mkl_domatcopy('R', 'T', huge, 1, 3.0, m.a.data(), 1, m.b.data(), huge);
    m.expect(3);
    mkl_domatcopy('R', 'T', 2, 2, 3.0, m.a.data(), huge / 4, m.b.data(), 2);
    m.expect(7);
}

TEST_CASE("omatcopy: null pointers, unless they are not read") {
    refused_matrix m;
    last_refused = {};
    omatcopy(row_major, transpose, 3, 4, 3.0, static_cast<const double*>(nullptr), 4, m.b.data(), 3);
    m.expect(6);
    omatcopy(row_major, transpose, 3, 4, 3.0, m.a.data(), 4, static_cast<double*>(nullptr), 3);
    m.expect(8);
    imatcopy(row_major, transpose, 3, 4, 3.0, static_cast<double*>(nullptr), 4, 3);
    m.expect(6, "DIMATCOPY");
}

TEST_CASE("omatcopy: with alpha 0 zeros are written and A is not read") {
    random_bits bits(9);
    last_refused = {};
    for (int call = 0; call < 3; ++call) {
        fenced_numbers<float> b(20 * 30, kernels::fence::behind, bits);
        omatcopy(row_major, transpose, 30, 20, 0.0f, static_cast<const float*>(nullptr), 20, b.data(), 30);
        CHECK(b.equals(std::vector<float>(20 * 30, 0.0f)));
        fenced_numbers<complex_double> a(20 * 30, kernels::fence::behind, bits);
        a.data()[3] = std::numeric_limits<double>::quiet_NaN();
        imatcopy(row_major, conjugate_transpose, 30, 20, complex_double(0), a.data(), 20, 30);
        CHECK(a.equals(std::vector<complex_double>(20 * 30)));
    }
    CHECK(last_refused.number == 0);
}

TEST_CASE("omatcopy2: steps are checked, and the numbers of later arguments are one higher") {
    refused_matrix m;
    last_refused = {};
    const auto copy = [&](int argument, std::size_t lda, std::size_t a_step, std::size_t ldb, std::size_t b_step) {
        CAPTURE(argument);
        mkl_domatcopy2('R', 'T', 3, 4, 3.0, m.a.data(), lda, a_step, m.b.data(), ldb, b_step);
        m.expect(argument, "DOMATCOPY2");
    };
    copy(7, 6, 2, 5, 2);
    copy(8, 7, 0, 5, 2);
    copy(10, 7, 2, 4, 2);
    copy(11, 7, 2, 5, 0);
}

TEST_CASE("imatcopy: each wrong argument is reported by its number") {
    refused_matrix m;
    last_refused = {};
    m.change(1, 103, transpose, 3, 4, 4, 3);
    m.change(2, row_major, 0, 3, 4, 4, 3);
    m.change(3, row_major, transpose, -3, 4, 4, 3);
    m.change(4, row_major, transpose, 3, -4, 4, 3);
    m.change(7, row_major, transpose, 3, 4, 3, 3);
    m.change(9, row_major, transpose, 3, 4, 4, 2);
    m.change(9, row_major, no_transpose, 3, 4, 4, 3);
}

TEST_CASE("omatcopy: letters of Fortran are checked") {
    refused_matrix m;
    last_refused = {};
    const int three = 3, four = 4;
    const double alpha = 3;
    domatcopy_("X", "T", &three, &four, &alpha, m.a.data(), &four, m.b.data(), &three);
    m.expect(1);
    domatcopy_("R", "X", &three, &four, &alpha, m.a.data(), &four, m.b.data(), &three);
    m.expect(2);
}

TEST_CASE("omatcopy: A and B may be interleaved in one buffer, but share no element") {
    random_bits bits(10);
    for (int round = 0; round < 200; ++round) {
        const int rows = number(bits, 1, 30), columns = number(bits, 1, 30), stride = number(bits, 30, 70);
        const bool transposed = round % 2 == 0;
        const int b_stride = round % 3 == 0 ? stride : number(bits, 30, 70);
        const double alpha = round % 4 < 2 ? 1.0 : 0.5;
        std::vector<double> memory(70 * 75 + 71);
        for (double& x : memory) x = random_value<double>(bits);
        const count shift = number(bits, 0, 70);
        // By brute force: which elements are whose.
        std::vector<char> used(memory.size(), 0);
        bool shared = false, same_places = shift == 0;
        std::vector<double> wanted = memory;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) used[static_cast<std::size_t>(i * stride + j)] = 1;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) {
                const auto to = static_cast<std::size_t>(shift + (transposed ? j * b_stride + i : i * b_stride + j));
                const auto from = static_cast<std::size_t>(i * stride + j);
                shared = shared || used[to] != 0;
                same_places = same_places && from == to;
                wanted[to] = alpha * memory[from];
            }
        const bool refused = shared && !same_places;
        if (refused) wanted = memory;
        last_refused = {};
        omatcopy(row_major, transposed ? transpose : no_transpose, rows, columns, alpha, memory.data(), stride,
                 memory.data() + shift, b_stride);
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(stride);
        CAPTURE(b_stride);
        CAPTURE(shift);
        CHECK(last_refused.number == (refused ? 8 : 0));
        REQUIRE(memory == wanted);
    }
    // Not by whole elements.
    std::vector<double> memory(200, 1.0);
    last_refused = {};
    double* const b = reinterpret_cast<double*>(reinterpret_cast<char*>(memory.data()) + 4 * 8 + 4);
    cblas_domatcopy(row_major, transpose, 4, 4, 1.0, memory.data(), 8, b, 8);
    CHECK(last_refused.number == 8);
}

}}  // namespace test_drop_in_omatcopy_refusals
