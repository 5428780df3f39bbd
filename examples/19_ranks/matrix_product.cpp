// A matrix product over ranks in which each step needs another distribution. Run: mpirun -n 4 example_19_ranks
//
// C = A * B, then each column of C is divided by its sum:
//
//   step                            A              B              C
//   as given                        block-cyclic   by columns
//   product of rows and the whole   by rows        on all ranks   by rows
//   sums of columns                                               by columns
//   as it is kept                                                 block-cyclic

#include <plait/interop/mpi.hpp>
#include <plait/plait.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

using namespace plait;

namespace {

constexpr dim_t m = 100, k = 60, n = 70;
constexpr mesh line{4}, grid{2, 2};

constexpr distribution a_given = block_cyclic(dims{m, k}, dims{16, 16}, grid);
constexpr distribution a_by_rows = sharded(dims{m, k}, line, {shard(0, 0)});
constexpr distribution b_given = sharded(dims{k, n}, line, {shard(1, 0)});
constexpr distribution b_everywhere = sharded(dims{k, n}, line, {});
constexpr distribution c_by_rows = sharded(dims{m, n}, line, {shard(0, 0)});
constexpr distribution c_by_columns = sharded(dims{m, n}, line, {shard(1, 0)});
constexpr distribution c_kept = block_cyclic(dims{m, n}, dims{32, 8}, grid);
static_assert(b_everywhere.copies() == 4 && c_by_columns.extents_of(3) == dims{100, 16});

double a_at(dim_t i, dim_t j) { return static_cast<double>(1 + (3 * i + 5 * j) % 7); }
double b_at(dim_t i, dim_t j) { return static_cast<double>(1 + (2 * i + j) % 5); }

/// Returns memory for a rank's part.
std::vector<double> memory_for(const distribution& d) { return std::vector<double>(d.local.element_span()); }

/// Calls visit(i, j, element) for each element of a matrix that is on a rank.
template <class Visit>
void for_each_element_of(const distribution& d, std::vector<double>& memory, int rank, const Visit& visit) {
    for (dim_t i = 0; i < d.dims()[0]; ++i)
        for (dim_t j = 0; j < d.dims()[1]; ++j)
            if (d.is_on(rank, {i, j})) visit(i, j, memory[static_cast<std::size_t>(d.local.offset(i, j))]);
}

/// Moves a matrix to another distribution.
std::vector<double> moved(const distribution& from, const std::vector<double>& in, const distribution& to) {
    std::vector<double> out = memory_for(to);
    make_redistribution(data_type::f64, from, to, MPI_COMM_WORLD).value()(in.data(), out.data());
    return out;
}

bool multiply(int rank) {
    std::vector<double> a = memory_for(a_given), b = memory_for(b_given), c = memory_for(c_by_rows);
    for_each_element_of(a_given, a, rank, [](dim_t i, dim_t j, double& x) { x = a_at(i, j); });
    for_each_element_of(b_given, b, rank, [](dim_t i, dim_t j, double& x) { x = b_at(i, j); });

    // Rows of A, and all of B.
    a = moved(a_given, a, a_by_rows);
    b = moved(b_given, b, b_everywhere);
    for_each_element_of(c_by_rows, c, rank, [&](dim_t i, dim_t j, double& x) {
        for (dim_t l = 0; l < k; ++l)
            x += a[static_cast<std::size_t>(a_by_rows.local.offset(i, l))] *
                 b[static_cast<std::size_t>(b_everywhere.local.offset(l, j))];
    });

    // Whole columns of C.
    c = moved(c_by_rows, c, c_by_columns);
    std::vector<double> sums(static_cast<std::size_t>(n));
    for_each_element_of(c_by_columns, c, rank,
                        [&](dim_t, dim_t j, double x) { sums[static_cast<std::size_t>(j)] += x; });
    for_each_element_of(c_by_columns, c, rank,
                        [&](dim_t, dim_t j, double& x) { x /= sums[static_cast<std::size_t>(j)]; });

    // The result is compared with a product on this rank alone.
    c = moved(c_by_columns, c, c_kept);
    std::vector<double> product(static_cast<std::size_t>(m * n));
    sums.assign(sums.size(), 0);
    for (dim_t i = 0; i < m; ++i)
        for (dim_t j = 0; j < n; ++j) {
            double& x = product[static_cast<std::size_t>(i * n + j)];
            for (dim_t l = 0; l < k; ++l) x += a_at(i, l) * b_at(l, j);
            sums[static_cast<std::size_t>(j)] += x;
        }
    bool right = true;
    for_each_element_of(c_kept, c, rank, [&](dim_t i, dim_t j, double x) {
        const double wanted = product[static_cast<std::size_t>(i * n + j)] / sums[static_cast<std::size_t>(j)];
        right = right && std::abs(x - wanted) < 1e-12;
    });
    return right;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int right = ranks >= 4 && multiply(rank), all = 0;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) std::puts(ranks < 4 ? "run on 4 ranks" : all != 0 ? "the product is right" : "THE PRODUCT IS WRONG");
    MPI_Finalize();
    return all != 0 ? 0 : 1;
}
