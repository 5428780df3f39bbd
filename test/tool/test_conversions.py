"""How plait reorder converts numbers: types, scales, byte orders, Fortran order; and its input and output files."""

import io
import os
import tempfile

import numpy

import tool
from memory import to_memory
from tool import check, end, pipe, run


def conversions(folder):
    """Types, scales and zero points give the result of NumPy in float32, rounded to even and clipped."""
    source, target = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")

    def file_of(name, values):
        numpy.save(os.path.join(folder, name), values)
        return os.path.join(folder, name)

    values = numpy.random.default_rng(11).uniform(-40, 40, (2, 17, 5, 4)).astype("<f4")
    numpy.save(source, values)

    def quantised(x, src_scale=1, dst_scale=1, src_zero=0, dst_zero=0, low=-128, high=127):
        one = numpy.float32(1)
        y = (x.astype("f4") - numpy.float32(src_zero)) * numpy.asarray(src_scale, "f4")
        y = y * (one / numpy.asarray(dst_scale, "f4")) + numpy.asarray(dst_zero, "f4")
        return numpy.clip(numpy.rint(y), low, high)

    def moved(what, wanted, dtype, *options):
        answer = run("reorder", source, target, "--from", "nchw", "--to", "nhwc", *options)
        check(answer.returncode == 0, f"{what}: {answer.stderr}")
        got = numpy.load(target)
        wanted = wanted.transpose(0, 2, 3, 1).astype(dtype)
        check(got.dtype == numpy.dtype(dtype) and ((got == wanted) | (got != got) & (wanted != wanted)).all(), what)

    moved("s8", quantised(values), "|i1", "--type", "s8")
    moved("s8 by 8", quantised(values, dst_scale=8), "|i1", "--type", "s8", "--dst-scale", "8")
    moved("u8", quantised(values, 0.5, 0.25, 0, 3, 0, 255), "|u1", "--type", "u8", "--src-scale", "0.5", "--dst-scale",
          "0.25", "--dst-zero-point", "3")
    moved("s32", quantised(values, src_zero=-5, low=-2**31, high=2**31 - 1), "<i4", "--type", "s32", "--src-zero-point", "-5")
    moved("f64", values, "<f8", "--type", "f64")
    moved("f16", values.astype("<f2"), "<f2", "--type", "f16")
    bits = values.view("<u4")
    moved("bf16", (bits + 0x7fff + (bits >> 16 & 1) >> 16).astype("<u2"), "<u2", "--type", "bf16")
    scales = numpy.linspace(0.5, 3, 17).astype("<f4")
    zeros = numpy.arange(-8, 9, dtype="<i4")
    each = (1, 17, 1, 1)
    moved("by channel", quantised(values, dst_scale=scales.reshape(each), dst_zero=zeros.reshape(each)), "|i1", "--type",
          "s8", "--dst-scale", file_of("scales.npy", scales), "--dst-zero-point", file_of("zeros.npy", zeros), "--mask", "c")
    moved("by bits", quantised(values, src_scale=scales.reshape(each)), "|i1", "--type", "s8", "--src-scale",
          os.path.join(folder, "scales.npy"), "--mask", "2")
    numpy.save(source, (bits >> 16).astype("<u2"))
    moved("from bf16", (bits >> 16 << 16).view("<f4"), "<f4", "--src-type", "bf16", "--type", "f32")

    def refused(what, *options, says, lines=1):
        tool.refused(what, "reorder", source, target, "--from", "nchw", "--to", "nhwc", *options, says=says, lines=lines)

    refused("bits", "--type", "f32", says=["'<u2'", "--src-type bf16"], lines=2)
    refused("bytes of bits", "--src-type", "f32", says=["--src-type f32", "4 bytes", "have 2"])
    numpy.save(source, values)
    refused("type", "--type", "int8", says=["int8", "nearest   s8"], lines=2)
    refused("scale", "--dst-scale", "8x", says=["--dst-scale", "'8x'"])
    refused("zero point", "--dst-zero-point", "1.5", says=["--dst-zero-point", "'1.5'", "whole number"])
    refused("large zero point", "--dst-zero-point", "4294967296", says=["4294967296 is no s32"])
    refused("small zero point", "--dst-zero-point", "-2147483649", says=["-2147483649 is no s32"])
    tool.refused("an empty scale", "reorder", source, target, "--from", "nchw", "--to", "nhwc", "--dst-scale", "", says=["--dst-scale"], code=2)
    refused("large scale", "--dst-scale", "1e999", says=["'1e999' is no f32"])
    for scale in ("0", "-0.0", "0x0p0", "nan", "-nan", "inf", "-inf", "1e-39"):
        tool.refused(f"--dst-scale {scale}", "reorder", source, target, "--from", "nchw", "--to", "nhwc", "--dst-scale", scale,
                     says=["--dst-scale", scale], lines=None)
        with numpy.errstate(invalid="ignore", over="ignore"):
            number = numpy.float32(float.fromhex(scale) if "0x" in scale else float(scale))
            moved(f"--src-scale {scale}", values * number, "<f4", "--src-scale", scale)
    for bad in (0, numpy.nan, numpy.inf):
        refused(f"a file with the scale {bad}", "--dst-scale", file_of("bad.npy", numpy.array([1, 2, bad] + [1] * 14, "<f4")),
                "--mask", "c", says=["bad.npy", "index 2", "not 0"], lines=2)
    moved("a negative scale", quantised(values, dst_scale=-2), "|i1", "--type", "s8", "--dst-scale", "-2")
    numpy.save(os.path.join(folder, "fortran.npy"), numpy.asfortranarray(scales[:16].reshape(4, 4)))
    refused("scales in Fortran order", "--dst-scale", os.path.join(folder, "fortran.npy"), "--mask", "hw", lines=2,
            says=["fortran.npy", "Fortran order"])
    refused("no mask", "--dst-scale", os.path.join(folder, "scales.npy"), says=["--mask"], lines=2)
    refused("mask for nothing", "--dst-scale", "8", "--mask", "c", says=["--mask c"])
    refused("mask's letters", "--dst-scale", "8", "--mask", "cq", says=["column 2", "'nchw'"])
    refused("mask's bits", "--dst-scale", "8", "--mask", "16", says=["--mask 16", "4 axes"])
    refused("too few scales", "--dst-scale", os.path.join(folder, "scales.npy"), "--mask", "h", "--type", "s8",
            says=["mask_has_other_values", "17", "5"])
    refused("scales of integers", "--dst-scale", os.path.join(folder, "zeros.npy"), "--mask", "c", says=["'<i4'", "'<f4'"])
    refused("no file of scales", "--dst-scale", os.path.join(folder, "absent.npy"), "--mask", "c", says=["absent.npy"])


def packed(folder):
    """Elements smaller than a byte in .npy and .safetensors files, and scales by group."""
    def path(name, values=None):
        if values is not None:
            numpy.save(os.path.join(folder, name), values)
        return os.path.join(folder, name)

    def moved(what, source, target, *options):
        answer = run("reorder", source, path(target), *options)
        check(answer.returncode == 0, f"{what}: {answer.stderr}")
        return numpy.load(path(target)) if target.endswith(".npy") else None

    def nibbles(numbers):
        flat = numpy.append(numbers.reshape(-1), [0] * (numbers.size % 2)).astype(numpy.uint8)
        return flat[::2] | flat[1::2] << 4

    numbers = numpy.random.default_rng(4).integers(0, 16, (6, 8))
    source = path("in.npy", nibbles(numbers).reshape(6, 4))
    got = moved("u4", source, "out.npy", "--from", "ab", "--to", "ba", "--src-type", "u4")
    check(got.shape == (8, 3) and (got.reshape(-1) == nibbles(numbers.T)).all(), "u4 transposed")
    scales = numpy.random.default_rng(5).uniform(0.5, 2, (6, 2)).astype(numpy.float16)
    points = numpy.arange(12, dtype=numpy.uint8).reshape(6, 2)
    got = moved("by group", source, "f32.npy", "--from", "ab", "--to", "ab", "--src-type", "u4", "--type", "f32", "--src-scale",
                path("s.npy", scales), "--src-zero-point", path("z.npy", points), "--group", "1x4")
    wanted = (numbers - numpy.repeat(points.astype(int), 4, 1)).astype("f4") * numpy.repeat(scales.astype("f4"), 4, 1)
    check((got == wanted).all(), "scales and zero points by group")
    # The last group may be shorter: a scale for columns 0 to 4, and one for 5 to 7.
    got = moved("shorter groups", source, "f32.npy", "--from", "ab", "--to", "ab", "--src-type", "u4", "--type", "f32", "--src-scale",
                path("s.npy"), "--group", "1x5")
    check((got == numbers.astype("f4") * numpy.repeat(scales.astype("f4"), 5, 1)[:, :8]).all(), "a shorter last group")
    # 15 elements take 8 bytes, which have a shape only with --dims.
    odd = path("odd.npy", nibbles(numbers.reshape(-1)[:15]))
    got = moved("odd", odd, "back.npy", "--from", "ab", "--to", "ba", "--src-type", "s4", "--dims", "5x3")
    check((got == nibbles(numbers.reshape(-1)[:15].reshape(5, 3).T)).all(), "odd extents")
    moved("F4", source, "f4.safetensors", "--from", "ab", "--to", "ba", "--src-type", "f4_e2m1")
    got = moved("F4 and back", path("f4.safetensors"), "f4.npy", "--from", "ba", "--to", "ab")
    check((got == nibbles(numbers).reshape(6, 4)).all(), "F4 of .safetensors")
    common = ["--from", "ab", "--to", "ab", "--src-type", "u4", "--type", "f32", "--src-scale", path("s.npy")]
    for what, says, *options in (("3", "mask_has_other_values: an attribute needs 18 values, one for each group", *common, "--group", "1x3"),
                                 ("0", "group_does_not_divide", *common, "--group", "1x0"), ("4", "has 1 numbers", *common, "--group", "4"),
                                 ("both", "--mask is given too", *common, "--group", "1x4", "--mask", "a"),
                                 ("none", "neither --mask nor --group", *common)):
        tool.refused(f"group {what}", "reorder", source, path("bad.npy"), *options, says=[says], lines=None)
    tool.refused("no name", "reorder", source, path("bad.safetensors"), "--from", "ab", "--to", "ba", "--src-type", "u4",
                 says=["safetensors has no type for 'u4'"])
    tool.refused("other bytes", "reorder", odd, path("bad.npy"), "--from", "ab", "--to", "ba", "--src-type", "s4", "--dims", "5x4",
                 says=["has 8 bytes, but s4 5x4 in format 'ab' takes 10"])


def orders_and_bytes(folder):
    """Big-endian numbers, Fortran order with and without blocks, misaligned data, structured types."""
    source, target = os.path.join(folder, "in.npy"), os.path.join(folder, "out.npy")
    values = numpy.arange(2 * 32 * 5 * 4).reshape(2, 32, 5, 4)
    blocked = to_memory(values, "nchw", "nChw16c")
    numpy.save(source, blocked.astype("<f4"))
    tool.refused("what is padding", "reorder", source, target, "--from", "nChw16c", "--to", "nchw", lines=2,
                 says=["nChw16c", "(2, 2, 5, 4, 16)", "--dims 2x32x5x4"])
    check(run("reorder", source, target, "--from", "nChw16c", "--to", "nchw", "--dims", "2x19x5x4").returncode == 0, "19 of 32")
    check((numpy.load(target) == values[:, :19]).all(), "19 of 32 channels")
    for dtype in (">f4", ">i2", ">f8", ">c8", "<f4"):
        for order in ("C", "F"):
            numpy.save(source, numpy.asarray(values.astype(dtype), order=order))
            answer = run("reorder", source, target, "--from", "nchw", "--to", "nChw16c")
            got = numpy.load(target)
            check(answer.returncode == 0 and got.dtype == numpy.dtype(dtype).newbyteorder("<") and (got == blocked).all(),
                  f"{dtype} in {order}: {answer.stderr}")
            numpy.save(source, numpy.asarray(blocked.astype(dtype), order=order))
            answer = run("reorder", source, target, "--from", "nChw16c", "--to", "nchw", "--dims", "2x32x5x4")
            check(answer.returncode == 0 and (numpy.load(target) == values).all(), f"{dtype} in {order}, blocked")
    numpy.save(source, values.astype(">f4"))
    run("reorder", source, target, "--from", "nchw", "--to", "nhwc", "--type", "s32")
    check((numpy.load(target) == values.transpose(0, 2, 3, 1)).all(), "big-endian, converted")
    # A header that ends at an odd byte, because old programs do not pad it.
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 32, 5, 4), }\n"
    with open(source, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + values.astype("<f4").tobytes())
    check((10 + len(header)) % 4 != 0, "the header is at an odd place")
    check(run("reorder", source, target, "--from", "nchw", "--to", "nChw16c").returncode == 0, "unaligned")
    check((numpy.load(target) == blocked).all(), "unaligned: values")
    numpy.save(source, numpy.zeros((2, 3), [("a", "<f4"), ("b", "<i4")]))
    tool.refused("structured", "reorder", source, target, "--from", "ab", "--to", "ba", says=["structured", "--field a"], lines=2)


def pipes(folder):
    """Standard input and output, and files that are not regular."""
    values = numpy.arange(2 * 17 * 20, dtype="<f4").reshape(2, 17, 5, 4)
    numpy.save(os.path.join(folder, "in.npy"), values)
    with open(os.path.join(folder, "in.npy"), "rb") as file:
        data = file.read()
    wanted = values.transpose(0, 2, 3, 1)
    command = ["reorder", "-", "-", "--from", "nchw", "--to", "nhwc"]
    answer = pipe(data, *command)
    check(answer.returncode == 0 and answer.stderr == b"", f"a pipe: {answer.stderr}")
    check((numpy.load(io.BytesIO(answer.stdout)) == wanted).all(), "a pipe: values, and nothing else is printed")
    answer = pipe(data[:-1], *command)
    check(answer.returncode == 1 and answer.stdout == b"" and b"standard input" in answer.stderr, "a pipe cut short")
    check(pipe(b"", *command).returncode == 1, "an empty pipe")
    answer = pipe(data, "reorder", "-", "/dev/null", "--from", "nchw", "--to", "nhwc")
    check(answer.returncode == 0 and not os.path.isfile("/dev/null"), f"/dev/null stays what it is: {answer.stderr}")
    link, file = os.path.join(folder, "link.npy"), os.path.join(folder, "file.npy")
    numpy.save(file, values)
    os.symlink("file.npy", link)
    os.chmod(file, 0o640)
    check(pipe(data, "reorder", "-", link, "--from", "nchw", "--to", "nhwc").returncode == 0, "through a link")
    check(os.path.islink(link) and (numpy.load(file) == wanted).all(), "a link stays a link")
    check(os.stat(file).st_mode & 0o777 == 0o640, "permissions stay")
    numpy.save(file, values)
    answer = run("reorder", file, file, "--from", "nchw", "--to", "nhwc", "--type", "s8", "--dst-scale", "0.5")
    check(answer.returncode == 0 and numpy.load(file).dtype == numpy.int8, "onto itself, with another size")


for test in (conversions, packed, orders_and_bytes, pipes):
    with tempfile.TemporaryDirectory() as directory:
        test(directory)
end()
