// The stub of oneDNN 3. It implements the rules for memory descriptors in spec/onednn-behaviour, sections 1.1 to 1.6.

#include <dnnl.h>
#include <dnnl_debug.h>
#include <stub.hpp>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

namespace {

using description = std::unique_ptr<dnnl_memory_desc>;
constexpr dnnl_dim_t runtime = DNNL_RUNTIME_DIM_VAL;

constexpr const char* tags[] = {"undef",   "any",        "a",           "ab",         "abc",        "abcd",
                                "acdb",    "Abc16a",     "aBc16b",      "AB16b16a",   "BA16a64b4a", "aBcd8b",
                                "aBcd16b", "ABcd16b16a", "ABcd4b16a4b", "aBCde16c16b"};
static_assert(std::size(tags) == dnnl_format_tag_last);

dnnl_status_t give(dnnl_memory_desc_t* to, description made) {
    *to = made.release();
    return dnnl_success;
}

bool is_dynamic(const dnnl_memory_desc& d) {
    for (int a = 0; a < d.ndims; ++a)
        if (d.dims[a] == runtime || (d.format_kind == dnnl_blocked && d.strides[a] == runtime)) return true;
    return false;
}

dnnl_dim_t block_of(const dnnl_memory_desc& d, int axis) {
    dnnl_dim_t out = 1;
    for (int k = 0; k < d.inner_nblks; ++k)
        if (d.inner_idxs[k] == axis) out *= d.inner_blks[k];
    return out;
}

bool is_sane(int ndims, const dnnl_dims_t dims, dnnl_data_type_t type, bool any) {
    if (ndims < 0 || ndims > DNNL_MAX_NDIMS || type <= dnnl_data_type_undef || type > dnnl_u4 || type == dnnl_boolean)
        return false;
    return std::all_of(dims, dims + ndims, [any](dnnl_dim_t x) { return x >= 0 || (x == runtime && !any); });
}

description described(int ndims, const dnnl_dims_t dims, dnnl_data_type_t type, dnnl_format_kind_t kind) {
    auto out = std::make_unique<dnnl_memory_desc>();
    out->ndims = ndims;
    out->data_type = type;
    out->format_kind = kind;
    std::copy_n(dims, ndims, out->dims);
    std::copy_n(dims, ndims, out->padded_dims);
    return out;
}

/// True if the strides nest. Any strides are allowed if an extent is 0 or something is dynamic.
bool strides_nest(const dnnl_memory_desc& d) {
    std::vector<std::pair<dnnl_dim_t, dnnl_dim_t>> axes;
    for (int a = 0; a < d.ndims; ++a) {
        if (d.dims[a] == 0 || d.dims[a] == runtime || d.strides[a] == runtime) return true;
        axes.emplace_back(d.strides[a], d.dims[a]);
    }
    std::sort(axes.begin(), axes.end());
    dnnl_dim_t least = 1;
    for (const auto& [stride, extent] : axes) {
        if (stride == 0 || extent == 1) continue;
        if (stride < least) return false;
        least = stride * extent;
    }
    return true;
}

}  // namespace

const char* dnnl_fmt_tag2str(dnnl_format_tag_t tag) { return tag < dnnl_format_tag_last ? tags[tag] : "unknown"; }

dnnl_status_t dnnl_memory_desc_destroy(dnnl_memory_desc_t md) {
    delete md;
    return dnnl_success;
}

dnnl_status_t dnnl_memory_desc_create_with_tag(dnnl_memory_desc_t* md, int ndims, const dnnl_dims_t dims,
                                               dnnl_data_type_t data_type, dnnl_format_tag_t tag) {
    if (ndims == 0 || tag == dnnl_format_tag_undef) return give(md, std::make_unique<dnnl_memory_desc>());
    const bool any = tag == dnnl_format_tag_any;
    if (!is_sane(ndims, dims, data_type, any) || tag >= dnnl_format_tag_last) return dnnl_invalid_arguments;
    description out = described(ndims, dims, data_type, any ? dnnl_format_kind_any : dnnl_blocked);
    if (any) return give(md, std::move(out));
    const std::string text = tags[tag];
    std::vector<int> order;
    std::size_t i = 0;
    for (; i < text.size() && std::isalpha(text[i]) != 0; ++i) order.push_back(std::tolower(text[i]) - 'a');
    if (static_cast<int>(order.size()) != ndims) return dnnl_invalid_arguments;
    dnnl_dim_t stride = 1;
    while (i < text.size()) {
        std::size_t digits = 0;
        out->inner_blks[out->inner_nblks] = std::stoi(text.substr(i), &digits);
        stride *= out->inner_blks[out->inner_nblks];
        out->inner_idxs[out->inner_nblks++] = text[i + digits] - 'a';
        i += digits + 1;
    }
    for (int k = ndims - 1; k >= 0; --k) {
        const int a = order[static_cast<std::size_t>(k)];
        const dnnl_dim_t block = block_of(*out, a);
        if (dims[a] != runtime) out->padded_dims[a] = (dims[a] + block - 1) / block * block;
        out->strides[a] = stride;
        if (dims[a] == runtime) stride = runtime;
        else if (stride != runtime && dims[a] != 0) stride *= out->padded_dims[a] / block;
    }
    return give(md, std::move(out));
}

dnnl_status_t dnnl_memory_desc_create_with_strides(dnnl_memory_desc_t* md, int ndims, const dnnl_dims_t dims,
                                                   dnnl_data_type_t data_type, const dnnl_dims_t strides) {
    if (!is_sane(ndims, dims, data_type, false)) return dnnl_invalid_arguments;
    description out = described(ndims, dims, data_type, dnnl_blocked);
    std::copy_n(strides, ndims, out->strides);
    return strides_nest(*out) ? give(md, std::move(out)) : dnnl_invalid_arguments;
}

dnnl_status_t dnnl_memory_desc_create_submemory(dnnl_memory_desc_t* md, const_dnnl_memory_desc_t parent,
                                                const dnnl_dims_t dims, const dnnl_dims_t offsets) {
    if (is_dynamic(*parent)) return dnnl_unimplemented;
    for (int a = 0; a < parent->ndims; ++a)
        if (dims[a] < 0 || offsets[a] < 0 || offsets[a] + dims[a] > parent->dims[a]) return dnnl_invalid_arguments;
    if (parent->format_kind != dnnl_blocked) return dnnl_unimplemented;
    auto out = std::make_unique<dnnl_memory_desc>(*parent);
    for (int a = 0; a < parent->ndims; ++a) {
        const dnnl_dim_t block = block_of(*parent, a);
        const bool right = offsets[a] + dims[a] == parent->dims[a];
        if (offsets[a] % block != 0 || parent->padded_offsets[a] != 0) return dnnl_unimplemented;
        if (!right && dims[a] % block != 0 && dims[a] >= block) return dnnl_unimplemented;
        out->dims[a] = dims[a];
        out->padded_dims[a] = right ? parent->padded_dims[a] - offsets[a] : dims[a];
        out->offset0 += offsets[a] / block * parent->strides[a];
    }
    return give(md, std::move(out));
}

/// Supports only dims that do not change, because the tests need no others.
dnnl_status_t dnnl_memory_desc_reshape(dnnl_memory_desc_t* out, const_dnnl_memory_desc_t in, int ndims,
                                       const dnnl_dims_t dims) {
    if (in->format_kind != dnnl_blocked || is_dynamic(*in) || in->extra_flags != 0) return dnnl_invalid_arguments;
    if (ndims != in->ndims || !std::equal(dims, dims + ndims, in->dims)) return dnnl_unimplemented;
    return give(out, std::make_unique<dnnl_memory_desc>(*in));
}

dnnl_status_t dnnl_memory_desc_permute_axes(dnnl_memory_desc_t* out, const_dnnl_memory_desc_t in, const int* p) {
    if (in->format_kind != dnnl_blocked || is_dynamic(*in) || in->extra_flags != 0) return dnnl_invalid_arguments;
    auto made = std::make_unique<dnnl_memory_desc>(*in);
    for (int a = 0; a < in->ndims; ++a) {
        made->dims[p[a]] = in->dims[a];
        made->padded_dims[p[a]] = in->padded_dims[a];
        made->padded_offsets[p[a]] = in->padded_offsets[a];
        made->strides[p[a]] = in->strides[a];
    }
    for (int k = 0; k < in->inner_nblks; ++k) made->inner_idxs[k] = p[in->inner_idxs[k]];
    return give(out, std::move(made));
}

dnnl_status_t dnnl_memory_desc_query(const_dnnl_memory_desc_t md, dnnl_query_t what, void* result) {
    if (md == nullptr || result == nullptr) return dnnl_invalid_arguments;
    const auto list = [result](const dnnl_dims_t& numbers) { *static_cast<const dnnl_dims_t**>(result) = &numbers; };
    const bool of_blocks = what == dnnl_query_strides || what >= dnnl_query_inner_nblks_s32;
    if (of_blocks && md->format_kind != dnnl_blocked) return dnnl_invalid_arguments;
    switch (what) {
        case dnnl_query_ndims_s32: *static_cast<int*>(result) = md->ndims; break;
        case dnnl_query_data_type: *static_cast<dnnl_data_type_t*>(result) = md->data_type; break;
        case dnnl_query_submemory_offset_s64: *static_cast<dnnl_dim_t*>(result) = md->offset0; break;
        case dnnl_query_format_kind: *static_cast<dnnl_format_kind_t*>(result) = md->format_kind; break;
        case dnnl_query_inner_nblks_s32: *static_cast<int*>(result) = md->inner_nblks; break;
        case dnnl_query_dims: list(md->dims); break;
        case dnnl_query_padded_dims: list(md->padded_dims); break;
        case dnnl_query_padded_offsets: list(md->padded_offsets); break;
        case dnnl_query_strides: list(md->strides); break;
        case dnnl_query_inner_blks: list(md->inner_blks); break;
        case dnnl_query_inner_idxs: list(md->inner_idxs); break;
        default: return dnnl_unimplemented;
    }
    return dnnl_success;
}

int dnnl_memory_desc_equal(const_dnnl_memory_desc_t x, const_dnnl_memory_desc_t y) {
    if (x == y || (x != nullptr && y != nullptr && x->ndims == 0 && y->ndims == 0)) return 1;
    if (x == nullptr || y == nullptr || x->ndims != y->ndims || x->data_type != y->data_type ||
        x->offset0 != y->offset0 || x->format_kind != y->format_kind || x->extra_flags != y->extra_flags ||
        x->inner_nblks != y->inner_nblks)
        return 0;
    for (int a = 0; a < x->ndims; ++a) {
        if (x->dims[a] != y->dims[a] || x->padded_dims[a] != y->padded_dims[a]) return 0;
        if (x->padded_offsets[a] != y->padded_offsets[a]) return 0;
        const bool counts = x->dims[a] != 1 || x->padded_dims[a] != 1;
        if (counts && x->strides[a] != y->strides[a]) return 0;
    }
    for (int k = 0; k < x->inner_nblks; ++k)
        if (x->inner_blks[k] != y->inner_blks[k] || x->inner_idxs[k] != y->inner_idxs[k]) return 0;
    return 1;
}

/// Supports only f32, whole blocks and offset0 = 0.
size_t dnnl_memory_desc_get_size(const_dnnl_memory_desc_t md) {
    dnnl_dim_t most = 1, inner = 1;
    for (int a = 0; a < md->ndims; ++a) {
        if (md->dims[a] == 0) return 0;
        const dnnl_dim_t outer = md->padded_dims[a] / block_of(*md, a);
        if (outer > 1) most = std::max(most, outer * md->strides[a]);
        inner *= block_of(*md, a);
    }
    return static_cast<size_t>(most == 1 ? inner : most) * sizeof(float);
}
