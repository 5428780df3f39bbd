// The fragments of docs/traps.md, each in its own scope.
#include <plait/plait.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using plait::dim_t;

static void expect_at(bool holds, int line) {
    if (holds) return;
    std::fprintf(stderr, "docs/traps.md:%d: not so\n", line);
    std::exit(1);
}
// This is a macro because __LINE__ must be the line in the document.
#define expect(...) expect_at((__VA_ARGS__), __LINE__)

template <class Action>
bool is_refused(Action action) {
    try {
        action();
        return false;
    } catch (const plait::rejection&) {
        return true;
    }
}

template <class X>
void reader(plait::tensor_view<const float, X> x) {
    expect(x.extent(1) == 2);
}
template <class View>
concept can_call_reader = requires(View v) {
    reader(v);
};

static std::vector<float> numbers() {
    std::vector<float> out(4096);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(i % 97);
    return out;
}

int main() {
    std::vector<float> memory_of_all = numbers();
    float* const data = memory_of_all.data();
    {
#include "traps_2.inc"
        float right = 0;
        for (dim_t h = 0; h < 5; ++h) right += 3 * data[l.offset(1, 16, h, 3)];
        expect(sum == right);
    }
    {
#include "traps_13.inc"
        expect(out[16] == data[1]);
    }
#include "all_of_traps.inc"
}
