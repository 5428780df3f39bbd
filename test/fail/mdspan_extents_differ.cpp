// EXPECT: dims_differ
// NUMBERS: 1, 17, 18
#include <plait/typed/formats.hpp>
#include <plait/view/mdspan_layout.hpp>

#include "../view/stand_in_extents.hpp"

#ifdef FIXED
using extents = plait_test::extents<int, 2, 17, plait_test::dynamic_extent, 2>;
#else
using extents = plait_test::extents<int, 2, 18, plait_test::dynamic_extent, 2>;
#endif
using mapping = plait::mdspan_layout<plait::nChw16c<2, 17, 3, 2>>::mapping<extents>;
mapping made(const extents& e) { return e; }
