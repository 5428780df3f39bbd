#pragma once
// A tensor for computations: a pointer and a layout. Indexing costs the same as the arithmetic written by hand.

#include <plait/view/dense_blocks.hpp>
#include <plait/view/layout_index.hpp>
#include <plait/view/nibbles.hpp>

#include <span>
#include <type_traits>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// True if the size of the inner blocks is known from the type, and the blocks are contiguous.
template <class L>
inline constexpr bool has_block_runs = detail::known_layout_type<L>&& has_dense_blocks(detail::known_layout<L>);

namespace detail {
/// The number of elements in a block, known from the type.
template <class L>
inline constexpr auto block_elements = static_cast<std::size_t>(inner_volume(known_layout<L>));

/// True if the assertions of the standard library are on, e.g. for spans: views then check their indices too.
inline constexpr bool checks_indices =
#if defined(_GLIBCXX_ASSERTIONS) || defined(_LIBCPP_ENABLE_ASSERTIONS)
    true;
#elif defined(_LIBCPP_HARDENING_MODE) && defined(_LIBCPP_HARDENING_MODE_NONE)
    _LIBCPP_HARDENING_MODE != _LIBCPP_HARDENING_MODE_NONE;
#else
    false;
#endif
}  // namespace detail

/// The type of `unchecked`.
struct unchecked_t {};
/// Tag for constructors that do not check the pointer for null: for pointers known to be valid, and for code that must
/// not contain the check, such as a GPU kernel.
///
/// Example: plait::tensor_view<float, plait::nchw<1, 64, 56, 56>> v(plait::unchecked, data);
inline constexpr unchecked_t unchecked{};

/// A view of elements of type T in memory, at the offsets that a layout defines. The layout is a type
/// (nChw16c<1, 32, 10, 10>), a bound_layout, or a layout known at run time.
///
/// operator() and block() are unchecked at run time, and fail as at() does in constant expressions. at() and block_at()
/// are always checked. With the assertions of the standard library (-D_GLIBCXX_ASSERTIONS) all four are checked. The
/// view does not own its memory; copies of a view refer to the same elements. Elements smaller than a byte are proxies:
/// see nibbles.
///
/// Pre:     data has layout().element_span() elements, starting at offset0; it is not null unless there are none
/// Post:    &v(i...) == v.data() + static_cast<plait::layout>(v.layout()).offset(i...)
/// Refused: data_is_null; dim_is_dynamic, stride_is_dynamic; undefined, any and opaque layouts
/// Cost:    static layout: sizeof(T*), and an element costs arithmetic on constants. Bound layout: its strides are
///          loaded. Run-time layout: some 2 ns per element and 1 ns per block; two kilobytes to construct and to copy
/// Example: examples/12_views.cpp
template <class T, view_layout L>
class tensor_view {
public:
    using element_type = T;
    using layout_in_type = L;
    using pointer = typename detail::view_access<T>::pointer;      ///< T*, if elements are whole bytes
    using reference = typename detail::view_access<T>::reference;  ///< T&, if elements are whole bytes
    /// A span of the elements of a block; of its bytes, if elements are smaller.
    template <std::size_t Elements>
    using block_span = typename detail::view_access<T>::template block<Elements>;

    /// The empty view, with an undefined layout: the value in a failed try_NAME.
    constexpr tensor_view() requires(std::same_as<L, plait::layout>) : data_(nullptr), index_(L()) {}
    constexpr tensor_view(pointer data, const L& l) : data_(data), index_(l) {
        if (data == nullptr) require_elements_elsewhere();
    }
    constexpr tensor_view(unchecked_t, pointer data, const L& l) : data_(data), index_(l) {}
    constexpr tensor_view(unchecked_t, pointer data) requires(layout_type<L>) : data_(data), index_(L{}) {}

    /// Fails to compile, with a message that names the arguments from which a view is made.
    template <class Container>
        requires(!std::is_convertible_v<Container&, pointer> && requires(Container & c) { c.data(); })
    tensor_view(Container&, const L& l) : data_(nullptr), index_(l) {
        static_assert(std::is_void_v<Container>,
                      "a view is made of a pointer and a layout: of a vector v, of v.data()");
    }

    /// Converts to a view of const elements, or to the same layout with or without names. Explicit if it adds or
    /// changes the names of axes.
    template <class U, class M>
        requires(std::is_convertible_v<U (*)[], T (*)[]> && !std::is_same_v<tensor_view<U, M>, tensor_view> &&
                 (std::is_same_v<L, M> || std::is_base_of_v<L, M> || std::is_base_of_v<M, L>))
    constexpr explicit(!detail::same_axes<detail::axis_letters_of<L>, detail::axis_letters<>> &&
                       !detail::same_axes<detail::axis_letters_of<L>, detail::axis_letters_of<M>>)
        tensor_view(const tensor_view<U, M>& other)
        : data_(other.data()), index_(layout_of(other)) {}

    /// Returns the element at a position; unchecked at run time.
    template <std::integral... Index>
        requires(detail::indexed_by<L, sizeof...(Index)>)
    [[gnu::always_inline]] constexpr reference operator()(Index... index) const {
        if (detail::checks_indices && !__builtin_is_constant_evaluated()) return this->at(index...);
        if (__builtin_is_constant_evaluated()) {
            const position where{static_cast<dim_t>(index)...};
            require(check_position(index_.plain(), index_.plain().dims, where));
            return data_[detail::offset_inside(index_.plain(), where)];
        }
        const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
        return data_[index_.offset(at)];
    }
    /// Returns the element at a position; fails as layout::offset does: position_is_out_of_range, rank_differs.
    template <std::integral... Index>
        requires(detail::indexed_by<L, sizeof...(Index)>)
    constexpr reference at(Index... index) const {
        if (!__builtin_is_constant_evaluated() && sizeof...(Index) == static_cast<std::size_t>(ndims())) {
            const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
            bool inside = true;
            for (std::size_t a = 0; a < sizeof...(Index); ++a)
                inside = inside && at[a] < static_cast<std::uint64_t>(index_.extent(static_cast<int>(a)));
            if (inside) return data_[index_.offset(at)];
        }
        const position where{static_cast<dim_t>(index)...};
        if (__builtin_is_constant_evaluated()) require(check_position(index_.plain(), index_.plain().dims, where));
        return data_[checked_offset(where)];
    }
    constexpr reference at(const position& where) const { return data_[checked_offset(where)]; }

    /// Returns the elements of an outermost block in memory order, including padding; unchecked at run time.
    ///
    /// Only available if the block size is known from the type and the blocks are contiguous: see has_dense_blocks.
    template <std::integral... Index>
        requires(has_block_runs<L>&& detail::indexed_by<L, sizeof...(Index)>)
    [[gnu::always_inline]] constexpr block_span<detail::block_elements<L>> block(Index... index) const {
        if (detail::checks_indices || __builtin_is_constant_evaluated()) return block_at(index...);
        const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
        return block_from(index_.block_offset(at));
    }
    /// Returns the elements of an outermost block; fails as layout::block_offset does: position_is_out_of_range.
    template <std::integral... Index>
        requires(has_block_runs<L>&& detail::indexed_by<L, sizeof...(Index)>)
    constexpr block_span<detail::block_elements<L>> block_at(Index... index) const {
        const dim_t offset = index_.plain().block_offset(static_cast<dim_t>(index)...);
        return block_from(offset);
    }

    /// The number of axes.
    constexpr int ndims() const {
        if constexpr (detail::layout_index<L>::rank >= 0) return detail::layout_index<L>::rank;
        else return index_.plain().ndims();
    }
    /// Returns the extent of an axis; fails with axis_is_out_of_range.
    [[gnu::always_inline]] constexpr dim_t extent(int axis) const {
        require_axis(axis);
        return index_.extent(axis);
    }
    /// Returns the number of outermost blocks of an axis, including blocks of padding. For an axis without blocks this
    /// is its padded extent. Fails with axis_is_out_of_range.
    [[gnu::always_inline]] constexpr dim_t blocks(int axis) const {
        require_axis(axis);
        return index_.blocks(axis);
    }
    /// Returns how many elements of an outermost block are in the tensor along an axis; the others are padding.
    ///
    /// Refused: axis_is_out_of_range; position_is_out_of_range (no such block)
    /// Example: for 17 channels in blocks of 16: 16 of block 0, and 1 of block 1
    constexpr dim_t valid(int axis, dim_t block) const {
        if (const dim_t count = blocks(axis); block < 0 || block >= count)
            require({reason::position_is_out_of_range, axis, block, count});
        return valid_part_of(index_.padding_in_front(axis), index_.extent(axis), index_.block_size(axis), block).count;
    }

    constexpr pointer data() const { return data_; }
    /// Returns a view of the same elements as const, for a function that deduces T and L of tensor_view<const T, L>.
    constexpr tensor_view<const T, L> as_const() const { return *this; }
    /// The layout from which the view was made: a type, a bound layout, or a layout.
    constexpr decltype(auto) layout() const { return index_.layout(); }
    /// The layout as a value.
    constexpr plait::layout plain_layout() const { return index_.plain(); }

private:
    [[gnu::always_inline]] constexpr auto block_from(dim_t offset) const {
        return detail::view_access<T>::template block_of<detail::block_elements<L>>(data_ + offset);
    }
    template <class View>
    static constexpr L layout_of(const View& other) {
        if constexpr (layout_type<L>) return L{};
        else return L(other.layout());
    }
    [[gnu::cold, gnu::noinline]] constexpr void require_elements_elsewhere() const {
        const dim_t elements = static_cast<dim_t>(index_.plain().element_span());
        if (elements > 0) require({reason::data_is_null, -1, elements});
    }
    [[gnu::always_inline]] constexpr void require_axis(int axis) const {
        if (axis < 0 || axis >= ndims()) refuse_axis(axis);
    }
    [[noreturn, gnu::cold, gnu::noinline]] constexpr void refuse_axis(int axis) const {
        require({reason::axis_is_out_of_range, -1, axis, ndims()});
        __builtin_unreachable();  // otherwise GCC warns about the index after the call
    }
    [[gnu::cold, gnu::noinline]] constexpr dim_t checked_offset(const position& at) const {
        return index_.plain().offset(at);
    }

    pointer data_;
    [[no_unique_address]] detail::layout_index<L> index_;
};

template <class T, class L>
tensor_view(T*, L) -> tensor_view<T, L>;
template <class Container, class L>
    requires requires(Container& c) { *c.data(); }
tensor_view(Container&, L)->tensor_view<std::remove_reference_t<decltype(*std::declval<Container&>().data())>, L>;
template <class T, class L>
tensor_view(unchecked_t, T*, L) -> tensor_view<T, L>;
template <class T, class L>
tensor_view(detail::packed_pointer<T>, L) -> tensor_view<T, L>;
template <class T, class L>
tensor_view(unchecked_t, detail::packed_pointer<T>, L) -> tensor_view<T, L>;

}  // namespace plait
