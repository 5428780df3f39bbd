// EXPECT: format_is_sparse
#include <plait/interop/onednn_fields.hpp>

constexpr plait::detail::onednn_fields with(plait::detail::onednn_kind kind) {
    plait::detail::onednn_fields out =
        plait::detail::fields_of(plait::descriptor(plait::data_type::s8, plait::layout({2, 16}, "aB4b")), 6).value();
    out.format_kind = kind;
    return out;
}
#ifdef FIXED
constexpr auto refused = plait::detail::descriptor_of_fields(with(plait::detail::onednn_kind::blocked)).value();
#else
constexpr auto refused = plait::detail::descriptor_of_fields(with(plait::detail::onednn_kind::sparse)).value();
#endif
