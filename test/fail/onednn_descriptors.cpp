// Descriptors of oneDNN.
#include <plait/interop/onednn_fields.hpp>

using namespace plait::detail;

constexpr onednn_fields with(onednn_kind kind) {
    onednn_fields out = fields_of(plait::descriptor(plait::data_type::s8, plait::layout({2, 16}, "aB4b")), 6).value();
    out.format_kind = kind;
    return out;
}

// EXPECT: extra_flag_is_unknown (5, 11)
constexpr onednn_fields with(std::uint64_t flags) {
    onednn_fields out = fields_of(plait::descriptor(plait::data_type::s8, plait::layout({2, 16}, "aB4b")), 6).value();
    out.flags = flags, out.compensation_mask = 1;
    return out;
}
constexpr auto refused = descriptor_of_fields(with(onednn_s8s8 | 4)).value();
// FIXED: constexpr auto refused = descriptor_of_fields(with(onednn_s8s8)).value();

// EXPECT: format_is_packed_for_rnn
constexpr auto refused = descriptor_of_fields(with(onednn_kind::rnn_packed)).value();
// FIXED: constexpr auto refused = descriptor_of_fields(with(onednn_kind::blocked)).value();

// EXPECT: format_is_sparse
constexpr auto refused = descriptor_of_fields(with(onednn_kind::sparse)).value();
// FIXED: constexpr auto refused = descriptor_of_fields(with(onednn_kind::blocked)).value();

// EXPECT: format_is_winograd
constexpr auto refused = descriptor_of_fields(with(onednn_kind::wino)).value();
// FIXED: constexpr auto refused = descriptor_of_fields(with(onednn_kind::blocked)).value();

// EXPECT: format_kind_is_unknown
constexpr auto refused = descriptor_of_fields(with(onednn_kind::unknown)).value();
// FIXED: constexpr auto refused = descriptor_of_fields(with(onednn_kind::blocked)).value();

// EXPECT: inner_block_does_not_fit (1, 1, 2, 1)
/// Returns a layout in blocks of four elements, with these strides. {16, 8, 1} leaves a gap after each block.
constexpr plait::layout with(plait::dim_t outermost, plait::dim_t outer, plait::dim_t inner) {
    plait::layout out({4, 8}, "aB4b");
    out.digits[0].stride = outermost;
    out.digits[1].stride = outer;
    out.digits[2].stride = inner;
    return out;
}
constexpr auto refused = fields_of(plait::descriptor(plait::data_type::f32, with(16, 8, 2)), 6).value();
// FIXED: constexpr auto refused = fields_of(plait::descriptor(plait::data_type::f32, with(16, 8, 1)), 6).value();

// EXPECT: library_has_no_stride (0, -16, 0)
constexpr plait::strides steps{-16, 1};
// FIXED: constexpr plait::strides steps{16, 1};
constexpr auto refused = fields_of(plait::descriptor(plait::data_type::f32, plait::layout({2, 16}, steps)), 6).value();

// EXPECT: library_has_no_type (1, 6)
constexpr int last_type = 6;
// FIXED: constexpr int last_type = 7;
constexpr auto refused =
    fields_of(plait::descriptor(plait::data_type::f64, plait::layout({2, 16}, "ab")), last_type).value();
