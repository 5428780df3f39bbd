#pragma once
// Named formats of activations, the tensors passed from one operation of a network to the next.

#include <plait/typed/listed_format.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

// Plain.
namespace formats {
template <dim_t... Extents>
struct nc : listed_format<"nc", Extents...> {};
template <dim_t... Extents>
struct cn : listed_format<"cn", Extents...> {};
}  // namespace formats
template <dim_t... Extents>
struct ncw : listed_format<"ncw", Extents...> {};
template <dim_t... Extents>
struct nwc : listed_format<"nwc", Extents...> {};
template <dim_t... Extents>
struct nchw : listed_format<"nchw", Extents...> {};
template <dim_t... Extents>
struct nhwc : listed_format<"nhwc", Extents...> {};
template <dim_t... Extents>
struct chwn : listed_format<"chwn", Extents...> {};
template <dim_t... Extents>
struct ncdhw : listed_format<"ncdhw", Extents...> {};
template <dim_t... Extents>
struct ndhwc : listed_format<"ndhwc", Extents...> {};

// Channels in blocks.
template <dim_t... Extents>
struct nCw4c : listed_format<"nCw4c", Extents...> {};
template <dim_t... Extents>
struct nCw8c : listed_format<"nCw8c", Extents...> {};
template <dim_t... Extents>
struct nCw16c : listed_format<"nCw16c", Extents...> {};
template <dim_t... Extents>
struct nChw4c : listed_format<"nChw4c", Extents...> {};
template <dim_t... Extents>
struct nChw8c : listed_format<"nChw8c", Extents...> {};
template <dim_t... Extents>
struct nChw16c : listed_format<"nChw16c", Extents...> {};
template <dim_t... Extents>
struct nChw32c : listed_format<"nChw32c", Extents...> {};
template <dim_t... Extents>
struct nCdhw4c : listed_format<"nCdhw4c", Extents...> {};
template <dim_t... Extents>
struct nCdhw8c : listed_format<"nCdhw8c", Extents...> {};
template <dim_t... Extents>
struct nCdhw16c : listed_format<"nCdhw16c", Extents...> {};
template <dim_t... Extents>
struct nCdhw32c : listed_format<"nCdhw32c", Extents...> {};
template <dim_t... Extents>
struct NChw16n16c : listed_format<"NChw16n16c", Extents...> {};
template <dim_t... Extents>
struct NChw32n32c : listed_format<"NChw32n32c", Extents...> {};
template <dim_t... Extents>
struct NCdhw16n16c : listed_format<"NCdhw16n16c", Extents...> {};

// For recurrent networks.
template <dim_t... Extents>
struct tnc : listed_format<"tnc", Extents...> {};
template <dim_t... Extents>
struct ntc : listed_format<"ntc", Extents...> {};
template <dim_t... Extents>
struct ldnc : listed_format<"ldnc", Extents...> {};

// All of them in one namespace, too.
namespace formats {
using plait::chwn;
using plait::ldnc;
using plait::ncdhw;
using plait::nCdhw16c;
using plait::NCdhw16n16c;
using plait::nCdhw32c;
using plait::nCdhw4c;
using plait::nCdhw8c;
using plait::nchw;
using plait::nChw16c;
using plait::NChw16n16c;
using plait::nChw32c;
using plait::NChw32n32c;
using plait::nChw4c;
using plait::nChw8c;
using plait::ncw;
using plait::nCw16c;
using plait::nCw4c;
using plait::nCw8c;
using plait::ndhwc;
using plait::nhwc;
using plait::ntc;
using plait::nwc;
using plait::tnc;
}  // namespace formats

}  // namespace plait
