// A framework's graph, with NHWC activations and HWIO weights, on kernels that take nChw16c and OIhw16i16o. Tensors
// keep the library's formats between operations. Each tensor carries an axis map from its axes to those of the
// framework's shape, so that an operation can request the format that it needs, independently of other operations.

#include "framework_bridge.hpp"

#include "../14_convolution/convolution.hpp"

#include <iostream>
#include <vector>

// Returns an operand in the format that the kernel takes: unchanged if it has that format, otherwise moved in one pass.
template <plait::lettered_tag Wanted, class Operand>
auto in_format(const Operand& operand, std::vector<float>& memory) {
    using L = typename Operand::layout_in_type;
    constexpr plait::dims d = L::value.dims;
    using format = plait::format<Wanted, d[0], d[1], d[2], d[3]>;
    if constexpr (kernels::in_blocks<L, Wanted.tag>) {
        std::cout << "  " << L::value << " as it is\n";
        return operand.as_const();
    } else {
        std::cout << "  " << L::value << " to " << format::value << "\n";
        memory.resize(format::value.element_span());
        plait::reorder<L::value, format::value>(operand.data(), memory.data());
        return tensor_view<const float, format>(memory.data(), format());
    }
}

// The framework's operation: a convolution with relu. It names its operands' axes, in the framework and in the kernel.
template <class Input, class Filter>
auto convolution(const char* name, const Input& input, const Filter& filter, std::vector<float>& result) {
    std::cout << name << "\n";
    std::vector<float> x_memory, w_memory;
    const auto x = in_format<"nChw16c">(plait::as_operand<"nchw", "nhwc">(input), x_memory);
    const auto w = in_format<"OIhw16i16o">(plait::as_operand<"oihw", "hwio">(filter), w_memory);

    constexpr plait::dims from = decltype(x)::layout_in_type::value.dims, of = decltype(w)::layout_in_type::value.dims;
    using made = plait::nChw16c<from[0], of[0], from[2] - of[2] + 1, from[3] - of[3] + 1>;
    using no_bias = plait::format<"A16a", of[0]>;
    const std::vector<float> zeros(no_bias::value.element_span());
    result.resize(made::value.element_span());
    const tensor_view y(result.data(), made());
    kernels::convolve(x, w, tensor_view(zeros.data(), no_bias()), y, kernels::relu());
    return plait::as_result<"nchw", "nhwc">(y);
}

int main() {
    std::vector<float> memory[7];
    const auto image = framework_tensor<2, 5, 6, 3>(memory[0]);
    const auto picture = framework_tensor<1, 8, 9, 4>(memory[1]);
    const auto filter1 = framework_tensor<3, 3, 3, 20>(memory[2]);
    const auto filter3 = framework_tensor<1, 1, 20, 7>(memory[3]);

    const auto y1 = convolution("conv1 of an image", image, filter1, memory[4]);
    // Its result, of shape (2, 3, 4, 20), is the weights of the next one: height 2, width 3, 4 channels in, 20 out.
    const auto y2 = convolution("conv2, whose weights conv1 made", picture, y1, memory[5]);
    const auto y3 = convolution("conv3 of what conv2 made", y2, filter3, memory[6]);
    if (!is_convolution(image, filter1, y1) || !is_convolution(picture, y1, y2) || !is_convolution(y2, filter3, y3))
        return 1;

    // As weights it is the same memory with other axes, and the blocks belong to these.
    const auto weights = plait::as_operand<"oihw", "hwio">(y1);
    if (weights.data() != y1.data() || &weights(19, 3, 1, 2) != &y1(1, 2, 3, 19)) return 2;

    // The framework's own operations do not move data either, if the layout allows it.
    const auto channels_first = plait::transpose(y3, plait::permutation_c<0, 3, 1, 2>);
    const auto pixels = plait::reshape(y3, plait::dims_c<1, 49, 7>);
    if (&channels_first(0, 6, 1, 2) != &y3(0, 1, 2, 6) || &pixels(0, 9, 6) != &y3(0, 1, 2, 6)) return 3;

    // Otherwise the verdict names the obstacle, and the reorder that makes it possible.
    const plait::verdict why = plait::check_reshape(y3, {1, 343});
    std::cout << "flatten\n  " << why << "\n";
    constexpr plait::reshaped_copy copy = plait::reshape_copy(y3.shaped(), {1, 343});
    std::vector<float> flat(copy.to.layout.element_span());
    plait::reorder(y3, shaped_buffer(flat.data(), copy.to));
    std::cout << "  " << copy.from.layout << " to " << copy.to.layout << " is " << copy.result.layout << "\n";
    return shaped_buffer(flat.data(), copy.result)(0, 9 * 7 + 6) == y3(0, 1, 2, 6) ? 0 : 4;
}
