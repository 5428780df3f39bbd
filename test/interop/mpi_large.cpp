// Moves more bytes from one rank to another than an int counts. Run: mpirun -n 2; takes 4.5 GB.
#include <plait/interop/mpi.hpp>

#include <cstdio>
#include <vector>

using namespace plait;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    constexpr dim_t bytes = (dim_t{1} << 31) + 5000;
    // All of it is on rank 0, then on rank 1, turned around.
    const distribution first = distribute(layout({bytes}, strides{0}), layout({bytes}, strides{1}), mesh{2});
    layout turned({bytes}, strides{-1});
    distribution second = distribute(layout({bytes}, strides{0}), turned, mesh{2});
    second.ranks.offset0 = 1;
    const redistribution move = make_redistribution(data_type::u8, first, second, MPI_COMM_WORLD).value();
    std::vector<std::uint8_t> memory(static_cast<std::size_t>(bytes));
    const auto number = [](std::size_t k) { return static_cast<std::uint8_t>(k * 7 + (k >> 16)); };
    bool same = move.bytes_sent() == (rank == 0 ? static_cast<std::size_t>(bytes) : 0);
    if (rank == 0)
        for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = number(k);
    move(rank == 0 ? memory.data() : nullptr, rank == 1 ? memory.data() : nullptr);
    if (rank == 1)
        for (std::size_t k = 0; k < memory.size(); ++k) same = same && memory[k] == number(memory.size() - 1 - k);
    if (!same) std::printf("rank %d: wrong\n", rank);
    MPI_Finalize();
    return same ? 0 : 1;
}
