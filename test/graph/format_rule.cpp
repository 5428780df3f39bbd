#include <plait/graph/format_rule.hpp>

#include <doctest/doctest.h>

#include <string>

namespace test_graph_format_rule { namespace {

using plait::operand_format, plait::operand_formats, plait::primitive_kind, plait::propagation, plait::format_rule;

// The cells of the table, in the words of the specification.
constexpr operand_formats not_applicable{};
constexpr operand_formats use_any{operand_format::any, operand_format::any};
constexpr operand_formats use_any_backward{operand_format::not_applicable, operand_format::not_applicable,
                                           operand_format::any, operand_format::any};
constexpr operand_formats preceding_then_any{operand_format::preceding, operand_format::any};
constexpr operand_formats gradients_any_data_actual{operand_format::not_applicable, operand_format::not_applicable,
                                                    operand_format::any, operand_format::actual};

struct row {
    primitive_kind kind;
    const char* name;
    operand_formats forward, backward, none;
};
constexpr row table[] = {
    {primitive_kind::convolution, "convolution", use_any, use_any_backward, not_applicable},
    {primitive_kind::deconvolution, "deconvolution", use_any, use_any_backward, not_applicable},
    {primitive_kind::inner_product, "inner_product", use_any, use_any_backward, not_applicable},
    {primitive_kind::rnn, "rnn", use_any, use_any_backward, not_applicable},
    {primitive_kind::pooling, "pooling", preceding_then_any, gradients_any_data_actual, not_applicable},
    {primitive_kind::layer_normalization, "layer_normalization", preceding_then_any, gradients_any_data_actual,
     not_applicable},
    {primitive_kind::batch_normalization, "batch_normalization", preceding_then_any, gradients_any_data_actual,
     not_applicable},
    {primitive_kind::lrn, "lrn", preceding_then_any, gradients_any_data_actual, not_applicable},
    {primitive_kind::eltwise, "eltwise", preceding_then_any, gradients_any_data_actual, not_applicable},
    {primitive_kind::shuffle, "shuffle", preceding_then_any, gradients_any_data_actual, not_applicable},
    {primitive_kind::softmax, "softmax", preceding_then_any, gradients_any_data_actual, not_applicable},
    {primitive_kind::reorder, "reorder", not_applicable, not_applicable, preceding_then_any},
    {primitive_kind::concat, "concat", not_applicable, not_applicable, preceding_then_any},
    {primitive_kind::sum, "sum", not_applicable, not_applicable, preceding_then_any},
    {primitive_kind::binary, "binary", not_applicable, not_applicable, preceding_then_any},
};
TEST_CASE("format_rule: each cell of the specification's table of memory format propagation") {
    for (const row& r : table) {
        CAPTURE(r.name);
        CHECK(to_string(r.kind) == std::string(r.name));
        CHECK(format_rule(r.kind, propagation::forward) == r.forward);
        CHECK(format_rule(r.kind, propagation::backward) == r.backward);
        CHECK(format_rule(r.kind, propagation::none) == r.none);
    }
}

TEST_CASE("format_rule: matmul, which the table leaves out, uses any for every propagation") {
    CHECK(format_rule(primitive_kind::matmul, propagation::forward) == use_any);
    CHECK(format_rule(primitive_kind::matmul, propagation::backward) == use_any_backward);
    CHECK(format_rule(primitive_kind::matmul, propagation::none) == use_any);
}

TEST_CASE("format_rule: each kind of operation has a usual propagation, to which a rule applies") {
    CHECK(plait::usual_propagation(primitive_kind::eltwise) == propagation::forward);
    CHECK(plait::usual_propagation(primitive_kind::convolution) == propagation::forward);
    CHECK(plait::usual_propagation(primitive_kind::sum) == propagation::none);
    CHECK(plait::usual_propagation(primitive_kind::reorder) == propagation::none);
    for (const row& r : table) CHECK(format_rule(r.kind, plait::usual_propagation(r.kind)).applies());
    CHECK(to_string(static_cast<primitive_kind>(99)) == std::string("unknown primitive kind"));
}

TEST_CASE("format_rule: softmax and concat follow the format of a tensor; rnn does not") {
    CHECK(format_rule(primitive_kind::softmax, propagation::forward).follows());
    CHECK(format_rule(primitive_kind::softmax, propagation::backward).follows());
    CHECK(format_rule(primitive_kind::concat, propagation::none).follows());
    CHECK(!format_rule(primitive_kind::rnn, propagation::forward).follows());
    CHECK(!format_rule(primitive_kind::rnn, propagation::backward).follows());
}

}}  // namespace test_graph_format_rule
