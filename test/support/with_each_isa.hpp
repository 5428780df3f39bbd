#pragma once
// Runs a check with each instruction set that this CPU has. New instruction sets need no change in the tests.

#include <plait/contract/isa.hpp>
#include <plait/engine/simd/portable_rows.hpp>  // x86 and aarch64 leave out registers as arrays

#include <cstddef>
#include <utility>  // std::index_sequence

namespace plait_test {

/// Calls check.operator()<Isa>() for each instruction set that this CPU has.
template <class Check>
void with_each_isa(const Check& check) {
    const auto with = [&]<plait::isa Isa>() {
        if constexpr (plait::is_of_this_architecture(Isa))
            if (plait::cpu_has(Isa)) check.template operator()<Isa>();
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (with.template operator()<plait::every_isa[I]>(), ...); }
    (std::make_index_sequence<std::size(plait::every_isa)>{});
}

}  // namespace plait_test
