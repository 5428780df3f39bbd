// The fragments of docs/coming-from, each in its own scope.
#include <plait/layouts.hpp>

#include <plait/descriptor/operations.hpp>
#include <plait/io/cute_layout.hpp>
#include <plait/io/kv_layout.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void expect_at(bool holds, int line) {
    if (holds) return;
    std::fprintf(stderr, "docs/coming-from, line %d: not so\n", line);
    std::exit(1);
}
// This is a macro because __LINE__ must be the line in the document.
#define expect(...) expect_at((__VA_ARGS__), __LINE__)

int main() {
#include "all_of_coming_from.inc"
}
