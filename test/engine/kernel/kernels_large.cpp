// Elements more than 2^31 apart: offsets and sizes are 64 bits everywhere.

#include "kernels.hpp"

namespace test_engine_kernel_kernels_large {

using namespace kernels;

namespace {

/// A range of addresses; only the touched pages take memory.
class sparse_memory {
public:
    explicit sparse_memory(std::size_t bytes) : bytes_(bytes) {
        void* const memory =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("mmap");
        start_ = static_cast<std::byte*>(memory);
    }
    sparse_memory(const sparse_memory&) = delete;
    sparse_memory& operator=(const sparse_memory&) = delete;
    ~sparse_memory() { munmap(start_, bytes_); }
    template <class T>
    T* data() {
        return reinterpret_cast<T*>(start_);
    }

private:
    std::size_t bytes_;
    std::byte* start_ = nullptr;
};

constexpr dim_t far_away = (dim_t{1} << 31) + 640;
constexpr layout near_by({2, 40, 9}, "abc"), far_apart({2, 40, 9}, strides{far_away, 1, 41});

template <class T, isa Isa>
void goes_there_and_back() {
    if constexpr (is_of_this_architecture(Isa)) {
        if (!cpu_has(Isa)) return;
        const std::vector<T> in = numbered<T>(near_by.element_span());
        std::vector<T> back(in.size());
        sparse_memory there(far_apart.element_span() * sizeof(T));
        move_tensor_with<near_by, far_apart, element_types_of<T, T>, Isa>(in.data(), there.data<T>());
        CHECK(there.data<T>()[far_away + 41 * 8 + 39] == in.back());
        CHECK(there.data<T>()[41 * 3 + 7] == in[7 * 9 + 3]);
        move_tensor_with<far_apart, near_by, element_types_of<T, T>, Isa>(there.data<T>(), back.data());
        CHECK(same_bytes(in, back));
    }
}

}  // namespace

TEST_CASE("kernels: elements more than 2^31 apart") {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (goes_there_and_back<std::uint8_t, every_isa[I]>(), ...);
        (goes_there_and_back<double, every_isa[I]>(), ...);
    }
    (std::make_index_sequence<std::size(every_isa)>{});
}

}  // namespace test_engine_kernel_kernels_large
