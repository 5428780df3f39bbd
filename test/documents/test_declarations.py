"""Tests of docs/site/declarations.py, which reads the declarations of a header.

usage: test_declarations.py PROJECT
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "docs/site"))
import declarations

HEADER = '''#pragma once
// Not a docstring.
#include <plait/core/dims.hpp>

namespace plait::inline PLAIT_UNIT_FLAGS {

/// Half of a number. It goes
/// on here.
///
/// Further words.
///
/// Refused: number_is_odd
/// Pre:     check_half(n).ok()
/// Post:    half(n) + half(n) == n,
///          for every n
/// Cost:    one step
[[nodiscard]] constexpr dim_t half(dim_t n) {
    if (n == '{') return "}"[0];
    return n / 2;  // }
}
template <class T>
    requires requires(T& t) { *t.data(); }
auto first(T& t) -> decltype(*t.data());
namespace rejected {
struct axis {};
}  // namespace rejected
namespace detail {
int half_of();
}
namespace {
int hidden();
}
/// A pair.
template <class A, class B = std::vector<A>>
struct pair {
    /// The first one.
    constexpr A first() const { return a_; }
    int member = 0;  ///< how many
                     ///< there are

private:
    A secret() const;
    A a_;
};
template <>
struct pair<int, int> {};
template <class A>
pair(A, A) -> pair<A, A>;
/// A pair that says something.
template <class A, kind Kind = kind{}, class B = none>
class said_pair : public pair<A> {
public:
    int other = 0;
};
template <kind Kind = kind{}, class A>
constexpr said_pair<A, Kind> said(const pair<A>& p) {
    return {};
}
/// Whether it is small.
template <class T>
concept small = sizeof(T) <= 4 && requires(T t) { t.size(); };
using list = inline_list<int, 4>;
inline constexpr int most[] = {1, 2};
/// Some numbers, in a type.
template <int... N>
inline constexpr constant<dims{N...}> numbers{};
constexpr bool operator==(const list& a, const list& b);
constexpr dim_t pair::second() const { return 0; }
enum class kind { a, b };

}  // namespace plait
'''


def test_names():
    found = [(d.name, d.kind, d.namespace) for d in declarations.declarations(HEADER)]
    assert found == [
        ("half", "function", "plait"), ("first", "function", "plait"), ("axis", "type", "plait::rejected"), ("half_of", "function", "plait::detail"),
        ("pair", "type", "plait"), ("said_pair", "type", "plait"), ("said", "function", "plait"),
        ("small", "concept", "plait"), ("list", "alias", "plait"), ("most", "value", "plait"), ("numbers", "value", "plait"),
        ("operator==", "function", "plait"), ("kind", "type", "plait")], found


def test_hidden():
    hidden = [d.name for d in declarations.declarations(HEADER) if declarations.is_hidden(d)]
    assert hidden == ["axis", "half_of"], hidden


def test_docstring():
    half = declarations.declarations(HEADER)[0]
    assert half.doc.text == ["Half of a number. It goes on here.", "Further words."], half.doc.text
    assert half.doc.headings == {"Refused": "number_is_odd", "Pre": "check_half(n).ok()", "Cost": "one step",
                                 "Post": "half(n) + half(n) == n, for every n"}, half.doc.headings
    assert half.signature == "[[nodiscard]] constexpr dim_t half(dim_t n)" and half.line == 17


def test_signatures():
    by_name = {d.name: d for d in declarations.declarations(HEADER)}
    assert by_name["first"].signature == "template <class T> requires requires(T& t) { *t.data(); } auto first(T& t) -> decltype(*t.data())"
    assert by_name["most"].signature == "inline constexpr int most[]"
    numbers = by_name["numbers"]
    assert numbers.signature == "template <int... N> inline constexpr constant<dims{N...}> numbers" and numbers.doc.text, numbers
    assert by_name["list"].signature == "using list = inline_list<int, 4>" and not by_name["list"].doc.text
    assert [(m.name, m.doc.sentence) for m in by_name["pair"].members] == [("first", "The first one."), ("member", "how many there are")]
    assert by_name["kind"].signature == "enum class kind { a, b }"


def main():
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    for test in tests:
        test()
    print(f"{len(tests)} tests")


if __name__ == "__main__":
    main()
