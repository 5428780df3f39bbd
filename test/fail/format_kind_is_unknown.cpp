// EXPECT: format_kind_is_unknown
#include <plait/interop/onednn_fields.hpp>

constexpr plait::onednn_fields with(plait::onednn_kind kind) {
    plait::onednn_fields out =
        fields_of(plait::descriptor(plait::data_type::s8, plait::layout({2, 16}, "aB4b")), 6).value();
    out.format_kind = kind;
    return out;
}
#ifdef FIXED
constexpr auto refused = descriptor_of_fields(with(plait::onednn_kind::blocked)).value();
#else
constexpr auto refused = descriptor_of_fields(with(plait::onednn_kind::unknown)).value();
#endif
