#pragma once
// Named formats in abstract letters: the axes are called a, b, c, ... whatever they mean.

#include <plait/typed/listed_format.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

// Plain.
namespace formats {
template <dim_t... Extents>
struct a : listed_format<"a", Extents...> {};
template <dim_t... Extents>
struct ab : listed_format<"ab", Extents...> {};
template <dim_t... Extents>
struct ba : listed_format<"ba", Extents...> {};
}  // namespace formats
template <dim_t... Extents>
struct abc : listed_format<"abc", Extents...> {};
template <dim_t... Extents>
struct acb : listed_format<"acb", Extents...> {};
template <dim_t... Extents>
struct bac : listed_format<"bac", Extents...> {};
template <dim_t... Extents>
struct bca : listed_format<"bca", Extents...> {};
template <dim_t... Extents>
struct cab : listed_format<"cab", Extents...> {};
template <dim_t... Extents>
struct cba : listed_format<"cba", Extents...> {};
template <dim_t... Extents>
struct abcd : listed_format<"abcd", Extents...> {};
template <dim_t... Extents>
struct abdc : listed_format<"abdc", Extents...> {};
template <dim_t... Extents>
struct acbd : listed_format<"acbd", Extents...> {};
template <dim_t... Extents>
struct acdb : listed_format<"acdb", Extents...> {};
template <dim_t... Extents>
struct adbc : listed_format<"adbc", Extents...> {};
template <dim_t... Extents>
struct bcda : listed_format<"bcda", Extents...> {};
template <dim_t... Extents>
struct bacd : listed_format<"bacd", Extents...> {};
template <dim_t... Extents>
struct cdba : listed_format<"cdba", Extents...> {};
template <dim_t... Extents>
struct dcab : listed_format<"dcab", Extents...> {};
template <dim_t... Extents>
struct abcde : listed_format<"abcde", Extents...> {};
template <dim_t... Extents>
struct acdeb : listed_format<"acdeb", Extents...> {};

// Matrices packed for matrix multiplication.
template <dim_t... Extents>
struct BA16a16b : listed_format<"BA16a16b", Extents...> {};
template <dim_t... Extents>
struct BA16a32b : listed_format<"BA16a32b", Extents...> {};
template <dim_t... Extents>
struct BA16a48b : listed_format<"BA16a48b", Extents...> {};
template <dim_t... Extents>
struct BA16a64b : listed_format<"BA16a64b", Extents...> {};
template <dim_t... Extents>
struct BA16a16b2a : listed_format<"BA16a16b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a32b2a : listed_format<"BA16a32b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a48b2a : listed_format<"BA16a48b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a64b2a : listed_format<"BA16a64b2a", Extents...> {};
template <dim_t... Extents>
struct BA16a16b4a : listed_format<"BA16a16b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a32b4a : listed_format<"BA16a32b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a48b4a : listed_format<"BA16a48b4a", Extents...> {};
template <dim_t... Extents>
struct BA16a64b4a : listed_format<"BA16a64b4a", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c : listed_format<"aCB16b64c", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c2b : listed_format<"aCB16b64c2b", Extents...> {};
template <dim_t... Extents>
struct aCB16b64c4b : listed_format<"aCB16b64c4b", Extents...> {};

// All of them in one namespace, too.
namespace formats {
using plait::abc;
using plait::abcd;
using plait::abcde;
using plait::abdc;
using plait::acb;
using plait::aCB16b64c;
using plait::aCB16b64c2b;
using plait::aCB16b64c4b;
using plait::acbd;
using plait::acdb;
using plait::acdeb;
using plait::adbc;
using plait::BA16a16b;
using plait::BA16a16b2a;
using plait::BA16a16b4a;
using plait::BA16a32b;
using plait::BA16a32b2a;
using plait::BA16a32b4a;
using plait::BA16a48b;
using plait::BA16a48b2a;
using plait::BA16a48b4a;
using plait::BA16a64b;
using plait::BA16a64b2a;
using plait::BA16a64b4a;
using plait::bac;
using plait::bacd;
using plait::bca;
using plait::bcda;
using plait::cab;
using plait::cba;
using plait::cdba;
using plait::dcab;
}  // namespace formats

}  // namespace plait
