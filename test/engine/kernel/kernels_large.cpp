// Elements more than 2^31 apart: offsets and sizes are 64 bits everywhere.

#include "kernels.hpp"
#include "support/with_each_isa.hpp"

#include <plait/reorder/layout_reorder.hpp>

#include <algorithm>

namespace test_engine_kernel_kernels_large { namespace {

using namespace kernels;

/// A range of addresses; only the touched pages take memory.
class sparse_memory {
public:
    explicit sparse_memory(std::size_t bytes) : pages_(bytes) { pages_.allow(0, pages_.size()); }
    template <class T>
    T* data() {
        return reinterpret_cast<T*>(pages_.data());
    }

private:
    plait_test::memory_pages pages_;
};

constexpr dim_t far_away = (dim_t{1} << 31) + 640;
constexpr layout near_by({2, 40, 9}, "abc"), far_apart({2, 40, 9}, strides{far_away, 1, 41});

template <class T, class Move>
void goes_there_and_back(const Move& move) {
    const std::vector<T> in = numbered<T>(near_by.element_span());
    std::vector<T> back(in.size());
    sparse_memory there(far_apart.element_span() * sizeof(T));
    move.template operator()<near_by, far_apart>(in.data(), there.data<T>());
    CHECK(there.data<T>()[far_away + 41 * 8 + 39] == in.back());
    CHECK(there.data<T>()[41 * 3 + 7] == in[7 * 9 + 3]);
    move.template operator()<far_apart, near_by>(there.data<T>(), back.data());
    CHECK(same_bytes(in, back));
}

TEST_CASE("kernels: elements more than 2^31 apart") {
    plait_test::with_each_isa([]<isa Isa>() {
        goes_there_and_back<std::uint8_t>([]<layout Src, layout Dst>(const std::uint8_t* in, std::uint8_t* out) {
            move_tensor_with<Src, Dst, element_types_of<std::uint8_t, std::uint8_t>, Isa>(in, out);
        });
    });
    goes_there_and_back<double>(
        []<layout Src, layout Dst>(const double* in, double* out) { reorder(Src, in, Dst, out); });
}

constexpr layout stored_past_caches({4194304}, "a");

TEST_CASE("kernels: a large tensor that begins inside a cache line is stored by instructions that may do so") {
    using path = element_types_of<float, float>;
    const std::vector<float> in = numbered<float>(stored_past_caches.element_span());
    std::vector<float> memory(in.size() + 32);
    float* const line = memory.data() + 16 - reinterpret_cast<std::uintptr_t>(memory.data()) / 4 % 16;
    plait_test::with_each_isa([&]<isa Isa>() {
        if constexpr (Isa != isa::portable)
            static_assert(may_stream(static_plan<stored_past_caches, stored_past_caches, path, Isa>::value));
        for (const int floats : {1, 4, 8}) {
            CAPTURE(floats);
            std::fill(memory.begin(), memory.end(), 0.0f);
            move_tensor_with<stored_past_caches, stored_past_caches, path, Isa>(in.data(), line + floats);
            CHECK(std::memcmp(in.data(), line + floats, in.size() * sizeof(float)) == 0);
        }
    });
}

}}  // namespace test_engine_kernel_kernels_large
