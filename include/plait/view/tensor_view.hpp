#pragma once
// A tensor to compute on: a pointer and a layout. Indexing costs what the same arithmetic written by hand costs.

#include <plait/view/dense_blocks.hpp>
#include <plait/view/layout_index.hpp>

#include <span>
#include <type_traits>

namespace plait {

/// Whether the type says how long the inner blocks are, and that they are runs in memory.
template <class L>
inline constexpr bool has_block_runs = detail::known_layout_type<L>&& has_dense_blocks(detail::known_layout<L>);

namespace detail {
/// How many elements a block is, where the type says it.
template <class L>
inline constexpr auto block_elements = static_cast<std::size_t>(inner_volume(known_layout<L>));

/// Whether the standard library checks what a span is indexed with: views then check what they are indexed with, too.
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
/// Passed in front of a pointer, makes a view that does not check the pointer for null: for pointers known to be right,
/// and for code that must not contain the check, such as a kernel for a GPU.
///
/// Example: plait::tensor_view<float, plait::nchw<1, 64, 56, 56>> v(plait::unchecked, data);
inline constexpr unchecked_t unchecked{};

/// The elements of T in memory that lie as the layout says: a type (nChw16c<1, 32, 10, 10>), a bound_layout, or a
/// layout known at run time.
///
/// operator() and block() look at nothing when they run, and in a constant expression refuse as at() does; at() and
/// block_at() always look. With the assertions of the standard library (-D_GLIBCXX_ASSERTIONS) all four look. The view
/// does not own its memory, and copies of it are the same elements.
///
/// Pre:     data has layout().element_span() elements from offset0 on; where there are any, it is not null
/// Post:    &v(i...) == v.data() + static_cast<plait::layout>(v.layout()).offset(i...)
/// Refused: data_is_null; dim_is_dynamic, stride_is_dynamic; undefined, any and opaque layouts
/// Cost:    a static layout: sizeof(T*), and an element costs constants' arithmetic. A bound one: its strides are
///          loaded. One known at run time: some 2 ns an element and 1 ns a block; to make and to copy it, two kilobytes
/// Example: examples/12_views.cpp
template <class T, view_layout L>
class tensor_view {
public:
    using element_type = T;
    using layout_in_type = L;

    /// No tensor, of an undefined layout: what try_NAME holds if it is refused.
    constexpr tensor_view() requires(std::same_as<L, plait::layout>) : data_(nullptr), index_(L()) {}
    constexpr tensor_view(T* data, const L& l) : data_(data), index_(l) {
        if (data == nullptr) require_elements_elsewhere();
    }
    constexpr tensor_view(unchecked_t, T* data, const L& l) : data_(data), index_(l) {}
    constexpr tensor_view(unchecked_t, T* data) requires(layout_type<L>) : data_(data), index_(L{}) {}

    /// Ends in an error that says what a view is made of.
    template <class Container>
        requires(!std::is_convertible_v<Container&, T*> && requires(Container & c) { c.data(); })
    tensor_view(Container&, const L& l) : data_(nullptr), index_(l) {
        static_assert(std::is_void_v<Container>,
                      "a view is made of a pointer and a layout: of a vector v, of v.data()");
    }

    /// To elements that cannot be written; to another name of the same layout. Explicit where the axes are given names
    /// that they had not.
    template <class U, class M>
        requires(std::is_convertible_v<U (*)[], T (*)[]> && !std::is_same_v<tensor_view<U, M>, tensor_view> &&
                 (std::is_same_v<L, M> || std::is_base_of_v<L, M> || std::is_base_of_v<M, L>))
    constexpr explicit(!detail::same_axes<detail::axis_letters_of<L>, detail::axis_letters<>> &&
                       !detail::same_axes<detail::axis_letters_of<L>, detail::axis_letters_of<M>>)
        tensor_view(const tensor_view<U, M>& other)
        : data_(other.data()), index_(layout_of(other)) {}

    /// The element at a position, unchecked when it runs.
    template <std::integral... Index>
        requires(detail::indexed_by<L, sizeof...(Index)>)
    [[gnu::always_inline]] constexpr T& operator()(Index... index) const {
        if (detail::checks_indices && !__builtin_is_constant_evaluated()) return this->at(index...);
        if (__builtin_is_constant_evaluated()) {
            const position where{static_cast<dim_t>(index)...};
            require(check_position(index_.plain(), index_.plain().dims, where));
            return data_[detail::offset_inside(index_.plain(), where)];
        }
        const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
        return data_[index_.offset(at)];
    }
    /// The element at a position; refused as layout::offset: position_is_out_of_range, rank_differs.
    template <std::integral... Index>
        requires(detail::indexed_by<L, sizeof...(Index)>)
    constexpr T& at(Index... index) const {
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
    constexpr T& at(const position& where) const { return data_[checked_offset(where)]; }

    /// The elements of an outermost block, in the order of memory, padding included; unchecked when it runs.
    ///
    /// Only where the type says how long that is, and the blocks are runs: see has_dense_blocks.
    template <std::integral... Index>
        requires(has_block_runs<L>&& detail::indexed_by<L, sizeof...(Index)>)
    [[gnu::always_inline]] constexpr std::span<T, detail::block_elements<L>> block(Index... index) const {
        if (detail::checks_indices || __builtin_is_constant_evaluated()) return block_at(index...);
        const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
        return std::span<T, detail::block_elements<L>>(data_ + index_.block_offset(at), detail::block_elements<L>);
    }
    /// The same; refused as layout::block_offset: position_is_out_of_range.
    template <std::integral... Index>
        requires(has_block_runs<L>&& detail::indexed_by<L, sizeof...(Index)>)
    constexpr std::span<T, detail::block_elements<L>> block_at(Index... index) const {
        const dim_t offset = index_.plain().block_offset(static_cast<dim_t>(index)...);
        return std::span<T, detail::block_elements<L>>(data_ + offset, detail::block_elements<L>);
    }

    /// The number of axes.
    constexpr int ndims() const {
        if constexpr (detail::layout_index<L>::rank >= 0) return detail::layout_index<L>::rank;
        else return index_.plain().ndims();
    }
    /// How many elements an axis has; refused: axis_is_out_of_range.
    [[gnu::always_inline]] constexpr dim_t extent(int axis) const {
        require_axis(axis);
        return index_.extent(axis);
    }
    /// How many outermost blocks an axis has, those of padding too; its padded extent where it has no blocks. Refused:
    /// axis_is_out_of_range.
    [[gnu::always_inline]] constexpr dim_t blocks(int axis) const {
        require_axis(axis);
        return index_.blocks(axis);
    }
    /// How many elements of an outermost block the tensor has along an axis; the others are padding.
    ///
    /// Refused: axis_is_out_of_range; position_is_out_of_range (no such block)
    /// Example: of 17 channels in blocks of 16: 16 of block 0, and 1 of block 1
    constexpr dim_t valid(int axis, dim_t block) const {
        if (const dim_t count = blocks(axis); block < 0 || block >= count)
            require({reason::position_is_out_of_range, axis, block, count});
        return valid_part_of(index_.padding_in_front(axis), index_.extent(axis), index_.block_size(axis), block).count;
    }

    constexpr T* data() const { return data_; }
    /// The same elements, not to be written: for a function that deduces T and L of tensor_view<const T, L>.
    constexpr tensor_view<const T, L> as_const() const { return *this; }
    /// The layout that the view was made with: a type, a bound layout, or a layout.
    constexpr decltype(auto) layout() const { return index_.layout(); }
    /// The layout as a value.
    constexpr plait::layout plain_layout() const { return index_.plain(); }

private:
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
        __builtin_unreachable();  // GCC warns of the index that it goes on with
    }
    [[gnu::cold, gnu::noinline]] constexpr dim_t checked_offset(const position& at) const {
        return index_.plain().offset(at);
    }

    T* data_;
    [[no_unique_address]] detail::layout_index<L> index_;
};

template <class T, class L>
tensor_view(T*, L) -> tensor_view<T, L>;
template <class Container, class L>
    requires requires(Container& c) { *c.data(); }
tensor_view(Container&, L)->tensor_view<std::remove_reference_t<decltype(*std::declval<Container&>().data())>, L>;
template <class T, class L>
tensor_view(unchecked_t, T*, L) -> tensor_view<T, L>;

}  // namespace plait
