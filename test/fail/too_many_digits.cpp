// EXPECT: too_many_digits
// NUMBERS: -1, 25, 24
#include <plait/algebra/reshape.hpp>

// Returns a layout with as many digits as a layout can have, as views make them. No further axis fits.
constexpr plait::layout many_digits(int count) {
    plait::layout l({2}, "a");
    while (l.digits.size() < count) {
        for (plait::digit& d : l.digits) d.stride *= 3;
        l.digits.push_back({0, 2, 1});
        l.dims[0] = l.padded_dims[0] *= 2;
    }
    return l;
}

#ifdef FIXED
constexpr plait::layout refused = plait::reshape(many_digits(24), {1 << 24});
#else
constexpr plait::layout refused = plait::reshape(many_digits(24), {1 << 24, 1});
#endif
