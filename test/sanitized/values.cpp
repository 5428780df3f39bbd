// Random reorders that change values, with the rows of every instruction set, in a build that stops if a number or a
// pointer overflows. Strides of digits with a single value may be larger than any memory, and must not be used.

#include "engine/quantize/converting_cases.hpp"
#include "support/with_each_isa.hpp"

#include <plait/engine/quantize/converting_reorder.hpp>

using namespace plait;
using namespace plait::engine;

namespace {

template <isa Isa>
void check_values(int count) {
    values::random_source random(20261122);
    for (int i = 0; i < count; ++i) {
        const values::question question(random, 1 + i % 4, 600);
        INFO(to_string(Isa), " ", question.text(), ", number ", i);
        const converting_reorder planned =
            plan_values_with<Isa, element_block_copies>(question.src, question.dst, question.attributes);
        CHECK(question.is_answered_by(planned, i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front));
    }
}

}  // namespace

TEST_CASE("converting_reorder: the rows of each instruction set compute without overflow") {
    plait_test::with_each_isa([]<isa Isa>() { check_values<Isa>(Isa == isa::portable ? 6000 : 600); });
}
