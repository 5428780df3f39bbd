// Chooses the formats of ResNet-50's first two stages for libdnnl's convolutions. The program queries libdnnl for the
// formats that its primitives prefer and measures each alternative. plait chooses the formats with the lowest total
// cost of primitives and reorders, and moves the tensors between them. For comparison: oneDNN's own propagation, and
// nchw everywhere. The three results must agree.
//
// Without arguments a small image, as a test. --time: images of 224 x 224, timed; --size N: images of N x N.

#include "runner.hpp"

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <set>

namespace {

using namespace example;

constexpr const char* names[] = {"chosen by plait", "greedy propagation", "all nchw"};

struct options {
    bool time = false;
    dim_t size = 64;
};

options read_options(int argc, char** argv) {
    options out;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--time") out.time = true, out.size = 224;
        else if (word == "--size" && i + 1 < argc) out.size = std::atoi(argv[++i]);
        else throw std::runtime_error("onednn: --time and --size N are known");
    }
    return out;
}

/// Sets one OpenMP thread by name lookup, because libdnnl loads its own OpenMP library, which this program cannot link.
void use_one_thread() {
    if (void* const set = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(1);
}

/// Returns the name of a tag in the letters of images.
plait::layout_name name_of(const plait::format_tag& tag) {
    plait::layout_name out;
    append_tag(out, tag, "nchw");
    return out;
}

void print_alternatives(const network& net, const std::vector<std::vector<alternative>>& all) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const layer& l = net.layers[i];
        const plait::dims &from = net.tensors[static_cast<std::size_t>(l.source)],
                          &to = net.tensors[static_cast<std::size_t>(l.result)];
        const std::string name = std::string(is_convolution(l)               ? "convolution"
                                             : l.kind == layer_kind::pooling ? "pooling"
                                                                             : "addition") +
                                 " " + std::to_string(from[1]) + "x" + std::to_string(from[2]) + " -> " +
                                 std::to_string(to[1]) + "x" + std::to_string(to[2]) + ", " + std::to_string(l.kernel) +
                                 "x" + std::to_string(l.kernel) + (l.relu ? ", relu" : "");
        if (!seen.insert(name).second) continue;
        std::printf("%s\n", name.c_str());
        for (const alternative& a : all[i])
            std::printf("  %-8s -> %-8s %9.1f us  %s%s\n", name_of(a.sources[0]).c_str(), name_of(a.result).c_str(),
                        1e6 * a.seconds, a.implementation.c_str(), a.is_liked ? ", liked" : "");
    }
}

/// Returns the largest difference, relative to the largest number.
double difference(const std::vector<float>& a, const std::vector<float>& b) {
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::fabs(double{a[i]} - double{b[i]}));
        largest = std::max(largest, std::fabs(double{b[i]}));
    }
    return most / largest;
}

int reorders_of(const choice& c) {
    int out = 0;
    for (const plait::graph_reorder& r : c.reorders) out += !r.is_ahead;
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const options say = read_options(argc, argv);
    use_one_thread();
    const int calls = say.time ? 20 : 2;
    const library dnnl;
    const network net = first_stages(1, say.size);
    const machine here = measure_machine(calls);
    const auto alternatives = measure_alternatives(dnnl, net, calls);
    print_alternatives(net, alternatives);
    std::printf("\nmemcpy %.1f GB/s; reorders in runs, pieces, transposed: %lld, %lld, %lld %% of its time\n\n",
                here.bytes_per_second / 1e9, static_cast<long long>(here.costs.percent[0]),
                static_cast<long long>(here.costs.percent[1]), static_cast<long long>(here.costs.percent[2]));

    const parameters values = random_parameters(net);
    const std::vector<float> image = random_image(net);
    const choice plain = choose(net, alternatives, here, strategy::plain);
    const std::vector<float> right = runner(dnnl, net, plain, values, reorders_by::plait)(image);
    bool good = true;
    dim_t least = 0;
    std::printf("%-19s %12s %9s %12s %11s %s\n", "", "cost, bytes", "reorders", "moved, bytes", "difference",
                say.time ? "    by plait   by libdnnl" : "");
    for (const strategy how : {strategy::chosen, strategy::greedy, strategy::plain}) {
        const choice c = choose(net, alternatives, here, how);
        runner by_plait(dnnl, net, c, values, reorders_by::plait),
            by_libdnnl(dnnl, net, c, values, reorders_by::libdnnl);
        const double wrong = std::max(difference(by_plait(image), right), difference(by_libdnnl(image), right));
        std::printf("%-19s %12lld %9d %12lld %11.1e", names[static_cast<int>(how)], static_cast<long long>(c.cost),
                    reorders_of(c), static_cast<long long>(c.bytes_moved()), wrong);
        if (say.time)
            std::printf("  %8.3f ms  %8.3f ms", 1e3 * best_seconds(calls, [&] { by_plait(image); }),
                        1e3 * best_seconds(calls, [&] { by_libdnnl(image); }));
        std::printf("%s\n", how == strategy::chosen && c.is_optimal ? "  (proved least)" : "");
        if (how == strategy::chosen) least = c.cost;
        good = good && wrong < 1e-5 && c.cost >= least;
    }
    if (!good) std::printf("WRONG: results differ, or what was chosen costs more\n");
    return good ? 0 : 1;
}
