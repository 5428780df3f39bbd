#pragma once
// A tensor that owns its memory: aligned, with zeros in the padding, and indexed through its view.

#include <plait/view/tensor_view.hpp>

#include <cstring>
#include <new>
#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {

// Names in errors: why a tensor has no view.
namespace rejected {
struct a_temporary_tensor_is_destroyed_before_its_view_is_used_give_it_a_name;
}  // namespace rejected

namespace detail {
/// The bits of an element of type T in memory.
template <class T>
inline constexpr dim_t bits_of_one = static_cast<dim_t>(8 * sizeof(T));
template <packed_element T>
inline constexpr dim_t bits_of_one<T> = size_in_bits(data_type_of<T>);

/// The bytes that elements of a number of bits take from offset 0 of a layout on, or why that is no number.
///
/// Refused: what check_layout refuses; dim_is_dynamic, stride_is_dynamic; size_overflows (the places, and the bytes of
///          one, or its bits if it is smaller than a byte)
constexpr expected<dim_t> bytes_from_the_origin(const layout& l, dim_t bits) {
    if (const verdict why = check_static_layout(l); !why.ok()) return why;
    const auto span = static_cast<dim_t>(l.element_span());
    if (span == 0) return dim_t{0};
    const checked_integer places = checked_integer{l.span_begin()} + span;
    const dim_t unit = bits % 8 == 0 ? bits / 8 : bits;
    const checked_integer size = places * unit + 7;
    if (!size.ok()) return verdict{reason::size_overflows, -1, places.value, unit};
    return bits % 8 == 0 ? size.value - 7 : size.value / 8;
}
/// Checks that the memory of a tensor has a size.
constexpr verdict check_memory(const layout& l, dim_t bits) { return bytes_from_the_origin(l, bits).error(); }
}  // namespace detail

/// A tensor that owns its elements. Its memory is aligned to 64 bytes, has as many bytes as the layout needs from
/// offset 0 on, and is zero at the beginning, including padding.
///
/// The layout is a type (nChw16c<1, 32, 10, 10>), a bound_layout, or known at run time. Elements are numbers, or others
/// that are trivially copyable; elements smaller than a byte share bytes, as in tensor_view. view() is a tensor_view,
/// through which elements are read and written. Code that writes whole blocks calls zero_pad(t.view()) afterwards, so
/// that the padding is zero again.
///
/// A tensor can be moved, and is then empty: view() fails with data_is_null. It is not copied by accident; clone()
/// copies it. Copies by reorder or clone() are deep. A const tensor has a view of const elements.
///
/// Pre:     check_static(the layout).ok(), and the size fits in 63 bits: refused by the compiler if the type tells,
///          otherwise at run time. Throws std::bad_alloc if there is not enough memory
/// Post:    data() % 64 == 0; bytes() has descriptor(the type, the layout).buffer_size_in_bytes() bytes, all 0;
///          view()(i...) is the element at the layout's offset from data()
/// Refused: dim_is_dynamic, stride_is_dynamic; undefined, any and opaque layouts; size_overflows
/// Cost:    one allocation, and writing its bytes once; none if there are no elements
/// Source:  std::mdarray (P1684); spec semantics 11 for the padding
/// Example: plait::tensor<float, plait::nChw16c<1, 17, 5, 4>> t; reorder(from, t.view())
template <class T, view_layout L = layout>
class tensor {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>,
                  "a tensor owns elements that are trivially copyable, and neither const nor volatile: a const tensor "
                  "has a view of const elements");

public:
    using element_type = T;
    using layout_in_type = L;
    using pointer = typename detail::view_access<T>::pointer;              ///< as that of tensor_view
    using const_pointer = typename detail::view_access<const T>::pointer;  ///< T const*, if elements are whole bytes

    /// The tensor of a layout that is a type.
    tensor() requires(layout_type<L>) : tensor(L{}) {}
    explicit tensor(const L& l) : index_(l), size_(size_of(l)), memory_(allocate(size_)) {}

    tensor(tensor&& other) noexcept
        : index_(other.index_), size_(std::exchange(other.size_, 0)), memory_(std::exchange(other.memory_, nullptr)) {}
    tensor& operator=(tensor&& other) noexcept {
        if (this != &other) {
            release();
            index_ = other.index_;
            size_ = std::exchange(other.size_, 0);
            memory_ = std::exchange(other.memory_, nullptr);
        }
        return *this;
    }
    /// Deleted, because copying a tensor by accident is expensive: use clone(), or reorder.
    tensor(const tensor&) = delete;
    tensor& operator=(const tensor&) = delete;
    ~tensor() { release(); }

    /// Returns a tensor with equal bytes in memory of its own.
    [[nodiscard]] tensor clone() const {
        tensor out(index_, nothing{});
        out.memory_ = allocate(size_);
        out.size_ = size_;
        if (size_ > 0) std::memcpy(out.memory_, memory_, size_);
        return out;
    }

    /// Returns a view of the elements, which is valid as long as the tensor is neither destroyed nor assigned to.
    [[nodiscard]] tensor_view<T, L> view() & { return {data(), index_.layout()}; }
    [[nodiscard]] tensor_view<const T, L> view() const& { return {data(), index_.layout()}; }
    template <class Why = rejected::a_temporary_tensor_is_destroyed_before_its_view_is_used_give_it_a_name>
    void view() const&& = delete;

    /// The memory of offset 0; null if there are no elements, or the tensor was moved from.
    pointer data() { return at_origin<T>(memory_); }
    const_pointer data() const { return at_origin<const T>(memory_); }
    /// All bytes, padding and gaps included, from offset 0 on.
    std::span<std::byte> bytes() { return {memory_, size_}; }
    std::span<const std::byte> bytes() const { return {memory_, size_}; }

    int ndims() const { return plain_layout().ndims(); }
    /// The layout from which the tensor was made: a type, a bound layout, or a layout.
    decltype(auto) layout() const { return index_.layout(); }
    /// The layout as a value.
    plait::layout plain_layout() const { return index_.plain(); }

private:
    struct nothing {};
    tensor(const detail::layout_index<L>& index, nothing) : index_(index) {}

    static constexpr std::align_val_t alignment{alignof(T) > 64 ? alignof(T) : 64};

    static std::size_t size_of(const L& l) {
        constexpr dim_t bits = detail::bits_of_one<T>;
        if constexpr (layout_type<L>)
            static_cast<void>(allowed<detail::check_memory(detail::known_layout<L>, detail::bits_of_one<T>)>);
        return static_cast<std::size_t>(detail::bytes_from_the_origin(static_cast<plait::layout>(l), bits).value());
    }
    static std::byte* allocate(std::size_t size) {
        if (size == 0) return nullptr;
        void* const memory = ::operator new(size, alignment);
        std::memset(memory, 0, size);
        return static_cast<std::byte*>(memory);
    }
    void release() noexcept {
        if (memory_ != nullptr) ::operator delete(memory_, alignment);
    }
    template <class U, class Byte>
    static auto at_origin(Byte* memory) {
        if constexpr (detail::packed_element<T>) return typename detail::view_access<U>::pointer{memory, 0};
        else return reinterpret_cast<U*>(memory);
    }

    [[no_unique_address]] detail::layout_index<L> index_;
    std::size_t size_ = 0;
    std::byte* memory_ = nullptr;
};

/// Returns a tensor of zeros with a layout, whose type it keeps: that of a constant, a bound or a run-time layout.
///
/// Pre:     as tensor
/// Post:    a tensor<T, L> of l
/// Cost:    as tensor
/// Source:  as tensor
/// Example: auto t = plait::make_tensor<float>(plait::nChw16c<1, 17, 5, 4>());
template <class T, view_layout L>
[[nodiscard]] tensor<T, L> make_tensor(const L& l) {
    return tensor<T, L>(l);
}

}  // namespace plait
