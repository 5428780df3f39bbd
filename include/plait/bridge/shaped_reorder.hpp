#pragma once
// Reorders of shaped buffers to another format, another order of the library's axes, or another element type.

#include <plait/bridge/shaped_operations.hpp>
#include <plait/contract/wrong_arguments.hpp>
#include <plait/reorder/layout_reorder.hpp>
#include <plait/reorder/parallel_reorder.hpp>
#include <plait/reorder/reorder.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Checks that the elements of src can be copied to dst; the axes in the verdict are those of the shape.
///
/// Refused: as check_shaped_layout; as check_reorder of the framework layouts: rank_differs, dims_differ,
/// destination_is_not_injective, ...
constexpr verdict check_reorder(const shaped_layout& src, const shaped_layout& dst) {
    if (const verdict why = check_shaped_layout(src); !why.ok()) return why;
    if (const verdict why = check_shaped_layout(dst); !why.ok()) return why;
    return check_reorder(framework_layout(src), framework_layout(dst));
}

/// Returns in_format(s, need, wanted), or the failure of check_in_format.
[[nodiscard]] constexpr expected<shaped_layout> try_in_format(const shaped_layout& s, const axis_map& need,
                                                              const format_tag& wanted) {
    const expected<layout> operand = try_as_operand(s, need);
    if (!operand) return operand.error();
    const expected<layout> made = detail::make_layout(operand->dims, wanted);
    if (!made) return made.error();
    return {shaped_layout(*made, need), check_reorder(*operand, *made)};
}

/// Checks that a copy of the tensor can have the wanted format, with the axes that the map `need` defines.
///
/// Refused: as check_as_operand; as check_layout of the operand's dims and the tag; as check_reorder
constexpr verdict check_in_format(const shaped_layout& s, const axis_map& need, const format_tag& wanted) {
    return try_in_format(s, need, wanted).error();
}

/// Returns the shaped layout of a copy in the format that an operation wants; use it to allocate and to reorder.
///
/// Pre:     check_in_format(s, need, wanted).ok()
/// Post:    result == shaped_layout(layout(as_operand(s, need).dims, wanted), need); result.shape() == s.shape()
/// Cost:    as_operand, layout(dims, tag) and check_reorder; nothing is copied or allocated
/// Source:  seeds tensor-representation, 3, and 4.1, option 2
/// Example: in_format(s, {3, 2, 0, 1}, "OIhw16i16o").layout.element_span() elements, then reorder
[[nodiscard]] constexpr shaped_layout in_format(const shaped_layout& s, const axis_map& need,
                                                const format_tag& wanted) {
    return try_in_format(s, need, wanted).value();
}

// Names in errors: why a shaped buffer is not reordered.
namespace rejected {
struct a_reorder_writes_to_its_second_buffer_which_cannot_have_const_elements;
struct a_shaped_buffer_is_reordered_into_a_shaped_buffer_make_one_of_each_pointer_and_its_layout_and_map;
struct after_two_buffers_come_attributes_in_braces_and_an_executor_comes_first;
}  // namespace rejected

namespace detail {
/// A shaped buffer, whatever its layout, map and elements.
template <class Buffer>
inline constexpr bool is_shaped_buffer = false;
template <class T, class L, class Map>
inline constexpr bool is_shaped_buffer<shaped_buffer<T, L, Map>> = true;
template <class Buffer>
concept any_buffer = is_shaped_buffer<Buffer>;
/// A shaped buffer whose elements a reorder can read, and one whose elements it can write.
template <class Buffer>
concept readable_buffer = any_buffer<Buffer> && element<std::remove_const_t<typename Buffer::element_type>> &&
    !packed_element<std::remove_const_t<typename Buffer::element_type>>;
template <class Buffer>
concept writable_buffer = readable_buffer<Buffer> && !std::is_const_v<typename Buffer::element_type>;
/// Buffers that cannot be reordered, alone, or after an argument that is to be an executor.
template <class From, class To>
concept wrong_buffers = (any_buffer<From> || any_buffer<To>)&&!any_view<From> && !any_view<To> &&
                        (!readable_buffer<From> || !writable_buffer<To>);
template <class E, class From, class To>
concept wrong_buffers_after = (any_buffer<From> || any_buffer<To>)&&!any_view<From> && !any_view<To> &&
                              (!executor<E> || wrong_buffers<From, To>);

/// Returns a pointer to the type that names why buffers cannot be reordered, alone, or with an argument in front.
template <class From, class To>
constexpr auto* why_not_buffers() {
    using namespace rejected;
    if constexpr (!any_buffer<From> || !any_buffer<To>) {
        return static_cast<
            a_shaped_buffer_is_reordered_into_a_shaped_buffer_make_one_of_each_pointer_and_its_layout_and_map*>(
            nullptr);
    } else {
        using read = std::remove_const_t<typename From::element_type>;
        using written = std::remove_const_t<typename To::element_type>;
        if constexpr (!element<read> || !element<written>)
            return static_cast<
                a_reorder_takes_double_float_int32_t_int8_t_uint8_t_bfloat16_float16_float8_e5m2_float8_e4m3*>(nullptr);
        else if constexpr (packed_element<read> || packed_element<written>)
            return static_cast<
                elements_smaller_than_a_byte_are_reordered_by_pointers_to_their_bytes_with_both_types_named*>(nullptr);
        else return static_cast<a_reorder_writes_to_its_second_buffer_which_cannot_have_const_elements*>(nullptr);
    }
}
template <class E, class From, class To>
constexpr auto* why_not_buffers() {
    using namespace rejected;
    if constexpr (any_buffer<E>)
        return static_cast<after_two_buffers_come_attributes_in_braces_and_an_executor_comes_first*>(nullptr);
    else if constexpr (!executor<E>)
        return static_cast<the_first_of_three_arguments_is_an_executor_which_has_concurrency_and_run*>(nullptr);
    else return why_not_buffers<From, To>();
}
template <class... Arguments>
using why_not_reordered = std::remove_pointer_t<decltype(why_not_buffers<Arguments...>())>;

/// The layouts between which one buffer is reordered to another. In the order of the destination's axes, planning takes
/// no step that is not needed. Attributes count the axes of the shape, so they need layouts in its order.
template <bool HasAttributes>
struct layouts_of_buffers {
    layout src, dst;
    constexpr layouts_of_buffers(const shaped_layout& from, const shaped_layout& to)
        : src(HasAttributes ? framework_layout(from) : as_operand(from, to.map)),
          dst(HasAttributes ? framework_layout(to) : to.layout) {}
};

/// Returns the elements of a buffer that a reorder reads.
template <class T, class L, class Map>
constexpr const T* elements_of(const shaped_buffer<T, L, Map>& b) {
    return b.data();
}
/// Reorders a buffer to another one on an executor: by layouts that are template arguments if the types contain them,
/// else by values. Attributes are passed on.
template <executor E, class From, class To, class... Attributes>
expected<void> reorder_buffers(E&& threads, const From& src, const To& dst, const Attributes&... attributes) {
    using layouts_of = layouts_of_buffers<(sizeof...(Attributes) > 0)>;
    const auto* const in = elements_of(src);
    auto* const out = dst.data();
    if constexpr (layout_type<typename From::layout_in_type> && layout_type<typename To::layout_in_type> &&
                  is_known_map<typename From::map_in_type> && is_known_map<typename To::map_in_type>) {
        constexpr shaped_layout from(From::layout_in_type::value, From::map_in_type::value),
            to(To::layout_in_type::value, To::map_in_type::value);
        if constexpr (allowed<check_reorder(from, to)>) {
            constexpr layouts_of layouts(from, to);
            return try_reorder<layouts.src, layouts.dst>(threads, in, out, attributes...);
        } else {
            return {};  // after the compile error, which is the only one
        }
    } else {
        const shaped_layout from = src.shaped(), to = dst.shaped();
        if (const verdict why = check_reorder(from, to); !why.ok()) return {why};
        const layouts_of layouts(from, to);
        return try_reorder(threads, layouts.src, in, layouts.dst, out, attributes...);
    }
}
}  // namespace detail

/// Calls reorder(src, dst), but returns a run-time failure instead of throwing it.
template <detail::readable_buffer From, detail::writable_buffer To>
expected<void> try_reorder(const From& src, const To& dst) {
    return detail::reorder_buffers(sequential, src, dst);
}
/// Copies a framework's tensor from one buffer to another, converts the elements, and writes zeros into the
/// destination's padding. The formats and the orders of axes may differ.
///
/// If both layouts and maps are types, it uses the kernel generated for them, otherwise a run-time kernel.
///
/// Pre:     check_reorder(src.shaped(), dst.shaped()).ok(), checked by the compiler if the types tell; also fails as
///          reorder does: buffer_is_null, spans_overlap
/// Post:    dst(p...) == convert<U>(src(p...)) for every position p of the shape; padding of dst is 0
/// Cost:    as reorder<as_operand(src.shaped(), dst.map()), dst's layout>, which it calls
/// Source:  seeds tensor-representation, 3, and 4.1, option 2
/// Example: examples/integrations/framework_bridge.cpp
template <detail::readable_buffer From, detail::writable_buffer To>
void reorder(const From& src, const To& dst) {
    require(try_reorder(src, dst).error());
}

/// Calls reorder(src, dst, attributes), but returns a run-time failure instead of throwing it.
template <detail::readable_buffer From, detail::writable_buffer To>
expected<void> try_reorder(const From& src, const To& dst, const reorder_attributes& attributes) {
    return detail::reorder_buffers(sequential, src, dst, attributes);
}
/// Copies a framework's tensor from one buffer to another and applies attributes to its values. Masks, groups and
/// layouts of scales and zero points count the axes of the shape, as positions do.
///
/// Pre:     as reorder(src, dst); at run time also what check_attributes(attributes, src.shape()) refuses
/// Post:    as reference_reorder of the framework layouts, with the attributes
/// Cost:    as reorder<framework_layout(src.shaped()), framework_layout(dst.shaped())> with attributes, which it calls
/// Source:  seeds tensor-representation, 3; spec semantics 12
/// Example: reorder(from, to, {.src_scale = {per_channel, 1 << 3}}) for a shape (n, h, w, c)
template <detail::readable_buffer From, detail::writable_buffer To>
void reorder(const From& src, const To& dst, const reorder_attributes& attributes) {
    require(try_reorder(src, dst, attributes).error());
}

/// Calls reorder(threads, src, dst), but returns a run-time failure instead of throwing it. Throws only what the
/// executor throws.
template <executor E, detail::readable_buffer From, detail::writable_buffer To>
expected<void> try_reorder(E&& threads, const From& src, const To& dst) {
    return detail::reorder_buffers(threads, src, dst);
}
/// Copies a framework's tensor from one buffer to another on the threads of an executor.
///
/// Pre:     as reorder(src, dst)
/// Post:    as reorder(src, dst)
/// Cost:    as the reorder of pointers on threads
/// Source:  seeds tensor-representation, 3
/// Example: reorder(threads, from, to), with threads as in examples/09_threads.cpp
template <executor E, detail::readable_buffer From, detail::writable_buffer To>
void reorder(E&& threads, const From& src, const To& dst) {
    require(try_reorder(threads, src, dst).error());
}

/// Calls reorder(threads, src, dst, attributes), but returns a run-time failure instead of throwing it.
template <executor E, detail::readable_buffer From, detail::writable_buffer To>
expected<void> try_reorder(E&& threads, const From& src, const To& dst, const reorder_attributes& attributes) {
    return detail::reorder_buffers(threads, src, dst, attributes);
}
/// Copies a framework's tensor from one buffer to another with attributes, on the threads of an executor.
///
/// Pre:     as reorder(src, dst, attributes)
/// Post:    as reorder(src, dst, attributes)
/// Cost:    as the reorder of pointers on threads
/// Source:  spec semantics 12
/// Example: reorder(threads, from, to, {.src_scale = 0.5f})
template <executor E, detail::readable_buffer From, detail::writable_buffer To>
void reorder(E&& threads, const From& src, const To& dst, const reorder_attributes& attributes) {
    require(try_reorder(threads, src, dst, attributes).error());
}

// Wrong buffers: the compiler names the cause.
template <class From, class To, class Why = detail::why_not_reordered<From, To>>
    requires(detail::wrong_buffers<From, To>)
void reorder(const From&, const To&, const reorder_attributes& = {}) = delete;
template <class E, class From, class To, class Why = detail::why_not_reordered<E, From, To>>
    requires(detail::wrong_buffers_after<E, From, To>)
void reorder(const E&, const From&, const To&, const reorder_attributes& = {}) = delete;
template <class From, class To, class Why = detail::why_not_reordered<From, To>>
    requires(detail::wrong_buffers<From, To>)
void try_reorder(const From&, const To&, const reorder_attributes& = {}) = delete;
template <class E, class From, class To, class Why = detail::why_not_reordered<E, From, To>>
    requires(detail::wrong_buffers_after<E, From, To>)
void try_reorder(const E&, const From&, const To&, const reorder_attributes& = {}) = delete;
template <detail::any_buffer From, detail::any_buffer To,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const From&, const To&, const detail::misnamed_attributes&) = delete;

template <class T, class L, class Have, class U, class M, class Need>
[[nodiscard]] constexpr verdict check_reorder(const shaped_buffer<T, L, Have>& src,
                                              const shaped_buffer<U, M, Need>& dst) {
    return check_reorder(src.shaped(), dst.shaped());
}

}  // namespace plait
