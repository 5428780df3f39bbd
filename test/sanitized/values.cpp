// Random reorders that change values, with every instruction set's rows, in a build that stops where a number or a
// pointer overflows: numbers that no memory has, as the strides of digits of one value, are never counted with.

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

TEST_CASE("converting_reorder: no overflow, with the rows of each instruction set") {
    plait_test::with_each_isa([]<isa Isa>() { check_values<Isa>(Isa == isa::portable ? 6000 : 600); });
}
