"""plait from Python with ctypes: a NumPy array moved into blocks of 16 channels, as bf16, and back.

usage: 13_numpy.py path/to/libplait.so
"""

import ctypes
import sys

import numpy as np

SUCCESS, F32, BF16 = 0, 2, 3
TYPES = {"float32": F32}

plait = ctypes.CDLL(sys.argv[1])
plait.plait_last_refusal.restype = ctypes.c_char_p
plait.plait_version.restype = ctypes.c_char_p
plait.plait_memory_desc_get_size.restype = ctypes.c_size_t
plait.plait_memory_desc_get_buffer_size.restype = ctypes.c_size_t


class Extra(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("compensation_mask", ctypes.c_int32),
                ("asymmetric_source_mask", ctypes.c_int32), ("scale_adjust", ctypes.c_float),
                ("reserved", ctypes.c_int32 * 13)]


class Blocking(ctypes.Structure):
    _fields_ = [("strides", ctypes.c_int64 * 12), ("inner_blks", ctypes.c_int64 * 23),
                ("inner_strides", ctypes.c_int64 * 23), ("inner_idxs", ctypes.c_int32 * 23),
                ("inner_nblks", ctypes.c_int32)]


class MemoryDesc(ctypes.Structure):
    """plait_memory_desc_t, field by field."""
    _fields_ = [("version", ctypes.c_int32), ("ndims", ctypes.c_int32), ("data_type", ctypes.c_int32),
                ("format_kind", ctypes.c_int32), ("dims", ctypes.c_int64 * 12), ("padded_dims", ctypes.c_int64 * 12),
                ("padded_offsets", ctypes.c_int64 * 12), ("offset0", ctypes.c_int64), ("blocking", Blocking),
                ("extra", Extra), ("reserved", ctypes.c_int64 * 8)]


def numbers(values):
    return (ctypes.c_int64 * len(values))(*values)


def call(name, *arguments):
    """Calls a function; what is refused is a ValueError with plait's sentence."""
    if getattr(plait, name)(*arguments) != SUCCESS:
        raise ValueError(plait.plait_last_refusal().decode())


def by_tag(shape, data_type, tag):
    desc = MemoryDesc()
    call("plait_memory_desc_init_by_tag", ctypes.byref(desc), len(shape), numbers(shape), data_type, tag.encode())
    return desc


def of_array(array):
    """Where the elements of an array are, whatever its strides."""
    strides = [step // array.itemsize for step in array.strides]
    desc = MemoryDesc()
    call("plait_memory_desc_init_by_strides", ctypes.byref(desc), array.ndim, numbers(array.shape), numbers(strides),
         TYPES[array.dtype.name])
    return desc


def reorder(src, data, src_size, dst, out):
    call("plait_reorder", ctypes.byref(src), ctypes.c_void_p(data), ctypes.c_size_t(src_size), ctypes.byref(dst),
         out.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(out.nbytes), None)


def name(desc):
    text = ctypes.create_string_buffer(1024)
    call("plait_memory_desc_format_name", ctypes.byref(desc), text, ctypes.c_size_t(len(text)))
    return text.value.decode()


def main():
    print("plait", plait.plait_version().decode())
    shape = (2, 17, 5, 4)
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)

    blocked = by_tag(shape, F32, "nChw16c")
    out = np.full(plait.plait_memory_desc_get_size(ctypes.byref(blocked)) // 4, -1, dtype=np.float32)
    reorder(of_array(array), array.ctypes.data, array.nbytes, blocked, out)
    # The same in NumPy: channels padded to 32, cut into 2 blocks of 16, the blocks innermost.
    padded = np.zeros((2, 32, 5, 4), dtype=np.float32)
    padded[:, :17] = array
    expected = padded.reshape(2, 2, 16, 5, 4).transpose(0, 1, 3, 4, 2)
    assert np.array_equal(out.reshape(expected.shape), expected)
    print(name(of_array(array)), "->", name(blocked), "as NumPy has it")

    # A view of a part of the array, axes permuted: only strides change, and plait reads it in place.
    part = array.transpose(0, 2, 3, 1)[:, 1:4]
    dense = np.empty(part.shape, dtype=np.float32)
    needed = plait.plait_memory_desc_get_buffer_size(ctypes.byref(of_array(part)))
    reorder(of_array(part), part.ctypes.data, needed, of_array(dense), dense)
    assert np.array_equal(dense, part)
    print(name(of_array(part)), "->", name(of_array(dense)), "as NumPy has it")

    # As bf16: the upper half of an f32, for numbers that have no more bits.
    half = by_tag(shape, BF16, "nhwc")
    bits = np.zeros(array.size, dtype=np.uint16)
    small = array % 128
    reorder(of_array(small), small.ctypes.data, small.nbytes, half, bits)
    assert np.array_equal((bits.astype(np.uint32) << 16).view(np.float32).reshape(2, 5, 4, 17), small.transpose(0, 2, 3, 1))

    try:
        reorder(of_array(array), array.ctypes.data, array.nbytes, blocked, out[:-1])
    except ValueError as refused:
        print("refused:", refused)
    else:
        sys.exit("a buffer that is too small was not refused")


if __name__ == "__main__":
    main()
