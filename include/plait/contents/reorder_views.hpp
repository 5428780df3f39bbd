#pragma once
// Reorders between views whose layouts are types; the types of the results contain what they establish.

#include <plait/contents/quantized_view.hpp>
#include <plait/reorder/parallel_reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
namespace detail {
/// Checks that a view has no compensation. A reorder would lose the source's, and would leave sums of other elements
/// in the destination.
///
/// Refused: descriptor_has_extra
constexpr verdict check_no_compensation(const tensor_compensation& c) {
    return c == tensor_compensation{} ? verdict{} : verdict{reason::descriptor_has_extra};
}

/// Returns a view of the elements as stored; fails with descriptor_has_extra if the view has compensation.
template <class T, class L>
constexpr tensor_view<T, L> stored_elements(const tensor_view<T, L>& v) {
    return v;
}
template <class T, class L, padding_state P, tensor_compensation K, class S, class Z>
constexpr tensor_view<T, L> stored_elements(const held_view<T, L, P, K, S, Z>& v) {
    static_cast<void>(allowed<check_no_compensation(K)>);
    return v.stored();
}
}  // namespace detail
/// Returns the attributes with which a reorder reads the elements of a view; a plain view has none.
template <class T, class L>
constexpr reorder_attributes source_attributes(const tensor_view<T, L>&) {
    return {};
}
namespace detail {
/// Returns the attributes with which a reorder writes the elements of a view; a plain view has none.
template <class T, class L>
constexpr reorder_attributes destination_attributes(const tensor_view<T, L>&) {
    return {};
}
/// A view that a reorder reads, and one that it writes: their layouts are types, and they may have known contents.
template <class View>
concept source_view = readable_view<View> && requires(const View& v) {
    stored_elements(v);
};
template <class View>
concept destination_view = source_view<View> && writable_view<View>;

/// Views of which one is reordered into the other.
template <class From, class To>
concept views_to_reorder = source_view<From> && destination_view<To> && reordered_views<From, To>;

/// True if one of two views stands for other numbers than it stores.
template <class From, class To>
inline constexpr bool are_quantized = contents_of<From>.is_quantized() || contents_of<To>.is_quantized();
/// Views that a reorder with attributes takes: quantised ones have their own.
template <class From, class To>
concept plain_views = views_to_reorder<From, To> && !are_quantized<From, To> && element<typename To::element_type>;

/// The layouts of two views, and the pointers to their elements.
template <source_view From, destination_view To>
struct reorder_of_views {
    static constexpr layout src = known_layout<typename From::layout_in_type>;
    static constexpr layout dst = known_layout<typename To::layout_in_type>;
    const std::remove_const_t<typename From::element_type>* in;
    typename To::element_type* out;

    reorder_of_views(const From& from, const To& to)
        : in(stored_elements(from).data()), out(stored_elements(to).data()) {}
};

/// Returns the attributes with which a reorder reads one view and writes the other.
template <class From, class To>
constexpr reorder_attributes attributes_between(const From& from, const To& to) {
    reorder_attributes out = source_attributes(from);
    const reorder_attributes written = destination_attributes(to);
    out.dst_scale = written.dst_scale;
    out.dst_zero_point = written.dst_zero_point;
    return out;
}

/// True if each attribute between two views is one value for the tensor, as the types of the views tell.
template <class From, class To>
inline constexpr bool have_one_value_each =
    contents_of<From>.scale.mask == 0 && contents_of<From>.zero_point.mask == 0 && contents_of<To>.scale.mask == 0 &&
    contents_of<To>.zero_point.mask == 0;
/// Returns these values.
template <class From, class To>
constexpr tensor_attributes values_between(const From& from, const To& to) {
    const reorder_attributes all = attributes_between(from, to);
    const auto one = [](const auto& a) { return a.values != nullptr ? *a.values : a.value; };
    return {one(all.src_scale), one(all.dst_scale), one(all.src_zero_point), one(all.dst_zero_point)};
}

/// Reorders a view to another one on an executor. Attributes are passed on; quantised views have their own.
template <executor E, class From, class To, class... Attributes>
expected<void> reorder_views(E&& threads, const From& from, const To& to, const Attributes&... attributes) {
    const reorder_of_views<From, To> views(from, to);
    if constexpr (are_quantized<From, To> && have_one_value_each<From, To>)
        return plait::try_reorder<views.src, views.dst>(threads, views.in, views.out, values_between(from, to));
    else if constexpr (are_quantized<From, To>)
        return plait::try_reorder<views.src, views.dst>(threads, views.in, views.out, attributes_between(from, to));
    else return plait::try_reorder<views.src, views.dst>(threads, views.in, views.out, attributes...);
}
}  // namespace detail

/// Calls reorder(from, to), but returns a run-time failure instead of throwing it. After success,
/// assume_zero_padding(to) is the view that reorder returns.
template <class From, class To>
    requires(detail::views_to_reorder<From, To>)
expected<void> try_reorder(const From& from, const To& to) { return detail::reorder_views(sequential, from, to); }

/// Copies a tensor, converts its elements, and writes zeros into the destination's padding. A quantised source is read
/// as the numbers that it represents; numbers are quantised if the destination is.
///
/// Pre:     check_reorder of the layouts, refused by the compiler; scales are f32 and zero points s32 on both sides; at
///          run time fails as reorder of pointers. Elements that are no numbers of plait, such as std::int64_t, are
///          moved to the same type
/// Refused: descriptor_has_extra (by the compiler): compensation on either side, see reorder_compensated
/// Post:    the result is `to`, and zero_padded; without quantisation result(p...) == convert<U>(from(p...)), otherwise
///          reference_reorder writes with source_attributes(from) and destination_attributes(to)
/// Cost:    as reorder_kernel
/// Source:  spec semantics 11, 12
/// Example: docs/write-a-kernel.md, "What a tensor holds"
template <class From, class To>
    requires(detail::views_to_reorder<From, To>)
auto reorder(const From& from, const To& to) {
    require(try_reorder(from, to).error());
    return assume_zero_padding(to);
}

/// Calls reorder(from, to, attributes), but returns a run-time failure instead of throwing it.
template <class From, class To>
    requires(detail::plain_views<From, To>)
expected<void> try_reorder(const From& from, const To& to, const tensor_attributes& attributes) {
    return detail::reorder_views(sequential, from, to, attributes);
}
template <class From, class To, detail::any_attributes Attributes = reorder_attributes>
    requires(detail::plain_views<From, To>)
expected<void> try_reorder(const From& from, const To& to, const Attributes& attributes) {
    return detail::reorder_views(sequential, from, to, attributes);
}
/// Copies a tensor from one view to another and applies attributes to its values, as reorder of pointers does. The type
/// of the result does not contain the scales: with_quantization of a view does, and then needs no attributes.
///
/// Pre:     check_reorder(the layouts, attributes).ok(); neither view is quantised, refused by the compiler
/// Refused: as reorder(from, to); at run time, what check_attributes refuses
/// Post:    as reference_reorder of the layouts, with the attributes; the result is `to`, and zero_padded
/// Cost:    as attributed_reorder_kernel
/// Source:  spec semantics 12
/// Example: reorder(from, to, {.dst_scale = 0.5f, .dst_zero_point = 3})
template <class From, class To>
    requires(detail::plain_views<From, To>)
auto reorder(const From& from, const To& to, const tensor_attributes& attributes) {
    require(try_reorder(from, to, attributes).error());
    return assume_zero_padding(to);
}
template <class From, class To, detail::any_attributes Attributes = reorder_attributes>
    requires(detail::plain_views<From, To>)
auto reorder(const From& from, const To& to, const Attributes& attributes) {
    require(try_reorder(from, to, attributes).error());
    return assume_zero_padding(to);
}

/// Calls reorder(threads, from, to), but returns a run-time failure instead of throwing it. Throws only what the
/// executor throws.
template <executor E, class From, class To>
    requires(detail::views_to_reorder<From, To>)
expected<void> try_reorder(E&& threads, const From& from, const To& to) {
    return detail::reorder_views(threads, from, to);
}
/// Copies a tensor from one view to another, as reorder(from, to) does, on the threads of an executor.
///
/// Pre:     as reorder(from, to)
/// Post:    as reorder(from, to)
/// Cost:    as the reorder of pointers on threads: if a view is quantised, the calling thread moves all of it
/// Source:  spec semantics 11, 12
/// Example: reorder(threads, from, to), with threads as in examples/09_threads.cpp
template <executor E, class From, class To>
    requires(detail::views_to_reorder<From, To>)
auto reorder(E&& threads, const From& from, const To& to) {
    require(try_reorder(threads, from, to).error());
    return assume_zero_padding(to);
}

/// Calls reorder(threads, from, to, attributes), but returns a run-time failure instead of throwing it.
template <executor E, class From, class To>
    requires(detail::plain_views<From, To>)
expected<void> try_reorder(E&& threads, const From& from, const To& to, const tensor_attributes& attributes) {
    return detail::reorder_views(threads, from, to, attributes);
}
template <executor E, class From, class To, detail::any_attributes Attributes = reorder_attributes>
    requires(detail::plain_views<From, To>)
expected<void> try_reorder(E&& threads, const From& from, const To& to, const Attributes& attributes) {
    return detail::reorder_views(threads, from, to, attributes);
}
/// Copies a tensor from one view to another with attributes, on the threads of an executor.
///
/// Pre:     as reorder(from, to, attributes)
/// Post:    as reorder(from, to, attributes)
/// Cost:    as the reorder of pointers: if the attributes change anything, the calling thread moves all of it
/// Source:  spec semantics 12
/// Example: reorder(threads, from, to, {.src_scale = 0.5f})
template <executor E, class From, class To>
    requires(detail::plain_views<From, To>)
auto reorder(E&& threads, const From& from, const To& to, const tensor_attributes& attributes) {
    require(try_reorder(threads, from, to, attributes).error());
    return assume_zero_padding(to);
}
template <executor E, class From, class To, detail::any_attributes Attributes = reorder_attributes>
    requires(detail::plain_views<From, To>)
auto reorder(E&& threads, const From& from, const To& to, const Attributes& attributes) {
    require(try_reorder(threads, from, to, attributes).error());
    return assume_zero_padding(to);
}

// Quantised views with attributes: the compiler names the cause.
template <detail::source_view From, detail::destination_view To,
          class Why = rejected::a_quantised_view_has_its_own_scales_so_it_takes_no_attributes>
    requires(detail::are_quantized<From, To>)
void reorder(const From&, const To&, const reorder_attributes&) = delete;
template <executor E, detail::source_view From, detail::destination_view To,
          class Why = rejected::a_quantised_view_has_its_own_scales_so_it_takes_no_attributes>
    requires(detail::are_quantized<From, To>)
void reorder(E&&, const From&, const To&, const reorder_attributes&) = delete;

}  // namespace plait
