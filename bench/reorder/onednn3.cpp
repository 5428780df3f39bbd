// oneDNN 3's part of the race: a module of its own, compiled with version 3's headers and linked to version 3 alone.
// load_onednn3.cpp loads it, because a program that links libdnnl 2 has other functions of the same names.

#include "load_onednn3.hpp"
#include "onednn_engine.hpp"

#include <dlfcn.h>

#include <memory>

namespace bench {
namespace {

/// A reorder and its memory. Scales and zero points are memory too: version 3 reads them when the reorder runs.
class prepared {
public:
    prepared(const row& r, const void* in, void* out) {
        expected<onednn_descriptor> src = try_to_onednn(r.src_descriptor()), dst = try_to_onednn(r.dst_descriptor());
        ok_ = src && dst && dnnl_primitive_attr_create(&attributes_) == dnnl_success;
        if (!ok_) return;
        // The source is only read.
        add_memory(DNNL_ARG_FROM, src->get(), const_cast<void*>(in));
        add_memory(DNNL_ARG_TO, dst->get(), out);
        add_attributes(r.attributes);
        dnnl_primitive_desc_t description = nullptr;
        check(dnnl_reorder_primitive_desc_create(&description, src->get(), cpu(), dst->get(), cpu(), attributes_));
        if (ok_) check(dnnl_primitive_create(&primitive_, description));
        if (ok_) check(dnnl_stream_create(&stream_, cpu(), dnnl_stream_default_flags));
        if (description != nullptr) dnnl_primitive_desc_destroy(description);
    }
    prepared(const prepared&) = delete;
    ~prepared() {
        if (stream_ != nullptr) dnnl_stream_destroy(stream_);
        if (primitive_ != nullptr) dnnl_primitive_destroy(primitive_);
        for (const dnnl_exec_arg_t& argument : arguments_) dnnl_memory_destroy(argument.memory);
        if (attributes_ != nullptr) dnnl_primitive_attr_destroy(attributes_);
    }
    bool ok() const { return ok_; }
    void run() const {
        dnnl_primitive_execute(primitive_, stream_, static_cast<int>(arguments_.size()), arguments_.data());
        dnnl_stream_wait(stream_);
    }

private:
    void check(dnnl_status_t status) { ok_ = ok_ && status == dnnl_success; }
    void add_memory(int argument, const_dnnl_memory_desc_t description, void* data) {
        dnnl_memory_t memory = nullptr;
        check(dnnl_memory_create(&memory, description, cpu(), data));
        if (memory != nullptr) arguments_.push_back({argument, memory});
    }
    /// The values of a scale or zero point, copied: one for the tensor, or an array by index.
    template <class Value>
    void add_values(int argument, dnnl_data_type_t type, const plait::detail::values_of_attribute<Value>& from,
                    std::vector<Value>& to) {
        to.assign(1, from.value);
        if (from.mask != 0) to.assign(from.values, from.values + from.count);
        const dnnl_dim_t count = static_cast<dnnl_dim_t>(to.size()), stride = 1;
        dnnl_memory_desc_t description = nullptr;
        check(dnnl_memory_desc_create_with_strides(&description, 1, &count, type, &stride));
        if (!ok_) return;
        add_memory(argument, description, to.data());
        dnnl_memory_desc_destroy(description);
    }
    void add_scale(int side, const reorder_attributes::scale& scale, std::vector<float>& values) {
        if (scale.mask == 0 && scale.value == 1) return;
        check(dnnl_primitive_attr_set_scales_mask(attributes_, side, scale.mask));
        add_values<float>(DNNL_ARG_ATTR_SCALES | side, dnnl_f32, scale, values);
    }
    void add_zero_point(int side, const reorder_attributes::zero_point& zero, std::vector<std::int32_t>& values) {
        if (zero.mask == 0 && zero.value == 0) return;
        check(dnnl_primitive_attr_set_zero_points_mask(attributes_, side, zero.mask));
        add_values<std::int32_t>(DNNL_ARG_ATTR_ZERO_POINTS | side, dnnl_s32, zero, values);
    }
    void add_attributes(const reorder_attributes& a) {
        add_scale(DNNL_ARG_FROM, a.src_scale, scales_[0]);
        add_scale(DNNL_ARG_TO, a.dst_scale, scales_[1]);
        add_zero_point(DNNL_ARG_FROM, a.src_zero_point, zero_points_[0]);
        add_zero_point(DNNL_ARG_TO, a.dst_zero_point, zero_points_[1]);
        if (a.beta == 0) return;
        dnnl_post_ops_t sum = nullptr;
        check(dnnl_post_ops_create(&sum));
        if (!ok_) return;
        check(dnnl_post_ops_append_sum(sum, a.beta, 0, dnnl_data_type_undef));
        check(dnnl_primitive_attr_set_post_ops(attributes_, sum));
        dnnl_post_ops_destroy(sum);
    }

    bool ok_ = false;
    dnnl_primitive_attr_t attributes_ = nullptr;
    dnnl_primitive_t primitive_ = nullptr;
    dnnl_stream_t stream_ = nullptr;
    std::vector<float> scales_[2];
    std::vector<std::int32_t> zero_points_[2];
    std::vector<dnnl_exec_arg_t> arguments_;
};

std::function<void()> prepare(const row& r, const void* in, void* out) {
    auto made = std::make_shared<const prepared>(r, in, out);
    if (!made->ok()) return {};
    return [made] { made->run(); };
}

/// One thread: a build for another library than OpenMP has no function that sets it.
onednn3_functions functions() {
    static const std::string version =
        std::to_string(dnnl_version()->major) + "." + std::to_string(dnnl_version()->minor);
    const bool is_openmp = dnnl_version()->cpu_runtime == DNNL_RUNTIME_OMP;
    if (!is_openmp && dnnl_version()->cpu_runtime != DNNL_RUNTIME_SEQ)
        return {nullptr, nullptr, "it was built neither for OpenMP nor for one thread"};
    void* const set = is_openmp ? dlsym(RTLD_DEFAULT, "omp_set_num_threads") : nullptr;
    if (set != nullptr) reinterpret_cast<void (*)(int)>(set)(1);
    if (is_openmp && set == nullptr) return {nullptr, nullptr, "its OpenMP library has no omp_set_num_threads"};
    return {prepare, version.c_str(), nullptr};
}

}  // namespace
}  // namespace bench

extern "C" __attribute__((visibility("default"))) bench::onednn3_functions plait_bench_onednn3() {
    return bench::functions();
}
