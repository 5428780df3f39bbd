"""plait from Python: a NumPy array moved into blocks of 16 channels, as bf16, and back.

usage: PYTHONPATH=python PLAIT_LIBRARY=path/to/libplait.so /usr/bin/python3 examples/integrations/from_python.py
"""

import numpy as np

import plait


def main():
    print("plait", plait.__version__)
    shape = (2, 17, 5, 4)
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)

    blocked = plait.reorder(array, "nchw", "nChw16c")
    # The same result with NumPy: channels padded to 32, split into 2 blocks of 16, the blocks innermost.
    padded = np.zeros((2, 32, 5, 4), dtype=np.float32)
    padded[:, :17] = array
    assert np.array_equal(blocked, padded.reshape(2, 2, 16, 5, 4).transpose(0, 1, 3, 4, 2))
    print(plait.Layout("nChw16c", shape).explain())

    # A view of a part of the array with permuted axes: only strides change, and plait reads it in place.
    part = array.transpose(0, 2, 3, 1)[:, 1:4]
    assert np.array_equal(plait.reorder(part, None, None), part)
    print("strides", plait.Layout.of(part).strides, "->", plait.Layout(part.shape).strides)

    # As bf16, the upper half of an f32, for numbers with few bits.
    small = array % 128
    bits = plait.reorder(small, "nchw", "nhwc", dtype="bf16")
    assert np.array_equal((bits.astype(np.uint32) << 16).view(np.float32), small.transpose(0, 2, 3, 1))

    # Planned once, run often; arguments that do not fit are rejected, and nothing is written.
    plan = plait.Reorder(plait.Layout("nchw", shape), plait.Layout("nChw16c", shape), dtype=np.float32)
    assert np.array_equal(plan(array), blocked)
    try:
        plan(array, np.empty((2, 2, 5, 4, 15), np.float32))
    except plait.Rejection as why:
        print("refused:", why)
    else:
        raise SystemExit("an array that is too small was not refused")


if __name__ == "__main__":
    main()
