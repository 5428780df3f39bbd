#pragma once
// The struct behind the stub's handles, for tests that need a descriptor that no function makes.

#include "dnnl.h"

struct dnnl_memory_desc {
    int ndims = 0;
    dnnl_dims_t dims{}, padded_dims{}, padded_offsets{};
    dnnl_data_type_t data_type = dnnl_data_type_undef;
    dnnl_dim_t offset0 = 0;
    dnnl_format_kind_t format_kind = dnnl_format_kind_undef;
    dnnl_dims_t strides{}, inner_blks{}, inner_idxs{};
    int inner_nblks = 0;
    uint64_t extra_flags = 0;
};
