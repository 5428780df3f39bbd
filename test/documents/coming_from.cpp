// The fragments of docs/coming-from, each in its own scope.
#include <plait/layouts.hpp>

#include <plait/descriptor/operations.hpp>
#include <plait/io/cute_layout.hpp>

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
    {
#include "cute_1.inc"
    } {
#include "cute_2.inc"
    } {
#include "cute_3.inc"
    } {
#include "cute_4.inc"
    } {
#include "einops_1.inc"
    } {
#include "einops_2.inc"
    } {
#include "einops_3.inc"
    } {
#include "mdspan_1.inc"
    } {
#include "mdspan_2.inc"
    } {
#include "mdspan_4.inc"
    } {
#include "numpy_2.inc"
    } {
#include "numpy_3.inc"
    } {
#include "numpy_5.inc"
    } {
#include "numpy_6.inc"
    } {
#include "numpy_7.inc"
    } {
#include "onednn_1.inc"
    } {
#include "onednn_2.inc"
    } {
#include "onednn_3.inc"
    }
}
