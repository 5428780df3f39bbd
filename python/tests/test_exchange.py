"""Arrays of other libraries in both directions through __dlpack__; with PyTorch if it is installed."""

import ctypes
import struct

import numpy as np
import plait
import pytest


class Exported:
    """An object that has __dlpack__ and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **more):
        return self.array.__dlpack__(**more)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_anything_with_dlpack_is_a_source():
    x = np.arange(2 * 17 * 5 * 4, dtype=np.float32).reshape(2, 17, 5, 4)
    assert np.array_equal(plait.reorder(Exported(x), "nchw", "nChw16c"), plait.reorder(x, "nchw", "nChw16c"))
    assert np.array_equal(plait.reorder(Exported(x[:, ::2]), None, "nhwc"), x[:, ::2].transpose(0, 2, 3, 1))
    assert plait.Layout.of(Exported(x[:, ::2])).strides == (340, 40, 4, 1)


def test_what_is_exported_is_the_memory_of_the_result():
    y = plait.reorder(np.ones((2, 17, 5, 4), np.float32), "nchw", "nChw16c")
    seen = np.from_dlpack(y)
    assert seen.shape == y.shape and seen.ctypes.data == y.ctypes.data
    part = plait.Layout("nChw16c", (2, 32, 5, 4)).submemory((1, 16, 5, 4), (1, 16, 0, 0)).on(np.arange(1280.0))
    assert np.array_equal(np.from_dlpack(part), part)


def test_what_cannot_be_exchanged_is_said():
    class Refuses(Exported):
        def __dlpack__(self, **more):
            raise BufferError("not today")

    with pytest.raises(plait.Rejection, match="not today") as caught:
        plait.reorder(Refuses(np.zeros(3)), None, None)
    assert caught.value.reason == "array_is_not_exchanged"
    with pytest.raises(TypeError, match="numpy"):
        plait.reorder(np.zeros(3), None, None, out=Exported(np.zeros(3)))


class Described(Exported):
    """Bytes that are exported with another type, or on another device, by changing the capsule of NumPy."""

    def __init__(self, array, code, bits, lanes, device=(1, 0)):
        super().__init__(array)
        self.said, self.device = (code, bits, lanes), device

    def __dlpack__(self, **more):
        capsule = self.array.__dlpack__()
        pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
        pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # data, device (type, number), ndim, then the type of the elements
        address = pointer_of(capsule, b"dltensor")
        ctypes.memmove(address + ctypes.sizeof(ctypes.c_void_p) + 12, struct.pack("<BBH", *self.said), 4)
        return capsule

    def __dlpack_device__(self):
        return self.device


@pytest.mark.parametrize("code, bits, lanes, says, word", [
    (4, 16, 1, "bits go as int16 (torch: tensor.view(torch.int16)) with the type 'bf16'", "bf16"), (17, 4, 2, "bits go as uint8 (torch: tensor.view(torch.uint8)) with the type 'f4_e2m1'", "f4_e2m1"),
    (10, 8, 1, "with the type 'f8_e4m3'", "f8_e4m3"), (2, 32, 4, "code 2, 32 bits and 4 lanes, and an array has no lanes", ""),
    (9, 8, 1, "a type that neither NumPy nor plait has", "")])
def test_the_advice_is_that_of_the_type(code, bits, lanes, says, word):
    x = np.arange(48, dtype=np.int16 if bits == 16 else np.float32 if bits == 32 else np.uint8).reshape(6, 8)
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(Described(x, code, bits, lanes), "ab", "ba")
    sentence = str(caught.value)
    assert caught.value.reason == "array_is_not_exchanged" and says in sentence
    assert ("bf16" in sentence) == (word == "bf16")
    if word:  # the remedy works
        shape = {"shape": (6, 16)} if bits == 4 else {}
        plait.reorder(x, "ab", "ba", src_dtype=word, **shape)


@pytest.mark.parametrize("device, says", [((2, 1), "a GPU (CUDA), number 1"), ((10, 0), "a GPU (ROCm)"), ((8, 0), "a GPU (Metal)"), ((99, 3), "type 99")])
def test_a_tensor_of_a_device_is_refused_as_such(device, says):
    for type_said in ((2, 32, 1), (4, 16, 1)):
        with pytest.raises(plait.Rejection) as caught:
            plait.reorder(Described(np.zeros((6, 8), np.float32), *type_said, device), "ab", "ba")
        assert caught.value.reason == "device_is_not_read" and says in str(caught.value) and "bf" not in str(caught.value)
    assert plait.reorder(Described(np.ones((6, 8), np.float32), 2, 32, 1, (3, 0)), "ab", "ba").shape == (8, 6)  # host memory of CUDA


def test_torch():
    torch = pytest.importorskip("torch")
    x = torch.arange(2 * 17 * 5 * 4, dtype=torch.float32).reshape(2, 17, 5, 4)
    t = torch.from_dlpack(plait.reorder(x, "nchw", "nhwc"))
    assert torch.equal(t, x.permute(0, 2, 3, 1))
    # channels_last is nhwc memory in the order n, c, h, w: the strides show that, and the layout equals the tag's.
    last = x.contiguous(memory_format=torch.channels_last)
    assert plait.Layout.of(last) == plait.Layout("nhwc", tuple(last.shape))
    blocked = plait.reorder(last, None, "nChw16c")
    assert np.array_equal(blocked, plait.reorder(x.numpy(), "nchw", "nChw16c"))
    # Into a tensor's memory; and the bits of bfloat16, for which NumPy has no type.
    out = torch.empty(2, 2, 5, 4, 16)
    plait.reorder(x, "nchw", "nChw16c", out=out.numpy())
    assert torch.equal(out, torch.from_dlpack(blocked))
    bits = plait.reorder(x, "nchw", "nhwc", dtype="bf16")
    half = x.permute(0, 2, 3, 1).contiguous().to(torch.bfloat16)
    assert torch.equal(torch.from_dlpack(bits.view(np.int16)).view(torch.bfloat16), half)
    with pytest.raises(plait.Rejection, match="int16"):
        plait.reorder(half, None, None)
    assert np.array_equal(plait.reorder(half.view(torch.int16), "nhwc", "nhwc", src_dtype="bf16"), bits)
    with pytest.raises(plait.Rejection, match="grad"):
        plait.reorder(torch.zeros(3, requires_grad=True), None, None)
