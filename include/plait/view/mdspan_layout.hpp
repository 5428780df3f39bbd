#pragma once
// A layout as a layout mapping policy for std::mdspan. It needs only the extents type passed to it, not <mdspan>;
// interop/mdspan.hpp makes an mdspan from a view.

#include <plait/algebra/element_places.hpp>
#include <plait/view/dense_blocks.hpp>
#include <plait/view/layout_index.hpp>

#include <limits>
#include <type_traits>
#include <utility>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Returns the extent of an axis in an extents type; `dynamic` if it is known only at run time.
template <class Extents>
constexpr dim_t static_extent_of(int axis) {
    const std::size_t extent = Extents::static_extent(static_cast<typename Extents::rank_type>(axis));
    return extent == (std::numeric_limits<std::size_t>::max)() ? dynamic : static_cast<dim_t>(extent);
}

/// Checks that Index can count the places up to the last element of l; fails with index_type_is_too_small.
///
/// Pre:     check_static_layout(l).ok()
template <class Index>
constexpr verdict check_index_type(const layout& l) {
    const dim_t last = element_offsets(l).last;
    constexpr Index most = (std::numeric_limits<Index>::max)();
    if (last < 0 || static_cast<std::uint64_t>(last) < static_cast<std::uint64_t>(most)) return {};
    return {reason::index_type_is_too_small, -1, last, static_cast<dim_t>(most)};
}

/// Checks that an extents type fits a layout, either of which may have dynamic extents, as far as the types tell.
///
/// Refused: rank_differs, dims_differ; index_type_is_too_small; stride_is_dynamic; undefined, any and opaque layouts
template <class Extents>
constexpr verdict check_extents_type(const layout& l) {
    if (const verdict why = check_blocked_layout(l); !why.ok()) return why;
    const int rank = static_cast<int>(Extents::rank());
    if (rank != l.ndims()) return ranks_differ(counted::layout, l.ndims(), counted::extents, rank);
    for (int a = 0; a < rank; ++a) {
        const dim_t mine = l.dims[a], theirs = static_extent_of<Extents>(a);
        if (mine != dynamic && theirs != dynamic && mine != theirs) return {reason::dims_differ, a, mine, theirs};
    }
    if (dynamic_extents(l) > 0) return {};
    if (const verdict why = check_static_layout(l); !why.ok()) return why;
    return check_index_type<typename Extents::index_type>(l);
}

// The following hold for a layout with dynamic extents if they hold for all values: each is proved, or false.

/// True if the first element of the tensor is at offset 0.
constexpr bool begins_at_zero(const layout& l) {
    for (const dim_t begin : l.padded_offsets)
        if (begin != 0) return false;
    return l.offset0 == 0;
}
/// True if no two elements share a place, for all values of the dynamic extents. Requires that the digits of known
/// extents nest, one digit of a dynamic extent is outside them, and each other is directly outside the previous one.
constexpr bool is_unique_for_all_extents(const layout& l) {
    const digits_reach known = reach_of_digits(l);
    if (!known.why.ok() || !check_nesting(l).ok()) return false;
    unsigned linked = 0;  // axes with another axis directly outside
    int first = 0;        // digits of dynamic extent with a known stride
    for (const digit& d : l.digits) {
        if (d.extent == 1) continue;
        if (d.stride == 0 || d.stride == dynamic) return false;
        if (is_outside(d.stride)) {
            const unsigned inside = 1u << axis_inside(d.stride);
            if ((linked & inside) != 0) return false;
            linked |= inside;
        } else if (d.extent == dynamic && (++first > 1 || step_size(d.stride) < known.end - known.begin)) {
            return false;
        }
    }
    return true;
}
/// True if each axis has one digit, whose stride is the step along the axis, and the first element is at offset 0.
///
/// Pre:     check_blocked(l).ok(); dynamic extents are dynamic in the type
/// Post:    if true, for all extents check_element_strides(bind(l, extents)).ok(), and begins_at_zero
/// Cost:    O(digits squared) steps
/// Source:  C++23, [mdspan.layout.reqmts], is_strided
/// Example: is_strided_for_all_extents(layout({dynamic, 3}, "ab")), but not layout({dynamic, 3}, "Ab2a")
constexpr bool is_strided_for_all_extents(const layout& l) {
    for (int a = 0; a < l.ndims(); ++a)
        if (fewest_digits(l, a).size() > 1) return false;
    return begins_at_zero(l);
}
/// True if the elements fill a range: no padding, no blocks of a dynamic axis, and no gaps between the axes.
constexpr bool is_exhaustive_for_all_extents(const layout& l) {
    if (!begins_at_zero(l) || !has_dense_blocks(l)) return false;
    dim_t next = inner_volume(l);
    for (int a = 0; a < l.ndims(); ++a)
        if (l.dims[a] != l.padded_dims[a] || (l.dims[a] == dynamic && l.block_size(a) > 1)) return false;
    unsigned found = 0;
    for (int round = 0; round < l.ndims(); ++round)
        for (int a = 0; a < l.ndims(); ++a) {
            if ((found >> a & 1u) != 0 || l.digits[a].stride != next) continue;
            found |= 1u << a;
            if (l.digits[a].extent == dynamic || !is_known(next)) next = outside(a);
            else next *= l.digits[a].extent;
            break;
        }
    return found == (1u << l.ndims()) - 1;
}
}  // namespace detail

/// The layout L as a layout mapping policy of the standard: mdspan_layout<nChw16c<2, 17, 5, 6>>.
///
/// std::mdspan<float, std::dextents<int, 4>, mdspan_layout<L>> has the same elements as tensor_view<float, L> for the
/// same pointer. Extents that are dynamic in L are taken from the mdspan. A layout known only at run time has no
/// policy, because a mapping is constructed from extents alone, which do not determine the layout.
///
/// Post:    mapping(i...) == L.offset(i...), including offset0; is_unique, is_exhaustive and is_strided are proved: see
///          has_unique_elements, fills_its_offsets and check_element_strides
/// Cost:    sizeof: the extents, and the strides that are not constants; an element costs the same as in tensor_view
/// Source:  C++23, [mdspan.layout.reqmts]
/// Example: test/view/mdspan_layout.cpp, test/mdspan/consumer.cpp
template <layout_type L>
struct mdspan_layout {
    /// Pre:     the extents equal those that are known in L
    /// Refused: (by the compiler if the types tell, otherwise by the constructor) rank_differs, dims_differ,
    ///          index_type_is_too_small; the failures of check_bind
    template <class Extents>
    class mapping {
        static constexpr bool is_static = detail::dynamic_extents(L::value) == 0;
        using layout_known = std::conditional_t<is_static, layout_constant<L::value>, bound_layout<L::value>>;

        // Computed only if used, and once per type.
        static constexpr offset_range offsets = element_offsets(L::value);
        static constexpr strides steps = element_strides(L::value);
        static constexpr bool always_unique =
            is_static ? has_unique_elements(L::value) : detail::is_unique_for_all_extents(L::value);
        static constexpr bool always_exhaustive =
            is_static ? fills_its_offsets(L::value) : detail::is_exhaustive_for_all_extents(L::value);
        static constexpr bool always_strided =
            is_static ? check_element_strides(L::value).ok() && element_offsets(L::value).first == 0
                      : detail::is_strided_for_all_extents(L::value);
        static constexpr bool may_be_strided = is_static ? always_strided : detail::begins_at_zero(L::value);

    public:
        using extents_type = Extents;
        using index_type = typename Extents::index_type;
        using size_type = typename Extents::size_type;
        using rank_type = typename Extents::rank_type;
        using layout_type = mdspan_layout;

        /// Constructs the mapping if the type contains all extents.
        constexpr mapping() requires(Extents::rank_dynamic() == 0) : mapping(Extents()) {}
        constexpr mapping(const Extents& extents) : extents_(extents), index_(known_layout(extents)) {
            static_cast<void>(allowed<detail::check_extents_type<Extents>(L::value)>);
            for (int a = 0; a < L::value.ndims(); ++a) {
                const dim_t mine = L::value.dims.values[a], theirs = extent_of(extents, a);
                if (mine != dynamic && mine != theirs) require({reason::dims_differ, a, mine, theirs});
            }
            if constexpr (!is_static) require(detail::check_index_type<index_type>(index_.plain()));
        }
        /// Converts from a mapping with equal extents of another type.
        template <class Other>
            requires(!std::is_same_v<Other, Extents> && std::is_constructible_v<Extents, const Other&>)
        constexpr explicit(!std::is_convertible_v<const Other&, Extents>) mapping(const mapping<Other>& other)
            : mapping(Extents(other.extents())) {
            for (int a = 0; a < L::value.ndims(); ++a)
                if (const dim_t mine = extent_of(extents_, a), theirs = extent_of(other.extents(), a); mine != theirs)
                    require({reason::dims_differ, a, mine, theirs});  // the index type is too small for it
        }

        constexpr const Extents& extents() const noexcept { return extents_; }

        /// Returns the offset of an element; unchecked at run time, checked as layout::offset in constant expressions.
        template <class... Index>
            requires(static_cast<int>(sizeof...(Index)) == L::value.ndims() &&
                     (std::is_convertible_v<Index, index_type> && ...) &&
                     (std::is_nothrow_constructible_v<index_type, Index> && ...))
        [[gnu::always_inline]] constexpr index_type operator()(Index... index) const noexcept {
            return offset(static_cast<index_type>(std::move(index))...);
        }

        /// Returns 1 + the largest offset of an element, including offset0; 0 if there are no elements.
        constexpr index_type required_span_size() const noexcept {
            if constexpr (is_static) return span_of(offsets);
            else return span_of(element_offsets(index_.plain()));
        }

        static constexpr bool is_always_unique() noexcept { return always_unique; }
        static constexpr bool is_always_exhaustive() noexcept { return always_exhaustive; }
        static constexpr bool is_always_strided() noexcept { return always_strided; }
        constexpr bool is_unique() const noexcept {
            if constexpr (is_static || always_unique) return always_unique;
            else return has_unique_elements(index_.plain());
        }
        constexpr bool is_exhaustive() const noexcept {
            if constexpr (is_static || always_exhaustive) return always_exhaustive;
            else return fills_its_offsets(index_.plain());
        }
        /// True if each axis has one stride and the first element is at offset 0, because a caller that uses the
        /// strides adds them to the pointer.
        constexpr bool is_strided() const noexcept {
            if constexpr (is_static || always_strided) return always_strided;
            else return may_be_strided && check_element_strides(index_.plain()).ok();
        }
        /// Returns the stride of an axis, if the layout can have strides; 1 for an axis of one element.
        ///
        /// Pre:     axis < rank
        /// Refused: axis_has_no_stride, if extents are dynamic and their values leave the steps uneven
        constexpr index_type stride(rank_type axis) const requires(may_be_strided) {
            if constexpr (is_static) return static_cast<index_type>(steps.values[axis]);
            else return static_cast<index_type>(element_strides(index_.plain()).values[axis]);
        }

        /// Compares the extents of two mappings of the same layout.
        template <class Other>
        friend constexpr bool operator==(const mapping& a, const mapping<Other>& b) noexcept {
            for (int axis = 0; axis < L::value.ndims(); ++axis)
                if (extent_of(a.extents(), axis) != extent_of(b.extents(), axis)) return false;
            return true;
        }

    private:
        static constexpr index_type span_of(const offset_range& reached) {
            return static_cast<index_type>(static_cast<std::uint64_t>(reached.last) + 1);
        }
        template <class AnyExtents>
        static constexpr dim_t extent_of(const AnyExtents& extents, int axis) {
            return static_cast<dim_t>(extents.extent(static_cast<typename AnyExtents::rank_type>(axis)));
        }
        static constexpr layout_known known_layout(const Extents& extents) {
            if constexpr (is_static) return {};
            else {
                dims values;
                for (int a = 0; a < L::value.ndims(); ++a)
                    if (L::value.dims.values[a] == dynamic) values.push_back(extent_of(extents, a));
                return layout_known(values);
            }
        }
        template <class... Index>
        [[gnu::always_inline]] constexpr index_type offset(Index... index) const noexcept {
            if (__builtin_is_constant_evaluated())
                return static_cast<index_type>(index_.plain().offset(position{static_cast<dim_t>(index)...}));
            const std::uint64_t at[] = {static_cast<std::uint64_t>(index)...};
            return static_cast<index_type>(index_.offset(at));
        }

        [[no_unique_address]] Extents extents_;
        [[no_unique_address]] detail::layout_index<layout_known> index_;
    };
};

}  // namespace plait
