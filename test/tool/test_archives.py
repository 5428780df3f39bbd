"""Archives and directories: .npz, .safetensors, a folder of files in one run; hostile ones are rejected and change
nothing."""

import io
import json
import os
import resource
import struct
import subprocess
import tempfile
import zipfile

import numpy

import tool
from memory import to_memory
from tool import check, end, run

GENERATOR = numpy.random.default_rng(5)
WEIGHTS = {"conv1.weight": GENERATOR.standard_normal((33, 20, 3, 3)).astype("<f4"),
           "conv2.weight": GENERATOR.standard_normal((16, 16, 1, 1)).astype("<f4")}
AS_BLOCKS = {name: to_memory(values, "oihw", "OIhw8i8o") for name, values in WEIGHTS.items()}
BLOCKED = ["--from", "oihw", "--to", "OIhw8i8o"]


def safetensors_bytes(arrays, names=None, metadata=None):
    names = names or {"<f4": "F32", "|i1": "I8", "<u2": "BF16", "<i8": "I64"}
    header, data = {}, b""
    if metadata is not None:
        header["__metadata__"] = metadata
    for name, values in arrays.items():
        header[name] = {"dtype": names[values.dtype.str], "shape": list(values.shape),
                        "data_offsets": [len(data), len(data) + values.nbytes]}
        data += values.tobytes()
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def read_safetensors(path):
    with open(path, "rb") as file:
        whole = file.read()
    length = struct.unpack("<Q", whole[:8])[0]
    header = json.loads(whole[8 : 8 + length])
    check((8 + length) % 8 == 0, "the data of .safetensors is aligned")
    types = {"F32": "<f4", "I8": "|i1", "BF16": "<u2", "I64": "<i8"}
    arrays = {}
    for name, one in header.items():
        if name != "__metadata__":
            begin, stop = (8 + length + at for at in one["data_offsets"])
            arrays[name] = numpy.frombuffer(whole[begin:stop], types[one["dtype"]]).reshape(one["shape"])
    return arrays, header


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
    return path


def same(got, wanted, what):
    check(set(got) == set(wanted), f"{what}: the names {list(got)}")
    for name in wanted:
        check(got[name].dtype == wanted[name].dtype and (got[name] == wanted[name]).all(), f"{what}: {name}")


def archives(folder):
    source, target = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
    tensors = os.path.join(folder, "out.safetensors")
    for save in (numpy.savez, numpy.savez_compressed):
        save(source, **WEIGHTS)
        answer = run("reorder", source, target, *BLOCKED)
        check(answer.returncode == 0, f"{save.__name__}: {answer.stderr}")
        same(numpy.load(target), AS_BLOCKS, save.__name__)
        with zipfile.ZipFile(target) as archive:
            check(archive.testzip() is None, "checksums")
    check(run("reorder", source, tensors, *BLOCKED).returncode == 0, "npz to safetensors")
    same(read_safetensors(tensors)[0], AS_BLOCKS, "npz to safetensors")
    check(run("reorder", tensors, target, "--from", "OIhw8i8o", "--to", "oihw", "--dims", "40x24x3x3", "--only",
              "conv1.weight").returncode == 0, "one of them")
    got = numpy.load(target)
    check((got["conv1.weight"][:33, :20] == WEIGHTS["conv1.weight"]).all(), "the one that moves")
    check((got["conv2.weight"] == AS_BLOCKS["conv2.weight"]).all(), "the one that is kept")
    bias = dict(WEIGHTS, bias=numpy.arange(33, dtype="<i8"))
    source = write(os.path.join(folder, "in.safetensors"), safetensors_bytes(bias, metadata={"format": "pt"}))
    tool.refused("an axis too few", "reorder", source, tensors, *BLOCKED, says=["'bias'", "1 axes", "4"])
    check(run("reorder", source, tensors, *BLOCKED, "--only", "conv1.weight", "--only", "conv2.weight").returncode == 0, "only")
    got, header = read_safetensors(tensors)
    same(got, dict(AS_BLOCKS, bias=bias["bias"]), "with a bias that is kept")
    check(header["__metadata__"] == {"format": "pt"}, "metadata")
    tool.refused("no such name", "reorder", source, tensors, *BLOCKED, "--only", "conv3", says=["no array called 'conv3'"])
    tool.refused("several in one", "reorder", source, os.path.join(folder, "out.npy"), *BLOCKED, "--only", "conv1.weight",
                 says=["one .npy file holds one array", "3"], lines=2)
    numpy.savez(target, **{"__metadata__": WEIGHTS["conv2.weight"]})
    tool.refused("a name that is taken", "reorder", target, tensors, *BLOCKED, says=["'__metadata__'"])
    with zipfile.ZipFile(target, "w") as archive:
        memory = io.BytesIO()
        numpy.save(memory, WEIGHTS["conv2.weight"])
        archive.writestr("a.npy", memory.getvalue())
    with open(target, "rb") as file:
        whole = file.read()
    write(target, whole.replace(b"a.npy", b"\xff.npy"))
    tool.refused("a name that is no UTF-8", "reorder", target, tensors, *BLOCKED, says=["UTF-8"])
    numpy.savez(source + ".npz", **{"größe": WEIGHTS["conv2.weight"]})
    check(run("reorder", source + ".npz", target, *BLOCKED).returncode == 0, "a name that is not ASCII")
    check(list(numpy.load(target)) == ["größe"], f"a name that is not ASCII: {list(numpy.load(target))}")
    write(source, safetensors_bytes({"n" * 65532: WEIGHTS["conv2.weight"]}))
    tool.refused("a long name", "reorder", source, target, *BLOCKED, says=["'nnn", "65532", "65531"])
    halves = {"w": (WEIGHTS["conv2.weight"].view("<u4") >> 16).astype("<u2")}
    write(source, safetensors_bytes(halves))
    check(run("reorder", source, tensors, *BLOCKED, "--type", "f32").returncode == 0, "bf16 of safetensors")
    wanted = to_memory((halves["w"].astype("<u4") << 16).view("<f4"), "oihw", "OIhw8i8o")
    same(read_safetensors(tensors)[0], {"w": wanted}, "bf16 of safetensors")
    check(run("reorder", tensors, source, "--from", "OIhw8i8o", "--to", "oihw", "--type", "bf16", "--dims",
              "16x16x1x1").returncode == 0, "to bf16")
    got, header = read_safetensors(source)
    check(header["w"]["dtype"] == "BF16" and (got["w"] == halves["w"]).all(), "bf16 and back")


def deflated_memory(folder):
    """Only one deflated array is in memory at a time: eight of 16 MB, with an output of a quarter of the size."""
    source, target = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
    numpy.savez_compressed(source, **{f"a{i}": numpy.full((4096, 1024), i, "<f4") for i in range(8)})
    with open(tool.TOOL, "rb") as file:
        program = file.read()
    if b"__asan_init" in program or b"__tsan_init" in program:  # sanitizers alone need more than the limit
        return
    limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20))
    answer = subprocess.run([tool.TOOL, "reorder", source, target, "--from", "ab", "--to", "ba", "--type", "s8"], preexec_fn=limit,
                            capture_output=True, text=True, timeout=120)
    check(answer.returncode == 0 and (numpy.load(target)["a7"] == 7).all(), f"deflated, in 64 MB: {answer.stderr}")


def directories(folder):
    source, target = os.path.join(folder, "in"), os.path.join(folder, "out")
    os.mkdir(source)
    for name, values in WEIGHTS.items():
        numpy.save(os.path.join(source, name + ".npy"), values)
    write(os.path.join(source, "README"), b"not an array")
    answer = run("reorder", source, target, *BLOCKED)
    check(answer.returncode == 0, answer.stderr)
    check(sorted(os.listdir(target)) == sorted(name + ".npy" for name in WEIGHTS), "the files of a directory")
    same({name: numpy.load(os.path.join(target, name + ".npy")) for name in WEIGHTS}, AS_BLOCKS, "a directory")
    tool.refused("no parent", "reorder", source, os.path.join(folder, "no/such"), *BLOCKED, says=["no/such"])
    tool.refused("a file for a directory", "reorder", source, os.path.join(source, "README"), *BLOCKED, says=["README"])
    write(os.path.join(source, "zz.npy"), b"no array at all")
    other = os.path.join(folder, "other")
    tool.refused("one bad file", "reorder", source, other, *BLOCKED, says=["zz.npy"])
    check(not os.path.exists(other), "one bad file: nothing is written")
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    tool.refused("empty", "reorder", empty, other, *BLOCKED, says=["has no file"])


def hostile(folder):
    """Each damaged file is rejected with its name, the old output stays, and no other file is left."""
    kept = write(os.path.join(folder, "kept.npz"), b"as it was")

    def refused(what, content, ending, says=""):
        path = write(os.path.join(folder, "bad" + ending), content)
        before = sorted(os.listdir(folder))
        answer = run("reorder", path, kept, *BLOCKED)
        check(answer.returncode == 1 and "bad" + ending in answer.stderr and says in answer.stderr,
              f"{what}: {answer.returncode} {answer.stderr}")
        check(sorted(os.listdir(folder)) == before, f"{what}: leaves files")
        with open(kept, "rb") as file:
            check(file.read() == b"as it was", f"{what}: overwrites")
        os.remove(path)

    memory = io.BytesIO()
    numpy.savez(memory, **WEIGHTS)
    whole = memory.getvalue()
    for stop in (3, 30, 100, len(whole) // 2, len(whole) - 23, len(whole) - 1):
        refused(f"npz up to {stop}", whole[:stop], ".npz")
    refused("checksum", whole[:200] + bytes([whole[200] ^ 1]) + whole[201:], ".npz")
    entry = whole.index(b"PK\x01\x02")
    for what, at, value in (("method", 10, b"\x63\x00"), ("encrypted", 8, b"\x01\x00"), ("packed", 20, b"\xff\xff\xff\x7f"),
                            ("unpacked", 24, b"\xff\xff\xff\x7f"), ("name", 28, b"\xff\xff"), ("place", 42, b"\xff\xff\xff\x7f"),
                            ("deflated", 10, b"\x08\x00")):
        refused(what, whole[: entry + at] + value + whole[entry + at + len(value) :], ".npz")
    for number in range(0, len(whole) - entry, 3):  # changes every third byte of the directory
        at = entry + number
        path = write(os.path.join(folder, "bad.npz"), whole[:at] + bytes([whole[at] ^ 0xff]) + whole[at + 1 :])
        answer = run("reorder", path, os.path.join(folder, "any.npz"), *BLOCKED)
        check(answer.returncode in (0, 1), f"byte {number} of the directory: {answer.returncode} {answer.stderr}")
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("readme.txt", "no array")
    refused("no array", memory.getvalue(), ".npz", "is no .npy file")
    refused("a name twice", whole.replace(b"conv2.weight.npy", b"conv1.weight.npy"), ".npz", "twice")
    good = safetensors_bytes(WEIGHTS)
    for stop in (0, 7, 9, 40, len(good) - 1):
        refused(f"safetensors up to {stop}", good[:stop], ".safetensors")

    def header(text):
        return struct.pack("<Q", len(text)) + text + b"\0" * 64

    refused("length", b"\xff" * 8 + good[8:], ".safetensors", "18446744073709551615")
    refused("no JSON", header(b"{]"), ".safetensors", "no JSON object")
    refused("deep", header(b'{"a":' + b"[" * 100000), ".safetensors", "in more than 16 others")
    one = b'"a":{"dtype":"F32","shape":[2,2,2,2],"data_offsets":[0,64]}'
    refused("twice", header(b"{" + one + b"," + one + b"}"), ".safetensors", "twice")
    for what, old, new, says in (("type", b"F32", b"F31", "F31"), ("size", b"[0,64]", b"[0,60]", "need 64"),
                                 ("outside", b"[0,64]", b"[8,72]", "there are 64"), ("backwards", b"[0,64]", b"[64,0]", ""),
                                 ("shape", b"[2,2,2,2]", b"[2,2,2,-2]", "63 bits"), ("one", b"[0,64]", b"[0]", "data_offsets"),
                                 ("overflow", b"[2,2,2,2]", b"[4294967296,4294967296,2,2]", "63 bits count"),
                                 ("more", b'"dtype"', b'"more":1,"dtype"', "dtype, shape"),
                                 ("rank", b"[2,2,2,2]", b"[4,2,2]", "3 axes")):
        refused(what, header(b"{" + one.replace(old, new) + b"}"), ".safetensors", says)
    for what, metadata, says in (("a list", b"[]", "no object of texts"), ("a number", b'{"a":1}', "no object of texts"),
                                 ("deep", b"[" * 100000 + b"]" * 100000, "in more than 16 others")):
        refused("metadata, " + what, header(b'{"__metadata__":' + metadata + b"," + one + b"}"), ".safetensors", says)
    refused("overlap", header(b"{" + one + b"," + one.replace(b'"a"', b'"b"') + b"}"), ".safetensors", "overlaps")


for test in (archives, deflated_memory, directories, hostile):
    with tempfile.TemporaryDirectory() as directory:
        test(directory)
end()
