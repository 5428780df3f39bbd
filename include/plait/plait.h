#pragma once
/* The C interface of plait, C99: tensor memory descriptors, the operations on them, reorders of the data, and records
 * of packed weights.
 *
 * Every function that can fail returns a status. A call that fails writes nothing, whatever was passed: null pointers,
 * unknown numbers, hand-made descriptors, buffers that are too small. plait_last_refusal() gives the reason in a
 * sentence. Sizes of buffers are in bytes; extents, strides and offsets are in elements. No function keeps a pointer
 * that was passed to it, no function throws, and all functions may be called by several threads at the same time.
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

/* Fixed-size integers instead of C enumerations: a number unknown to this version is refused, not undefined. */
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
    PLAIT_U8 = 9,
    PLAIT_U1 = 10, /* of less than a byte: element k is at bit k * bits; bit 0 is the lowest of byte 0 */
    PLAIT_U2 = 11,
    PLAIT_U4 = 12,
    PLAIT_S4 = 13,
    PLAIT_F4_E2M1 = 14,
    PLAIT_F4_E3M0 = 15,
    PLAIT_F6_E2M3 = 16, /* 4 elements in 3 bytes */
    PLAIT_F6_E3M2 = 17,
    PLAIT_E8M0 = 18,   /* a power of two: the exponent of a scale */
    PLAIT_UE4M3 = 19,  /* f8_e4m3 without a sign, for scales */
    PLAIT_BOOLEAN = 20 /* one byte; every byte but 0 is true */
};

typedef int32_t plait_format_kind_t;
enum {
    PLAIT_FORMAT_KIND_UNDEF = 0,
    PLAIT_FORMAT_KIND_ANY = 1,     /* dims without a place in memory yet */
    PLAIT_FORMAT_KIND_BLOCKED = 2, /* described by `blocking`: plain, strided, blocked, views */
    PLAIT_FORMAT_KIND_OPAQUE = 3   /* not described; every operation returns PLAIT_UNIMPLEMENTED */
};

/* Additional data that a descriptor requires, ORed; the numbers are those of oneDNN. */
enum {
    PLAIT_EXTRA_NONE = 0,
    PLAIT_EXTRA_COMPENSATION_S8S8 = 1,             /* -128 * sum of the weights, s32, after the data */
    PLAIT_EXTRA_SCALE_ADJUST = 2,                  /* the data is multiplied by scale_adjust */
    PLAIT_EXTRA_COMPENSATION_ASYMMETRIC_SOURCE = 8 /* -1 * sum of the weights, s32, after the data */
};
/* The sums have the layout of the data restricted to the axes of the mask, as in oneDNN: the outer and inner blocks of
 * these axes, padding included, in their order in memory, made dense. For Abcd16a and mask 3 (a and b) the layout is
 * Ab16a. A permutation of the axes moves no sum. */

/* Restrictions that plait_memory_desc_extended_reshape may drop, ORed. */
enum {
    PLAIT_EXTENDED_RESHAPE_NONE = 0,
    PLAIT_EXTENDED_RESHAPE_ALLOW_LOGICAL_PHYSICAL_ORDER_MISMATCH = 1,
    PLAIT_EXTENDED_RESHAPE_ALLOW_DIMS_PADDED_DIMS_MISMATCH = 2
};

/* Extents, strides and offsets, in elements, which may be smaller than a byte. INT64_MIN in dims, padded_dims and
 * strides means known only at run time. Operations accept such descriptors; functions that access memory require
 * numbers. (The twelve numbers after INT64_MIN are strides that follow from axis 0, 1, ...: "directly outside of that
 * axis".) */
typedef int64_t plait_dim_t;
typedef plait_dim_t plait_dims_t[PLAIT_MAX_NDIMS];

/* The RFC's blocking: outer blocks with their own strides, and inner blocks from outer to inner. inner_strides is an
 * addition of plait: the inner blocks of a format tag are dense (each stride is the product of the blocks after it);
 * those of a view need not be. */
typedef struct {
    plait_dims_t strides;                              /* between outer blocks, one per axis */
    plait_dim_t inner_blks[PLAIT_MAX_INNER_BLOCKS];    /* {4, 16, 4} in OIhw4i16o4i */
    plait_dim_t inner_strides[PLAIT_MAX_INNER_BLOCKS]; /* {64, 4, 1} in OIhw4i16o4i */
    int32_t inner_idxs[PLAIT_MAX_INNER_BLOCKS];        /* {1, 0, 1} in OIhw4i16o4i */
    int32_t inner_nblks;                               /* 3 in OIhw4i16o4i */
} plait_blocking_desc_t;

typedef struct {
    uint64_t flags;                 /* PLAIT_EXTRA_... */
    int32_t compensation_mask;      /* s8s8: bit a: one value per index of axis a; 0 without its flag */
    int32_t asymmetric_source_mask; /* asymmetric source: likewise; 0 without its flag */
    float scale_adjust;             /* read only with its flag; without it 0 or 1 */
    int32_t reserved[13];           /* zeros */
} plait_memory_extra_desc_t;

enum { PLAIT_MEMORY_DESC_VERSION = 1 };

/* A tensor in memory, made by the functions below or by hand: every function checks the descriptors that it reads. Only
 * the first ndims entries of dims, padded_dims, padded_offsets and strides are read, and the first inner_nblks of the
 * blocks. */
typedef struct {
    int32_t version; /* PLAIT_MEMORY_DESC_VERSION */
    int32_t ndims;
    plait_data_type_t data_type;
    plait_format_kind_t format_kind;
    plait_dims_t dims;
    plait_dims_t padded_dims;    /* dims, padded to whole blocks or further */
    plait_dims_t padded_offsets; /* where the tensor begins within the padded one */
    plait_dim_t offset0;         /* offset of index 0 from the data pointer; no offset is negative */
    plait_blocking_desc_t blocking;
    plait_memory_extra_desc_t extra;
    int64_t reserved[8]; /* zeros */
} plait_memory_desc_t;

/* ---- Names and refusals ---- */

const char* plait_version(void);                            /* "0.1.0" */
const char* plait_status_string(plait_status_t status);     /* "invalid_arguments"; "unknown status" for others */
const char* plait_data_type_string(plait_data_type_t type); /* "bf16"; "unknown data type" for others */

/* Returns why this thread's last refused call failed: rule, axis, numbers. Never null; "" before the first refusal.
 * Valid until the next refusal on the same thread; calls that succeed do not change it. */
const char* plait_last_refusal(void);

/* The last refusal as data, for programs that handle it. */
typedef struct {
    char reason[64];        /* the name of the rule: "axis_is_blocked"; "" before the first refusal */
    int32_t axis;           /* the axis concerned, or -1 */
    int32_t reserved;       /* zero */
    plait_dim_t numbers[3]; /* the numbers of the verdict, in its order; the rest is 0 */
} plait_refusal_t;
/* Writes why this thread's last refused call failed. If the arguments themselves are invalid, for example a null
 * pointer, the reason is filled in, the axis is -1, and the numbers are only in the sentence. Refused: out is null or
 * misaligned. */
plait_status_t plait_get_last_refusal(plait_refusal_t* out);

/* ---- Descriptors. `out` may be `in`: a call that fails does not change it. ---- */

/* Makes a dense descriptor with the axis order and the inner blocks of a tag: "nchw", "aBcd16b", "any". */
plait_status_t plait_memory_desc_init_by_tag(plait_memory_desc_t* out, int ndims, const plait_dim_t* dims,
                                             plait_data_type_t data_type, const char* tag);
/* Makes a descriptor without blocks from strides, none negative; null: dense, the last axis innermost. Elements may
 * share places (stride 0 repeats an element): such a tensor can be read, and is refused as a destination. */
plait_status_t plait_memory_desc_init_by_strides(plait_memory_desc_t* out, int ndims, const plait_dim_t* dims,
                                                 const plait_dim_t* strides, plait_data_type_t data_type);
/* Makes a descriptor with the inner blocks of the tag and the given strides between outer blocks. */
plait_status_t plait_memory_desc_init_by_tag_and_strides(plait_memory_desc_t* out, int ndims, const plait_dim_t* dims,
                                                         plait_data_type_t data_type, const char* tag,
                                                         const plait_dim_t* strides);
/* Describes the part of a tensor that begins at `offsets`. The pointer to the data is still that of the whole. */
plait_status_t plait_memory_desc_submemory(plait_memory_desc_t* out, const plait_memory_desc_t* parent,
                                           const plait_dim_t* dims, const plait_dim_t* offsets);

/* Describes the indices begin, begin + step, ... of an axis in front of `end`, as x[begin:end:step] of NumPy. A
 * negative step goes backwards, down to the index after `end`, which is -1 to include index 0. No number counts from
 * the end of the axis. Refused: a step that does not fit the blocks of the axis. The pointer to the data is still that
 * of the whole. */
plait_status_t plait_memory_desc_strided_slice(plait_memory_desc_t* out, const plait_memory_desc_t* in, int axis,
                                               plait_dim_t begin, plait_dim_t end, plait_dim_t step);

/* Describes elements of `bytes` bytes (1, 2, 4, 8 or 16) in the layout of `in`, whose data type does not matter:
 * numbers that the library has no type for, such as int64, or complex ones. A reorder between two such descriptors of
 * the same size moves the bytes; they are not numbers, so attributes and other types give no sense. Elements of 16
 * bytes are described as two of 8, with an additional innermost axis. Refused: other sizes; 12 axes, if elements have
 * 16 bytes; compensation. */
plait_status_t plait_memory_desc_of_size(plait_memory_desc_t* out, const plait_memory_desc_t* in, size_t bytes);

/* Checks that a descriptor is valid. Every function checks the descriptors that it reads in this way. */
plait_status_t plait_memory_desc_check(const plait_memory_desc_t* desc);

/* RFC, 3.1: splits, joins, adds and removes axes; the data does not move. */
plait_status_t plait_memory_desc_reshape(plait_memory_desc_t* out, const plait_memory_desc_t* in, int new_ndims,
                                         const plait_dim_t* new_dims);
/* RFC, 4.3, with PLAIT_EXTENDED_RESHAPE_... */
plait_status_t plait_memory_desc_extended_reshape(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                                  int new_ndims, const plait_dim_t* new_dims, unsigned flags);
/* The complete reshape: through blocks and any order in memory; the result may have no format tag. */
plait_status_t plait_memory_desc_view(plait_memory_desc_t* out, const plait_memory_desc_t* in, int new_ndims,
                                      const plait_dim_t* new_dims);
/* Splits one axis into `count` axes with the extents `parts`, the last the fastest; the data does not move. */
plait_status_t plait_memory_desc_split_axis(plait_memory_desc_t* out, const plait_memory_desc_t* in, int axis,
                                            int count, const plait_dim_t* parts);
/* Joins the axes first to last, both included, into one axis; the data does not move. */
plait_status_t plait_memory_desc_join_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in, int first,
                                           int last);
/* Removes the padding from the description, so that an axis that was padded can be split or joined; no element moves. A
 * reorder into the result writes no zeros at the former padding. */
plait_status_t plait_memory_desc_forget_padding(plait_memory_desc_t* out, const plait_memory_desc_t* in);
/* The same memory as elements of another type: fewer or more of them along the axis whose neighbours lie side by side.
 * Nothing is converted. Refused unless one size divides the other, and extents, strides and offset0 are whole. */
plait_status_t plait_memory_desc_recast(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                        plait_data_type_t type);
/* einops' rearrange: splits, permutes and joins axes by a pattern, "n (g c) h w -> n g h w c"; the data does not move.
 * names[i] has extents[i], for i < count; one name of each group in parentheses may be omitted: its extent follows by
 * division. */
plait_status_t plait_memory_desc_rearrange(plait_memory_desc_t* out, const plait_memory_desc_t* in, const char* pattern,
                                           int count, const char* const* names, const plait_dim_t* extents);
/* Describes a reorder from `in` to *to that does what rearrange cannot do in place. *result is the memory of *to with
 * the axes of the pattern, dense and row-major. The arguments are those of rearrange; if this function would succeed,
 * the refusal of rearrange names it. */
plait_status_t plait_memory_desc_rearrange_copy(plait_memory_desc_t* to, plait_memory_desc_t* result,
                                                const plait_memory_desc_t* in, const char* pattern, int count,
                                                const char* const* names, const plait_dim_t* extents);
/* RFC, 3.2: axis i becomes axis perm[i]; ndims numbers. */
plait_status_t plait_memory_desc_permute_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in, const int* perm);
/* RFC, 3.2: axis renamed_axes[i] becomes axis i; ndims numbers. */
plait_status_t plait_memory_desc_rename_axes(plait_memory_desc_t* out, const plait_memory_desc_t* in,
                                             const int* renamed_axes);

/* Replaces the extents known only at run time by `values`, in order. */
plait_status_t plait_memory_desc_bind(plait_memory_desc_t* out, const plait_memory_desc_t* in, int count,
                                      const plait_dim_t* values);

/* Sets *out to the offset of the element at `position`, in elements from offset 0; ndims numbers, each below its
 * extent. */
plait_status_t plait_memory_desc_get_offset(plait_dim_t* out, const plait_memory_desc_t* desc,
                                            const plait_dim_t* position);
/* Sets *out to the number of elements that lie side by side in both, in the same order: the longest run that is
 * contiguous on both sides; 0 if the dims differ, or without elements. */
plait_status_t plait_memory_desc_get_common_run(plait_dim_t* out, const plait_memory_desc_t* lhs,
                                                const plait_memory_desc_t* rhs);

/* `count` elements from offset `src` of the source to offset `dst` of the destination, all in elements: a copy of bytes
 * if the elements are whole bytes. Elements smaller than a byte may begin or end in the middle of one; after
 * plait_memory_desc_recast to u8 the copies are of whole bytes. */
typedef struct {
    plait_dim_t dst, src, count;
} plait_contiguous_copy_t;
/* Sets *out to the least number of contiguous copies that move a tensor from one descriptor to another: elements that
 * are neighbours on both sides are in one copy. Refused: data types or dims that differ; compensation; a destination
 * in which elements share places. */
plait_status_t plait_count_copies(plait_dim_t* out, const plait_memory_desc_t* src, const plait_memory_desc_t* dst);
/* Writes these copies to out[0], out[1], ... by ascending `dst`; padding is in none. `size` is how many the array has
 * room for: refused if that is less than plait_count_copies says. */
plait_status_t plait_list_copies(plait_contiguous_copy_t* out, plait_dim_t size, const plait_memory_desc_t* src,
                                 const plait_memory_desc_t* dst);
/* Returns 1 if each element along an axis lies directly after the one before, else 0. */
int plait_memory_desc_is_contiguous_along(const plait_memory_desc_t* desc, int axis);
/* Returns 1 if both are valid and equal (RFC, 5: strides of axes of one element do not count), else 0. */
int plait_memory_desc_equal(const plait_memory_desc_t* lhs, const plait_memory_desc_t* rhs);
/* Returns 1 if desc has the inner blocks and the strides of the tag, or the given strides (-1: any), which may be null;
 * else 0. */
int plait_memory_desc_matches_tag(const plait_memory_desc_t* desc, const char* tag, const plait_dim_t* strides);
/* Returns the memory size of the RFC, in bytes, as oneDNN counts it: compensation and the whole stride of the outermost
 * axis are included, offset0 is not. 0 if refused, or without elements. */
size_t plait_memory_desc_get_size(const plait_memory_desc_t* desc);
/* Returns the bytes that a buffer needs from offset 0 to the end of the last element, or of the compensation. */
size_t plait_memory_desc_get_buffer_size(const plait_memory_desc_t* desc);
/* Writes the tag, followed by a colon and the strides if they do not follow from the tag. If dims, tag and strides do
 * not describe the layout, writes all its digits. The text has up to `size` bytes, including the 0 at the end; refused
 * if it is longer. */
plait_status_t plait_memory_desc_format_name(const plait_memory_desc_t* desc, char* text, size_t size);

/* ---- Data. Pointers to data point to offset 0. ---- */

/* Writes zeros into the padding, and nothing else: no elements, no gaps, no compensation. Any alignment. */
plait_status_t plait_zero_pad(const plait_memory_desc_t* desc, void* data, size_t size);
/* Sets *answer to 1 if all bits of the padding are zero, else to 0. */
plait_status_t plait_is_padding_zero(const plait_memory_desc_t* desc, const void* data, size_t size, int* answer);

/* One scale or zero point: `value` for the whole tensor, or `count` values for the axes of mask: the product of their
 * extents, the last axis fastest. A scale of the destination, by which values are divided, is refused if it is 0,
 * infinite or NaN (scale_is_invalid, with its index), and so is a beta that is not finite (beta_is_not_finite). Scales
 * of the source may be any numbers. */
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

/* Values of one attribute, of any type: for scales any floating-point type but f64, for zero points any integer type.
 * Which value a position has is given in one of three ways:
 * - mask: one value for each index along the axes whose bits are set, dense, the last axis fastest;
 * - group: one number per axis; group[a] adjacent indices along axis a share a value, and the values are dense over the
 *   groups, the last axis fastest: {1, 32} for one scale per row and 32 columns. The last group may be shorter;
 * - layout: a descriptor with the extents of the tensor and data_type; a stride of 0 shares a value along its axis. An
 *   inner block of 32 with stride 0 is a group of 32; the strides of the outer blocks count values, so that a row of
 *   groups may be padded.
 * Values smaller than a byte fill whole bytes; the bits after the last value are not read. */
typedef struct {
    const void* data; /* null: this struct gives no values */
    uint64_t size;    /* of data, in bytes */
    plait_data_type_t data_type;
    int32_t mask;                      /* 0 with group or layout */
    const plait_dim_t* group;          /* null: by mask or layout */
    const plait_memory_desc_t* layout; /* null: by mask or group */
    int64_t reserved[2];               /* zeros */
} plait_values_t;

/* Values in place of the members of plait_reorder_attributes_t with the same names, which must then be as
 * plait_reorder_attributes_init leaves them. */
typedef struct {
    plait_values_t src_scale;
    plait_values_t dst_scale;
    plait_values_t src_zero_point;
    plait_values_t dst_zero_point;
    int64_t reserved[4]; /* zeros */
} plait_attribute_values_t;

enum { PLAIT_REORDER_ATTRIBUTES_VERSION = 1 };

/* dst = ((src - src_zero_point) * src_scale + beta * old dst) * (1 / dst_scale) + dst_zero_point */
typedef struct {
    int32_t version; /* PLAIT_REORDER_ATTRIBUTES_VERSION */
    float beta;
    plait_scale_t src_scale;
    plait_scale_t dst_scale;
    plait_zero_point_t src_zero_point;
    plait_zero_point_t dst_zero_point;
    const plait_attribute_values_t* values; /* null: none are of other types, by group or by layout */
    int64_t reserved[3];                    /* zeros */
} plait_reorder_attributes_t;

/* Initialises attributes that change nothing: scales 1, zero points 0, beta 0. */
plait_status_t plait_reorder_attributes_init(plait_reorder_attributes_t* attributes);

/* A planned reorder. It contains a copy of what it needs of the attributes. */
typedef struct plait_planned_reorder plait_reorder_t;

/* Plans a reorder; attributes may be null. The result must be destroyed. If an extent or a stride of either descriptor
 * is known only at run time (INT64_MIN), only the known ones are checked, and plait_reorder_execute_bound plans.
 * Attributes with a mask over such an extent may have any number of values here, or none. */
plait_status_t plait_reorder_create(plait_reorder_t** out, const plait_memory_desc_t* src,
                                    const plait_memory_desc_t* dst, const plait_reorder_attributes_t* attributes);
/* Moves the data, writes zeros into the padding of dst, and writes compensation after the data if dst requires it.
 * Buffers must have the bytes from offset 0 to the end of the tensor (plait_memory_desc_get_buffer_size), and must be
 * aligned for the elements, and for s32 if compensation follows. Any number of threads may execute one reorder at the
 * same time on different data. In-place execution requires equal descriptors without attributes and compensation; any
 * other overlap is refused. */
plait_status_t plait_reorder_execute(const plait_reorder_t* reorder, const void* src, size_t src_size, void* dst,
                                     size_t dst_size);
/* Moves data as a reorder of src_desc and dst_desc does. These must be the descriptors of plait_reorder_create with
 * numbers in place of INT64_MIN. Other extents, strides, blocks, padding, types and extras are refused with the axis
 * and both numbers; only offset0 may differ. Attributes replace those of plait_reorder_create; null keeps them.
 *
 * The plan is kept in the reorder for the next call with equal descriptors and attributes. Otherwise this call plans
 * without allocating, unless attributes have arrays, which are copied. Any number of threads may call it at the same
 * time with one reorder, and none waits. Everything else is as in plait_reorder_execute, which refuses such a reorder;
 * this function refuses any other. */
plait_status_t plait_reorder_execute_bound(const plait_reorder_t* reorder, const plait_memory_desc_t* src_desc,
                                           const void* src, size_t src_size, const plait_memory_desc_t* dst_desc,
                                           void* dst, size_t dst_size, const plait_reorder_attributes_t* attributes);
/* Ends the trials of a reorder. The first calls for a large tensor try orders of loops, and stores past the caches or
 * into them, which all write the same bytes; later calls use the fastest. From here on every call is the same: as
 * plait_reorder_set_choice said or the trials have decided, otherwise as the plan began. No other thread may use the
 * reorder meanwhile. */
plait_status_t plait_reorder_stop_trials(plait_reorder_t* reorder);
/* Writes what the trials have decided, as a line of at most 96 characters and a null, for plait_reorder_set_choice in
 * another process: "plait-choice 1 avx512 f32 f32 1f3b0a5c24c09d77 3/11". It ends with the number of the order (0 is
 * the plan's own, ? while orders are tried), and with how many there are; 0/1 if nothing is tried. Threads may execute
 * the reorder meanwhile. A reorder whose extents come with each call is refused. */
plait_status_t plait_reorder_get_choice(const plait_reorder_t* reorder, char* text, size_t size);
/* Ends the trials as another reorder has decided, so that the first call is at full speed. Text of a reorder with other
 * layouts, types or another instruction set, or of another version of plait, is refused; so is any other text. No other
 * thread may use the reorder meanwhile. */
plait_status_t plait_reorder_set_choice(plait_reorder_t* reorder, const char* text);
/* Destroys a reorder. Null has no effect. */
void plait_reorder_destroy(plait_reorder_t* reorder);

/* Plans a reorder, moves the data once, and destroys the plan. */
plait_status_t plait_reorder(const plait_memory_desc_t* src_desc, const void* src, size_t src_size,
                             const plait_memory_desc_t* dst_desc, void* dst, size_t dst_size,
                             const plait_reorder_attributes_t* attributes);

/* An axis of which the outermost digit is read through a table: index i lies where index
 * table[i / block] * block + i % block of the axis in memory lies. With `grouped`, the table has the n + 1 offsets of n
 * groups instead, each of which begins in memory at the next multiple of `block`. */
typedef struct {
    int32_t axis;
    int32_t grouped; /* 0: the table has the numbers of pages */
    int64_t block;
    int64_t reserved[2]; /* zeros */
} plait_table_axis_t;

/* The table of a sequence, or the offsets of all groups. `extent` indices of the sequence are moved, from index `first`
 * on; of groups, both are ignored. */
typedef struct {
    const void* entries; /* `count` signed integers of `bits` bits */
    uint64_t count;
    int32_t bits; /* 32 or 64 */
    int32_t reserved[1];
    int64_t extent;
    int64_t first;
} plait_table_t;

/* A planned reorder through tables. It contains a copy of what it needs of the attributes. */
typedef struct plait_planned_table_reorder plait_table_reorder_t;

/* Plans a reorder between tensors of which one axis, the same in both, is read through tables: of src, of dst, or of
 * both; null says that a side has none. The extents of the other axes agree. Attributes may be null. Values that differ
 * along the axis belong to the tensor of their side, all pages included: those of a page are found by its number, and
 * only scales of pages that a call uses are checked. The plan is for one block and parts of one, and is used with any
 * tables. The result must be destroyed. */
plait_status_t plait_table_reorder_create(plait_table_reorder_t** out, const plait_memory_desc_t* src,
                                          const plait_memory_desc_t* dst, const plait_table_axis_t* src_table,
                                          const plait_table_axis_t* dst_table,
                                          const plait_reorder_attributes_t* attributes);
/* Moves the indices of the tables, one sequence after the other. A side without a table has count 0; its first indices
 * are moved. Tables are checked before anything is written: entries are in range, distinct if they are written, and
 * enough; offsets rise. Indices behind the last one are not written; the rest of a group's last block is zeroed.
 * In place is allowed for pages of one pool, if none is both read and
 * written. Everything else is as in plait_reorder_execute. */
plait_status_t plait_table_reorder_execute(const plait_table_reorder_t* reorder, const void* src, size_t src_size,
                                           void* dst, size_t dst_size, const plait_table_t* src_tables, int src_count,
                                           const plait_table_t* dst_tables, int dst_count);
/* Writes what plait_table_reorder_execute would move with these tables as JSON, so that a program without plait can
 * move the elements: which go where, and which places of the destination become zero. All places are in elements from
 * offset 0 of each side. include/plait/interop/table_reorder_json.hpp describes the members;
 * examples/19_ranks/run_plan.py executes such a plan.
 *
 * The text has up to `size` bytes, including the 0 at the end; refused if it is longer. *needed is set to the bytes
 * that it has. If size is 0, only *needed is written, and text may be null; that call costs as much as one that writes
 * the text. Tables are refused as in plait_table_reorder_execute. A plan of over 4194304 moves and loop nests is
 * refused, and so is a reorder with attributes, which the text cannot state. Elements of different types are converted
 * by the program that executes the plan. */
plait_status_t plait_table_reorder_format_json(const plait_table_reorder_t* reorder, const plait_table_t* src_tables,
                                               int src_count, const plait_table_t* dst_tables, int dst_count,
                                               char* text, size_t size, size_t* needed);
/* Destroys a reorder. Null has no effect. */
void plait_table_reorder_destroy(plait_table_reorder_t* reorder);

/* ---- Records: several fields over one index space in one buffer, such as packed weights and their scales ---- */

/* The places of the fields of a buffer, for one tag and its extents; see docs/packed.md. Never changes after it was
 * made, so that threads may share it. */
typedef struct plait_record plait_record_t;

/* Makes a record of a tag, "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)", and one extent for each of its axes. The
 * result must be destroyed. */
plait_status_t plait_record_create(plait_record_t** out, const char* text, int ndims, const plait_dim_t* dims);
/* Destroys a record. Null has no effect. */
void plait_record_destroy(plait_record_t* record);

/* Returns the size of a record, in bytes; 0 if refused. */
size_t plait_record_get_size(const plait_record_t* record);
/* Returns how many axes a record has; 0 if refused. */
int plait_record_get_ndims(const plait_record_t* record);
/* Returns how many fields a record has; 0 if refused. Pieces of one name are one field. */
int plait_record_get_field_count(const plait_record_t* record);
/* Writes the extents: one number for each axis. */
plait_status_t plait_record_get_dims(plait_dim_t* out, const plait_record_t* record);
/* Returns 1 if both records have the same tag and extents, so that their bytes mean the same; else 0. */
int plait_record_equal(const plait_record_t* lhs, const plait_record_t* rhs);
/* Writes the canonical text of the tag, which equal records share. It has up to `size` bytes, including the 0 at the
 * end; refused if it is longer. 1024 bytes are enough. */
plait_status_t plait_record_format_text(const plait_record_t* record, char* text, size_t size);

/* What the values of a field are, ORed. */
enum {
    PLAIT_FIELD_IS_SUM = 1,   /* computed when packing, and never given */
    PLAIT_FIELD_ADDS_SUM = 2, /* given, and a sum is added when packing */
    PLAIT_FIELD_IS_MAPPED = 4 /* stored with inverted bits, multiplied, or minus a number; plait_unpack undoes that */
};

/* A field of a record. */
typedef struct {
    char name[16];
    plait_data_type_t data_type; /* of a plain tensor with the values; U8 or S32 if the tag's type has no number here */
    int32_t bits;                /* of a value in the record: 6 for values in pieces of 4 and 2 bits */
    int32_t pieces;              /* how many items of the tag have this name */
    int32_t flags;               /* PLAIT_FIELD_... */
    plait_dims_t dims;           /* of a plain tensor: {N, K / 32} if 32 of k share a value; 0 after the last axis */
    int64_t reserved[4];         /* zeros */
} plait_record_field_t;
/* Describes a field by its number: from 0, in the order of the tag. */
plait_status_t plait_record_get_field(plait_record_field_t* out, const plait_record_t* record, int field);
/* Sets *out to the place of the value of a field at `position`, in bits from the beginning of the record; one number
 * for each axis, below its extent. */
plait_status_t plait_record_get_bit_offset(plait_dim_t* out, const plait_record_t* record, const char* field,
                                           const plait_dim_t* position);
/* Describes a field in the buffer of the record: a descriptor with the extents of the record, whose elements are the
 * values as they are stored. Indices that share a value have blocks of stride 0. Refused if no descriptor can say it:
 * field_is_in_pieces, field_is_turned, field_is_not_a_layout. */
plait_status_t plait_record_get_field_desc(plait_memory_desc_t* out, const plait_record_t* record, const char* field);

enum { PLAIT_REPACK_OPTIONS_VERSION = 1 };

/* Options of packing, as well as of repacks and of verifying. */
typedef struct {
    int32_t version; /* PLAIT_REPACK_OPTIONS_VERSION */
    int32_t dropped_count;
    const char* const* dropped; /* names of fields of the source that the destination does not have */
    int32_t parameter_count;
    int32_t ignore_padding; /* of verifying: 1 if padding may hold anything, as some packers leave it; else 0 */
    const char* const* parameter_names; /* of numbers that sums are multiplied by: izp in =+sum(w)*-izp */
    const double* parameter_values;
    int64_t chunk_bytes; /* of a repack: about how many bytes a chunk has; 0: 64 KB */
    int64_t reserved[3]; /* zeros */
} plait_repack_options_t;
/* Initialises options without dropped fields and without parameters. */
plait_status_t plait_repack_options_init(plait_repack_options_t* options);

/* A planned repack: moves one record into another. It contains a copy of what it needs. */
typedef struct plait_planned_repack plait_repack_t;

/* Plans a repack; options may be null. The result must be destroyed. */
plait_status_t plait_repack_create(plait_repack_t** out, const plait_record_t* src, const plait_record_t* dst,
                                   const plait_repack_options_t* options);
/* Moves a record. Sums are computed, padding and gaps are zeroed. Any alignment; the buffers must not overlap. Any
 * number of threads may execute one repack at the same time on different data. */
plait_status_t plait_repack_execute(const plait_repack_t* repack, const void* src, size_t src_size, void* dst,
                                    size_t dst_size);
/* Moves part `part` of a record, of `parts`, between the buffers of the whole record. To move a record on several
 * threads, call it once for each part, 0 to parts - 1, in any order. A small record is moved by part 0 alone. */
plait_status_t plait_repack_execute_part(const plait_repack_t* repack, int part, int parts, const void* src,
                                         size_t src_size, void* dst, size_t dst_size);

/* The bytes of a chunk of a repack: chunks follow one another on both sides. */
typedef struct {
    size_t src_begin, src_size; /* src_size is 0 if the chunk reads bytes all over the source */
    size_t dst_begin, dst_size;
} plait_repack_chunk_t;
/* Returns into how many chunks a repack is cut, so that a file can be moved chunk by chunk; 0 if refused. */
plait_dim_t plait_repack_get_chunk_count(const plait_repack_t* repack);
/* Sets *out to the bytes of chunk `number`, from 0 on. */
plait_status_t plait_repack_get_chunk(plait_repack_chunk_t* out, const plait_repack_t* repack, plait_dim_t number);
/* Moves one chunk, between buffers that begin where the chunk does. They must not overlap. Refused if the chunk reads
 * bytes all over the source: record_is_not_cut. */
plait_status_t plait_repack_execute_chunk(const plait_repack_t* repack, plait_dim_t number, const void* src,
                                          size_t src_size, void* dst, size_t dst_size);
/* Destroys a repack. Null has no effect. */
void plait_repack_destroy(plait_repack_t* repack);

/* A plain tensor with the values of one field: of the type and with the extents of plait_record_get_field, and any
 * blocked layout. A floating type may be another one, which is converted. */
typedef struct {
    const char* name;
    const plait_memory_desc_t* desc;
    const void* data; /* points to offset 0 */
    size_t size;      /* of data, in bytes */
} plait_field_values_t;
typedef struct {
    const char* name;
    const plait_memory_desc_t* desc;
    void* data;  /* points to offset 0 */
    size_t size; /* of data, in bytes */
} plait_field_target_t;

/* Packs plain tensors into a record: one for each field that is not a sum. Options may be null. `out` must not overlap
 * the tensors. */
plait_status_t plait_pack(const plait_record_t* record, int count, const plait_field_values_t* values, void* out,
                          size_t size, const plait_repack_options_t* options);
/* Copies fields of a record into plain tensors; other fields are not read. A target must not overlap the record or
 * another target. */
plait_status_t plait_unpack(const plait_record_t* record, const void* data, size_t size, int count,
                            const plait_field_target_t* targets);
/* Copies fields as plait_unpack, with the options of plait_pack: a field to which a sum was added, times a number that
 * is given at run time, needs that number again. Options may be null. */
plait_status_t plait_unpack_with_options(const plait_record_t* record, const void* data, size_t size, int count,
                                         const plait_field_target_t* targets, const plait_repack_options_t* options);
/* Checks that the bytes of a record are those that packing its values gives: sums are those of what is stored, padding
 * is zero or repeats the last value, gaps are zero. Refused if not: record_is_damaged. Options may be null; with
 * ignore_padding, padding is not checked. */
plait_status_t plait_record_verify(const plait_record_t* record, const void* data, size_t size,
                                   const plait_repack_options_t* options);

/* Returns the size of a blob of a record: a header that describes it, and its bytes; 0 if refused. */
size_t plait_blob_get_size(const plait_record_t* record);
/* Writes a blob. `key`, of up to 16 letters, says what the record was packed for, or is null; it only explains. */
plait_status_t plait_blob_make(void* out, size_t size, const plait_record_t* record, const void* data, size_t data_size,
                               const char* key);
/* Opens a blob, and checks all that it says; bytes after its record are refused. *record must be destroyed; *data
 * points to the bytes of the record, inside of the blob. key, which may be null, has space for 17 letters: 16, and the
 * 0 at the end. */
plait_status_t plait_blob_open(plait_record_t** record, const void** data, char* key, const void* blob, size_t size);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
