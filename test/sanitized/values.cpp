// Random reorders that change values, with portable rows and those of the widest instruction set, in a build that stops
// if a number or a pointer overflows. Strides of digits with a single value may be larger than any memory, and must not
// be used.

#include "engine/quantize/converting_cases.hpp"
#include "support/with_each_isa.hpp"

#include <plait/engine/quantize/constant_cache_blocks.hpp>

using namespace plait;
using namespace plait::engine;

namespace {

template <isa Isa>
void check_values(int count) {
    using code = simd::row_code_of<Isa>;  // compiled here, with the sanitizer
    values::random_source random(20261122);
    for (int i = 0; i < count; ++i) {
        const values::question question(random, 1 + i % 4, 600);
        INFO(to_string(Isa), " ", question.text(), ", number ", i);
        converting_reorder planned;
        plan_values(planned, question.src, question.dst, question.attributes,
                    static_cast<dim_t>(question.src.layout.element_span()),
                    {*code::template rows<float>, *code::template rows<double>}, element_block_copies());
        CHECK(question.is_answered_by(planned, i % 2 == 0 ? kernels::fence::behind : kernels::fence::in_front));
    }
}

}  // namespace

TEST_CASE("converting_reorder: rows compute without overflow") {
    plait_test::with_each_isa([]<isa Isa>() {
        if constexpr (Isa == isa::portable) check_values<Isa>(6000);
        // Narrower sets are the same code with other vectors.
        else if constexpr (Isa == isa::avx512 || Isa == isa::neon) check_values<Isa>(600);
    });
}
