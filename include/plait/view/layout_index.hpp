#pragma once
// The layout of a view and its index arithmetic, in three versions: for a layout that is a type, for a bound layout,
// and for a layout known only at run time.

#include <plait/typed/named_layout.hpp>
#include <plait/view/layout_reader.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// The layout in a view. All specialisations have the same functions; they differ in what is constant.
///
///   rank                   the number of axes if the type contains it, otherwise -1
///   layout()               the layout from which the view was made; plain() returns it as a value
///   extent(axis), blocks(axis), block_size(axis), padding_in_front(axis)
///   offset(at), block_offset(at)   unchecked; `at` is an array with one index per axis
///
/// Refused: (by constructors) as layout::offset: dim_is_dynamic, stride_is_dynamic; undefined, any and opaque layouts
template <class L>
class layout_index;

template <layout_type L>
class layout_index<L> {
public:
    static constexpr int rank = L::value.ndims();
    constexpr explicit layout_index(const L&) { static_cast<void>(allowed<check_static(L::value)>); }

    static constexpr L layout() { return L{}; }
    static constexpr const plait::layout& plain() { return L::value; }
    [[gnu::always_inline]] static constexpr dim_t extent(int axis) { return L::value.dims.values[axis]; }
    [[gnu::always_inline]] static constexpr dim_t blocks(int axis) { return L::value.digits.values[axis].extent; }
    static constexpr dim_t block_size(int axis) { return L::value.block_size(axis); }
    static constexpr dim_t padding_in_front(int axis) { return L::value.padded_offsets.values[axis]; }
    template <std::size_t Count>
    [[gnu::always_inline]] static constexpr dim_t offset(const std::uint64_t (&at)[Count]) {
        return static_index<L::value>::offset(at);
    }
    template <std::size_t Count>
    [[gnu::always_inline]] static constexpr dim_t block_offset(const std::uint64_t (&at)[Count]) {
        return static_index<L::value>::block_offset(at);
    }
};

template <bound_layout_type B>
class layout_index<B> {
    static constexpr plait::layout L = B::partly_static;

public:
    static constexpr int rank = L.ndims();
    constexpr explicit layout_index(const B& bound) : bound_(bound) {
        bool known = B::strides_follow_from_extents();
        for (int a = 0; a < rank; ++a) known = known && bound.extent(a) != dynamic;
        if (!known) require(check_static(bound));
        else put_strides(std::make_integer_sequence<int, rank>());
    }

    constexpr const B& layout() const { return bound_; }
    constexpr plait::layout plain() const { return bound_; }
    [[gnu::always_inline]] constexpr dim_t extent(int axis) const { return bound_.extent(axis); }
    [[gnu::always_inline]] constexpr dim_t blocks(int axis) const { return bound_.blocks(axis); }
    static constexpr dim_t block_size(int axis) { return L.block_size(axis); }
    static constexpr dim_t padding_in_front(int axis) { return L.padded_offsets.values[axis]; }
    template <std::size_t Count>
    [[gnu::always_inline]] constexpr dim_t offset(const std::uint64_t (&at)[Count]) const {
        return static_index<L>::offset(at, strides_);
    }
    template <std::size_t Count>
    [[gnu::always_inline]] constexpr dim_t block_offset(const std::uint64_t (&at)[Count]) const {
        return static_index<L>::block_offset(at, strides_);
    }

private:
    template <int... Axis>
    constexpr void put_strides(std::integer_sequence<int, Axis...>) {
        (put_stride<Axis>(), ...);
    }
    template <int Axis>
    constexpr void put_stride() {
        if constexpr (!is_known(L.digits.values[Axis].stride) && B::strides_follow_from_extents())
            strides_[static_index<L>::slot_of(Axis)] = bound_.template stride<Axis>();
    }

    B bound_;
    dim_t strides_[static_index<L>::slots + 1]{};
};

template <>
class layout_index<plait::layout> {
public:
    static constexpr int rank = -1;
    constexpr explicit layout_index(const plait::layout& l) : layout_(l), reader_(l) {}

    constexpr const plait::layout& layout() const { return layout_; }
    constexpr const plait::layout& plain() const { return layout_; }
    [[gnu::always_inline]] constexpr dim_t extent(int axis) const { return layout_.dims.values[axis]; }
    [[gnu::always_inline]] constexpr dim_t blocks(int axis) const { return layout_.digits.values[axis].extent; }
    constexpr dim_t block_size(int axis) const { return layout_.block_size(axis); }
    constexpr dim_t padding_in_front(int axis) const { return layout_.padded_offsets.values[axis]; }
    template <std::size_t Count>
    [[gnu::always_inline]] constexpr dim_t offset(const std::uint64_t (&at)[Count]) const {
        return reader_.offset<static_cast<int>(Count)>(at);
    }
    template <std::size_t Count>
    [[gnu::always_inline]] constexpr dim_t block_offset(const std::uint64_t (&at)[Count]) const {
        return reader_.block_offset<static_cast<int>(Count)>(at);
    }

private:
    plait::layout layout_;
    layout_reader reader_;
};
}  // namespace detail

/// A layout from which a view can be made: a layout as a type, a bound layout, or a layout known at run time.
template <class L>
concept view_layout = requires {
    detail::layout_index<L>::rank;
};

namespace detail {
/// True if `Count` indices are one per axis. For a layout known at run time the type has no rank, so at() checks it.
template <class L, std::size_t Count>
concept indexed_by = (layout_index<L>::rank<0 && Count> 0 && Count <= std::size_t{max_ndims}) ||
                     static_cast<int>(Count) == layout_index<L>::rank;
}  // namespace detail
}  // namespace plait
