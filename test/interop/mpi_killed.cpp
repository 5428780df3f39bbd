// A rank that is killed between planning and moving. Run by mpirun, which has to end all ranks with an error; without
// that the others would wait for ever.
#include <plait/interop/mpi.hpp>

#include <csignal>
#include <vector>

using namespace plait;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const distribution rows = sharded(dims{1000, 1000}, mesh{ranks}, {shard(0, 0)});
    const distribution columns = sharded(dims{1000, 1000}, mesh{ranks}, {shard(1, 0)});
    const redistribution move = make_redistribution(data_type::f64, rows, columns, MPI_COMM_WORLD).value();
    std::vector<double> in(rows.local.element_span()), out(columns.local.element_span());
    if (rank == 1) std::raise(SIGKILL);
    move(in.data(), out.data());
    MPI_Finalize();
    return 0;  // which no test accepts
}
