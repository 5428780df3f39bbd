"""Arrays that --only does not name are kept unchanged, and none of them prevents others from being moved."""

import json
import os
import struct
import tempfile
import zipfile

import numpy

import tool
from tool import check, end, run

X = numpy.arange(6, dtype="<f4").reshape(2, 3)
BESIDE = {"names": numpy.array(["sigmoid", "tanh"]), "objects": numpy.array([{1: 2}, None], dtype=object), "one": numpy.float64(3),
          "record": numpy.zeros(3, [("a", "<f4"), ("b", "<i4")]), "swapped": X.astype(">f8"), "fortran": numpy.asfortranarray(X),
          "long": X.astype("<c16"), "empty": numpy.zeros((0, 3), "<f4"), "deep": numpy.zeros((1,) * 20, "<f4")}
ORDER = ["--from", "ab", "--to", "ba", "--only", "w"]


def members(path):
    with zipfile.ZipFile(path) as archive:
        check(archive.testzip() is None, f"{path}: checksums")
        return {name: archive.read(name) for name in archive.namelist()}


def in_npz(folder):
    source, target = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
    for save in (numpy.savez, numpy.savez_compressed):
        save(source, w=X, **BESIDE)
        with zipfile.ZipFile(source, "a") as archive:
            archive.writestr("README.txt", "no array")
            archive.writestr("broken.npy", b"\x93NUMPY\x01\x00\x08\x00{'a': 1}")
        answer = run("reorder", source, target, *ORDER)
        check(answer.returncode == 0 and answer.stdout.count("\n") == 1, f"{save.__name__}: {answer.stderr}")
        before, after = members(source), members(target)
        check(list(before) == list(after), f"{save.__name__}: the names and their order")
        for name in before:
            check(name == "w.npy" or before[name] == after[name], f"{save.__name__}: {name} is kept byte for byte")
        check((numpy.load(target)["w"] == X.T).all(), f"{save.__name__}: the one that moves")
    for name, says in (("names", "'<U7', whose elements have 28 bytes"), ("objects", "Python objects"), ("one", "0 axes"),
                       ("record", "--field a, --field b"), ("long", "'<c16', whose elements have 16 bytes"),
                       ("broken", "unexpected key 'a'"), ("README.txt", "no array called")):
        answer = run("reorder", source, target, "--from", "ab", "--to", "ba", "--only", name)
        check(answer.returncode == 1 and says in answer.stderr and name in answer.stderr, f"--only {name}: {answer.stderr}")
    answer = run("reorder", source, target, "--from", "a", "--to", "a", "--only", "record", "--field", "b")
    check(answer.returncode == 0 and numpy.load(target)["record"].dtype == "<i4", f"a field in an archive: {answer.stderr}")


def safetensors(tensors):
    header, data = {}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def read_safetensors(path):
    with open(path, "rb") as file:
        whole = file.read()
    begin = 8 + struct.unpack("<Q", whole[:8])[0]
    return {name: (one["dtype"], one["shape"], whole[begin:][slice(*one["data_offsets"])])
            for name, one in json.loads(whole[8:begin]).items()}


def in_safetensors(folder):
    source, target = os.path.join(folder, "in.safetensors"), os.path.join(folder, "out.safetensors")
    sizes = {"BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "F8_E8M0": 1, "F8_E4M3FNUZ": 1, "F8_E5M2FNUZ": 1, "I16": 2, "U16": 2,
             "F16": 2, "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8, "C64": 8}
    tensors = {name: (name, [2, 3], bytes(range(6 * size))) for name, size in sizes.items()}
    tensors[""] = ("F32", [2, 3], X.tobytes())
    kept = {"half": ("F4", [2, 3], b"123"), "three quarters": ("F6_E3M2", [4], b"456"), "new": ("Q9", [7], b"7654"),
            "one": ("I64", [], b"12345678"), "nothing": ("F32", [0, 3], b"")}
    with open(source, "wb") as file:
        file.write(safetensors(tensors | kept))
    only = [word for name in tensors for word in ("--only", name)]
    answer = run("reorder", source, target, "--from", "ab", "--to", "ba", *only)
    check(answer.returncode == 0, f"safetensors: {answer.stderr}")
    got = read_safetensors(target) if answer.returncode == 0 else {}
    check(list(got) == list(tensors | kept), f"safetensors: the names {list(got)}")
    for name, (dtype, _, content) in tensors.items():
        wanted = numpy.frombuffer(content, f"V{len(content) // 6}").reshape(2, 3).T.tobytes()
        check(got.get(name) == (dtype, [3, 2], wanted), f"{dtype} as bits")
    for name, tensor in kept.items():
        check(got.get(name) == tensor, f"{name} is kept")
    for name, says in (("new", "'Q9', which is none that this plait knows"), ("one", "0 axes")):
        answer = run("reorder", source, target, "--from", "ab", "--to", "ba", "--only", name)
        check(answer.returncode == 1 and says in answer.stderr, f"--only {name}: {answer.stderr}")
    answer = run("reorder", source, os.path.join(folder, "out.npz"), "--from", "ab", "--to", "ba", "--only", "F32")
    check(answer.returncode == 1 and "NumPy does not have" in answer.stderr, f"what NumPy has not: {answer.stderr}")
    with open(source, "wb") as file:
        file.write(safetensors({"": tensors[""], "one": kept["one"]}))
    path = os.path.join(folder, "out.npz")
    answer = run("reorder", source, path, "--from", "ab", "--to", "ba", "--only", "")
    check(answer.returncode == 0 and list(members(path)) == [".npy", "one.npy"], f"no name: {answer.stderr}")
    check(run("reorder", path, target, "--from", "ab", "--to", "ba", "--only", "").returncode == 0, "no name, and back")
    check(read_safetensors(target) == {"": tensors[""], "one": kept["one"]}, f"no name, and back")
    tool.refused("no such name", "reorder", source, target, "--from", "ab", "--to", "ba", "--only", "x", says=["no array called 'x'"])


def between_kinds(folder):
    """Kept big-endian and Fortran-order arrays are converted to little-endian and C order; types unknown to safetensors
    are rejected."""
    source, target = os.path.join(folder, "in.npz"), os.path.join(folder, "out.safetensors")
    numpy.savez(source, w=X, swapped=X.astype(">f8"), fortran=numpy.asfortranarray(X), one=numpy.float32(7), empty=BESIDE["empty"])
    answer = run("reorder", source, target, *ORDER)
    check(answer.returncode == 0, f"npz to safetensors: {answer.stderr}")
    check(read_safetensors(target) == {"w": ("F32", [3, 2], X.T.tobytes()), "swapped": ("F64", [2, 3], X.astype("<f8").tobytes()),
                                       "fortran": ("F32", [2, 3], X.tobytes()), "one": ("F32", [], numpy.float32(7).tobytes()),
                                       "empty": ("F32", [0, 3], b"")}, "npz to safetensors")
    for name, says in (("names", "no type for '<U7'"), ("objects", "Python objects"), ("record", "structured"), ("long", "'<c16'")):
        numpy.savez(source, w=X, **{name: BESIDE[name]})
        answer = run("reorder", source, target, *ORDER)
        check(answer.returncode == 1 and says in answer.stderr and name in answer.stderr, f"{name}: {answer.stderr}")


def in_directories(folder):
    source, target = os.path.join(folder, "in"), os.path.join(folder, "out")
    os.mkdir(source)
    numpy.save(os.path.join(source, "w.npy"), X)
    numpy.save(os.path.join(source, "names.npy"), BESIDE["names"])
    numpy.savez(os.path.join(source, "more.npz"), w=X + 1, **BESIDE)
    numpy.savez(os.path.join(source, "other.npz"), names=BESIDE["names"])
    for name in ("bad.npy", "empty.npy"):
        with open(os.path.join(source, name), "wb") as file:
            file.write(b"no array" if name == "bad.npy" else b"")
    answer = run("reorder", source, target, *ORDER)
    check(answer.returncode == 0, f"a directory: {answer.stderr}")
    check(sorted(os.listdir(target)) == sorted(os.listdir(source)), "a directory: its files")
    check((numpy.load(os.path.join(target, "w.npy")) == X.T).all(), "a directory: the one that moves")
    check((numpy.load(os.path.join(target, "more.npz"))["w"] == X.T + 1).all(), "a directory: the one in an archive")
    for name in ("names.npy", "other.npz", "bad.npy", "empty.npy"):
        same = [open(os.path.join(where, name), "rb").read() for where in (source, target)]
        check(same[0] == same[1], f"a directory: {name} is kept byte for byte")
    other = os.path.join(folder, "other")
    tool.refused("no such name", "reorder", source, other, "--from", "ab", "--to", "ba", "--only", "w", "--only", "v",
                 says=["no array called 'v'"])
    check(not os.path.exists(other), "no such name: nothing is written")


def without_axes(folder):
    """One element without axes: its format has no letters; converted, in archives, and as one scale for the tensor."""
    source, target = os.path.join(folder, "x.npy"), os.path.join(folder, "y.npy")
    for x in (numpy.float32(2.5), numpy.array(7, ">i8"), numpy.array(True)):
        numpy.save(source, x)
        answer = run("reorder", source, target, "--from", "", "--to", "")
        got = numpy.load(target)
        check(answer.returncode == 0 and got.shape == () and got == x and "() ->  (), no axes" in answer.stdout, f"{x}: {answer}")
    numpy.save(source, numpy.float32(2.5))
    check(run("reorder", source, target, "--from", "", "--to", "", "--type", "s8", "--dst-scale", "0.5").returncode == 0, "converted")
    check(numpy.load(target) == 5 and numpy.load(target).dtype == "i1", "converted: its value")
    for what, more, says in (("a format for it", ["--from", "a", "--to", "a"], "0 axes, but format 'a' has 1"),
                             ("one format", ["--from", "", "--to", "a"], "format ''"), ("dims", ["--from", "", "--to", "", "--dims", "1"], "has none"),
                             ("a mask", ["--from", "", "--to", "", "--dst-scale", "2", "--mask", "a"], "--mask")):
        answer = run("reorder", source, target, *more)
        check(answer.returncode == 1 and says in answer.stderr, f"{what}: {answer.stderr}")
    numpy.save(target, X)
    scale = source
    answer = run("reorder", target, target, "--from", "ab", "--to", "ba", "--src-scale", scale)
    check(answer.returncode == 0 and (numpy.load(target) == 2.5 * X.T).all(), f"a scale without axes: {answer.stderr}")
    answer = run("reorder", target, target, "--from", "", "--to", "")
    check(answer.returncode == 1 and "(3, 2) has 2 axes, but format '' has none" in answer.stderr, f"two axes: {answer.stderr}")


for test in (in_npz, in_safetensors, between_kinds, in_directories, without_axes):
    with tempfile.TemporaryDirectory() as directory:
        test(directory)
end()
