#pragma once
// Checks a static reorder of elements smaller than a byte.

#include "support/with_each_isa.hpp"

#include <plait/contract/reference.hpp>
#include <plait/reorder/packed_reorder.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

namespace plait_test {

using namespace plait;

template <layout L, element T>
std::vector<std::byte> numbered_bytes(unsigned seed) {
    std::vector<std::byte> out(descriptor(data_type_of<T>, L).buffer_size_in_bytes());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::byte>((i * 2654435761u + seed) >> 11);
    return out;
}

/// Checks a pair with every instruction set: the bytes of the reference, and all other bits as before.
template <layout Src, layout Dst, element T>
void check_pair() {
    const auto in = numbered_bytes<Src, T>(1);
    auto wanted = numbered_bytes<Dst, T>(9);
    reference_reorder<T, T>(Src, in.data(), Dst, wanted.data());
    plait_test::with_each_isa([&]<isa Isa>() {
        INFO(to_string(Isa));
        auto out = numbered_bytes<Dst, T>(9);
        if constexpr (Isa == isa::portable && is_of_this_architecture(isa::sse41))
            engine::element_move{Src, Dst, data_type_of<T>}(in.data(), out.data());
        else engine::move_packed_with<Src, Dst, data_type_of<T>, Isa>(in.data(), out.data());
        CHECK(out == wanted);
    });
    auto out = numbered_bytes<Dst, T>(9);
    reorder<Src, Dst, T, T>(in.data(), out.data());
    CHECK(out == wanted);
}

}  // namespace plait_test
