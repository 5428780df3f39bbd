// Where OpenBLAS is installed: both libraries write the same bytes, and call xerbla_ with the same number.

#include "drop_in/matrix_functions.hpp"

#include <doctest/doctest.h>

#include <dlfcn.h>

namespace test_drop_in_openblas { namespace {

using namespace drop_in;

using copy_function = void (*)(int, int, int, int, double, const double*, int, double*, int);
using change_function = void (*)(int, int, int, int, double, double*, int, int);

/// Returns a function of OpenBLAS; null if it is not installed.
template <class F>
F of_openblas(const char* name) {
    // Its calls of xerbla_ find that of this program.
    static void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    return library == nullptr ? nullptr : reinterpret_cast<F>(dlsym(library, name));
}

TEST_CASE("OpenBLAS: omatcopy and imatcopy write the same, and refuse the same arguments") {
    const auto copy = of_openblas<copy_function>("cblas_domatcopy");
    const auto change = of_openblas<change_function>("cblas_dimatcopy");
    if (copy == nullptr || change == nullptr) {
        MESSAGE("not compared: there is no libopenblas.so.0 with ?omatcopy here");
        return;
    }
    random_bits bits(14);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        const int order = number(bits, 0, 20) == 0 ? 7 : number(bits, row_major, column_major),
                  operation = number(bits, 0, 20) == 0 ? 3 : number(bits, no_transpose, conjugate),
                  rows = number(bits, -1, 12), columns = number(bits, -1, 12);
        if (rows == 0 || columns == 0) continue;  // OpenBLAS 0.3.21 refuses them, later versions do not
        // Numbers from too small to larger than needed.
        const int lda = number(bits, 1, 14), ldb = number(bits, 1, 14);
        const double alpha = random_factor<double>(bits);
        std::vector<double> a(14 * 14), b(14 * 14), ours, theirs;
        for (double& x : a) x = random_value<double>(bits);
        for (double& x : b) x = random_value<double>(bits);
        CAPTURE(order);
        CAPTURE(operation);
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(lda);
        CAPTURE(ldb);
        ours = theirs = b;
        last_refused = {};
        copy(order, operation, rows, columns, alpha, a.data(), lda, theirs.data(), ldb);
        const int number_of_theirs = last_refused.number;
        last_refused = {};
        omatcopy(order, operation, rows, columns, alpha, a.data(), lda, ours.data(), ldb);
        CHECK(last_refused.number == number_of_theirs);
        CHECK(ours == theirs);
        refused += number_of_theirs != 0;
        ours = theirs = a;
        last_refused = {};
        imatcopy(order, operation, rows, columns, alpha, ours.data(), lda, ldb);
        const int changed = last_refused.number;
        // OpenBLAS 0.3.21 writes behind its own buffer if it needs one, so that only squares are compared.
        if (changed == 0 && (rows != columns || lda != ldb)) continue;
        last_refused = {};
        change(order, operation, rows, columns, alpha, theirs.data(), lda, ldb);
        CHECK(last_refused.number == changed);
        CHECK(ours == theirs);
    }
    CHECK(refused > 100);
    last_refused = {};
}

}}  // namespace test_drop_in_openblas
