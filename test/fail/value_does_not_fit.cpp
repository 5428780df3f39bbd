// EXPECT: value_does_not_fit
#include <plait/packed/record_view.hpp>

#include <array>

using row = plait::record_constant<"k: q:u4 k", 8>;

constexpr auto filled(unsigned value) {
    std::array<std::byte, 4> bytes{};
    plait::record_view view{std::span(bytes), row()};
    view.set<"q">(3, value);
    return bytes;
}
#ifdef FIXED
constexpr auto refused = filled(15);
#else
constexpr auto refused = filled(19);
#endif
