"""Arrays of other libraries, exchanged through __dlpack__ in both directions; with PyTorch if it is installed."""

import numpy as np
import plait
import pytest


class Exported:
    """An object that has only __dlpack__."""

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


def test_torch():
    torch = pytest.importorskip("torch")
    x = torch.arange(2 * 17 * 5 * 4, dtype=torch.float32).reshape(2, 17, 5, 4)
    t = torch.from_dlpack(plait.reorder(x, "nchw", "nhwc"))
    assert torch.equal(t, x.permute(0, 2, 3, 1))
    # channels_last is nhwc memory with axes in the order n, c, h, w: its strides show it, and its layout is the tag's.
    last = x.contiguous(memory_format=torch.channels_last)
    assert plait.Layout.of(last) == plait.Layout("nhwc", tuple(last.shape))
    blocked = plait.reorder(last, None, "nChw16c")
    assert np.array_equal(blocked, plait.reorder(x.numpy(), "nchw", "nChw16c"))
    # Into a tensor's memory; and the bits of bfloat16, which NumPy has no type for.
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
