// Mistakes with reorders and their arguments.
#include <plait/plait.hpp>
#include <plait/reorder/converted_rows.hpp>

#include <vector>

// BOTH: the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(const float* in, std::int8_t* out) {
    plait::reorder<plain, blocked>(in, out, {.scale = 0.5f});
    // FIXED: plait::reorder<plain, blocked>(in, out, {.src_scale = 0.5f});
}

// BOTH: the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order
void move(const plait::layout& from, const float* in, const plait::layout& to, float* out) {
    plait::reorder(plait::sequential, from, in, to, out, {.scale = 0.5f});
    // FIXED: plait::reorder(plait::sequential, from, in, to, out, {.src_scale = 0.5f});
}

// BOTH: the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(const float* in, float* out) {
    const plait::tensor_view image(in, plain());
    const plait::tensor_view blocks(out, blocked());
    reorder(plait::sequential, image, blocks, {.scale = 0.5f});
    // FIXED: reorder(plait::sequential, image, blocks, {.src_scale = 0.5f});
}

// BOTH: a reorder writes to its second pointer, the destination: it cannot point to const elements
constexpr plait::layout plain({1, 64, 8, 8}, "nchw"), blocked({1, 64, 8, 8}, "nChw16c");
void to_blocks(const float* in, const float* out) {
    // FIXED: void to_blocks(const float* in, float* out) {
    plait::reorder<plain, blocked>(in, out);
}

// BOTH: a reorder writes to its second pointer, the destination: it cannot point to const elements
void move(const plait::layout& from, const float* in, const plait::layout& to, const float* out) {
    // FIXED: void move(const plait::layout& from, const float* in, const plait::layout& to, float* out) {
    plait::reorder(from, in, to, out);
}

// BOTH: a reorder writes to its second pointer, the destination: it cannot point to const elements
void to_last(const float* in, const float* out) {
    // FIXED: void to_last(const float* in, float* out) {
    plait::reorder<plait::nchw<1, 64, 8, 8>, plait::nhwc<1, 64, 8, 8>>(in, out);
}

// BOTH: a_descriptor_has_a_layout_which_is_made_of_extents_and_a_tag
const plait::descriptor image(plait::data_type::f32, "nchw");
// FIXED: const plait::descriptor image(plait::data_type::f32, plait::layout({1, 64, 8, 8}, "nchw"));

// BOTH: the first argument of this reorder is no executor: an executor e has e.concurrency()
void move(const plait::layout& from, const float* in, const plait::layout& to, float* out) {
    plait::reorder(2, from, in, to, out, {.src_scale = 0.5f});
    // FIXED: plait::reorder(plait::sequential, from, in, to, out, {.src_scale = 0.5f});
}

// BOTH: the first argument of this reorder is no executor: an executor e has e.concurrency()
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

struct pool {
    int concurrency() const { return 2; }
#ifdef FIXED
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        for (int i = 0; i < chunks; ++i) chunk(i);
    }
#endif
};
void to_blocks(const float* in, float* out) { plait::reorder<plain::value, blocked::value>(pool(), in, out); }

// BOTH: the element types that this reorder names are not those of its pointers
constexpr plait::layout plain({1, 64, 8, 8}, "nchw"), blocked({1, 64, 8, 8}, "nChw16c");
void to_blocks(const float* in, float* out) {
    plait::reorder<plain, blocked, float, double>(in, out);
    // FIXED: plait::reorder<plain, blocked, float, float>(in, out);
}

// GCC: dims_differ: axis 1 has 64 elements in one layout and 48 in the other
// CLANG: &dims_differ, plait::rejected::axis<1>, plait::rejected::numbers<64, 48>
constexpr plait::layout plain({1, 64, 56, 56}, "nchw");
constexpr plait::layout blocked({1, 48, 56, 56}, "nChw16c");
// FIXED: constexpr plait::layout blocked({1, 64, 56, 56}, "nChw16c");
void to_blocks(const float* in, float* out) { plait::reorder<plain, blocked>(in, out); }

// BOTH: a_plan_takes_pointers_or_spans_of_bytes_of_a_vector_v_pass_v_data
// ERRORS: any
// Clang repeats the error of a deleted call operator.
void move(const plait::planned_reorder& plan, const std::vector<float>& in, std::vector<float>& out) {
    plan(in, out);
    // FIXED: plan(in.data(), out.data());
}

// BOTH: a reorder takes pointers to double, float, std::int32_t
// BOTH: colour
constexpr plait::layout plain({1, 64, 56, 56}, "nchw"), blocked({1, 64, 56, 56}, "nChw16c");
struct colour {
    unsigned char red, green, blue;
#ifdef FIXED
    unsigned char alpha;
#endif
};
void to_blocks(const colour* in, colour* out) { plait::reorder<plain, blocked>(in, out); }

// GCC: no matching function for call to ‘reorder<plain, blocked>
// CLANG: invalid explicitly-specified argument for template parameter 'Src'
// ERRORS: any
// GCC names the value that is not a constant in a later line, after its first candidate.
void to_blocks(const float* in, float* out, plait::dim_t batch) {
    const plait::layout plain({batch, 64, 56, 56}, "nchw"), blocked({batch, 64, 56, 56}, "nChw16c");
    plait::reorder<plain, blocked>(in, out);
    // FIXED: plait::reorder(plain, in, blocked, out);
}

// BOTH: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them
const std::vector<float> scales(64, 2.0f);
auto by_channel() { return plait::per_index<1>(std::vector<float>(64, 2.0f)); }
// FIXED: auto by_channel() { return plait::per_index<1>(scales); }

// BOTH: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them
std::vector<plait::float16> scales(3);
const auto by_row = plait::values_by_mask(std::vector<plait::float16>(3), 1 << 0);
// FIXED: const auto by_row = plait::values_by_mask(scales, 1 << 0);

// GCC: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them
// ERRORS: any
// CLANG: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them
std::vector<float> scales(3, 2.0f);
const plait::reorder_attributes by_row{.src_scale = {std::vector<float>(3, 2.0f), 1 << 0}};
// FIXED: const plait::reorder_attributes by_row{.src_scale = {scales, 1 << 0}};

// GCC: values_by_index_stay_the_callers_and_cannot_be_a_temporary_that_owns_them
// ERRORS: any
// CLANG: cannot convert initializer list argument to 'const plait::reorder_attributes'
std::vector<float> scales(3, 2.0f);
const plait::descriptor rows(plait::data_type::f32, plait::layout({3, 4}, "ab"));
const auto plan = make_reorder(rows, rows, {.src_scale = {std::vector<float>(3, 2.0f), 1 << 0}});
// FIXED: const auto plan = make_reorder(rows, rows, {.src_scale = {scales, 1 << 0}});

// GCC: values_by_index_are_a_contiguous_range_of<float
// CLANG: cannot convert initializer list argument to 'const plait::reorder_attributes'
// ERRORS: any
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(const float* in, std::int8_t* out, const std::vector<double>& scales) {
    // FIXED: void to_blocks(const float* in, std::int8_t* out, const std::vector<float>& scales) {
    plait::reorder<plain::value, blocked::value>(in, out, {.dst_scale = {scales, 1 << 1}});
}

// GCC: dims_differ: axis 1 has 64 elements in one layout and 48 in the other
// CLANG: &dims_differ, plait::rejected::axis<1>, plait::rejected::numbers<64, 48>
void to_last(const float* in, float* out) {
    plait::reorder<plait::nchw<1, 64, 8, 8>, plait::nhwc<1, 48, 8, 8>>(in, out);
    // FIXED: plait::reorder<plait::nchw<1, 64, 8, 8>, plait::nhwc<1, 64, 8, 8>>(in, out);
}

// BOTH: of a vector v, v.data()
constexpr plait::layout plain({1, 64, 56, 56}, "nchw"), blocked({1, 64, 56, 56}, "nChw16c");
void to_blocks(const std::vector<float>& in, std::vector<float>& out) {
    plait::reorder<plain, blocked>(in, out);
    // FIXED: plait::reorder<plain, blocked>(in.data(), out.data());
}

// BOTH: a_view_is_reordered_into_a_view_make_one_of_each_pointer_and_its_layout
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(const float* in, float* out) {
    reorder(plait::tensor_view(in, plain()), out);
    // FIXED: reorder(plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
}

// BOTH: a_reorder_writes_to_its_second_view_which_cannot_have_const_elements
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(const float* in, const float* out) {
    // FIXED: void to_blocks(const float* in, float* out) {
    reorder(plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
}

// BOTH: after_two_views_come_attributes_in_braces_and_an_executor_comes_first
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(const float* in, float* out) {
    const plait::tensor_view from(in, plain());
    const plait::tensor_view to(out, blocked());
    reorder(from, to, plait::sequential);
    // FIXED: reorder(plait::sequential, from, to);
}

// BOTH: the_first_of_three_arguments_is_an_executor_which_has_concurrency_and_run
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;

struct pool {
    int concurrency() const { return 2; }
#ifdef FIXED
    template <class Chunk>
    void run(int chunks, const Chunk& chunk) const {
        for (int i = 0; i < chunks; ++i) chunk(i);
    }
#endif
};
void to_blocks(const float* in, float* out) {
    reorder(pool(), plait::tensor_view(in, plain()), plait::tensor_view(out, blocked()));
}

// BOTH: a_quantised_view_has_its_own_scales_so_it_takes_no_attributes
using plain = plait::nchw<1, 64, 8, 8>;
using blocked = plait::nChw16c<1, 64, 8, 8>;
void to_blocks(const float* in, std::int8_t* out) {
    const plait::tensor_view from(in, plain());
    const auto to = plait::with_quantization(plait::tensor_view(out, blocked()), plait::per_tensor(0.5f));
    reorder(from, to, {.dst_scale = 0.5f});
    // FIXED: reorder(from, to.stored(), {.dst_scale = 0.5f});
}

// GCC: no match for call to ‘(plait::u_0::expected<plait::u_0::planned_reorder>)
// CLANG: type 'expected<plait::planned_reorder>' does not provide a call operator
void move(const plait::descriptor& from, const float* in, const plait::descriptor& to, float* out) {
    make_reorder(from, to)(in, out);
    // FIXED: make_reorder(from, to).value()(in, out);
}
