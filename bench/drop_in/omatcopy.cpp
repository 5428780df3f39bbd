// ?omatcopy of plait beside that of OpenBLAS, on matrices drawn by a seed.
//
// usage: plait_bench_omatcopy [SEED [ROWS]]. Both libraries are loaded at run time, because their functions have the
// same names. Extents from 8 to 4000 are drawn evenly on a
// logarithmic scale; a fifth as many rows have extents up to 7. `again`: the same call is repeated. `first`: each call
// has another shape than all before, so that no plan is kept for it.

#include "race.hpp"

#include <dlfcn.h>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <random>

namespace {

using namespace drop_in_bench;

struct matrix_row {
    int order, operation, rows, columns, lda, ldb;
    double alpha;
    char type;

    int lines() const { return order == 101 ? rows : columns; }
    int length() const { return order == 101 ? columns : rows; }
    bool transposes() const { return operation == 112 || operation == 113; }
    std::string name() const {
        char text[120];
        std::snprintf(text, sizeof text, "%comatcopy %s %s %dx%d lda %d ldb %d alpha %g", type,
                      order == 101 ? "rows" : "columns",
                      operation == 111   ? "N"
                      : operation == 112 ? "T"
                      : operation == 113 ? "C"
                                         : "R",
                      rows, columns, lda, ldb, alpha);
        return text;
    }
};

/// A library's four functions.
struct library {
    void (*s)(int, int, int, int, float, const void*, int, void*, int);
    void (*d)(int, int, int, int, double, const void*, int, void*, int);
    void (*c)(int, int, int, int, const void*, const void*, int, void*, int);
    void (*z)(int, int, int, int, const void*, const void*, int, void*, int);

    explicit library(const char* file) {
        void* const loaded = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (loaded == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            std::exit(1);
        }
        const auto find = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(loaded, name));
            if (function == nullptr) {
                std::fprintf(stderr, "%s has no %s\n", file, name);
                std::exit(1);
            }
        };
        find(s, "cblas_somatcopy");
        find(d, "cblas_domatcopy");
        find(c, "cblas_comatcopy");
        find(z, "cblas_zomatcopy");
    }
    void run(const matrix_row& r, const void* a, void* b) const {
        const float pair[2] = {static_cast<float>(r.alpha), r.alpha == 1 ? 0.0f : 0.25f};
        const double pair_of_double[2] = {r.alpha, r.alpha == 1 ? 0.0 : 0.25};
        if (r.type == 's') s(r.order, r.operation, r.rows, r.columns, pair[0], a, r.lda, b, r.ldb);
        if (r.type == 'd') d(r.order, r.operation, r.rows, r.columns, r.alpha, a, r.lda, b, r.ldb);
        if (r.type == 'c') c(r.order, r.operation, r.rows, r.columns, pair, a, r.lda, b, r.ldb);
        if (r.type == 'z') z(r.order, r.operation, r.rows, r.columns, pair_of_double, a, r.lda, b, r.ldb);
    }
};

std::size_t size_of(char type) { return type == 's' ? 4 : type == 'z' ? 16 : 8; }

struct draw {
    std::mt19937_64 bits;

    int below(int n) { return static_cast<int>(bits() % static_cast<unsigned>(n)); }
    int extent(int least, int most) {
        const double share = static_cast<double>(bits() >> 11) / 9007199254740992.0;
        return static_cast<int>(least * std::exp(share * std::log(static_cast<double>(most) / least)) + 0.5);
    }
    matrix_row row(int least, int most) {
        matrix_row r{};
        r.type = "sdcz"[below(4)];
        r.order = 101 + below(2);
        const bool complex = r.type == 'c' || r.type == 'z';
        // Transposes three times of four: copies of rows are memcpy's.
        r.operation = below(4) != 0 ? 112 : 111;
        if (complex && below(3) == 0) r.operation = r.operation == 112 ? 113 : 114;
        r.rows = extent(least, most);
        r.columns = extent(least, most);
        r.alpha = below(2) == 0 ? 1 : 0.75;
        const int to = r.transposes() ? r.lines() : r.length();
        r.lda = r.length() + (below(2) == 0 ? 0 : below(64));
        r.ldb = to + (below(2) == 0 ? 0 : below(64));
        return r;
    }
};

}  // namespace

int main(int count, char** words) {
    const auto seed = count > 1 ? std::strtoull(words[1], nullptr, 10) : std::random_device()();
    const int rows = count > 2 ? std::atoi(words[2]) : 200;
    const library plait(PLAIT_OMATCOPY_LIBRARY), openblas("libopenblas.so.0");
    std::printf("seed %llu, %d rows; times of OpenBLAS by times of plait\n", static_cast<unsigned long long>(seed),
                rows);
    draw drawn{std::mt19937_64(seed)};
    constexpr int most = 4000;
    constexpr std::size_t bytes = std::size_t{most + 64} * most * 16;
    std::vector<char> in(bytes + 64, 1), out(bytes + 64, 0), other(bytes + 64, 0);
    const auto aligned = [](std::vector<char>& memory) {
        return memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
    };
    for (std::size_t k = 0; k < bytes / 8; ++k)
        reinterpret_cast<double*>(aligned(in))[k] = static_cast<double>(k % 1000);
    ratios all, moves, scaled, transposes, small, tiny;
    const int tiny_rows = rows / 5;
    for (int k = 0; k < rows + tiny_rows; ++k) {
        const matrix_row r = k < rows ? drawn.row(8, most) : drawn.row(1, 7);
        double ours = 0, theirs = 0;
        race([&] { plait.run(r, aligned(in), aligned(out)); }, [&] { openblas.run(r, aligned(in), aligned(other)); },
             ours, theirs);
        const double ratio = theirs / ours,
                     size = static_cast<double>(r.rows) * r.columns * static_cast<double>(size_of(r.type));
        const std::string name = r.name();
        std::printf("%5.2f  %9.0f ns %9.0f ns  %7.2f GB/s  %s\n", ratio, ours * 1e9, theirs * 1e9, 2e-9 * size / ours,
                    name.c_str());
        if (k >= rows) {
            tiny.add(ratio, name);
            continue;
        }
        all.add(ratio, name);
        (r.alpha == 1 && r.operation < 113 ? moves : scaled).add(ratio, name);
        if (r.transposes()) transposes.add(ratio, name);
        if (size < 4096) small.add(ratio, name);
    }
    all.print("again, all");
    moves.print("  alpha 1");
    scaled.print("  scaled, conjugated");
    transposes.print("  transposes");
    small.print("  below 4 KB");
    tiny.print("up to 7x7");
    // Small matrices, each shape once.
    ratios first;
    for (int k = 0; k < 20; ++k) {
        std::vector<matrix_row> shapes;
        while (shapes.size() < 300) {
            const matrix_row r = drawn.row(8, 100);
            shapes.push_back(r);
        }
        double ours = 1e9, theirs = 1e9;
        for (int round = 0; round < 25; ++round) {
            ours = std::min(ours, seconds_of(1, [&] {
                                for (const auto& r : shapes) plait.run(r, aligned(in), aligned(out));
                            }));
            theirs = std::min(theirs, seconds_of(1, [&] {
                                  for (const auto& r : shapes) openblas.run(r, aligned(in), aligned(other));
                              }));
        }
        first.add(theirs / ours, "300 shapes, 8x8 to 100x100, one call each");
    }
    first.print("first");
    return 0;
}
