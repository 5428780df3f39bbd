#include "libdnnl.hpp"

#ifdef DEMO_HAS_LIBDNNL
#include <plait/interop/onednn.hpp>

#include <dlfcn.h>

#include <memory>

namespace demo {

namespace {

/// A primitive and its arguments, which live until the program ends.
struct primitive {
    dnnl_engine_t cpu = nullptr;
    dnnl_stream_t stream = nullptr;
    dnnl_primitive_t reorder = nullptr;
    dnnl_exec_arg_t arguments[2] = {};
};

}  // namespace

std::function<void()> libdnnl_reorder(const plait::layout& from, float* in, const plait::layout& to, float* out) {
    // Its threads belong to an OpenMP library that it loads itself.
    if (void* const set = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(1);
    const dnnl_memory_desc_t src = plait::to_onednn({plait::data_type::f32, from}),
                             dst = plait::to_onednn({plait::data_type::f32, to});
    const auto made = std::make_shared<primitive>();
    dnnl_primitive_desc_t description = nullptr;
    dnnl_memory_t memory[2] = {};
    if (dnnl_engine_create(&made->cpu, dnnl_cpu, 0) != dnnl_success ||
        dnnl_stream_create(&made->stream, made->cpu, dnnl_stream_default_flags) != dnnl_success ||
        dnnl_reorder_primitive_desc_create(&description, &src, made->cpu, &dst, made->cpu, nullptr) != dnnl_success ||
        dnnl_primitive_create(&made->reorder, description) != dnnl_success ||
        dnnl_memory_create(&memory[0], &src, made->cpu, in) != dnnl_success ||
        dnnl_memory_create(&memory[1], &dst, made->cpu, out) != dnnl_success)
        return {};
    dnnl_primitive_desc_destroy(description);
    made->arguments[0] = {DNNL_ARG_FROM, memory[0]};
    made->arguments[1] = {DNNL_ARG_TO, memory[1]};
    return [made] {
        dnnl_primitive_execute(made->reorder, made->stream, 2, made->arguments);
        dnnl_stream_wait(made->stream);
    };
}

}  // namespace demo
#else
namespace demo {

std::function<void()> libdnnl_reorder(const plait::layout&, float*, const plait::layout&, float*) { return {}; }

}  // namespace demo
#endif
