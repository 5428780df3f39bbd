#pragma once
// A stub of oneDNN 3 for machines without it, such as those with Debian 12. It declares the part of the C interface
// that interop/onednn.hpp calls, with the names, types and numbers of oneDNN's documentation, and a few of the tags.
// onednn_of_version_3_stub.cpp implements it after spec/onednn-behaviour, sections 1.1 to 1.6.

#include <stddef.h>
#include <stdint.h>

#define DNNL_VERSION_MAJOR 3
#define DNNL_VERSION_MINOR 8
#define DNNL_MAX_NDIMS 12
#define DNNL_RUNTIME_DIM_VAL INT64_MIN

typedef int64_t dnnl_dim_t;
typedef dnnl_dim_t dnnl_dims_t[DNNL_MAX_NDIMS];
struct dnnl_memory_desc;
typedef struct dnnl_memory_desc* dnnl_memory_desc_t;
typedef const struct dnnl_memory_desc* const_dnnl_memory_desc_t;

typedef enum {
    dnnl_success = 0,
    dnnl_out_of_memory = 1,
    dnnl_invalid_arguments = 2,
    dnnl_unimplemented = 3
} dnnl_status_t;

typedef enum {
    dnnl_data_type_undef = 0,
    dnnl_f16 = 1,
    dnnl_bf16 = 2,
    dnnl_f32 = 3,
    dnnl_s32 = 4,
    dnnl_s8 = 5,
    dnnl_u8 = 6,
    dnnl_f64 = 7,
    dnnl_boolean = 8,
    dnnl_f8_e5m2 = 9,
    dnnl_f8_e4m3 = 10,
    dnnl_s4 = 11,
    dnnl_u4 = 12,
    dnnl_data_type_max = 0x7fff
} dnnl_data_type_t;

typedef enum {
    dnnl_format_kind_undef = 0,
    dnnl_format_kind_any,
    dnnl_blocked,
    dnnl_format_kind_opaque,
    dnnl_format_kind_sparse,  // only in builds with sparse tensors
    dnnl_format_kind_max = 0x7fff
} dnnl_format_kind_t;

// A few of several hundred tags.
typedef enum {
    dnnl_format_tag_undef = 0,
    dnnl_format_tag_any,
    dnnl_a,
    dnnl_ab,
    dnnl_abc,
    dnnl_abcd,
    dnnl_acdb,
    dnnl_Abc16a,
    dnnl_aBc16b,
    dnnl_AB16b16a,
    dnnl_BA16a64b4a,
    dnnl_aBcd8b,
    dnnl_aBcd16b,
    dnnl_ABcd16b16a,
    dnnl_ABcd4b16a4b,
    dnnl_aBCde16c16b,
    dnnl_format_tag_last,
    dnnl_format_tag_max = 0x7fff
} dnnl_format_tag_t;

typedef enum {
    dnnl_query_undef = 0,
    dnnl_query_strides = 69,
    dnnl_query_exec_arg_md = 255,
    dnnl_query_ndims_s32,
    dnnl_query_dims,
    dnnl_query_data_type,
    dnnl_query_submemory_offset_s64,
    dnnl_query_padded_dims,
    dnnl_query_padded_offsets,
    dnnl_query_format_kind,
    dnnl_query_inner_nblks_s32,
    dnnl_query_inner_blks,
    dnnl_query_inner_idxs,
    dnnl_query_max = 0x7fff
} dnnl_query_t;

#ifdef __cplusplus
extern "C" {
#endif
dnnl_status_t dnnl_memory_desc_destroy(dnnl_memory_desc_t md);
dnnl_status_t dnnl_memory_desc_create_with_strides(dnnl_memory_desc_t* md, int ndims, const dnnl_dims_t dims,
                                                   dnnl_data_type_t data_type, const dnnl_dims_t strides);
dnnl_status_t dnnl_memory_desc_create_with_tag(dnnl_memory_desc_t* md, int ndims, const dnnl_dims_t dims,
                                               dnnl_data_type_t data_type, dnnl_format_tag_t tag);
dnnl_status_t dnnl_memory_desc_create_submemory(dnnl_memory_desc_t* md, const_dnnl_memory_desc_t parent,
                                                const dnnl_dims_t dims, const dnnl_dims_t offsets);
dnnl_status_t dnnl_memory_desc_reshape(dnnl_memory_desc_t* out, const_dnnl_memory_desc_t in, int ndims,
                                       const dnnl_dims_t dims);
dnnl_status_t dnnl_memory_desc_permute_axes(dnnl_memory_desc_t* out, const_dnnl_memory_desc_t in,
                                            const int* permutation);
dnnl_status_t dnnl_memory_desc_query(const_dnnl_memory_desc_t md, dnnl_query_t what, void* result);
int dnnl_memory_desc_equal(const_dnnl_memory_desc_t lhs, const_dnnl_memory_desc_t rhs);
size_t dnnl_memory_desc_get_size(const_dnnl_memory_desc_t md);
#ifdef __cplusplus
}
#endif
