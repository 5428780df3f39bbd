#pragma once
// The engine of oneDNN, for whichever version's dnnl.h the unit is compiled with.

#include <plait/interop/onednn.hpp>

namespace bench {
namespace {  // with external linkage, the loader would make one engine of both versions

dnnl_engine_t cpu() {
    static const dnnl_engine_t engine = [] {
        dnnl_engine_t made = nullptr;
        dnnl_engine_create(&made, dnnl_cpu, 0);
        return made;
    }();
    return engine;
}

}  // namespace
}  // namespace bench
