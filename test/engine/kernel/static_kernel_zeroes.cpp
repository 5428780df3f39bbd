// Static kernels that zero a destination before they write its elements.
#include <plait/engine/simd/portable.hpp>
#include <plait/reorder/reorder.hpp>

#include "support/fenced_memory.hpp"
#include "support/static_check.hpp"
#include "support/with_each_isa.hpp"

#include <plait/algebra/submemory.hpp>
#include <plait/contract/reference.hpp>

#include <doctest/doctest.h>

namespace test_engine_kernel_static_kernel_zeroes { namespace {

using namespace plait;
using namespace plait::engine;
using kernels::fence;
using kernels::fenced_memory;

// 12 of 512 places, in one of eight cache lines, are elements; the destination is 3 of 5 places d.
constexpr layout src = submemory(layout({20, 4, 3, 3}, "abcd"), {16, 4, 3, 3}, {1, 0, 0, 0});
constexpr layout part = submemory(layout({16, 4, 3, 5}, "aCBd2c8b16c2b"), {16, 4, 3, 3}, {0, 0, 0, 0});
// One element in each other line.
constexpr layout dense({16, 64, 1, 1}, "abcd"), many_lines({16, 64, 1, 1}, "aCdb32c");

template <layout Src, layout Dst, isa Isa>
using zeroed_plan = zeroed_static_plan<Src, Dst, element_types_of<float16, float16>, Isa>;

TEST_CASE("zeroed_static_plan: a destination is zeroed first if few of its lines have elements") {
    STATIC_CHECK(zeroed_plan<src, part, isa::avx512>::zeroed.first.bytes == 3 * 512 * 2);
    STATIC_CHECK(zeroed_plan<src, part, isa::avx512>::value.bytes_moved() < 8192);
    STATIC_CHECK(zeroed_plan<dense, many_lines, isa::avx512>::zeroed.first.bytes == 0);
    STATIC_CHECK(zeroed_plan<dense, dense, isa::avx512>::zeroed.first.bytes == 0);
}

TEST_CASE("zeroed_static_plan: every byte is that of the reference, and gaps keep theirs") {
    for (const fence where : {fence::in_front, fence::behind}) {
        fenced_memory<float16> in(src.element_span() + static_cast<std::size_t>(src.offset0), where);
        fenced_memory<float16> wanted(part.element_span(), where);
        reference_reorder(src, in.data(), part, wanted.data());
        plait_test::with_each_isa([&]<isa Isa>() {
            fenced_memory<float16> out(part.element_span(), where);
            move_tensor_with<src, part, element_types_of<float16, float16>, Isa>(in.data(), out.data());
            CHECK_MESSAGE(out.same_bytes(wanted), to_string(Isa));
        });
    }
}

}}  // namespace test_engine_kernel_static_kernel_zeroes
