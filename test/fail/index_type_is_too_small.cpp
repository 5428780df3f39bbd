// EXPECT: index_type_is_too_small
// NUMBERS: -1, 368, 127
#include <plait/typed/formats.hpp>
#include <plait/view/mdspan_layout.hpp>

#include "../view/stand_in_extents.hpp"

#ifdef FIXED
using index = short;
#else
using index = signed char;
#endif
using extents = plait_test::extents<index, 2, 17, 3, 2>;
auto span() { return plait::mdspan_layout<plait::nChw16c<2, 17, 3, 2>>::mapping<extents>().required_span_size(); }
