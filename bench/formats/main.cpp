// What a byte of a reorder costs beside a byte of memcpy, by the class that choose_formats sorts reorders into: the
// factors of cost_options. Each row is measured by turns with memcpy of as many bytes, and the best of all turns
// counts.

#include "../measured.hpp"
#include "../results.hpp"

#include <plait/graph/graph_forms.hpp>
#include <plait/reorder/reorder.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace plait;
using namespace plait::detail;

namespace {

constexpr dims shape{1, 256, 56, 56};  // 3.2 MB of f32, as in the stages of a network
constexpr const char* class_names[] = {"runs", "pieces", "transposition"};

struct row {
    std::string name;
    reorder_class which;
    double reorder = 1e9, copy = 1e9;  // seconds
    double factor() const { return reorder / copy; }
};

reorder_class class_between(const format_tag& from, const format_tag& to) {
    large_graph g;
    g.tensor(shape, data_type::f32, from);
    g.number_of(to);
    graph_forms forms(g);
    return forms.class_of(forms.form(g, 0, 0), forms.form(g, 0, 1), 4);
}

template <class Work>
void keep_best(double& least, Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (now < least) least = now;
}

template <layout From, layout To>
row measure(const char* name, const format_tag& from, const format_tag& to) {
    row out{name, class_between(from, to)};
    std::vector<float> in(From.element_span(), 1), made(To.element_span()), copied(From.element_span());
    for (int turn = 0; turn < 60; ++turn) {
        keep_best(out.reorder, [&] { static_cast<void>(reorder<From, To>(in.data(), made.data())); });
        keep_best(out.copy, [&] { std::memcpy(copied.data(), in.data(), in.size() * sizeof(float)); });
    }
    std::printf("%-20s %-14s %8.1f us %8.1f us %6.2f\n", name, class_names[static_cast<int>(out.which)],
                out.reorder * 1e6, out.copy * 1e6, out.factor());
    return out;
}

constexpr layout in_format(const format_tag& tag) { return layout(shape, tag); }

/// The geometric mean of a class, in hundredths, rounded.
long percent_of(const std::vector<row>& rows, int which) {
    double sum = 0;
    int count = 0;
    for (const row& r : rows)
        if (static_cast<int>(r.which) == which) sum += std::log(r.factor()), ++count;
    return count == 0 ? 100 : std::lround(100 * std::exp(sum / count));
}

bool write(const char* path, const std::vector<row>& rows) {
    bench::results_file out(path, bench::every_row);
    bench::json percent;
    for (int k = 0; k < 3; ++k) percent[class_names[k]] = percent_of(rows, k);
    out.set("percent", percent);
    for (const row& r : rows)
        out.add_row(
            {{"name", r.name},
             {"class", class_names[static_cast<int>(r.which)]},
             {"seconds", {{"reorder", bench::four_digits(r.reorder)}, {"memcpy", bench::four_digits(r.copy)}}}});
    return out.write();
}

}  // namespace

/// plait_bench_formats [FILE]: prints the rows, and writes them with the factors.
int main(int argc, char** argv) {
    constexpr layout nchw = in_format("nchw"), nhwc = in_format("nhwc"), of8 = in_format("nChw8c"),
                     of16 = in_format("nChw16c");
    const std::vector<row> rows{measure<nhwc, of16>("nhwc -> nChw16c", "nhwc", "nChw16c"),
                                measure<of16, nhwc>("nChw16c -> nhwc", "nChw16c", "nhwc"),
                                measure<nhwc, of8>("nhwc -> nChw8c", "nhwc", "nChw8c"),
                                measure<of8, nhwc>("nChw8c -> nhwc", "nChw8c", "nhwc"),
                                measure<of8, of16>("nChw8c -> nChw16c", "nChw8c", "nChw16c"),
                                measure<nchw, nhwc>("nchw -> nhwc", "nchw", "nhwc"),
                                measure<nhwc, nchw>("nhwc -> nchw", "nhwc", "nchw"),
                                measure<nchw, of16>("nchw -> nChw16c", "nchw", "nChw16c"),
                                measure<of16, nchw>("nChw16c -> nchw", "nChw16c", "nchw")};
    for (int k = 0; k < 3; ++k) std::printf("%-14s %ld hundredths of memcpy\n", class_names[k], percent_of(rows, k));
    return argc == 1 || write(argv[1], rows) ? 0 : 1;
}
