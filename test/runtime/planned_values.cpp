#include "runtime/values_cases.hpp"

#include <plait/runtime/compiled.hpp>

using namespace plait;

// The kernels that plait::c has: those of the widest instruction set here, with tiles of vectors.

TEST_CASE("make_reorder: values as the reference, in memory with a fence") {
    values::random_source random(20220403);
    for (int i = 0; i < 1000; ++i) {
        const values::question question(random, 1 + i % 5, i % 10 == 0 ? 12000 : 2500);
        INFO(question.text(), ", number ", i);
        const auto planned = make_reorder(question.src, question.dst, question.attributes);
        REQUIRE(planned.has_value());
        CHECK(question.is_answered_by([&](const void* in, void* out) { (*planned)(in, out); },
                                      i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front));
    }
}
