// What plans and runs reorders known only at run time, which reorder/compiled.hpp says is here. plait.cpp has it by
// itself where it is compiled without that header: then it is all there is to the library.

#include <plait/reorder/make_reorder.hpp>

#include <array>
#include <utility>  // std::index_sequence

namespace plait {

namespace {

/// What units with compile flags that settle one instruction set call.
struct compiled_functions {
    void (*plan)(isa, planned_reorder&, const descriptor&, const descriptor&, const reorder_attributes&,
                 const reorder_spans&) = nullptr;
    expected<planned_reorder> (*make)(const descriptor&, const descriptor&, const reorder_attributes&) = nullptr;
};

template <isa Least>
constexpr compiled_functions functions_of() {
    if constexpr (is_of_this_architecture(Least)) return {plan_reorder<Least>, make_reorder<Least>};
    else return {};
}

// A template whose address is taken is compiled here, for each instruction set, with no list of them.
[[gnu::used]] constexpr auto of_every_isa = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{functions_of<every_isa[I]>()...};
}
(std::make_index_sequence<std::size(every_isa)>{});

}  // namespace

}  // namespace plait
