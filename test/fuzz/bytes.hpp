#pragma once
// Converts the bytes of a fuzzer to numbers and layouts, and reports findings.

#include <plait/core/layout.hpp>
#include <plait/io/print.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace fuzz {

using plait::dim_t, plait::layout;

/// Prints all fields of a layout, also of an invalid one.
inline void print(const char* name, const layout& l) {
    const auto list = [](const char* what, const auto& numbers) {
        std::fprintf(stderr, " %s %d {", what, numbers.count);
        for (dim_t number : numbers) std::fprintf(stderr, " %lld", static_cast<long long>(number));
        std::fprintf(stderr, " }");
    };
    std::fprintf(stderr, "%s: kind %d", name, static_cast<int>(l.kind));
    list("dims", l.dims);
    list("padded_dims", l.padded_dims);
    list("padded_offsets", l.padded_offsets);
    std::fprintf(stderr, " offset0 %lld digits %d {", static_cast<long long>(l.offset0), l.digits.count);
    for (const plait::digit& d : l.digits)
        std::fprintf(stderr, " %d:%lld*%lld", d.axis, static_cast<long long>(d.extent),
                     static_cast<long long>(d.stride));
    std::fprintf(stderr, " }\n");
}

/// Prints a finding and ends the program, as the fuzzer expects.
[[noreturn]] inline void found(const char* what, const char* where, const layout& argument, const layout& result = {}) {
    std::fprintf(stderr, "FOUND: %s: %s\n", where, what);
    print("argument", argument);
    print("result", result);
    std::abort();
}

/// Numbers from bytes; zeros after the last byte.
class byte_source {
public:
    byte_source(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
    bool empty() const { return at_ == end_; }
    std::string_view rest() const { return {reinterpret_cast<const char*>(at_), static_cast<std::size_t>(end_ - at_)}; }

    int byte() { return empty() ? 0 : *at_++; }
    /// Returns a number from 0 to n - 1.
    int below(int n) { return byte() % n; }
    bool once_in(int n) { return below(n) == n - 1; }

    /// Returns a number that is usually small. Sometimes it is close to an overflow, or a value with a special meaning.
    dim_t number() {
        constexpr dim_t strange[] = {-1,
                                     -2,
                                     plait::dynamic,
                                     plait::detail::outside(0),
                                     plait::detail::outside(1),
                                     INT64_MAX,
                                     INT64_MAX - 1,
                                     plait::detail::outside(11),
                                     dim_t{1} << 31,
                                     dim_t{1} << 32,
                                     dim_t{1} << 61,
                                     dim_t{1} << 62,
                                     -(dim_t{1} << 62),
                                     3037000500,
                                     plait::detail::outside(11) + 1};
        const int first = byte();
        if (first < 200) return first % 13;
        if (first < 240) return strange[static_cast<std::size_t>(first) % std::size(strange)];
        if (first < 250) return dim_t{byte()} << below(56);
        std::uint64_t bits = 0;
        for (int i = 0; i < 8; ++i) bits = bits << 8 | static_cast<std::uint64_t>(byte());
        return static_cast<dim_t>(bits);
    }
    int integer() { return once_in(16) ? static_cast<int>(static_cast<std::uint32_t>(number())) : below(28) - 2; }

    /// Returns usually `usual` numbers, sometimes another count.
    template <class Numbers>
    Numbers numbers(int usual) {
        const int size = once_in(8) ? below(plait::max_ndims + 1) : usual;
        Numbers out;
        for (int i = 0; i < size; ++i) out.push_back(number());
        return out;
    }

private:
    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

/// Returns a tag of the grammar with the given number of axes; its blocks are between 2 and 9.
inline plait::format_tag tag_from(byte_source& bytes, int ndims) {
    plait::format_tag tag;
    tag.kind = plait::format_kind::blocked;
    for (int a = 0; a < ndims; ++a) tag.axes.push_back(a);
    for (int a = ndims - 1; a > 0; --a) std::swap(tag.axes[a], tag.axes[bytes.below(a + 1)]);
    if (ndims > 0)
        for (int k = bytes.below(5); k > 0; --k) tag.blocks.push_back({bytes.below(ndims), 2 + bytes.below(8)});
    return tag;
}

/// Sets one field to an arbitrary value.
inline void spoil(layout& l, byte_source& bytes) {
    const int a = bytes.below(plait::max_ndims), k = bytes.below(plait::max_digits);
    switch (bytes.below(12)) {
        case 0: l.dims[a] = bytes.number(); break;
        case 1: l.padded_dims[a] = bytes.number(); break;
        case 2: l.padded_offsets[a] = bytes.number(); break;
        case 3: l.offset0 = bytes.number(); break;
        case 4: l.digits[k].extent = bytes.number(); break;
        case 5: l.digits[k].stride = bytes.number(); break;
        case 6: l.digits[k].axis = bytes.integer(); break;
        case 7: l.dims.count = bytes.integer(); break;
        case 8: l.digits.count = bytes.integer(); break;
        case 9: (bytes.once_in(2) ? l.padded_dims.count : l.padded_offsets.count) = bytes.integer(); break;
        case 10: l.kind = static_cast<plait::format_kind>(bytes.below(6)); break;
        default: l.dims[a] = l.padded_dims[a] = l.digits[a].extent = bytes.number(); break;
    }
}

/// Returns a layout from a tag, from strides, or filled in by hand. Sometimes it is made invalid.
inline layout layout_from(byte_source& bytes) {
    const int ndims = bytes.once_in(8) ? bytes.below(plait::max_ndims + 1) : 1 + bytes.below(4);
    const auto extents = bytes.numbers<plait::dims>(ndims);
    layout out;
    switch (bytes.below(4)) {
        case 0:
        case 1: out = *plait::detail::make_layout(extents, tag_from(bytes, extents.size())); break;
        case 2: out = *plait::detail::make_layout(extents, bytes.numbers<plait::strides>(extents.size())); break;
        default: {
            out.kind = static_cast<plait::format_kind>(bytes.once_in(8) ? bytes.below(6) : 2);
            out.dims = out.padded_dims = extents;
            for (int a = 0; a < extents.size(); ++a) {
                out.padded_offsets.push_back(0);
                out.digits.push_back({a, extents[a], bytes.number()});
            }
            for (int k = bytes.below(4); k > 0 && !out.digits.full() && !extents.empty(); --k)
                out.digits.push_back({bytes.below(extents.size()), bytes.number(), bytes.number()});
        }
    }
    if (bytes.once_in(3))
        for (int times = 1 + bytes.below(3); times > 0; --times) spoil(out, bytes);
    if (bytes.once_in(4) && plait::detail::check_structure(out).ok() && plait::detail::check_static(out).ok()) {
        // Some digits run backwards. If the layout is valid, it keeps its memory.
        for (plait::digit& d : out.digits)
            if (bytes.once_in(2) && plait::detail::is_known(-d.stride)) d.stride = -d.stride;
        out.offset0 = plait::detail::wrapping_add(out.offset0, plait::detail::reach_in_front(out));
    }
    return out;
}

/// True if l is a layout with few enough elements to check all of them.
inline bool is_small(const layout& l) {
    if (!check_layout(l).ok() || !plait::detail::check_static(l).ok()) return false;
    dim_t product = 1;
    for (dim_t extent : l.padded_dims) {
        if (extent > 256) return false;
        product *= extent;
        if (product > 256) return false;
    }
    return true;
}

}  // namespace fuzz
