"""A whole model in one call: dicts of arrays and .safetensors files."""

import json
import pathlib

import numpy as np
import plait
import pytest

RULES = {"*.conv?.weight": ("oihw", "OIhw4i8o"), "fc.weight": "BA4b4a"}
TYPES = {"<f4": "F32", "<f8": "F64", "<i8": "I64", "|b1": "BOOL", "<u2": "U16", "<f2": "F16", "<c8": "C64"}


def some_model():
    make = np.random.default_rng(3).standard_normal
    return {"a.conv1.weight": make((17, 3, 5, 4)).astype(np.float32), "a.conv2.weight": make((8, 17, 1, 1)).astype(np.float16),
            "fc.weight": make((10, 7)), "fc.bias": make(10), "seen": np.array(7), "": np.arange(3) > 1, "none": np.zeros((3, 0), np.uint16)}


def written(path, header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def save(path, model, words={}):
    header, data = {"__metadata__": {"by": "a test"}}, b""
    for name, array in model.items():
        header[name] = {"dtype": words.get(name) or TYPES[array.dtype.str], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    return written(path, header, data)


def check(packed, model):
    assert list(packed) == list(model)
    for name, array in model.items():
        src, dst = ("oihw", "OIhw4i8o") if "conv" in name else (None, "BA4b4a")
        expected = plait.reorder(array, src, dst) if name.endswith("weight") else array
        assert packed[name].dtype == array.dtype and np.array_equal(packed[name], expected)


def test_a_dict():
    model = some_model()
    packed = plait.pack(model, RULES)
    check(packed, model)
    assert packed["fc.bias"] is model["fc.bias"] and packed is not model
    assert plait.pack(model, {}) == model and plait.pack({}, {}) == {}
    # The first pattern that fits counts.
    packed = plait.pack({"w": np.zeros((2, 3)), "v": np.zeros((2, 3))}, {"w*": "ba", "*": "AB4a4b", "w": "ab"})
    assert packed["w"].shape == (3, 2) and packed["v"].shape == (1, 1, 4, 4)


def test_a_file(tmp_path):
    model = some_model()
    for path in (save(tmp_path / "model.safetensors", model), str(save(tmp_path / "again.safetensors", model))):
        check(plait.pack(path, RULES), model)
    assert plait.pack(written(tmp_path / "empty", {}), {}) == {}


def test_types_that_are_bits(tmp_path):
    x = np.arange(-8, 8, dtype=np.float32).reshape(4, 4)
    model = {word: plait.reorder(x, None, None, dtype=word) for word in ("bf16", "f8_e5m2", "f8_e4m3")}
    path = save(tmp_path / "model.safetensors", {name: bits.view(f"<i{bits.itemsize}") for name, bits in model.items()},
                {"bf16": "BF16", "f8_e5m2": "F8_E5M2", "f8_e4m3": "F8_E4M3"})
    for name, there in plait.pack(path, {"*": "ba"}).items():
        assert there.dtype == model[name].dtype and np.array_equal(there, model[name].T)
    for there in plait.pack(path, {"*": "ba"}, dtype=np.float32).values():
        assert np.array_equal(there, x.T)


@pytest.mark.parametrize("formats, reason, says", [
    ({"*.weights": "ab"}, "pattern_fits_no_name", r"'\*.weights'"), ({"fc.weight": "abc"}, "rank_differs", "'fc.weight'"),
    ({"fc.weight": ("abc", "ab")}, "rank_differs", "'fc.weight'"), ({"fc.weight": "AB4a"}, "tag_", "'fc.weight'"),
    ({"*.conv1.weight": ("OIhw4i8o", "oihw")}, "shape_is_missing", "'a.conv1.weight'")])
def test_refusals(formats, reason, says):
    with pytest.raises(plait.Rejection, match=says) as caught:
        plait.pack(some_model(), formats)
    assert caught.value.reason.startswith(reason) and str(caught.value).startswith(caught.value.reason + ": ")


ONE = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize("header, data, reason", [
    (b"", b"", "not_safetensors"), (b"[]", b"", "not_safetensors"), (b" {}", b"", "not_safetensors"), (b"\xff{}", b"", "not_safetensors"),
    (b'{"x": 1, "x": 1}', b"", "not_safetensors"), ({"x": 1}, b"", "not_safetensors"), ({"x": ONE}, b"1234567", "not_safetensors"),
    ({"x": ONE}, b"123456789", "not_safetensors"), ({"x": {**ONE, "shape": [3]}}, b"12345678", "not_safetensors"),
    ({"x": {**ONE, "shape": [-2]}}, b"12345678", "not_safetensors"), ({"x": {**ONE, "shape": [2.0]}}, b"12345678", "not_safetensors"),
    ({"x": {**ONE, "shape": 2}}, b"12345678", "not_safetensors"), ({"x": {**ONE, "data_offsets": [4, 12]}}, b"123456789012", "not_safetensors"),
    ({"x": ONE, "y": ONE}, b"12345678", "not_safetensors"), ({"x": {**ONE, "dtype": "F5"}}, b"12345678", "data_type_is_unknown"),
    ({"x": {**ONE, "dtype": ["F32"]}}, b"12345678", "data_type_is_unknown"), (b"[" * 100000, b"", "not_safetensors")])
def test_broken_files(tmp_path, header, data, reason):
    with pytest.raises(plait.Rejection, match="model.safetensors") as caught:
        plait.pack(written(tmp_path / "model.safetensors", header, data), {})
    assert caught.value.reason.endswith(reason)


def test_a_file_that_is_too_short(tmp_path):
    path = tmp_path / "model.safetensors"
    for content in (b"", b"\x02\0\0\0\0\0\0", b"\x03\0\0\0\0\0\0\0{}", b"\xff" * 8 + b"{}"):
        path.write_bytes(content)
        with pytest.raises(plait.Rejection, match="its header would take"):
            plait.pack(path, {})
    with pytest.raises(FileNotFoundError):
        plait.pack(pathlib.Path("/nowhere/model.safetensors"), {})
    with pytest.raises(TypeError, match="formats"):
        plait.pack({}, {"x": ("a", "b", "c")})


def test_types_smaller_than_a_byte(tmp_path):
    """F4 and F6 are packed: the bytes of a row of the array, if it has whole ones. F8_E8M0 and BOOL have a byte."""
    weights, scales, mask = np.arange(24, dtype=np.uint8).reshape(3, 8), np.full((3, 2), 127, np.uint8), np.arange(3) > 1
    header, data = {}, b""
    for name, dtype, shape, array in (("w", "F4", [3, 16], weights), ("six", "F6_E2M3", [8, 4], weights), ("s", "F8_E8M0", [3, 2], scales),
                                      ("flat", "F4", [16, 3], weights), ("mask", "BOOL", [3], mask)):
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    path = written(tmp_path / "model.safetensors", header, data)
    packed = plait.pack(path, {"w": "ba", "six": "ab"})
    assert packed["w"].dtype == np.uint8 and packed["w"].nbytes == 24
    assert np.array_equal(packed["w"], plait.reorder(weights, None, "ba", src_dtype="f4_e2m1", dtype="f4_e2m1"))
    assert packed["six"].shape == (8, 3) and packed["flat"].shape == (24,) and packed["s"].shape == (3, 2)
    assert packed["mask"].dtype == bool and packed["mask"].tolist() == mask.tolist()
    with pytest.raises(plait.Rejection) as caught:
        plait.pack(written(tmp_path / "odd.safetensors", {"w": {"dtype": "F4", "shape": [3], "data_offsets": [0, 2]}}, b"12"), {})
    assert "not whole bytes" in str(caught.value)
