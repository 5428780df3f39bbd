// Moves block-cyclic matrices of f64 from one distribution to another, by plait and by ScaLAPACK's pdgemr2d, and
// compares bytes and time. Run: mpirun -n 4 plait_bench_redistribution [MOST_MEGABYTES]

#include <plait/interop/mpi.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridexit(int context);
void pdgemr2d_(const int* m, const int* n, const double* a, const int* ia, const int* ja, const int* of_a, double* b,
               const int* ib, const int* jb, const int* of_b, const int* context);
}

namespace {

using namespace plait;

/// A block-cyclic matrix as plait and as ScaLAPACK describe it.
struct matrix {
    distribution d;
    int context = 0, descriptor[9] = {};

    matrix(dim_t m, dim_t n, dim_t rows, dim_t columns, dim_t grid_rows, dim_t grid_columns)
        : d(block_cyclic(dims{m, n}, dims{rows, columns}, mesh{grid_rows, grid_columns}, "ba")) {
        Cblacs_get(-1, 0, &context);
        Cblacs_gridinit(&context, "Row", static_cast<int>(grid_rows), static_cast<int>(grid_columns));
        const dim_t places = d.local.digits[1].stride / columns;  // of a column in local memory
        const dim_t numbers[9] = {1, context, m, n, rows, columns, 0, 0, places};
        for (int k = 0; k < 9; ++k) descriptor[k] = static_cast<int>(numbers[k]);
    }
    std::size_t size() const { return d.local.element_span(); }
};

/// Returns the least time of a call on the slowest rank, in seconds.
template <class Call>
double least_time(int repetitions, Call call) {
    double least = 1e9;
    for (int k = 0; k < repetitions; ++k) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        call();
        double mine = MPI_Wtime() - begin, slowest = 0;
        MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        least = slowest < least ? slowest : least;
    }
    return least;
}

struct grid_and_block {
    dim_t block, grid_rows, grid_columns;
};

/// Returns how many times as fast plait is, or 0 if the bytes differ.
double compare(dim_t n, const grid_and_block& from, const grid_and_block& to, int rank) {
    const matrix before(n, n, from.block, from.block, from.grid_rows, from.grid_columns);
    const matrix after(n, n, to.block, to.block, to.grid_rows, to.grid_columns);
    std::vector<double> in(before.size()), mine(after.size(), -1), theirs(after.size(), -1);
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = rank + 1 + static_cast<double>(k) * 8;
    const int whole = static_cast<int>(n), one = 1;
    const redistribution move = make_redistribution(data_type::f64, before.d, after.d, MPI_COMM_WORLD).value();
    const auto ours = [&] { move(in.data(), mine.data()); };
    const auto peer = [&] {
        pdgemr2d_(&whole, &whole, in.data(), &one, &one, before.descriptor, theirs.data(), &one, &one, after.descriptor,
                  &before.context);
    };
    const int repetitions = n < 1000 ? 30 : n < 3000 ? 9 : 5;
    double a = 1e9, b = 1e9;
    for (int turn = 0; turn < 3; ++turn) {  // in turn, because the machine's speed changes
        a = std::fmin(a, least_time(repetitions, ours));
        b = std::fmin(b, least_time(repetitions, peer));
    }
    int same = std::memcmp(mine.data(), theirs.data(), mine.size() * sizeof(double)) == 0, all = 0;
    MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        std::printf("%7.1f MB  %3d on %dx%d -> %3d on %dx%d  plait %9.3f ms  pdgemr2d %9.3f ms  %5.2f times  %s\n",
                    static_cast<double>(n * n) * 8e-6, static_cast<int>(from.block), static_cast<int>(from.grid_rows),
                    static_cast<int>(from.grid_columns), static_cast<int>(to.block), static_cast<int>(to.grid_rows),
                    static_cast<int>(to.grid_columns), a * 1e3, b * 1e3, b / a,
                    all != 0 ? "same bytes" : "BYTES DIFFER");
    if (rank == 0) std::fflush(stdout);
    Cblacs_gridexit(before.context);
    Cblacs_gridexit(after.context);
    return all != 0 ? b / a : 0;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const double most = argc > 1 ? std::atof(argv[1]) : 400;
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 4) {
        if (rank == 0) std::printf("run on 4 ranks\n");
        MPI_Finalize();
        return 2;
    }
    constexpr std::pair<grid_and_block, grid_and_block> pairs[] = {{{64, 2, 2}, {32, 2, 2}},   {{64, 2, 2}, {48, 2, 2}},
                                                                   {{64, 2, 2}, {64, 4, 1}},   {{32, 4, 1}, {32, 1, 4}},
                                                                   {{128, 2, 2}, {100, 1, 4}}, {{64, 1, 4}, {8, 2, 2}}};
    double product = 1, worst = 1e9;
    int rows = 0;
    for (const double megabytes : {1.0, 10.0, 100.0, 400.0}) {
        if (megabytes > most) continue;
        for (const auto& [from, to] : pairs) {
            const double times = compare(static_cast<dim_t>(std::sqrt(megabytes * 1e6 / 8)), from, to, rank);
            product *= times;
            worst = std::fmin(worst, times);
            ++rows;
        }
    }
    if (rank == 0) std::printf("geometric mean %.2f times, worst %.2f\n", std::pow(product, 1.0 / rows), worst);
    MPI_Finalize();
    return worst > 0 ? 0 : 1;
}
