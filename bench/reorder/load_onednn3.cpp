#include "load_onednn3.hpp"

#include <dlfcn.h>

#include <cstdio>

namespace bench {
namespace {

onednn3_functions load() {
#if defined(BENCH_ONEDNN_3)
    // libdnnl 2 defines the same names. DEEPBIND: the module and version 3 find version 3's first.
    void* const module = dlopen(BENCH_ONEDNN_3, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    void* const functions = module != nullptr ? dlsym(module, "plait_bench_onednn3") : nullptr;
    onednn3_functions out{};
    if (functions != nullptr) out = reinterpret_cast<onednn3_functions (*)()>(functions)();
    else out.cannot = dlerror();
    if (out.cannot != nullptr) std::fprintf(stderr, "oneDNN 3 takes no part: %s\n", out.cannot);
    return out;
#else
    return {};
#endif
}

}  // namespace

const onednn3_functions& onednn3() {
    static const onednn3_functions loaded = load();
    return loaded;
}

}  // namespace bench
