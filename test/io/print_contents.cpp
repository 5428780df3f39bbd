#include <plait/io/print_contents.hpp>

#include <plait/contents/quantized_view.hpp>
#include <plait/contents/zero_pad.hpp>
#include <plait/typed/formats.hpp>

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace test_io_print_contents {

using namespace plait;
using namespace plait::detail;

TEST_CASE("to_string of contents: names padding, quantisation and compensation") {
    CHECK(to_string(tensor_contents{}) == "padding unknown");
    tensor_contents held;
    held.padding = padding_state::zero;
    held.scale = {data_type::f32, 1 << 0};
    held.zero_point = {data_type::s32, 0};
    held.compensation.s8s8 = true;
    held.compensation.s8s8_mask = 1 << 0 | 1 << 1;
    CHECK(to_string(held) ==
          "padding zero; scale f32 by axis 0, zero point s32 for all; compensation s8s8 by axes 0, 1");
    held.scale = {};
    held.zero_point.mask = run_time_mask;
    held.compensation = {.asymmetric_source = true, .scale_adjust_bits = std::bit_cast<std::int32_t>(0.5f)};
    CHECK(
        to_string(held) ==
        "padding zero; zero point s32 by axes known at run time; compensation asymmetric source for all; multiplied by "
        "0.5");
}

TEST_CASE("to_string of contents: different contents have different texts") {
    std::set<std::string> texts;
    int count = 0;
    for (const auto padding : {padding_state::unknown, padding_state::zero})
        for (const quantization_parameter scale : {quantization_parameter{}, {data_type::f32, 0}, {data_type::bf16, 2}})
            for (const quantization_parameter zero :
                 {quantization_parameter{}, {data_type::s32, 0}, {data_type::u8, 3}})
                for (const bool s8s8 : {false, true})
                    for (const bool asymmetric : {false, true})
                        for (const float adjust : {1.0f, 0.5f, 1.0000001f}) {
                            tensor_contents held{padding, scale, zero, {}};
                            held.compensation = {s8s8, asymmetric, 0, 0, std::bit_cast<std::int32_t>(adjust)};
                            texts.insert(to_string(held));
                            ++count;
                        }
    CHECK(static_cast<int>(texts.size()) == count);
}

TEST_CASE("explain of a view: prints its contents, followed by its layout") {
    std::vector<float> data(nChw16c<1, 17, 2, 2>::value.element_span());
    const tensor_view v(data.data(), nChw16c<1, 17, 2, 2>());
    CHECK(explain(v) == "holds     f32, padding unknown\n" + explain(v.plain_layout()));
    CHECK(explain(zero_pad(v)) == "holds     f32, padding zero\n" + explain(v.plain_layout()));
    CHECK(explain(with_quantization(v, per_tensor(0.5f))) ==
          "holds     f32, padding unknown; scale f32 for all\n" + explain(v.plain_layout()));
}

}  // namespace test_io_print_contents
