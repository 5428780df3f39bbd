#include "libdnnl.hpp"
#include "onednn_engine.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace bench {
namespace {

class prepared final : public libdnnl_reorder {
public:
    prepared(const row& r, void* in, void* out)
        : src_(to_onednn({r.src_type, r.src})), dst_(to_onednn({r.dst_type, r.dst})) {
        dnnl_primitive_desc_t description = nullptr;
        dnnl_primitive_attr_create(&attributes_);
        set_attributes(r);
        ok_ = create(description, primitive_) && dnnl_memory_create(&from_, &src_, cpu(), in) == dnnl_success &&
              dnnl_memory_create(&to_, &dst_, cpu(), out) == dnnl_success &&
              dnnl_stream_create(&stream_, cpu(), dnnl_stream_default_flags) == dnnl_success;
        const char* text = "";
        if (ok_) dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, &text);
        implementation_ = text;
        dnnl_primitive_desc_destroy(description);
        arguments_[0] = {DNNL_ARG_FROM, from_};
        arguments_[1] = {DNNL_ARG_TO, to_};
    }
    prepared(const prepared&) = delete;
    ~prepared() override {
        dnnl_stream_destroy(stream_);
        dnnl_memory_destroy(from_);
        dnnl_memory_destroy(to_);
        dnnl_primitive_destroy(primitive_);
        dnnl_primitive_attr_destroy(attributes_);
    }
    bool ok() const { return ok_; }
    std::string implementation() const override { return implementation_; }
    void operator()() override { run(primitive_); }
    void create_and_run() override {
        dnnl_primitive_desc_t description = nullptr;
        dnnl_primitive_t primitive = nullptr;
        if (create(description, primitive)) run(primitive);
        dnnl_primitive_destroy(primitive);
        dnnl_primitive_desc_destroy(description);
    }

private:
    /// Version 2 has one array of scales for both sides, and a sum as post-op: x * scale + beta * old.
    ///
    /// Pre:     the scale of the destination is one for the tensor, as all that are drawn
    void set_attributes(const row& r) {
        const reorder_attributes& a = r.attributes;
        std::vector<float> scales{a.src_scale.value};
        if (a.src_scale.mask != 0) scales.assign(a.src_scale.values, a.src_scale.values + a.src_scale.count);
        for (float& scale : scales) scale /= a.dst_scale.value;
        if (scales.size() != 1 || scales[0] != 1)
            dnnl_primitive_attr_set_output_scales(attributes_, static_cast<dnnl_dim_t>(scales.size()), a.src_scale.mask,
                                                  scales.data());
        if (a.src_zero_point.value != 0)
            dnnl_primitive_attr_set_zero_points(attributes_, DNNL_ARG_SRC, 1, 0, &a.src_zero_point.value);
        if (a.dst_zero_point.value != 0)
            dnnl_primitive_attr_set_zero_points(attributes_, DNNL_ARG_DST, 1, 0, &a.dst_zero_point.value);
        if (a.beta == 0) return;
        dnnl_post_ops_t sum = nullptr;
        dnnl_post_ops_create(&sum);
        dnnl_post_ops_append_sum(sum, a.beta / a.dst_scale.value);
        dnnl_primitive_attr_set_post_ops(attributes_, sum);
        dnnl_post_ops_destroy(sum);
    }
    bool create(dnnl_primitive_desc_t& description, dnnl_primitive_t& primitive) const {
        return dnnl_reorder_primitive_desc_create(&description, &src_, cpu(), &dst_, cpu(), attributes_) ==
                   dnnl_success &&
               dnnl_primitive_create(&primitive, description) == dnnl_success;
    }
    void run(dnnl_primitive_t primitive) const {
        dnnl_primitive_execute(primitive, stream_, 2, arguments_);
        dnnl_stream_wait(stream_);
    }

    dnnl_memory_desc_t src_, dst_;
    dnnl_primitive_attr_t attributes_ = nullptr;
    bool ok_ = false;
    std::string implementation_;
    dnnl_primitive_t primitive_ = nullptr;
    dnnl_memory_t from_ = nullptr, to_ = nullptr;
    dnnl_stream_t stream_ = nullptr;
    dnnl_exec_arg_t arguments_[2]{};
};

}  // namespace

std::unique_ptr<libdnnl_reorder> libdnnl_reorder::make(const row& r, void* in, void* out, std::string& cannot) {
    for (const auto& made : {try_to_onednn({r.src_type, r.src}), try_to_onednn({r.dst_type, r.dst})})
        if (!made) cannot = to_string(made.error().reason);
    if (!cannot.empty()) return nullptr;
    auto made = std::make_unique<prepared>(r, in, out);
    if (made->ok()) return made;
    cannot = "no such reorder";
    return nullptr;
}

void forget_primitives() { dnnl_set_primitive_cache_capacity(0); }

void use_one_thread() {
    // libdnnl brings its OpenMP library along, which is not ours to link.
    if (void* const set = dlsym(RTLD_DEFAULT, "omp_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(1);
}

const char* libdnnl_version() {
    static const std::string text = std::to_string(dnnl_version()->major) + "." + std::to_string(dnnl_version()->minor);
    return text.c_str();
}

}  // namespace bench
