#include <plait/reorder/parallel_reorder.hpp>

#include "support/executors.hpp"
#include "support/static_check.hpp"

#include <plait/plait.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace test_reorder_moved_elements {

using namespace plait;
using namespace plait::detail;

namespace {

struct pixel {
    std::uint8_t r, g, b, a;
    bool operator==(const pixel&) const = default;
};
struct six_bytes {
    std::uint16_t x, y, z;
};
enum class colour : std::uint16_t { red, green };

static_assert(moved_element<std::int64_t> && moved_element<std::uint64_t> && moved_element<std::int16_t> &&
              moved_element<std::uint16_t> && moved_element<std::uint32_t> && moved_element<bool> &&
              moved_element<char> && moved_element<std::complex<float>> && moved_element<std::complex<double>> &&
              moved_element<pixel> && moved_element<colour> && moved_element<std::array<float, 2>>);
static_assert(!moved_element<float> && !moved_element<std::int32_t> && !moved_element<u4> && !moved_element<float16> &&
              !moved_element<boolean> && !moved_element<six_bytes> && !moved_element<float*> &&
              !moved_element<std::byte> && !moved_element<std::string> && !moved_element<std::string_view> &&
              !moved_element<std::span<float, 4>> && !moved_element<tensor_view<float, nchw<1, 2, 3, 4>>> &&
              !moved_element<const std::int64_t> && !moved_element<void> && !moved_element<float[2]>);

/// The memory of a layout, as an array: std::vector<bool> has no elements.
template <class T>
struct memory {
    explicit memory(std::size_t count) : bytes(count * sizeof(T) + 64, std::byte{0x5a}), places(count) {}
    T* data() { return reinterpret_cast<T*>(bytes.data()); }
    std::vector<std::byte> bytes;
    std::size_t places;
};

/// True if the destination has the bytes of each source element, and zeros in each place of its padding, and nothing
/// behind it was written.
template <class T>
bool is_moved(const layout& src, memory<T>& in, const layout& dst, memory<T>& out) {
    std::vector<std::byte> expected(out.places * sizeof(T) + 64, std::byte{0x5a});
    for (dim_t i = 0; i < dst.padded_volume(); ++i) {
        dim_t rest = i;
        position padded = dst.padded_offsets;
        for (int a = dst.ndims() - 1; a >= 0; --a) {
            padded[a] = rest % dst.padded_dims[a];
            rest /= dst.padded_dims[a];
        }
        bool inside = true;
        for (int a = 0; a < dst.ndims(); ++a) inside = inside && padded[a] < dst.dims[a];
        std::byte* const to = expected.data() + dst.padded_offset(padded) * static_cast<dim_t>(sizeof(T));
        if (inside) std::memcpy(to, in.bytes.data() + src.offset(padded) * static_cast<dim_t>(sizeof(T)), sizeof(T));
        else std::memset(to, 0, sizeof(T));
    }
    return expected == out.bytes;
}

template <class T>
memory<T> source_of(const layout& l) {
    memory<T> out(static_cast<std::size_t>(l.span_begin()) + l.element_span());
    std::uint64_t state = 7;
    for (std::byte& b : out.bytes) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        b = static_cast<std::byte>(std::is_same_v<T, bool> ? state >> 60 & 1 : state >> 56 | 1);
    }
    return out;
}
template <class T>
memory<T> destination_of(const layout& l) {
    return memory<T>(static_cast<std::size_t>(l.span_begin()) + l.element_span());
}

/// True if each form moves elements of type T between two layouts.
template <class T, layout Src, layout Dst>
bool moves() {
    memory<T> in = source_of<T>(Src);
    const auto check = [&](const auto& move) {
        memory<T> out = destination_of<T>(Dst);
        move(in.data(), out.data());
        return is_moved<T>(Src, in, Dst, out);
    };
    using from = layout_constant<Src>;
    using to = layout_constant<Dst>;
    return check([](const T* x, T* y) { reorder<Src, Dst>(x, y); }) &&
           check([](const T* x, T* y) { reorder<from, to>(x, y); }) &&
           check([](const T* x, T* y) { reorder<Src, Dst, T, T>(x, y); }) &&
           check([](const T* x, T* y) { REQUIRE(try_reorder<Src, Dst>(x, y).has_value()); }) &&
           check([](const T* x, T* y) { reorder(tensor_view(x, from()), tensor_view(y, to())); }) &&
           check([](const T* x, T* y) {
               reorder(plait_test::new_threads{3}, tensor_view(x, from()), tensor_view(y, to()));
           }) &&
           check([](const T* x, T* y) { reorder<Src, Dst>(plait_test::new_threads{3}, x, y); }) &&
           check([](const T* x, T* y) { reorder(Src, x, Dst, y); }) &&
           check([](const T* x, T* y) { reorder(plait_test::new_threads{3}, Src, x, Dst, y); }) &&
           check([](const T* x, T* y) { (*make_reorder_of<T>(Src, Dst))(x, y); }) &&
           check([](const T* x, T* y) { (*make_reorder(descriptor_of<T>(Src), descriptor_of<T>(Dst)))(x, y); });
}

constexpr layout plain({2, 17, 5, 4}, "nchw"), blocked({2, 17, 5, 4}, "nChw16c");
constexpr layout backwards({3, 5}, strides{5, -1}), turned({3, 5}, "ba");
/// Elements that begin inside a block, which no loops of both layouts describe.
constexpr layout shifted = [] {
    layout l({4}, "A8a");
    l.padded_offsets[0] = 2;
    return l;
}();

}  // namespace

TEST_CASE("reorder: moves elements that are no numbers, in each form") {
    CHECK(moves<std::int64_t, plain, blocked>());
    CHECK(moves<std::uint16_t, blocked, plain>());
    CHECK(moves<bool, plain, blocked>());
    CHECK(moves<pixel, backwards, turned>());
    CHECK(moves<std::complex<float>, plain, blocked>());
    CHECK(moves<std::complex<double>, plain, blocked>());
    CHECK(moves<std::complex<double>, blocked, plain>());
    CHECK(moves<std::complex<double>, backwards, turned>());
    CHECK(moves<std::int64_t, shifted, layout({4}, "a")>());
    CHECK(moves<std::complex<double>, shifted, layout({4}, "a")>());
}

TEST_CASE("reorder: reads and writes slices with a step, and no place between them") {
    constexpr layout whole({2, 33, 3}, "aBc16b"), in_fours({16, 5}, "Ab4a");
    constexpr layout even = strided_slice(whole, 1, 0, 33, 2), odd = strided_slice(whole, 1, 1, 33, 2);
    CHECK(moves<pixel, even, layout({2, 17, 3}, "abc")>());
    CHECK(moves<pixel, layout({2, 17, 3}, "abc"), even>());
    CHECK(moves<std::int64_t, odd, layout({2, 16, 3}, "cba")>());
    constexpr layout back = strided_slice(whole, 1, 31, -1, -1);
    CHECK(moves<std::uint16_t, back, layout({2, 32, 3}, "abc")>());
    CHECK(moves<std::uint16_t, layout({2, 32, 3}, "aBc8b"), back>());
    CHECK(moves<pixel, strided_slice(in_fours, 0, 3, 15, 3), layout({4, 5}, "ba")>());
    CHECK(moves<pixel, layout({4, 5}, "ba"), strided_slice(in_fours, 0, 3, 15, 3)>());
    CHECK(moves<std::complex<double>, strided_slice(in_fours, 0, 14, -1, -4), layout({4, 5}, "ab")>());
}

TEST_CASE("reorder: refuses wrong pointers of elements that are no numbers, as of numbers") {
    std::vector<std::int64_t> in(plain.element_span()), out(blocked.element_span());
    CHECK(try_reorder<plain, blocked>(in.data(), static_cast<std::int64_t*>(nullptr)).error().reason ==
          reason::buffer_is_null);
    CHECK(try_reorder<plain, blocked>(out.data(), out.data()).error().reason == reason::spans_overlap);
    CHECK(try_reorder(plain, out.data(), blocked, out.data()).error().reason == reason::spans_overlap);
    CHECK(try_reorder<plain, plain>(in.data(), in.data()).has_value());
    CHECK(try_reorder(plain, in.data(), layout({2, 17, 5}, "abc"), out.data()).error().reason == reason::rank_differs);
}

TEST_CASE("elements of 16 bytes: two of 8, along one axis more") {
    STATIC_CHECK(*layout_of_units(layout({2, 3}, "ba"), 2) == layout({2, 3, 2}, strides{2, 4, 1}));
    STATIC_CHECK(layout_of_units(layout({2, 3}, "ba"), 1) == layout({2, 3}, "ba"));
    constexpr layout units = *layout_of_units(blocked, 2);
    STATIC_CHECK(units.padded_dims == dims{2, 32, 5, 4, 2} && units.digits[4] == digit{4, 2, 1});
    STATIC_CHECK(units.offset(1, 16, 4, 3, 1) == 2 * blocked.offset(1, 16, 4, 3) + 1);

    constexpr layout twelve({1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, "abcdefghijkl"),
        other({1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, "alcdefghijkb");
    STATIC_CHECK(layout_of_units(twelve, 2).error() == verdict{reason::too_many_axes, -1, 13, 12});
    const std::complex<double> in[] = {1, 2, 3, 4};
    std::complex<double> out[4];
    reorder<twelve, other>(in, out);
    CHECK(out[1] == 3.0);
    CHECK(try_reorder(twelve, in, other, out).error() == verdict{reason::too_many_axes, -1, 13, 12});
    const layout far({2, 3}, strides{INT64_MAX / 8, 1});
    CHECK(layout_of_units(far, 16).error().reason == reason::size_overflows);
}

TEST_CASE("descriptor_of: numbers have their type, others one of their size") {
    STATIC_CHECK(descriptor_of<float>(plain) == descriptor(data_type::f32, plain));
    STATIC_CHECK(descriptor_of<u4>(plain) == descriptor(data_type::u4, plain));
    STATIC_CHECK(descriptor_of<std::int64_t>(plain) == descriptor(data_type::f64, plain));
    STATIC_CHECK(descriptor_of<bool>(plain) == descriptor(data_type::u8, plain));
    STATIC_CHECK(descriptor_of<std::complex<double>>(plain).size_in_bytes() == 16 * plain.element_span());
}

}  // namespace test_reorder_moved_elements
