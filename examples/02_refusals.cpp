// Every operation is checked. A check_ function returns the verdict without running the operation. An operation
// that fails is a compile error in a constant expression, and an exception at run time; both name the reason and the
// numbers.

#include <plait/plait.hpp>

#include <iostream>

using plait::layout, plait::reason, plait::status, plait::strides;

// check_ functions return a verdict: the reason, the axis and the two numbers that disagree.
constexpr layout rows({3, 4}, "ab");
constexpr plait::verdict backwards = plait::check_with_strides(rows, strides{4, -1});
static_assert(backwards.reason == reason::stride_is_negative);
static_assert(backwards.axis == 1 && backwards.first == -1 && backwards.second == 0);
static_assert(backwards.status() == status::invalid_arguments);

// try_ functions return a layout or the verdict, with the member names of std::expected.
static_assert(plait::try_with_strides(rows, strides{4, 1})->volume() == 12);
static_assert(!plait::try_with_strides(rows, strides{4, -1}));
static_assert(plait::try_with_strides(rows, strides{4, -1}).error() == backwards);

// constexpr layout refused = with_strides(rows, strides{4, -1});   // error: "stride_is_negative: axis 1 has stride -1,
//                                                                  // which leads ..." (Clang: reason and numbers)

int main(int argc, char**) {
    std::cout << describe(backwards).c_str() << '\n';

    // The check of a tag known only at run time returns the column of the mistake.
    const auto why = plait::check_format_tag("nChw1c");
    std::cout << describe(why).c_str() << '\n';
    if (why.first != 5) return 1;

    try {
        const layout refused({3, 4, argc}, "ab");
        return 2;
    } catch (const plait::rejection& rejection) {
        std::cout << rejection.what() << '\n';
        return rejection.verdict().reason == reason::rank_differs ? 0 : 3;
    }
}
