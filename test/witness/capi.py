"""The structs of plait/plait.h, field by field, and its functions, with ctypes. All calls of plait are in this file."""

import ctypes

MAX_NDIMS, MAX_INNER_BLOCKS = 12, 23
DYNAMIC = -2**63
BLOCKED = 2  # the format kind of each tensor with places in memory
NAMES = ("f64", "f32", "bf16", "f16", "f8_e5m2", "f8_e4m3", "s32", "s8", "u8", "u1", "u2", "u4", "s4", "f4_e2m1",
         "f4_e3m0", "f6_e2m3", "f6_e3m2", "e8m0", "ue4m3", "boolean")
TYPE_NAMES = dict(enumerate(NAMES, 1))
F64, F32, BF16, F16, F8_E5M2, F8_E4M3, S32, S8, U8, U1, U2, U4, S4, F4_E2M1, F4_E3M0, F6_E2M3, F6_E3M2, E8M0, UE4M3, \
    BOOLEAN = TYPE_NAMES
S8S8, SCALE_ADJUST, ASYMMETRIC_SOURCE = 1, 2, 8  # the flags of extra

int64, int32, uint64, c_float = ctypes.c_int64, ctypes.c_int32, ctypes.c_uint64, ctypes.c_float


class Extra(ctypes.Structure):
    _fields_ = [("flags", uint64), ("compensation_mask", int32), ("asymmetric_source_mask", int32),
                ("scale_adjust", c_float), ("reserved", int32 * 13)]


class Blocking(ctypes.Structure):
    _fields_ = [("strides", int64 * MAX_NDIMS), ("inner_blks", int64 * MAX_INNER_BLOCKS),
                ("inner_strides", int64 * MAX_INNER_BLOCKS), ("inner_idxs", int32 * MAX_INNER_BLOCKS),
                ("inner_nblks", int32)]


class MemoryDesc(ctypes.Structure):
    """The struct plait_memory_desc_t."""
    _fields_ = [("version", int32), ("ndims", int32), ("data_type", int32), ("format_kind", int32),
                ("dims", int64 * MAX_NDIMS), ("padded_dims", int64 * MAX_NDIMS), ("padded_offsets", int64 * MAX_NDIMS),
                ("offset0", int64), ("blocking", Blocking), ("extra", Extra), ("reserved", int64 * 8)]


class Scale(ctypes.Structure):
    _fields_ = [("values", ctypes.c_void_p), ("count", uint64), ("value", c_float), ("mask", int32)]


class ZeroPoint(ctypes.Structure):
    _fields_ = [("values", ctypes.c_void_p), ("count", uint64), ("value", int32), ("mask", int32)]


class Values(ctypes.Structure):
    """The struct plait_values_t: values of an attribute with a type, groups or a layout."""
    _fields_ = [("data", ctypes.c_void_p), ("size", uint64), ("data_type", int32), ("mask", int32),
                ("group", ctypes.c_void_p), ("layout", ctypes.c_void_p), ("reserved", int64 * 2)]


class AttributeValues(ctypes.Structure):
    """The struct plait_attribute_values_t."""
    _fields_ = [("src_scale", Values), ("dst_scale", Values), ("src_zero_point", Values), ("dst_zero_point", Values),
                ("reserved", int64 * 4)]


class Attributes(ctypes.Structure):
    """The struct plait_reorder_attributes_t."""
    _fields_ = [("version", int32), ("beta", c_float), ("src_scale", Scale), ("dst_scale", Scale),
                ("src_zero_point", ZeroPoint), ("dst_zero_point", ZeroPoint), ("values", ctypes.c_void_p),
                ("reserved", int64 * 3)]


def numbers(values):
    return (int64 * len(values))(*values)


def copy_of(desc):
    return MemoryDesc.from_buffer_copy(desc)


def fields_of(desc):
    """Returns the fields of a descriptor that count, as text for Python and for readers."""
    n, b, e = desc.ndims, desc.blocking, desc.extra
    blocks = [(b.inner_idxs[k], b.inner_blks[k], b.inner_strides[k]) for k in range(b.inner_nblks)]
    text = (f"{TYPE_NAMES.get(desc.data_type, desc.data_type)} dims {desc.dims[:n]} padded {desc.padded_dims[:n]} "
            f"padded_offsets {desc.padded_offsets[:n]} offset0 {desc.offset0} strides {b.strides[:n]} "
            f"blocks (axis, extent, stride) {blocks}")
    if e.flags:
        text += (f" extra flags {e.flags} masks {e.compensation_mask}, {e.asymmetric_source_mask}"
                 f" scale_adjust {e.scale_adjust}")
    return text


class Refused(Exception):
    """A refused call; the text is plait_last_refusal()."""


class Library:
    """Loads libplait. A library made for tests also has a reorder that takes the instruction set."""

    def __init__(self, path):
        self.plait = plait = ctypes.CDLL(path)
        plait.plait_last_refusal.restype = ctypes.c_char_p
        plait.plait_memory_desc_get_size.restype = ctypes.c_size_t
        plait.plait_memory_desc_get_buffer_size.restype = ctypes.c_size_t
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        reorder = [pointer, pointer, size, pointer, pointer, size, pointer]
        plait.plait_reorder.argtypes = reorder
        plait.plait_reorder_create.argtypes = [pointer, pointer, pointer, pointer]
        plait.plait_reorder_execute.argtypes = [pointer, pointer, size, pointer, size]
        plait.plait_reorder_execute_bound.argtypes = [pointer, pointer, pointer, size, pointer, pointer, size, pointer]
        plait.plait_reorder_destroy.argtypes = [pointer]
        plait.plait_zero_pad.argtypes = [pointer, pointer, size]
        plait.plait_is_padding_zero.argtypes = [pointer, pointer, size, pointer]
        self.forces = hasattr(plait, "plait_witness_reorder")
        if self.forces:
            plait.plait_witness_reorder.argtypes = [ctypes.c_char_p] + reorder
            plait.plait_witness_instruction_sets.restype = ctypes.c_char_p

    def instruction_sets(self):
        """Returns the names of the instruction sets that a reorder can be given, the widest first."""
        return self.plait.plait_witness_instruction_sets().decode().split() if self.forces else []

    def call(self, name, *arguments):
        if getattr(self.plait, name)(*arguments) != 0:
            raise Refused(self.plait.plait_last_refusal().decode())

    def made(self, name, *arguments):
        """Returns the descriptor that a function writes to its first argument."""
        desc = MemoryDesc()
        self.call("plait_memory_desc_" + name, ctypes.byref(desc), *arguments)
        return desc

    def by_tag(self, dims, data_type, tag):
        return self.made("init_by_tag", len(dims), numbers(dims), data_type, tag.encode())

    def by_strides(self, dims, strides, data_type):
        return self.made("init_by_strides", len(dims), numbers(dims), numbers(strides), data_type)

    def by_tag_and_strides(self, dims, data_type, tag, strides):
        return self.made("init_by_tag_and_strides", len(dims), numbers(dims), data_type, tag.encode(), numbers(strides))

    def submemory(self, parent, dims, offsets):
        return self.made("submemory", ctypes.byref(parent), numbers(dims), numbers(offsets))

    def reshape(self, desc, dims):
        return self.made("reshape", ctypes.byref(desc), len(dims), numbers(dims))

    def view(self, desc, dims):
        return self.made("view", ctypes.byref(desc), len(dims), numbers(dims))

    def permute_axes(self, desc, perm):
        return self.made("permute_axes", ctypes.byref(desc), (ctypes.c_int * len(perm))(*perm))

    def bind(self, desc, values):
        return self.made("bind", ctypes.byref(desc), len(values), numbers(values))

    def check(self, desc):
        self.call("plait_memory_desc_check", ctypes.byref(desc))

    def buffer_size(self, desc):
        return self.plait.plait_memory_desc_get_buffer_size(ctypes.byref(desc))

    def zero_pad(self, desc, data, size):
        self.call("plait_zero_pad", ctypes.byref(desc), data, size)

    def is_padding_zero(self, desc, data, size):
        answer = ctypes.c_int(-1)
        self.call("plait_is_padding_zero", ctypes.byref(desc), data, size, ctypes.byref(answer))
        return answer.value

    def reorder(self, isa, src, source, source_size, dst, destination, destination_size, attributes):
        """Runs a reorder with an instruction set, or as users call it: "chosen" is one call, "planned" two."""
        attributes = None if attributes is None else ctypes.byref(attributes)
        rest = (source, source_size, ctypes.byref(dst), destination, destination_size, attributes)
        if isa == "chosen":
            return self.call("plait_reorder", ctypes.byref(src), *rest)
        if isa != "planned":
            return self.call("plait_witness_reorder", isa.encode(), ctypes.byref(src), *rest)
        self.created_then_run((src, dst), (src, dst), (source, source_size), (destination, destination_size), attributes)

    def created_then_run(self, created, bound, source, destination, attributes):
        """Creates a reorder of two descriptors and runs it on buffers, which are addresses with sizes.

        If `created` has dynamic extents, `bound` has numbers in place of them. Attributes are a pointer, or None.
        """
        plan = ctypes.c_void_p()
        self.call("plait_reorder_create", ctypes.byref(plan), *map(ctypes.byref, created), attributes)
        try:
            if any(DYNAMIC in desc.dims[:desc.ndims] for desc in created):
                src, dst = map(ctypes.byref, bound)
                self.call("plait_reorder_execute_bound", plan, src, *source, dst, *destination, None)
            else:
                self.call("plait_reorder_execute", plan, *source, *destination)
        finally:
            self.plait.plait_reorder_destroy(plan)
