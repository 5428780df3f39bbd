#pragma once
// Runs a static reorder with each instruction set of the CPU, between pages that cannot be accessed, and compares every
// byte of the destination with the reference. Bytes that the layout does not own must not change.

#include "engine/kernel/static_rows.hpp"
#include "support/fenced_memory.hpp"
#include "support/with_each_isa.hpp"

#include <plait/contract/reference.hpp>
#include <plait/io/print.hpp>
#include <plait/reorder/converted_rows.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <deque>

namespace kernels {

using namespace plait;
using namespace plait::engine;
using coverage::static_row;

/// Returns the number of elements from the start of the buffer to the end of the tensor.
inline std::size_t elements_of(const layout& l) { return l.element_span() + static_cast<std::size_t>(l.offset0); }

inline std::string text_of(const static_row& row, isa with) {
    return std::string(to_string(row.from)) + ' ' + to_string(row.src) + " -> " + to_string(row.to) + ' ' +
           to_string(row.dst) + ", " + to_string(with);
}

/// Moves elements, also in chunks and past the cache if the row says so.
template <static_row Row, class T, class U>
void check_moves() {
    using types = element_types_of<T, U>;
    for (const fence where : {fence::in_front, fence::behind}) {
        fenced_memory<T> in(elements_of(Row.src), where);
        fenced_memory<U> wanted(elements_of(Row.dst), where);
        reference_reorder(Row.src, in.data(), Row.dst, wanted.data());
        plait_test::with_each_isa([&]<isa Isa>() {
            const auto check = [&](const std::string& how, auto&& move) {
                fenced_memory<U> out(elements_of(Row.dst), where);
                move(out.data());
                CHECK_MESSAGE(out.same_bytes(wanted), text_of(Row, Isa), how);
            };
            check("", [&](U* out) { move_tensor_with<Row.src, Row.dst, types, Isa>(in.data(), out); });
            if constexpr (Row.kind == coverage::row_kind::in_parts)
                for (const int chunks : {2, 3, 7})
                    check(", in chunks", [&](U* out) {
                        for (int chunk = chunks; chunk-- > 0;)
                            move_tensor_with<Row.src, Row.dst, types, Isa>(in.data(), out, chunk_number{chunk, chunks});
                    });
            using plan = static_plan<Row.src, Row.dst, types, Isa>;
            if constexpr (Row.kind == coverage::row_kind::in_parts && plan::value.writes_whole_lines() &&
                          plan::value.staged_from < 0)
                if (where == fence::in_front)
                    check(", past the cache", [&](U* out) {
                        run_plan<Isa, plan, true>(reinterpret_cast<const std::byte*>(in.data()),
                                                  reinterpret_cast<std::byte*>(out));
                    });
        });
    }
}

/// Moves elements smaller than a byte. All other bits of the destination must keep their values.
template <static_row Row, class T>
void check_packed_moves() {
    for (const fence where : {fence::in_front, fence::behind}) {
        fenced_memory<std::byte> in(descriptor(Row.from, Row.src).buffer_size_in_bytes(), where);
        const std::size_t bytes = descriptor(Row.to, Row.dst).buffer_size_in_bytes();
        fenced_memory<std::byte> wanted(bytes, where);
        reference_reorder<T, T>(Row.src, in.data(), Row.dst, wanted.data());
        plait_test::with_each_isa([&]<isa Isa>() {
            fenced_memory<std::byte> out(bytes, where);
            if constexpr (Isa == isa::portable && is_of_this_architecture(isa::sse41))
                element_move{Row.src, Row.dst, size_in_bits(Row.from), {}}(in.data(), out.data());
            else move_packed_with<Row.src, Row.dst, Row.from, Isa>(in.data(), out.data());
            CHECK_MESSAGE(out.same_bytes(wanted), text_of(Row, Isa));
        });
    }
}

/// Attributes with one value for the tensor, and with values by index, each with and without the old destination.
class attribute_cases {
public:
    explicit attribute_cases(const dims& extents) {
        add({.src_scale = 0.3f, .dst_scale = 1.7f, .src_zero_point = 3, .dst_zero_point = -7});
        add({.src_scale = -0.7f});
        add({.src_zero_point = -5, .dst_zero_point = 1});
        add({.src_zero_point = 2, .beta = 1});
        add({.src_scale = 0.3f, .dst_scale = 1.7f, .src_zero_point = 3, .dst_zero_point = -7, .beta = 0.5f});
        for (const int mask : {1, 2, 3, 5, 1 << (extents.size() - 1)})
            if (mask >> extents.size() == 0) add_by_index(extents, mask);
    }
    const std::vector<reorder_attributes>& all() const { return all_; }

private:
    std::deque<std::vector<float>> scales_;
    std::deque<std::vector<std::int32_t>> zero_points_;
    std::vector<reorder_attributes> all_;

    void add(const reorder_attributes& attributes) { all_.push_back(attributes); }
    /// Returns numbers in memory that ends with them, so that the address sanitizer reports an access behind.
    template <class T>
    static const std::vector<T>& numbers(std::deque<std::vector<T>>& kept, dim_t count, dim_t period, T first, T step) {
        std::vector<T>& out = kept.emplace_back();
        for (dim_t i = 0; i < count; ++i) out.push_back(first + static_cast<T>(i % period) * step);
        return out;
    }
    void add_by_index(const dims& extents, int mask) {
        const dim_t count = mask_volume(extents, mask);
        const reorder_attributes::scale from(numbers(scales_, count, 7, 0.37f, 0.37f), mask),
            to(numbers(scales_, count, 5, -1.7f, -1.7f), mask);
        const reorder_attributes::zero_point from_zero(numbers(zero_points_, count, 11, -5, 1), mask),
            to_zero(numbers(zero_points_, count, 3, -1, 1), mask);
        add({.src_scale = from});
        add({.src_scale = 0.3f, .dst_scale = to, .src_zero_point = from_zero, .dst_zero_point = to_zero});
        add({.src_scale = from, .dst_zero_point = to_zero, .beta = 0.5f});
    }
};

/// Sets numbers around zero, with fractions, some large, and negative zeros.
template <class T>
void set_numbers(fenced_memory<T>& memory, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const double x = static_cast<double>(i * 37 % 601) * 0.75 - 225;
        memory.data()[i] = convert<T>(i % 31 == 5 ? -0.0 : i % 29 == 3 ? x * 1e6 : x);
    }
}

/// True if the bits of each pair of elements are equal, or both are NaN.
template <class U>
bool same_numbers(const U* a, const U* b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (std::is_floating_point_v<U>)
            if (std::isnan(a[i]) && std::isnan(b[i])) continue;
        if (std::memcmp(&a[i], &b[i], sizeof(U)) != 0) return false;
    }
    return true;
}

template <static_row Row, class T, class U>
void check_attributes_of() {
    const std::size_t from = elements_of(Row.src), to = elements_of(Row.dst);
    const attribute_cases cases(Row.dst.dims);
    for (const fence where : {fence::in_front, fence::behind}) {
        fenced_memory<T> in(from, where);
        set_numbers(in, from);
        for (const reorder_attributes& attributes : cases.all()) {
            fenced_memory<U> wanted(to, where);
            set_numbers(wanted, to);
            reference_reorder(Row.src, in.data(), Row.dst, wanted.data(), attributes);
            plait_test::with_each_isa([&]<isa Isa>() {
                if constexpr (has_attributed_kernels(Isa)) {
                    fenced_memory<U> out(to, where);
                    set_numbers(out, to);
                    move_attributed_tensor_with<Row.src, Row.dst, T, U, Isa>(in.data(), out.data(), attributes);
                    CHECK_MESSAGE(same_numbers(out.data(), wanted.data(), to), text_of(Row, Isa), ", case ",
                                  &attributes - cases.all().data());
                }
            });
        }
    }
}

template <static_row Row>
void check_static_row() {
    using T = element_type_of<Row.from>;
    using U = element_type_of<Row.to>;
    if constexpr (plait::detail::is_packed(Row.from)) check_packed_moves<Row, T>();
    else if constexpr (Row.kind == coverage::row_kind::attributed) check_attributes_of<Row, T, U>();
    else check_moves<Row, T, U>();
}

enum class part { first_rows, other_rows };

/// Checks the rows of one unit: every `Units`-th row of a part of the table. Rows that follow each other are alike, so
/// that units take equally long.
template <part Part, std::size_t Unit, std::size_t Units>
void check_static_rows() {
    constexpr std::size_t few = static_rows::few_rows, begin = Part == part::first_rows ? 0 : few,
                          end = Part == part::first_rows ? few : static_rows::rows;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (check_static_row<static_rows::table[begin + Unit + I * Units]>(), ...);
    }
    (std::make_index_sequence<(end - begin - Unit + Units - 1) / Units>{});
}

}  // namespace kernels
