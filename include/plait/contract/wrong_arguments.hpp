#pragma once
// Compile errors for arguments that no reorder takes: vectors instead of pointers, pointers to other types, views that
// cannot be reordered, objects that are no executors.
//
// - Wrong pointers select a function whose return type is a class. To complete it for the call, the compiler evaluates
//   its static_assert, so that the sentence is in the first five lines of both compilers.
// - Wrong views select a deleted function, so that `requires { reorder(v, w); }` is false. Both compilers print its
//   template arguments in their first five lines; the last one is a type whose name is the cause.

#include <plait/contract/attributes.hpp>
#include <plait/contract/executor.hpp>
#include <plait/core/data_type.hpp>
#include <plait/core/layout.hpp>
#include <plait/core/moved_elements.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {
// Names in errors: why a view is not reordered.
namespace rejected {
struct a_reorder_writes_to_its_second_view_which_cannot_have_const_elements;
struct a_view_is_reordered_into_a_view_make_one_of_each_pointer_and_its_layout;
struct a_tensor_is_reordered_by_its_view_for_a_tensor_t_pass_t_view;
struct a_reorder_of_views_needs_layouts_that_are_types_otherwise_pass_layouts_and_pointers;
struct a_reorder_takes_double_float_int32_t_int8_t_uint8_t_bfloat16_float16_float8_e5m2_float8_e4m3;
template <class T>
struct elements_that_are_no_numbers_of_plait_are_moved_to_the_same_type_and_not_converted;
template <class T>
struct elements_that_are_no_numbers_of_plait_are_moved_and_take_no_attributes;
struct elements_smaller_than_a_byte_are_reordered_by_pointers_to_their_bytes_with_both_types_named;
struct elements_smaller_than_a_byte_are_read_through_tables_by_make_reorder_of_descriptors_with_reorder_tables;
struct the_first_of_three_arguments_is_an_executor_which_has_concurrency_and_run;
struct after_two_views_come_attributes_in_braces_and_an_executor_comes_first;
struct a_quantised_view_has_its_own_scales_so_it_takes_no_attributes;
struct the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order;
}  // namespace rejected

namespace detail {
/// True if a type is a pointer to elements that a reorder can read, const or not.
///
/// Example: points_to_elements<const float*>; false for std::vector<float> and const char*
template <class T>
inline constexpr bool points_to_elements = false;
template <class T>
inline constexpr bool points_to_elements<T*> = element<std::remove_const_t<T>> || moved_element<std::remove_const_t<T>>;

/// True if a type is a pointer to elements that a reorder can write.
///
/// Example: points_to_writable<float*>; false for const float*
template <class T>
inline constexpr bool points_to_writable = false;
template <class T>
inline constexpr bool points_to_writable<T*> = element<T> || moved_element<T>;

/// The type of the elements that a pointer points to, without const.
template <class Pointer>
using pointed_to = std::remove_const_t<std::remove_pointer_t<Pointer>>;

/// True if a reorder can read from In and write to Out.
template <class In, class Out>
concept reorder_pointers = points_to_elements<std::decay_t<In>> && points_to_writable<std::decay_t<Out>> &&
    reordered<pointed_to<std::decay_t<In>>, pointed_to<std::decay_t<Out>>>;
/// True if a reorder from In to Out knows the numbers, so that it takes attributes.
template <class In, class Out>
concept number_pointers = reorder_pointers<In, Out> && element<pointed_to<std::decay_t<In>>>;

/// True if a type is a pointer to elements that a reorder can only read.
template <class T>
inline constexpr bool points_to_const = points_to_elements<T> && !points_to_writable<T>;
/// True if both types are pointers.
template <class In, class Out>
inline constexpr bool are_pointers = std::is_pointer_v<In>&& std::is_pointer_v<Out>;
/// True if both types are pointers to elements, or no pointers, which is another error.
template <class In, class Out>
inline constexpr bool point_to_elements = !are_pointers<In, Out> || (points_to_elements<In> && points_to_elements<Out>);

/// The result of a reorder of wrong pointers: fails to compile, with an error that says what a reorder takes.
template <class In, class Out>
struct wrong_pointers {
    static_assert(!points_to_const<Out>,
                  "a reorder writes to its second pointer, the destination: it cannot point to const elements");
    static_assert(are_pointers<In, Out>, "a reorder takes pointers to where offset 0 lies: of a vector v, v.data()");
    static_assert(
        point_to_elements<In, Out>,
        "a reorder takes pointers to double, float, std::int32_t, std::int8_t, std::uint8_t, plait::bfloat16, "
        "plait::float16, plait::float8_e5m2 or plait::float8_e4m3, or moves other elements of 1, 2, 4, 8 or 16 bytes "
        "that are trivially copyable, and neither pointers nor std::byte");
    static_assert(!point_to_elements<In, Out> || !are_pointers<In, Out> || reordered<pointed_to<In>, pointed_to<Out>>,
                  "a reorder converts numbers of plait; elements of other types are moved to the same type, and not "
                  "converted: both pointers have to be to the same type");
};
/// The result of a reorder with an executor that is none: fails to compile, with an error that says what one has.
template <class E>
struct wrong_executor {
    static_assert(std::is_pointer_v<E> || executor<E>,
                  "the first argument of this reorder is no executor: an executor e has e.concurrency(), which returns "
                  "an int, and e.run(n, chunk), which calls chunk(0) to chunk(n - 1)");
    static_assert(!std::is_pointer_v<E>,
                  "after the two pointers of a reorder come attributes, e.g. {.src_scale = 0.5f}; an executor comes "
                  "first");
};
/// The result of a reorder of wrong pointers; and of one that has wrong pointers or a wrong executor in front.
template <class In, class Out>
using no_pointers = wrong_pointers<std::decay_t<In>, std::decay_t<Out>>;
template <class E, class In, class Out>
using no_arguments = std::conditional_t<executor<E> && !std::is_pointer_v<std::decay_t<E>>, no_pointers<In, Out>,
                                        wrong_executor<std::decay_t<E>>>;

/// Satisfied if the elements of two pointers are moved, and take no attributes.
template <class In, class Out>
concept moved_pointers = reorder_pointers<In, Out> && !number_pointers<In, Out>;
/// The name of why the elements of pointers take no attributes.
template <class In>
using why_no_attributes =
    rejected::elements_that_are_no_numbers_of_plait_are_moved_and_take_no_attributes<pointed_to<std::decay_t<In>>>;

/// True if a reorder takes an executor and pointers of these types.
template <class E, class In, class Out>
concept executor_and_pointers = executor<E> && reorder_pointers<In, Out>;

/// True if three arguments are neither an executor and pointers nor pointers and attributes.
template <class E, class In, class Out>
concept wrong_three_arguments =
    !executor_and_pointers<E, In, Out> &&
    !(reorder_pointers<E, In> && std::is_convertible_v<const Out&, const reorder_attributes&>);

/// A view of elements in memory, or a tensor that owns them, whatever its layout and elements.
template <class View>
concept any_view = requires(const View& v) {
    typename View::element_type;
    typename View::layout_in_type;
    v.plain_layout();
};
/// A view of which one axis is read through a table.
template <class View>
concept indexed_view = requires(const View& v) {
    View::table_axis;
    v.indices();
};
/// A tensor that owns its elements, of which reorders take the view.
template <class Tensor>
concept owning_tensor = any_view<Tensor> && requires(Tensor& t) {
    t.view();
};
/// A view whose layout is a type and whose elements a reorder can read.
template <class View>
concept readable_view =
    any_view<View> && !owning_tensor<View> && layout_type<typename View::layout_in_type> &&
    reordered<std::remove_const_t<typename View::element_type>, std::remove_const_t<typename View::element_type>> &&
    !packed_element<std::remove_const_t<typename View::element_type>>;
/// A view whose layout is a type and whose elements a reorder can write.
template <class View>
concept writable_view = readable_view<View> && !std::is_const_v<typename View::element_type>;
/// Views of which one is reordered into the other.
template <class From, class To>
concept reordered_views =
    readable_view<From> && writable_view<To> && reordered < std::remove_const_t<typename From::element_type>,
typename To::element_type > ;
/// Views of elements smaller than a byte, of which one has a table.
template <class From, class To>
concept packed_table_views = (indexed_view<From> || indexed_view<To>)&&requires {
    requires packed_element<std::remove_const_t<typename From::element_type>> ||
        packed_element<std::remove_const_t<typename To::element_type>>;
};
/// Views that cannot be reordered, alone, or after an argument that is to be an executor.
template <class From, class To>
concept wrong_views = packed_table_views<From, To> ||
    ((any_view<From> || any_view<To>)&&!reordered_views<From, To> && !indexed_view<From> && !indexed_view<To>);
/// Views whose elements are moved, and take no attributes.
template <class From, class To>
concept moved_views = reordered_views<From, To> && moved_element<typename To::element_type>;
template <class E, class From, class To>
concept wrong_views_after = (any_view<From> || any_view<To>)&&!any_attributes<To> &&
                            (!executor<E> || wrong_views<From, To>)&&!indexed_view<E> && !indexed_view<From> &&
                            !indexed_view<To>;

/// Returns a pointer to the type that names why views cannot be reordered.
template <class From, class To>
constexpr auto* why_not_views() {
    using namespace rejected;
    if constexpr (packed_table_views<From, To>) {
        return static_cast<
            elements_smaller_than_a_byte_are_read_through_tables_by_make_reorder_of_descriptors_with_reorder_tables*>(
            nullptr);
    } else if constexpr (owning_tensor<From> || owning_tensor<To>) {
        return static_cast<a_tensor_is_reordered_by_its_view_for_a_tensor_t_pass_t_view*>(nullptr);
    } else if constexpr (!any_view<From> || !any_view<To>) {
        return static_cast<a_view_is_reordered_into_a_view_make_one_of_each_pointer_and_its_layout*>(nullptr);
    } else {
        using read = std::remove_const_t<typename From::element_type>;
        using written = std::remove_const_t<typename To::element_type>;
        if constexpr (!layout_type<typename From::layout_in_type> || !layout_type<typename To::layout_in_type>)
            return static_cast<a_reorder_of_views_needs_layouts_that_are_types_otherwise_pass_layouts_and_pointers*>(
                nullptr);
        else if constexpr ((moved_element<read> || moved_element<written>)&&!std::is_same_v<read, written>)
            return static_cast<elements_that_are_no_numbers_of_plait_are_moved_to_the_same_type_and_not_converted<
                std::conditional_t<moved_element<read>, read, written>>*>(nullptr);
        else if constexpr (!reordered<read, written>)
            return static_cast<
                a_reorder_takes_double_float_int32_t_int8_t_uint8_t_bfloat16_float16_float8_e5m2_float8_e4m3*>(nullptr);
        else if constexpr (packed_element<read> || packed_element<written>)
            return static_cast<
                elements_smaller_than_a_byte_are_reordered_by_pointers_to_their_bytes_with_both_types_named*>(nullptr);
        else return static_cast<a_reorder_writes_to_its_second_view_which_cannot_have_const_elements*>(nullptr);
    }
}
/// Returns a pointer to the type that names why views cannot be reordered with an argument in front of them.
template <class E, class From, class To>
constexpr auto* why_not_views() {
    using namespace rejected;
    if constexpr (any_view<E>)
        return static_cast<after_two_views_come_attributes_in_braces_and_an_executor_comes_first*>(nullptr);
    else if constexpr (!executor<E>)
        return static_cast<the_first_of_three_arguments_is_an_executor_which_has_concurrency_and_run*>(nullptr);
    else return why_not_views<From, To>();
}
/// Anything that an attribute may be given.
struct any_value {
    template <class First, class... More>
    any_value(const First&, const More&...);
};
/// A class that no values can initialise: it has no default constructor. GCC takes a deleted one for a conversion.
struct no_value {
    explicit no_value(const no_value&, const no_value&);
};
/// Attributes in braces with a name that is close to that of a member of reorder_attributes. A braced list has no type,
/// so that only a class with such members can stand for it.
union misnamed_attributes {
    no_value unnamed;  // comes first, so that {} and lists without names are not of this type
    any_value scale, scales, src_scales, dst_scales, source_scale, destination_scale;
    any_value zero_point, zero_points, src_zero_points, dst_zero_points, source_zero_point, destination_zero_point;
    any_value src_zp, dst_zp, alpha, sum;
};

template <class... Arguments>
using why_not = std::remove_pointer_t<decltype(why_not_views<Arguments...>())>;
}  // namespace detail

// Wrong arguments of reorders between constant layouts, layouts that are types, layouts known only at run time, and
// views.
template <layout Src, layout Dst, class In, class Out>
    requires(!detail::reorder_pointers<In, Out>)
detail::no_pointers<In, Out> reorder(const In&, const Out&, const reorder_attributes& = {});
template <layout Src, layout Dst, class E, class In, class Out>
    requires(detail::wrong_three_arguments<E, In, Out>)
detail::no_arguments<E, In, Out> reorder(const E&, const In&, const Out&, const reorder_attributes& = {});
template <layout Src, layout Dst, class In, class Out>
    requires(!detail::reorder_pointers<In, Out>)
detail::no_pointers<In, Out> try_reorder(const In&, const Out&, const reorder_attributes& = {});
template <layout Src, layout Dst, class E, class In, class Out>
    requires(detail::wrong_three_arguments<E, In, Out>)
detail::no_arguments<E, In, Out> try_reorder(const E&, const In&, const Out&, const reorder_attributes& = {});

template <layout_type Src, layout_type Dst, class In, class Out>
    requires(!detail::reorder_pointers<In, Out>)
detail::no_pointers<In, Out> reorder(const In&, const Out&, const reorder_attributes& = {});
template <layout_type Src, layout_type Dst, class E, class In, class Out>
    requires(detail::wrong_three_arguments<E, In, Out>)
detail::no_arguments<E, In, Out> reorder(const E&, const In&, const Out&, const reorder_attributes& = {});
template <layout_type Src, layout_type Dst, class In, class Out>
    requires(!detail::reorder_pointers<In, Out>)
detail::no_pointers<In, Out> try_reorder(const In&, const Out&, const reorder_attributes& = {});
template <layout_type Src, layout_type Dst, class E, class In, class Out>
    requires(detail::wrong_three_arguments<E, In, Out>)
detail::no_arguments<E, In, Out> try_reorder(const E&, const In&, const Out&, const reorder_attributes& = {});

template <class In, class Out>
    requires(!detail::reorder_pointers<In, Out>)
detail::no_pointers<In, Out> reorder(const layout&, const In&, const layout&, const Out&,
                                     const reorder_attributes& = {});
template <class E, class In, class Out>
    requires(!detail::executor_and_pointers<E, In, Out>)
detail::no_arguments<E, In, Out> reorder(const E&, const layout&, const In&, const layout&, const Out&,
                                         const reorder_attributes& = {});
template <class In, class Out>
    requires(!detail::reorder_pointers<In, Out>)
detail::no_pointers<In, Out> try_reorder(const layout&, const In&, const layout&, const Out&,
                                         const reorder_attributes& = {});
template <class E, class In, class Out>
    requires(!detail::executor_and_pointers<E, In, Out>)
detail::no_arguments<E, In, Out> try_reorder(const E&, const layout&, const In&, const layout&, const Out&,
                                             const reorder_attributes& = {});

// Elements that are no numbers, with attributes.
template <layout Src, layout Dst, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(detail::moved_pointers<In, Out>)
void reorder(const In&, const Out&, const reorder_attributes&) = delete;
template <layout Src, layout Dst, class E, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(executor<E>&& detail::moved_pointers<In, Out>)
void reorder(const E&, const In&, const Out&, const reorder_attributes&) = delete;
template <layout Src, layout Dst, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(detail::moved_pointers<In, Out>)
void try_reorder(const In&, const Out&, const reorder_attributes&) = delete;
template <layout Src, layout Dst, class E, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(executor<E>&& detail::moved_pointers<In, Out>)
void try_reorder(const E&, const In&, const Out&, const reorder_attributes&) = delete;
template <layout_type Src, layout_type Dst, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(detail::moved_pointers<In, Out>)
void reorder(const In&, const Out&, const reorder_attributes&) = delete;
template <layout_type Src, layout_type Dst, class E, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(executor<E>&& detail::moved_pointers<In, Out>)
void reorder(const E&, const In&, const Out&, const reorder_attributes&) = delete;
template <layout_type Src, layout_type Dst, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(detail::moved_pointers<In, Out>)
void try_reorder(const In&, const Out&, const reorder_attributes&) = delete;
template <layout_type Src, layout_type Dst, class E, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(executor<E>&& detail::moved_pointers<In, Out>)
void try_reorder(const E&, const In&, const Out&, const reorder_attributes&) = delete;
template <class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(detail::moved_pointers<In, Out>)
void reorder(const layout&, const In&, const layout&, const Out&, const reorder_attributes&) = delete;
template <class E, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(executor<E>&& detail::moved_pointers<In, Out>)
void reorder(const E&, const layout&, const In&, const layout&, const Out&, const reorder_attributes&) = delete;
template <class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(detail::moved_pointers<In, Out>)
void try_reorder(const layout&, const In&, const layout&, const Out&, const reorder_attributes&) = delete;
template <class E, class In, class Out, class Why = detail::why_no_attributes<In>>
    requires(executor<E>&& detail::moved_pointers<In, Out>)
void try_reorder(const E&, const layout&, const In&, const layout&, const Out&, const reorder_attributes&) = delete;
template <class From, class To,
          class Why = rejected::elements_that_are_no_numbers_of_plait_are_moved_and_take_no_attributes<
              std::remove_const_t<typename From::element_type>>>
    requires(detail::moved_views<From, To>)
void reorder(const From&, const To&, const reorder_attributes&) = delete;
template <class E, class From, class To,
          class Why = rejected::elements_that_are_no_numbers_of_plait_are_moved_and_take_no_attributes<
              std::remove_const_t<typename From::element_type>>>
    requires(executor<E>&& detail::moved_views<From, To>)
void reorder(const E&, const From&, const To&, const reorder_attributes&) = delete;
template <class From, class To,
          class Why = rejected::elements_that_are_no_numbers_of_plait_are_moved_and_take_no_attributes<
              std::remove_const_t<typename From::element_type>>>
    requires(detail::moved_views<From, To>)
void try_reorder(const From&, const To&, const reorder_attributes&) = delete;
template <class E, class From, class To,
          class Why = rejected::elements_that_are_no_numbers_of_plait_are_moved_and_take_no_attributes<
              std::remove_const_t<typename From::element_type>>>
    requires(executor<E>&& detail::moved_views<From, To>)
void try_reorder(const E&, const From&, const To&, const reorder_attributes&) = delete;

template <class From, class To, class Why = detail::why_not<From, To>>
    requires(detail::wrong_views<From, To>)
void reorder(const From&, const To&, const reorder_attributes& = {}) = delete;
template <class E, class From, class To, class Why = detail::why_not<E, From, To>>
    requires(detail::wrong_views_after<E, From, To>)
void reorder(const E&, const From&, const To&, const reorder_attributes& = {}) = delete;
template <class From, class To, class Why = detail::why_not<From, To>>
    requires(detail::wrong_views<From, To>)
void try_reorder(const From&, const To&, const reorder_attributes& = {}) = delete;
template <class E, class From, class To, class Why = detail::why_not<E, From, To>>
    requires(detail::wrong_views_after<E, From, To>)
void try_reorder(const E&, const From&, const To&, const reorder_attributes& = {}) = delete;

template <layout Src, layout Dst, class In, class Out,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const In&, const Out&, const detail::misnamed_attributes&) = delete;
template <layout_type Src, layout_type Dst, class In, class Out,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const In&, const Out&, const detail::misnamed_attributes&) = delete;
template <class In, class Out,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const layout&, const In&, const layout&, const Out&, const detail::misnamed_attributes&) = delete;
template <detail::any_view From, detail::any_view To,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const From&, const To&, const detail::misnamed_attributes&) = delete;
template <layout Src, layout Dst, executor E, class In, class Out,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const E&, const In&, const Out&, const detail::misnamed_attributes&) = delete;
template <layout_type Src, layout_type Dst, executor E, class In, class Out,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const E&, const In&, const Out&, const detail::misnamed_attributes&) = delete;
template <executor E, class In, class Out,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const E&, const layout&, const In&, const layout&, const Out&,
             const detail::misnamed_attributes&) = delete;
template <executor E, detail::any_view From, detail::any_view To,
          class Why = rejected::the_attributes_are_src_scale_dst_scale_src_zero_point_dst_zero_point_beta_in_this_order>
void reorder(const E&, const From&, const To&, const detail::misnamed_attributes&) = delete;

/// Fails to compile, with an error that says that the element types named by a call are not those of its pointers.
///
/// Pre:     none: every call that selects this overload is wrong
template <layout Src, layout Dst, element T, element U, class In, class Out, class... More>
    requires(detail::reorder_pointers<In, Out> &&
             !(std::is_convertible_v<In, const T*> && std::is_convertible_v<Out, U*>))
void reorder(const In&, const Out&, const More&...) {
    static_assert(std::is_convertible_v<In, const T*> && std::is_convertible_v<Out, U*>,
                  "the element types that this reorder names are not those of its pointers: leave them out, they are "
                  "deduced; values are converted from the one to the other");
}

}  // namespace plait
