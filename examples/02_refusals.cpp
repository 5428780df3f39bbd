// Every operation is proved or refused. A check says why before an operation does; at compile time a refusal is an
// error that says why with the numbers, at run time an exception with a sentence.

#include <plait/plait.hpp>

#include <iostream>

using plait::layout, plait::reason, plait::status, plait::strides;

// Ask first: a verdict has the reason, the axis and the two numbers that disagree.
constexpr layout rows({3, 4}, "ab");
constexpr plait::verdict backwards = plait::check_with_strides(rows, strides{4, -1});
static_assert(backwards.reason == reason::stride_is_negative);
static_assert(backwards.axis == 1 && backwards.first == -1 && backwards.second == 0);
static_assert(backwards.status() == status::invalid_arguments);

// Or try: a layout, or the verdict; the names are those of std::expected.
static_assert(plait::try_with_strides(rows, strides{4, 1})->volume() == 12);
static_assert(!plait::try_with_strides(rows, strides{4, -1}));
static_assert(plait::try_with_strides(rows, strides{4, -1}).error() == backwards);

// constexpr layout refused = with_strides(rows, strides{4, -1});   // error: "stride_is_negative: axis 1 has stride -1,
//                                                                  // which leads ..." (Clang: reason and numbers)

int main(int argc, char**) {
    std::cout << describe(backwards).c_str() << '\n';

    // Tags known only at run time are checked with the column that is wrong.
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
