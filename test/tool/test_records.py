"""Records: packed from arrays of every kind of file, one or a directory; repacked, verified, explained; bad inputs."""

import json
import os
import pathlib
import signal
import struct
import subprocess
import tempfile

import numpy as np

from tool import TOOL, check, end, refused, run

ROWS = "nk: nK(d:f16 /32k, q:u4 16k 2k@16)"
PANELS = "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"
SUMMED = "nk: N(K(w:s8 4n 4k), sums:s32 4n /k =sum(w))"
RANDOM = np.random.default_rng(11)


def weights(n, k):
    return {"d": RANDOM.standard_normal((n, k // 32)).astype(np.float16), "q": RANDOM.integers(0, 16, (n, k)).astype(np.uint8)}


def in_bytes(q):
    return q[:, ::2] | q[:, 1::2] << 4


def rows_of(values):
    """Returns the bytes of ROWS, by hand."""
    n, k = values["q"].shape
    q = values["q"].reshape(n, k // 32, 2, 16)
    blocks = np.concatenate([values["d"].view(np.uint8).reshape(n, k // 32, 2), q[:, :, 0] | q[:, :, 1] << 4], axis=2)
    return blocks.tobytes()


def data_of(path):
    """Returns the bytes of the record of a blob, and its text, read by hand."""
    blob = path.read_bytes()
    header, size, letters = struct.unpack_from("<I", blob, 12)[0], struct.unpack_from("<Q", blob, 16)[0], struct.unpack_from("<I", blob, 44)[0]
    check(blob[:8] == b"plaitrec" and len(blob) == header + size, f"the sizes of {path.name}")
    return blob[header:], blob[64:64 + letters].decode()


def values_by_places(record, name, data, shape):
    """Returns the values of a field in one piece, read where JSON says that they are."""
    field, bits = next(f for f in record["fields"] if f["name"] == name), int.from_bytes(data, "little")

    def value(*index):
        axes, origin = (dict(zip(record["tag"].split(":")[0], numbers)) for numbers in (index, field["origin"]))
        place = field["begin"] + sum((axes[d["axis"]] - origin[d["axis"]]) // d["step"] % d["extent"] * d["stride"] for d in field["digits"])
        return bits >> place & (1 << field["width"]) - 1
    return [[value(n, k) for k in range(shape[1])] for n in range(shape[0])]


def write_safetensors(path, arrays):
    header, data = {}, b""
    for name, array in arrays.items():
        type_name = {"float16": "F16", "uint8": "U8", "int8": "I8", "float32": "F32", "int64": "I64", "int32": "I32", "uint32": "U32", "uint64": "U64"}[str(array.dtype)]
        header[name] = {"dtype": type_name, "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def done(what, *arguments, prints=()):
    answer = run(*map(str, arguments))
    check(answer.returncode == 0 and answer.stderr == "", f"{what}: {answer.stderr}")
    for text in prints:
        check(text in answer.stdout, f"{what}: prints '{answer.stdout.strip()}', not '{text}'")
    return answer.stdout


def one_file(folder):
    values = weights(16, 64)
    out, wanted = folder / "w.plait", rows_of(values)
    np.savez(folder / "w.npz", **values)
    done("from .npz", "pack", folder / "w.npz", out, "--record", ROWS, "--key", "rows", prints=[f"{out}: {ROWS} 16x64, 1088 bytes".replace("1088", str(len(wanted)))])
    check(data_of(out) == (wanted, f"{ROWS} 16 64"), "the bytes of rows")
    np.savez(folder / "b.npz", d=values["d"].astype(np.float32), q=in_bytes(values["q"]))
    done("packed in bytes, and converted", "pack", folder / "b.npz", folder / "b.plait", "--record", ROWS, "--packed", "q")
    check(data_of(folder / "b.plait")[0] == wanted, "the same bytes")
    write_safetensors(folder / "w.safetensors", {"a.scales": values["d"], "a.qweight": in_bytes(values["q"]), "bias": values["d"]})
    done("from .safetensors, by name", "pack", folder / "w.safetensors", folder / "s.plait", "--record", ROWS, "--field", "d=a.scales", "--field",
         "q=a.qweight", "--packed", "q")
    check(data_of(folder / "s.plait")[0] == wanted, "the same bytes")
    np.save(folder / "q.npy", np.asfortranarray(values["q"]))
    done("from one .npy in Fortran's order", "pack", folder / "q.npy", folder / "q.plait", "--record", "nk: nk(q:u4)")
    check(data_of(folder / "q.plait")[0] == in_bytes(values["q"]).tobytes(), "the bytes of one array")
    (folder / "npy").mkdir()
    np.save(folder / "npy" / "d.npy", values["d"])
    np.save(folder / "npy" / "q.npy", values["q"])
    done("from a directory of .npy", "pack", folder / "npy", folder / "n.plait", "--record", ROWS, "--dims", "16x64")
    check(data_of(folder / "n.plait")[0] == wanted, "the same bytes")

    done("repack", "repack", out, PANELS, folder / "p.plait", "--key", "avx2", prints=[PANELS])
    done("and back", "repack", folder / "p.plait", ROWS, folder / "back.plait")
    check(data_of(folder / "back.plait") == data_of(out), "there and back")
    done("in place", "repack", folder / "p.plait", ROWS, folder / "p.plait")
    check(data_of(folder / "p.plait") == data_of(out), "a file that is read and written")
    done("drop", "repack", out, "nk: nk(q:u4)", folder / "less.plait", "--drop", "d")
    check(data_of(folder / "less.plait")[0] == in_bytes(values["q"]).tobytes(), "what is left")
    done("unpack", "unpack", out, folder / "back.npz")
    back = np.load(folder / "back.npz")
    check(np.array_equal(back["d"], values["d"]) and np.array_equal(back["q"], values["q"]), "the values")
    done("explain a blob", "explain", out, prints=["key       rows", ROWS, "16x64"])
    done("explain a record", "record", ROWS, "16x64", prints=[ROWS, "name", "f16", "q"])
    said = json.loads(done("explain a blob as JSON", "explain", out, "--json"))
    check(said["key"] == "rows" and said["bytes"] == out.stat().st_size, f"{said}")
    check(said["checksum"] == out.read_bytes()[32:40][::-1].hex(), "the checksum of the header")
    check(said["record"] == json.loads(done("a record as JSON", "record", ROWS, "16x64", "--json")), "the same record")
    check(said["record"]["tag"] == ROWS and said["record"]["dims"] == [16, 64] and said["record"]["size"] == 16 * 2 * 18, f"{said}")
    check(values_by_places(said["record"], "q", data_of(out)[0], values["q"].shape) == values["q"].tolist(), "JSON says where values are")
    panels = json.loads(done("JSON of panels", "record", PANELS, "15x64", "--json"))
    check([f["flipped"] for f in panels["fields"]] == [0, 8] and panels["padding_bits"] == 64 * 4 + 2 * 16, f"{panels}")
    check([f["share"] for f in panels["fields"]] == [[1, 32], [1, 1]] and panels["overlap"] is None, f"{panels}")
    pieces = json.loads(done("JSON of pieces", "record", "kn: w:f16 KN <512k 16n", "600x16", "--json"))
    check([f["where"] for f in pieces["fields"]] == [[{"axis": "k", "first": 0, "end": 512}], [{"axis": "k", "first": 512, "end": 600}]],
          f"{pieces}")
    turned = json.loads(done("JSON of turned digits", "record", "nk: N(w:f32 K 4k-n 8n)", "8x8", "--json"))
    check([d["turned_by"] for d in turned["fields"][0]["digits"]].count("n") == 1, f"{turned}")
    done("verify", "verify", out, prints=["as packing its values gives them"])


def several_in_a_byte(folder):
    """One value in each byte, unless --packed says otherwise, or the bytes cannot be single values. A shape alone says nothing."""
    def packed(what, record, arrays, *arguments, wanted=None):
        np.savez(folder / "w.npz", **arrays)
        done(what, "pack", folder / "w.npz", folder / "w.plait", "--record", record, *arguments)
        data = data_of(folder / "w.plait")[0]
        check(wanted is None or data == wanted, f"{what}: the bytes")
        names = [word for at, word in enumerate(arguments) if word == "--packed" or arguments[at - 1] == "--packed"]
        for ending in ("npz", "safetensors"):
            back = folder / f"back.{ending}"
            done(f"{what}, unpacked", "unpack", folder / "w.plait", back, *names)
            done(f"{what}, and packed again", "pack", back, folder / "again.plait", "--record", record, *arguments)
            check(data_of(folder / "again.plait")[0] == data, f"{what}: there and back through .{ending}")
        with np.load(folder / "back.npz") as back:
            for name, array in arrays.items():
                check(back[name].dtype == array.dtype and np.array_equal(back[name], array), f"{what}: {name} as it was given")
        return data

    q, d = RANDOM.integers(0, 16, (16, 64)).astype(np.uint8), np.ones((16, 2), np.float16)
    one = packed("one in a byte", ROWS, {"d": d, "q": q}, wanted=rows_of({"d": d, "q": q}))
    packed("two in a byte", ROWS, {"d": d, "q": in_bytes(q)}, "--packed", "q", wanted=one)
    for dims in ([], ["--dims", "16x128"]):
        np.savez(folder / "half.npz", d=np.ones((16, 4), np.float16), q=q)
        refused("half of the columns", "pack", str(folder / "half.npz"), str(folder / "half.plait"), "--record", ROWS, *dims, lines=2,
                says=["'q'", "(16, 64)"] if dims else ["no dims fit"])
    refused("the remedy", "pack", str(folder / "half.npz"), str(folder / "half.plait"), "--record", ROWS, "--dims", "16x128", lines=2,
            says=["--packed q, if each byte holds 2 values"])
    # Bytes that are no single values can only be packed.
    full = in_bytes(RANDOM.integers(0, 16, (16, 128)).astype(np.uint8)) | 0x80
    np.savez(folder / "full.npz", d=np.ones((16, 4), np.float16), q=full)
    for arguments in ([], ["--dims", "16x128"], ["--packed", "q"]):
        done(f"only packed {arguments}", "pack", folder / "full.npz", folder / f"full{len(arguments)}.plait", "--record", ROWS, *arguments)
    check(data_of(folder / "full0.plait")[0] == data_of(folder / "full2.plait")[0], "bytes that can only be packed are packed")
    done("the remedy works", "pack", folder / "half.npz", folder / "half.plait", "--record", ROWS, "--dims", "16x128", "--packed", "q")
    for bits, count in ((1, 8), (2, 4), (4, 2)):
        values = RANDOM.integers(0, 1 << bits, (3, 16)).astype(np.uint8)
        given = sum(values[:, i::count].astype(int) << bits * i for i in range(count)).astype(np.uint8)
        wanted = packed(f"u{bits}", f"nk: nk(x:u{bits})", {"x": values}, wanted=given.tobytes())
        packed(f"u{bits} in bytes", f"nk: nk(x:u{bits})", {"x": given}, "--packed", "x", wanted=wanted)
    signed = RANDOM.integers(-8, 8, (3, 16)).astype(np.int8)
    wanted = packed("s4", "nk: nk(x:s4)", {"x": signed}, wanted=in_bytes(signed.view(np.uint8) & 15).tobytes())
    packed("s4 in bytes", "nk: nk(x:s4)", {"x": in_bytes(signed.view(np.uint8) & 15)}, "--packed", "x", wanted=wanted)
    six = RANDOM.integers(0, 64, (2, 8)).astype(np.uint8)
    wanted = np.packbits(np.unpackbits(six[..., None], axis=-1, bitorder="little")[..., :6].reshape(-1), bitorder="little")
    packed("f6", "nk: nk(x:f6_e2m3)", {"x": six}, wanted=wanted.tobytes())
    packed("f6 in bytes", "nk: nk(x:f6_e2m3)", {"x": wanted.reshape(2, 6)}, "--packed", "x", wanted=wanted.tobytes())
    packed("f4", "nk: nk(x:f4_e2m1)", {"x": q})
    packed("three bits, which no array has packed", "nk: nk(x:u3)", {"x": q & 7})

    np.savez(folder / "w.npz", d=d, q=q)
    for what, arguments, says in (("no such field", ["--packed", "z"], "the record has no field 'z'"), ("whole bytes", ["--packed", "d", "--dims", "16x64"], "is not smaller than a byte"),
                                  ("not packed", ["--packed", "q", "--dims", "16x64"], "has (16, 32) bytes of packed values")):
        refused(what, "pack", str(folder / "w.npz"), str(folder / "x.plait"), "--record", ROWS, *arguments, says=[says], lines=None)
    np.savez(folder / "odd.npz", x=q[:, :7])
    done("an odd row", "pack", folder / "odd.npz", folder / "odd.plait", "--record", "nk: nk(x:u4)")
    refused("an odd row is not packed", "unpack", str(folder / "odd.plait"), str(folder / "x.npz"), "--packed", "x", says=["no whole bytes"])
    refused("no such field", "unpack", str(folder / "odd.plait"), str(folder / "x.npz"), "--packed", "y", says=["has no field 'y'"])
    np.savez(folder / "odd.npz", x=in_bytes(q[:, :6]))
    refused("rows that are no whole bytes", "pack", str(folder / "odd.npz"), str(folder / "x.plait"), "--record", "nk: nk(x:u4)", "--dims", "16x7", "--packed", "x",
            says=["whose rows are no whole bytes"])
    check(not (folder / "x.plait").exists() and not (folder / "x.npz").exists(), "nothing was written")


def a_directory(folder):
    names, made = [f"model.layers.{i}.{part}" for i in range(3) for part in ("up", "down")], {}
    source, out = folder / "model", folder / "packed"
    source.mkdir()
    for name in names:
        made[name] = weights(16 if name.endswith("up") else 32, 64)
    items = [(f"{name}.{kind}", made[name]["d"] if kind == "scales" else in_bytes(made[name]["q"])) for name in names for kind in ("scales", "qweight")]
    write_safetensors(source / "1.safetensors", {**dict(items[:5]), "norm": np.ones(4, np.float32)})
    write_safetensors(source / "2.safetensors", dict(items[5:]))
    (source / "config.json").write_text("{}")
    arguments = ["pack", source, out, "--record", PANELS, "--field", "d=*.scales", "--field", "q=*.qweight", "--packed", "q"]
    lines = done("a directory", *arguments).splitlines()
    check([line.split()[0] for line in lines] == [f"{i}/6" for i in range(1, 7)], f"the lines are numbered: {lines}")
    check(sorted(os.listdir(out)) == sorted(name + ".plait" for name in names), f"the files: {os.listdir(out)}")
    for name in names:
        done("back to rows", "repack", out / f"{name}.plait", ROWS, folder / "rows.plait")
        check(data_of(folder / "rows.plait")[0] == rows_of(made[name]), f"the bytes of {name}")
    before = {name: (out / name).read_bytes() for name in os.listdir(out)}
    write_safetensors(source / "3.safetensors", {"more.scales": np.ones((16, 2), np.float16)})
    refused("a field of one tensor is missing", *map(str, arguments), says=["has no array 'more.qweight' for field 'q'"])
    write_safetensors(source / "3.safetensors", {"more.scales": np.ones((16, 2), np.float16), "more.qweight": np.ones((16, 70), np.uint8)})
    refused("another shape", *map(str, arguments), says=["no dims fit the arrays", "(16, 70)"], lines=2)
    write_safetensors(source / "3.safetensors", {"a/b.scales": np.ones((16, 2), np.float16), "a/b.qweight": np.ones((16, 32), np.uint8)})
    refused("no name of a file", *map(str, arguments), says=["which is no name of a file"])
    write_safetensors(source / "3.safetensors", {items[0][0]: items[0][1]})
    refused("twice", *map(str, arguments), says=["1.safetensors: 'model.layers.0.up.scales'", "both are field 'd'"])
    check({name: (out / name).read_bytes() for name in os.listdir(out)} == before, "nothing was written")


def words_of(values, order=range(8), dtype="<u4"):
    """Packs groups of 8 values of 4 bits along the last axis; place i of a word has value order[i] of its group."""
    groups = values.reshape(*values.shape[:-1], -1, 8).astype(np.uint64)
    return sum(groups[..., value] << np.uint64(4 * place) for place, value in enumerate(order)).astype(dtype)


def words_in_files(folder):
    """Files of GPTQ and AWQ: words of 32 bits with eight values of 4 bits, along k or n."""
    k, n, group, source, out = 256, 48, 64, folder / "words.safetensors", folder / "words.plait"
    w, z = RANDOM.integers(0, 16, (k, n)).astype(np.uint8), RANDOM.integers(0, 16, (k // group, n)).astype(np.uint8)
    scales, order = RANDOM.random((k // group, n)).astype(np.float16), RANDOM.permutation(k).astype(np.int32) // group
    awq = (0, 2, 4, 6, 1, 3, 5, 7)
    gptq = {"qweight": words_of(w.T).T, "qzeros": words_of(z), "scales": scales, "g_idx": order}
    fields = ["--field", "w=*.qweight", "--field", "z=*.qzeros", "--field", "s=*.scales"]

    def packed(what, record, arrays, expected, *arguments, dims=f"{k}x{n}"):
        if isinstance(arrays, dict):
            write_safetensors(source, {f"a.{name}": np.ascontiguousarray(array) for name, array in arrays.items()})
        done(what, "pack", source, folder / "words", "--record", record, "--dims", dims, *arguments)
        with np.load(unpacked(folder / "words" / "a.plait")) as back:
            for name, values in expected.items():
                check(np.array_equal(back[name].reshape(values.shape), values), f"{what}: {name}")

    def unpacked(blob):
        done("unpack words", "unpack", blob, folder / "words.npz")
        return folder / "words.npz"

    values = {"w": w, "z": z, "s": scales}
    packed("GPTQ", "kn: (w:u4 Kn 8k, z:u4 KN 8n /64k, s:f16 Kn /64k, g:s32 k /n)", gptq, {**values, "g": order}, *fields, "--field", "g=*.g_idx")
    packed("AWQ", "kn: (w:u4 kN 2n 4n@2, z:u4 KN 2n 4n@2 /64k, s:f16 Kn /64k)",
           {"qweight": words_of(w, awq), "qzeros": words_of(z, awq), "scales": scales}, values, *fields)
    packed("signed words", "nk: w:u4 Kn 8k", {"qweight": words_of(w.T).T.astype("<i4")}, {"w": w.T}, "--field", "w=*.qweight", dims=f"{n}x{k}")
    packed("words of 64 bits", "nk: w:u4 nk", {"qweight": np.ascontiguousarray(words_of(w.T)).view("<u8")}, {"w": w.T}, "--field", "w=*.qweight", dims=f"{n}x{k}")
    packed("groups of axes", "nk: w:u4 N 8n K 4k 8k@4 4k@1", {"qweight": np.zeros((n, k // 8), "<u4")}, {"w": np.zeros((n, k), np.uint8)},
           "--field", "w=*.qweight", dims=f"{n}x{k}")
    packed("what is stored inverted", "nk: w:u4^8 Kn 8k", {"qweight": words_of(w.T ^ 8).T}, {"w": w.T}, "--field", "w=*.qweight", dims=f"{n}x{k}")
    np.save(folder / "big.npy", words_of(w.T).T.astype(">u4"))
    done("big-endian", "pack", folder / "big.npy", out, "--record", "nk: w:u4 Kn 8k", "--dims", f"{n}x{k}")
    check(data_of(out)[0] == np.ascontiguousarray(words_of(w.T).T).tobytes(), "the bytes of a record of one field are those of the file")
    # Eight rows of 5 are padded to 8 by the file: zeros are dropped, anything else is refused.
    five = np.zeros((40, 8), np.uint8)
    five[:, :5] = RANDOM.integers(0, 16, (40, 5))
    packed("padding of the last word", "kn: w:u4 kN 8n", {"qweight": words_of(five)}, {"w": five[:, :5]}, "--field", "w=*.qweight", dims="40x5")
    five[3, 6] = 9

    def not_packed(what, record, array, *, dims, says):
        write_safetensors(source, {"w": np.ascontiguousarray(array)})
        refused(what, "pack", str(source), str(out), "--record", record, "--dims", dims, says=says, lines=None)

    not_packed("values in the padding", "kn: w:u4 kN 8n", words_of(five), dims="40x5", says=["'w': record_is_damaged"])
    not_packed("the other axis", "nk: w:u4 Kn 8k", words_of(w.T), dims=f"{n}x{k}",
               says=["has the shape (48, 32) of 'U32', but field 'w' is stored in the words (32, 48)"])
    not_packed("one value in each word", "nk: w:u4 nk", w.T.astype("<i4"), dims=f"{n}x{k}", says=["is stored in the words (48, 32)"])
    not_packed("too small for a word", "nk: w:u4 Nk 4n", words_of(w.T), dims=f"{n}x{k}", says=["is stored in the words (12, 128)"])
    not_packed("no whole words", "nk: w:u4 Nk 3n", words_of(w.T), dims=f"{n}x{k}", says=["the innermost loops of the tag do not fill them"])
    not_packed("pieces", "nk: (w:u2 nk, w.2:u2 nk)", words_of(w.T), dims=f"{n}x{k}", says=["is not stored in such words"])
    not_packed("floats of 16 bits", "nk: w:f16 nk", words_of(w.T), dims=f"{n}x{k // 8}", says=["has the type 'U32', but field 'w' is f16"])
    write_safetensors(source, {"w": np.ascontiguousarray(words_of(w.T).T)})
    refused("words do not say the extents", "pack", str(source), str(out), "--record", "nk: w:u4 Kn 8k", says=["no dims fit the arrays w (32, 48)"], lines=2)


def names_of_tensors(folder):
    """Two tensors never become one file, whatever their names are, and no file is written outside of the directory."""
    source, here = folder / "m.safetensors", folder / "here"
    here.mkdir()

    def pack(*names, out="out", numbers=None):
        arrays = {}
        for number, name in enumerate(names):
            arrays[name + ".d"] = np.full((4, 2), number + 1, np.float16)
            arrays[name + ".q"] = np.full((4, 64), number, np.uint8)
        write_safetensors(source, arrays)
        return ["pack", str(source), str(here / out), "--record", ROWS, "--field", "d=*.d", "--field", "q=*.q"]

    long = "n" * 249  # with .plait 255 bytes, the most that Linux allows
    for name, says in (("a\0one", "byte 1 is 0"), ("\0", "byte 0 is 0"), ("a\nb", "byte 1 is 10"), ("a\rb", "byte 1 is 13"), ("a\x7fb", "byte 1 is 127"),
                       ("a/b", "no name of a file"), ("/a", "no name of a file"), ("../a", "no name of a file"), ("..", "no name of a file"),
                       (".", "no name of a file"), (".hidden", "no name of a file"), ("", "no name of a file"), (long + "n", "has 256 bytes, but at most 255")):
        for names in ((name,), ("a", name), (name, "b")):
            refused(f"{name!r} of {names}", *pack(*names), says=[says])
            check([path for path in here.rglob("*") if not path.is_dir()] == [], f"{name!r}: a file is written")
    refused("two names that differ behind a NUL", *pack("a\0one", "a\0two"), says=["which is no name of a file"])
    check(sorted(os.listdir(folder)) == ["here", "m.safetensors"], f"nothing outside: {os.listdir(folder)}")

    names = ("a", "A", "a ", " a", "a.", "a_b", "a b", "a.plait", "\u00e4", "a\u0308", "*", "-", "a\\b", "con", "'", long)
    done("names that are files", *pack(*names))
    check(sorted(os.listdir(here / "out")) == sorted(name + ".plait" for name in names), f"each has a file: {os.listdir(here / 'out')}")
    for number, name in enumerate(names):
        check(data_of(here / "out" / (name + ".plait"))[0][2] == number * 17, f"the values of {name!r}")

    linked = here / "linked"
    linked.mkdir()
    (linked / "a.plait").symlink_to("b.plait")
    for names in (("a", "b"), ("b", "a")):
        refused("a link to another output", *pack(*names, out="linked"), says=["is the same file as"])
    (linked / "c.plait").mkdir()
    refused("a directory", *pack("b", "c", out="linked"), says=["c.plait: cannot be written: Is a directory"])
    check(sorted(os.listdir(linked)) == ["a.plait", "c.plait"], f"nothing is written: {os.listdir(linked)}")


def bad_inputs(folder):
    values = weights(16, 64)
    np.savez(folder / "w.npz", **values)
    blob, rows = folder / "ok.plait", ["--record", ROWS]
    done("the blob", "pack", folder / "w.npz", blob, *rows)
    whole, path = blob.read_bytes(), folder / "bad.plait"
    for size in (0, 7, 8, 63, 64, 100, len(whole) - 1):
        path.write_bytes(whole[:size])
        for command in (["verify", path], ["explain", path], ["unpack", path, folder / "x.npz"], ["repack", path, PANELS, folder / "x.plait"]):
            refused(f"{size} bytes: {command[0]}", *map(str, command), says=[f"{path}: blob_is_truncated"])
    for more in (b"\0", whole, (folder / "w.npz").read_bytes()):
        path.write_bytes(whole + more)
        for command in (["verify", path], ["explain", path], ["unpack", path, folder / "x.npz"], ["repack", path, PANELS, folder / "x.plait"]):
            refused(f"{len(more)} bytes after the record: {command[0]}", *map(str, command), says=[f"{path}: blob_is_too_long", f"first {len(whole)}"])
    for byte, reason in ((3, "blob_is_not_one"), (8, "blob_version_is_unknown"), (70, "blob_text_is_damaged"), (len(whole) - 1, "blob_data_is_damaged")):
        damaged = bytearray(whole)
        damaged[byte] ^= 1
        path.write_bytes(damaged)
        refused(reason, "verify", str(path), says=[f"{path}: {reason}"])
    check(not (folder / "x.npz").exists() and not (folder / "x.plait").exists(), "nothing was written")

    old = folder / "old.plait"
    old.write_bytes(b"old")

    def pack(what, *arguments, says, source=folder / "w.npz", **others):
        refused(what, "pack", str(source), str(old), *arguments, says=says, **others)
        check(old.read_bytes() == b"old", f"{what}: the old file")

    pack("no record", says=["pack needs --record"], code=2)
    pack("a tag that is none", "--record", "nk: NK(q:u4 2k 8n 8k 2k@9)", says=["step_is_not_reached: column 22"])
    for tag, nearest in (("nk: nK(d:f16, q:u4 32k)", "nk: nK(d:f16 /32k, q:u4 32k)"), ("nk: nK(q:int4 32k, d:half)", "nk: nK(q:s4 32k, d:f16 /32k)"),
                         ("nk: nK(q:s2 32k, d:f16 /32k)", "nk: nK(q:u2^2 32k, d:f16 /32k)"),
                         ("nk: nK(s:s8 16k, q:u4 256k)", "nk: nK(s:s8 16k /16k, q:u4 256k)"),
                         ("nk: nK(s:u4 8k 2k@128, q:u4 256k)", "nk: nK(s:u4 8k 2k@128 /16k, q:u4 256k)"),
                         ("nk: N(K(q:u4 4n 32k, d:f16 4n), s:s32 4n /k =sum(q))", "nk: N(K(q:u4 4n 32k, d:f16 4n /32k), s:s32 4n /k =sum(q))")):
        pack(f"the nearest of {tag}", "--record", tag, says=["nearest", nearest], lines=2)
    pack("no nearest", "--record", "nk: nK(d:f16, q:u4)", says=["tag_upper_case_axis_has_no_block"])
    pack("another rank", *rows, "--dims", "64", says=["rank_differs"])
    pack("dims that are none", *rows, "--dims", "16xa", says=["column 4"])
    pack("other dims", *rows, "--dims", "16x96", says=["'d': has the shape (16, 2), but field 'd' has (16, 3)"])
    pack("no such field", *rows, "--field", "z=q", says=["the record has no field 'z'"])
    pack("no such array", *rows, "--field", "q=weight", says=["has no array 'weight' for field 'q'"])
    pack("no name", *rows, "--field", "q", says=["is not a field and a name"], lines=2)
    pack("two stars", *rows, "--field", "q=*.*", says=["more than one '*'"])
    pack("one star", *rows, "--field", "q=*", says=["must both have a '*', or neither"])
    pack("one array for two fields", *rows, "--field", "d=q", says=["fits the patterns of the fields 'd' and 'q'"])
    pack("a long key", *rows, "--key", "seventeen_letters", says=["17 letters"])
    pack("no file", *rows, source=folder / "none.npz", says=["none.npz: cannot be opened"])
    np.savez(folder / "big.npz", d=values["d"], q=values["q"] + np.uint8(1))
    pack("a value that does not fit", *rows, source=folder / "big.npz", says=["is 16, but field 'q' has 4 bits"])
    np.savez(folder / "types.npz", d=values["d"].astype(np.int16), q=values["q"])
    pack("another type", *rows, source=folder / "types.npz", says=["has the type '<i2', but field 'd' is f16"])
    np.savez(folder / "sums.npz", w=np.ones((8, 8), np.int8), bias=np.ones((8, 1), np.int32))
    pack("no parameter", "--record", "nk: N(K(w:s8 4n 4k), bias:s32 4n /k =+sum(w)*-izp)", source=folder / "sums.npz", says=["parameter_is_missing"])
    for text in ("izp", "izp=", "izp=three", "=3", "izp=nan"):
        pack(text, "--record", SUMMED, "--parameter", text, source=folder / "sums.npz", says=["is not a name and a number"], lines=2)
    truncated = (folder / "w.npz").read_bytes()[:200]
    (folder / "cut.npz").write_bytes(truncated)
    pack("a file that is cut", *rows, source=folder / "cut.npz", says=["cut.npz"], lines=None)
    refused("no place", "pack", str(folder / "w.npz"), str(folder / "none" / "w.plait"), *rows, says=["cannot be written"])
    refused("a directory", "pack", str(folder / "w.npz"), str(folder), *rows, says=["cannot be written: Is a directory"])
    refused("a full device", "pack", str(folder / "w.npz"), "/dev/full", *rows, says=["cannot be written: No space left"])
    refused("dropped without a word", "repack", str(blob), "nk: nk(q:u4)", str(old), says=["field_is_dropped: field d"])
    refused("a field that the blob lacks", "repack", str(blob), "nk: nk(q:u4, z:u4)", str(old), "--drop", "d", says=["field_is_missing"], lines=None)
    refused("a tag for three axes", "repack", str(blob), "nkl: nkl(q:u4)", str(old), says=["rank_differs"])
    check(old.read_bytes() == b"old" and sorted(p.name for p in folder.glob(".*")) == [], "nothing is left")


def sums(folder):
    w = RANDOM.integers(-128, 128, (8, 16)).astype(np.int8)
    np.savez(folder / "sums.npz", w=w)
    out = folder / "sums.plait"
    done("sums", "pack", folder / "sums.npz", out, "--record", SUMMED)
    done("sums agree", "verify", out)
    done("sums as arrays", "unpack", out, folder / "back.npz")
    check(np.array_equal(np.load(folder / "back.npz")["sums"][:, 0], w.sum(1, dtype=np.int32)), "the sums")
    # A sum that does not agree, in a blob whose checksum does: without a checksum.
    damaged = bytearray(out.read_bytes())
    damaged[-1] ^= 1
    damaged[32:40] = bytes(8)
    out.write_bytes(damaged)
    refused("a sum that does not agree", "verify", str(out), says=["record_is_damaged: field sums"])
    # A sum is added to what is given, and subtracted again.
    bias = np.arange(w.shape[0], dtype=np.int32).reshape(-1, 1)
    np.savez(folder / "added.npz", w=w, bias=bias)
    added = folder / "added.plait"
    done("an added sum", "pack", folder / "added.npz", added, "--record", "nk: N(K(w:s8 4n 4k), bias:s32 4n /k =+sum(w)*-izp)", "--parameter", "izp=3")
    refused("an added sum without its number", "unpack", str(added), str(folder / "given.npz"), says=["parameter_is_missing: number izp"])
    done("an added sum as arrays", "unpack", added, folder / "given.npz", "--parameter", "izp=3")
    check(np.array_equal(np.load(folder / "given.npz")["bias"], bias), "what a sum was added to")
    # Padding that another packer left.
    np.savez(folder / "rows.npz", w=np.ones((3, 4), np.uint8))
    rows = folder / "rows.plait"
    done("padded rows", "pack", folder / "rows.npz", rows, "--record", "nk: NK(w:u8 4n 4k)")
    left = bytearray(rows.read_bytes())
    left[-1] = 7
    left[32:40] = bytes(8)
    rows.write_bytes(left)
    refused("padding that is not zero", "verify", str(rows), says=["record_is_damaged: the padding of field w is not zero at index 3"])
    done("padding that is left out", "verify", rows, "--ignore-padding")


def interrupted(folder):
    """A process that is killed while it writes leaves the old file."""
    n, old = 4096, folder / "old.plait"
    np.savez(folder / "large.npz", d=np.ones((n, 4096 // 32), np.float16), q=np.zeros((n, 4096), np.uint8))
    done("the old file", "pack", folder / "large.npz", old, "--record", ROWS)
    before = old.read_bytes()
    for delay in (0.01, 0.03, 0.06):
        with subprocess.Popen([TOOL, "pack", str(folder / "large.npz"), str(old), "--record", PANELS]) as process:
            try:
                process.wait(delay)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        now = old.read_bytes()
        check(now == before or (process.returncode == 0 and len(now) == len(before)), f"killed after {delay} s")
        if process.returncode == 0:
            done("the old file", "pack", folder / "large.npz", old, "--record", ROWS)


for part in (one_file, several_in_a_byte, a_directory, words_in_files, names_of_tensors, bad_inputs, sums, interrupted):
    with tempfile.TemporaryDirectory() as made:
        part(pathlib.Path(made))
end()
