#pragma once
/* The C interface of plait, C99: tensor memory descriptors, the operations on them, and reorders of the data.
 *
 * Every function that can be refused returns a status. What is refused writes nothing, whatever was passed: null
 * pointers, unknown numbers, descriptors put together by hand, buffers that are too small. plait_last_refusal() says
 * why in a sentence. Sizes of buffers are in bytes; extents, strides and offsets are in elements. No function keeps a
 * pointer that it was given, none throws, all may be called by several threads at once.
 *
 * Link with plait::c or plait::c_shared (CMake), or libplait. Example: examples/integrations/from_c.c; with Python:
 * from_python.py.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

enum { PLAIT_MAX_NDIMS = 12, PLAIT_MAX_INNER_BLOCKS = 23 };

/* Numbers of fixed size, not C enumerations, so that a number unknown to this version is refused and not undefined. */
typedef int32_t plait_status_t;
enum { PLAIT_SUCCESS = 0, PLAIT_OUT_OF_MEMORY = 1, PLAIT_INVALID_ARGUMENTS = 2, PLAIT_UNIMPLEMENTED = 3 };

typedef int32_t plait_data_type_t;
enum {
    PLAIT_UNDEF = 0,
    PLAIT_F64 = 1,
    PLAIT_F32 = 2,
    PLAIT_BF16 = 3,
    PLAIT_F16 = 4,
    PLAIT_F8_E5M2 = 5,
    PLAIT_F8_E4M3 = 6,
    PLAIT_S32 = 7,
    PLAIT_S8 = 8,
    PLAIT_U8 = 9
};

typedef int32_t plait_format_kind_t;
enum {
    PLAIT_FORMAT_KIND_UNDEF = 0,
    PLAIT_FORMAT_KIND_ANY = 1,     /* dims without a place in memory yet */
    PLAIT_FORMAT_KIND_BLOCKED = 2, /* all that `blocking` describes: plain, strided, blocked, views */
    PLAIT_FORMAT_KIND_OPAQUE = 3   /* not described; every operation answers PLAIT_UNIMPLEMENTED */
};

/* What a descriptor asks for besides the data, ORed; the numbers are those of oneDNN. */
enum {
    PLAIT_EXTRA_NONE = 0,
    PLAIT_EXTRA_COMPENSATION_S8S8 = 1,             /* -128 * sum of the weights, s32, behind the data */
    PLAIT_EXTRA_SCALE_ADJUST = 2,                  /* the data is multiplied by scale_adjust */
    PLAIT_EXTRA_COMPENSATION_ASYMMETRIC_SOURCE = 8 /* -1 * sum of the weights, s32, behind the data */
};
/* The sums lie as the data does, restricted to the axes of the mask, as in oneDNN: the outer and inner blocks of these
 * axes in the order in which they lie in memory, with their padding, made dense. Of Abcd16a and mask 3 (a and b) they
 * lie as Ab16a. A permutation of the axes moves no sum. */

/* What plait_memory_desc_extended_reshape may give up, ORed. */
enum {
    PLAIT_EXTENDED_RESHAPE_NONE = 0,
    PLAIT_EXTENDED_RESHAPE_ALLOW_LOGICAL_PHYSICAL_ORDER_MISMATCH = 1,
    PLAIT_EXTENDED_RESHAPE_ALLOW_DIMS_PADDED_DIMS_MISMATCH = 2
};

/* Extents, strides, offsets, in elements. INT64_MIN in dims, padded_dims and strides: known only at run time. Such a
 * descriptor can be operated on; where memory is looked at, numbers are needed. (The twelve numbers behind it are
 * strides that follow from axis 0, 1, ...: "directly outside of that axis".) */
typedef int64_t plait_dim_t;
typedef plait_dim_t plait_dims_t[PLAIT_MAX_NDIMS];

/* The RFC's blocking: outer blocks with strides of their own, and inner blocks from outer to inner. inner_strides is
 * plait's: of a format tag the inner blocks are dense (each has the product of those behind it), in a view they need
 * not be. */
typedef struct {
    plait_dims_t strides;                              /* between outer blocks, one an axis */
    plait_dim_t inner_blks[PLAIT_MAX_INNER_BLOCKS];    /* {4, 16, 4} in OIhw4i16o4i */
    plait_dim_t inner_strides[PLAIT_MAX_INNER_BLOCKS]; /* {64, 4, 1} in OIhw4i16o4i */
    int32_t inner_idxs[PLAIT_MAX_INNER_BLOCKS];        /* {1, 0, 1} in OIhw4i16o4i */
    int32_t inner_nblks;                               /* 3 in OIhw4i16o4i */
} plait_blocking_desc_t;

typedef struct {
    uint64_t flags;                 /* PLAIT_EXTRA_... */
    int32_t compensation_mask;      /* of s8s8: bit a: a value for each index of axis a; 0 without the flag */
    int32_t asymmetric_source_mask; /* the same; 0 without its flag */
    float scale_adjust;             /* read only with its flag; without it 0 or 1 */
    int32_t reserved[13];           /* zeros */
} plait_memory_extra_desc_t;

enum { PLAIT_MEMORY_DESC_VERSION = 1 };

/* A tensor in memory. Made by the functions below, or by hand: whoever reads one checks it first. Only the first ndims
 * entries of dims, padded_dims, padded_offsets and strides are read, and the first inner_nblks of the blocks. */
typedef struct {
    int32_t version; /* PLAIT_MEMORY_DESC_VERSION */
    int32_t ndims;
    plait_data_type_t data_type;
    plait_format_kind_t format_kind;
    plait_dims_t dims;
    plait_dims_t padded_dims;    /* dims, padded to whole blocks or further */
    plait_dims_t padded_offsets; /* where the tensor begins within the padded one */
    plait_dim_t offset0;         /* of index 0, from the pointer to the data on; no offset is negative */
    plait_blocking_desc_t blocking;
    plait_memory_extra_desc_t extra;
    int64_t reserved[8]; /* zeros */
} plait_memory_desc_t;

/* ---- Words ---- */

const char* plait_version(void);                            /* "0.1.0" */
const char* plait_status_string(plait_status_t status);     /* "invalid_arguments"; "unknown status" for others */
const char* plait_data_type_string(plait_data_type_t type); /* "bf16"; "unknown data type" for others */

/* Why this thread's last refused call was refused: rule, axis, numbers. Never null; "" before the first refusal. Valid
 * until the next refusal on the same thread; calls that succeed leave it. */
const char* plait_last_refusal(void);

/* The same in fields, for programs that go on from there. */
typedef struct {
    char reason[64];        /* the rule's word in the sentence: "axis_is_blocked"; "" before the first refusal */
    int32_t axis;           /* the axis it is about, or -1 */
    int32_t reserved;       /* zero */
    plait_dim_t numbers[3]; /* those of the rule, in the order of its verdict; 0 where it has fewer */
} plait_refusal_t;
/* Writes why this thread's last refused call was refused. Of what is refused before plait is asked, such as a null
 * pointer, the reason is there, the axis is -1, and the numbers are in the sentence alone. Refused: out is null or
 * misaligned. */
plait_status_t plait_get_last_refusal(plait_refusal_t* out);

/* ---- Descriptors. `out` may be `in`: what is refused leaves it as it was. ---- */

/* Dense, in the order and with the inner blocks of a tag: "nchw", "aBcd16b", "any". */
plait_status_t plait_memory_desc_init_by_tag(plait_memory_desc_t* out, int ndims, const plait_dim_t* dims,
                                             plait_data_type_t data_type, const char* tag);
/* Not blocked, with the strides given, none negative; null: dense, the last axis innermost. Elements may share places
 * (0 repeats an element): such a tensor can be read, and is refused as a destination. */
plait_status_t plait_memory_desc_init_by_strides(plait_memory_desc_t* out, int ndims, const plait_dim_t* dims,
                                                 const plait_dim_t* strides, plait_data_type_t data_type);
/* The inner blocks of the tag, with strides given between the outer ones. */
plait_status_t plait_memory_desc_init_by_tag_and_strides(plait_memory_desc_t* out, int ndims, const plait_dim_t* dims,
                                                         plait_data_type_t data_type, const char* tag,
                                                         const plait_dim_t* strides);
/* The part of a tensor that begins at offsets, in the memory of the whole: the pointer to the data stays the same. */
plait_status_t plait_memory_desc_submemory(plait_memory_desc_t* out, const plait_memory_desc_t* parent,
                                           const plait_dim_t* dims, const plait_dim_t* offsets);

/* Whether a descriptor is whole: what every function asks of those that it reads. */
plait_status_t plait_memory_desc_check(const plait_memory_desc_t* desc);

/* RFC, 3.1: axes split, joined, added, removed; the data stays where it is. */
plait_status_t plait_memory_desc_reshape(plait_memory_desc_t* out, const plait_memory_desc_t* in, int new_ndims,
                                         const plait_dim_t* new_dims);
/* RFC, 4.3, with PLAIT_EXTENDED_RESHAPE_... */
plait_status_t plait_memory_desc_extended_reshape(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                                  int new_ndims, const plait_dim_t* new_dims, unsigned flags);
/* The complete reshape: through blocks and any order of memory; what it makes may have no format tag. */
plait_status_t plait_memory_desc_view(plait_memory_desc_t* out, const plait_memory_desc_t* in, int new_ndims,
                                      const plait_dim_t* new_dims);
/* One axis becomes `count` axes with the extents of `parts`, the last the fastest; the data stays where it is. */
plait_status_t plait_memory_desc_split_axis(plait_memory_desc_t* out, const plait_memory_desc_t* in, int axis,
                                            int count, const plait_dim_t* parts);
/* The axes first to last, both included, become one axis; the data stays where it is. */
plait_status_t plait_memory_desc_join_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in, int first,
                                           int last);
/* The same elements in the same places without padding, so that an axis that was padded can be split or joined. A
 * reorder into the result writes no zeros where the padding was. */
plait_status_t plait_memory_desc_forget_padding(plait_memory_desc_t* out, const plait_memory_desc_t* in);
/* einops' rearrange: axes split, permuted and joined by a pattern, "n (g c) h w -> n g h w c"; the data stays where it
 * is. names[i] has extents[i], for `count` names of it; of a group in parentheses one may be left out, for division. */
plait_status_t plait_memory_desc_rearrange(plait_memory_desc_t* out, const plait_memory_desc_t* in, const char* pattern,
                                           int count, const char* const* names, const plait_dim_t* extents);
/* What rearrange cannot do in place, as a reorder from `in` to *to: *result is the same memory with the axes of the
 * pattern, dense and row-major. The arguments are those of rearrange, whose refusal names this function if it would do.
 */
plait_status_t plait_memory_desc_rearrange_copy(plait_memory_desc_t* to, plait_memory_desc_t* result,
                                                const plait_memory_desc_t* in, const char* pattern, int count,
                                                const char* const* names, const plait_dim_t* extents);
/* RFC, 3.2: axis i becomes axis perm[i]; ndims numbers. */
plait_status_t plait_memory_desc_permute_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in, const int* perm);
/* RFC, 3.2: axis renamed_axes[i] becomes axis i; ndims numbers. */
plait_status_t plait_memory_desc_rename_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                             const int* renamed_axes);

/* The extents known only at run time, in order. */
plait_status_t plait_memory_desc_bind(plait_memory_desc_t* out, const plait_memory_desc_t* in, int count,
                                      const plait_dim_t* values);

/* *out is where the element at `position` lies, in elements from offset 0; ndims numbers, each below its extent. */
plait_status_t plait_memory_desc_get_offset(plait_dim_t* out, const plait_memory_desc_t* desc,
                                            const plait_dim_t* position);
/* 1 if both are whole and equal (RFC, 5: strides of axes of one element do not count), else 0. */
int plait_memory_desc_equal(const plait_memory_desc_t* lhs, const plait_memory_desc_t* rhs);
/* 1 if desc has the inner blocks of the tag and its strides, or those given (-1: any); strides may be null; else 0. */
int plait_memory_desc_matches_tag(const plait_memory_desc_t* desc, const char* tag, const plait_dim_t* strides);
/* The memory size of the RFC, in bytes, compensation included, as oneDNN counts it: of the outermost axis all of its
 * stride counts; offset0 does not. 0 if refused, or without elements. */
size_t plait_memory_desc_get_size(const plait_memory_desc_t* desc);
/* How many bytes a buffer needs, from where offset 0 lies to the end of the last element, or of the compensation. */
size_t plait_memory_desc_get_buffer_size(const plait_memory_desc_t* desc);
/* The tag, with strides behind a colon where it does not say them, or all digits of what cannot be made from dims, tag
 * and strides, as text of up to `size` bytes with the 0 at the end; refused if it is longer. */
plait_status_t plait_memory_desc_format_name(const plait_memory_desc_t* desc, char* text, size_t size);

/* ---- Data. A pointer to data is to where offset 0 lies. ---- */

/* Writes zeros into the padding, and nothing else: neither elements, nor gaps, nor compensation. Any alignment. */
plait_status_t plait_zero_pad(const plait_memory_desc_t* desc, void* data, size_t size);
/* *answer is 1 if all bits of the padding are zero, else 0. */
plait_status_t plait_is_padding_zero(const plait_memory_desc_t* desc, const void* data, size_t size, int* answer);

/* One scale or zero point: `value` for the whole tensor, or `count` values for the axes of mask: as many as the product
 * of their extents, the last axis fastest. A scale that is 0, infinite or NaN is refused (scale_is_invalid, with its
 * place), and so is a beta that is not finite (beta_is_not_finite). */
typedef struct {
    const float* values; /* null: value */
    uint64_t count;
    float value;
    int32_t mask;
} plait_scale_t;
typedef struct {
    const int32_t* values; /* null: value */
    uint64_t count;
    int32_t value;
    int32_t mask;
} plait_zero_point_t;

enum { PLAIT_REORDER_ATTRIBUTES_VERSION = 1 };

/* dst = ((src - src_zero_point) * src_scale + beta * old dst) * (1 / dst_scale) + dst_zero_point */
typedef struct {
    int32_t version; /* PLAIT_REORDER_ATTRIBUTES_VERSION */
    float beta;
    plait_scale_t src_scale;
    plait_scale_t dst_scale;
    plait_zero_point_t src_zero_point;
    plait_zero_point_t dst_zero_point;
    int64_t reserved[4]; /* zeros */
} plait_reorder_attributes_t;

/* Attributes that change nothing: scales 1, zero points 0, beta 0. */
plait_status_t plait_reorder_attributes_init(plait_reorder_attributes_t* attributes);

/* A reorder that is planned: what it takes from the attributes is copied into it. */
typedef struct plait_planned_reorder plait_reorder_t;

/* Plans once; attributes may be null. What was made has to be destroyed. If an extent or a stride of either descriptor
 * is known only at run time (INT64_MIN), what is known is checked, and plait_reorder_execute_bound plans. Attributes of
 * a mask over such an extent may have any number of values here, or none. */
plait_status_t plait_reorder_create(plait_reorder_t** out, const plait_memory_desc_t* src,
                                    const plait_memory_desc_t* dst, const plait_reorder_attributes_t* attributes);
/* Needs as many bytes as lie between offset 0 and the end of the tensor (plait_memory_desc_get_buffer_size), aligned
 * for the elements, and for s32 where compensation follows. Moves the data, writes zeros into the padding of dst, and
 * compensation behind it where dst asks. Any number of threads may execute one reorder at once, on other data. In place
 * only where both descriptors are equal, without attributes and compensation; spans that overlap otherwise are refused.
 */
plait_status_t plait_reorder_execute(const plait_reorder_t* reorder, const void* src, size_t src_size, void* dst,
                                     size_t dst_size);
/* Moves data as a reorder of src_desc and dst_desc does, which have to be the descriptors of plait_reorder_create with
 * numbers in place of INT64_MIN: other extents, strides, blocks, padding, types and extras are refused with the axis
 * and both numbers, but offset0 may be any. Attributes replace those of plait_reorder_create; null stands for those.
 * The plan is kept in the reorder for the next call with equal descriptors and attributes; else this plans, without the
 * heap unless attributes have arrays, which are copied. Any number of threads may call it at once with one reorder, and
 * none waits. All else is as of plait_reorder_execute, which is refused for such a reorder, as this is for any other.
 */
plait_status_t plait_reorder_execute_bound(const plait_reorder_t* reorder, const plait_memory_desc_t* src_desc,
                                           const void* src, size_t src_size, const plait_memory_desc_t* dst_desc,
                                           void* dst, size_t dst_size, const plait_reorder_attributes_t* attributes);
/* Null is allowed, and nothing to do. */
void plait_reorder_destroy(plait_reorder_t* reorder);

/* Plans, moves once, forgets. */
plait_status_t plait_reorder(const plait_memory_desc_t* src_desc, const void* src, size_t src_size,
                             const plait_memory_desc_t* dst_desc, void* dst, size_t dst_size,
                             const plait_reorder_attributes_t* attributes);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
