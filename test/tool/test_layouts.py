"""The commands on layouts, compared with NumPy's views of an array that holds its own offsets; and their rejections."""

import itertools
import json

import numpy

from tool import check, end, refused, run


def offset_of(layout, position):
    """Returns the offset of an element, from the digits that --json prints: the innermost digit of an axis counts
    fastest."""
    place, rest = layout["offset"], list(position)
    for number in reversed(range(len(layout["digits"]))):
        digit = layout["digits"][number]
        axis = digit["axis"]
        outermost = number < len(layout["dims"])
        place += (rest[axis] if outermost else rest[axis] % digit["extent"]) * digit["stride"]
        rest[axis] = 0 if outermost else rest[axis] // digit["extent"]
    return place


def places(layout):
    out = numpy.empty(layout["dims"], "i8")
    for position in itertools.product(*map(range, layout["dims"])):
        out[position] = offset_of(layout, position)
    return out


def answer(*arguments):
    said = run(*arguments, "--json")
    check(said.returncode == 0 and said.stderr == "", f"{arguments}: {said.stderr}")
    return json.loads(said.stdout)


def grammar():
    """One memory in every notation; each printed name is read back as the same memory."""
    same = [["nchw", "2x3x4x5"], ["nchw 2x3x4x5"], ["2x3x4x5"], ["2,3,4,5"], ["nchw:60x20x5x1", "2x3x4x5"],
            ["2x3x4x5:60x20x5x1"], ["nchw", "2x3x4x5:60x20x5x1"], ["nchw", "2x3x4x5+0"], ["(2,3,4,5):(60,20,5,1)"]]
    wanted = numpy.arange(120).reshape(2, 3, 4, 5)
    for words in same:
        check((places(answer("show", *words)) == wanted).all(), f"grammar: {words}")
    check((places(answer("show", "abc:64x8x1", "2x3x4+5")) == 5 + numpy.add.outer(numpy.add.outer([0, 64], [0, 8, 16]),
                                                                                     range(4))).all(), "strides, offset")
    check((places(answer("show", "(4,(16,2)):(16,(1,64))+3"))[:, 17] == 3 + 64 + 1 + 16 * numpy.arange(4)).all(), "CuTe")
    for words in ("nChw16c 2x17x5x4", "nchw 2x3x4x5+7", "ab:9x2 3x4", "(4,(2,3)):(12,(6,2))", "OIhw4i16o4i 17x16x3x3",
                  "nhwc 1x2x3x4", "acb 2x1x3", "ab 0x3"):
        said = answer("show", words)
        check(json.dumps(answer("show", said["name"])["digits"]) == json.dumps(said["digits"]), f"{words}: {said['name']}")


def operations():
    for words, command, arguments, as_numpy in (
            ("nchw 2x3x4x5", "reshape", ["6x4x5"], lambda x: x.reshape(6, 4, 5)),
            ("nchw 2x3x4x5", "reshape", ["2x3x2x2x5x1"], lambda x: x.reshape(2, 3, 2, 2, 5, 1)),
            ("nChw16c 2x32x3x5", "reshape", ["2x32x15"], lambda x: x.reshape(2, 32, 15)),
            ("nChw16c 1x32x5x4", "view", ["1x2x16x20"], lambda x: x.reshape(1, 2, 16, 20)),
            ("nhwc 2x3x4x5", "view", ["2x60"], None),
            ("nchw 2x3x4x5", "permute", ["0,3,1,2"], lambda x: numpy.moveaxis(x, (0, 1, 2, 3), (0, 3, 1, 2))),
            ("nchw 2x3x4x5", "permute", ["nhwc"], lambda x: x.transpose(0, 2, 3, 1)),
            ("nhwc 2x3x4x5+9", "permute", ["whcn"], lambda x: x.transpose(3, 2, 1, 0)),
            ("ab 3x4", "permute", ["ba"], lambda x: x.T),
            ("nChw16c 2x32x5x6", "submemory", ["2x16x3x6", "0,16,2,0"], lambda x: x[:, 16:32, 2:5]),
            ("nchw 2x3x4x5+1", "submemory", ["1x2x2x3", "1,1,0,2"], lambda x: x[1:, 1:, :2, 2:])):
        what = f"{command} {words} {arguments}"
        said = run(command, words, *arguments)
        if as_numpy is None:
            check(said.returncode == 0, what)
            continue
        check(said.returncode == 0 and "\nresult    " in said.stdout, what + said.stderr)
        both = answer(command, words, *arguments)
        wanted = as_numpy(places(both["from"]))
        check((places(both["result"]) == wanted).all() and both["result"]["dims"] == list(wanted.shape), what)
        name = both["result"]["name"]
        if "*" not in name:
            check((places(answer("show", name)) == wanted).all(), f"{what}: printed as {name}")
    check("6x4x5" in run("reshape", "nchw", "2x3x4x5", "6x4x5").stdout, "reshape says the dims")
    check("axes      nhwc: 0 to 0, 1 to 3, 2 to 1, 3 to 2" in run("permute", "nchw", "2x3x4x5", "nhwc").stdout, "axes")


def matches():
    for words, format, code in (("nchw 2x3x4x5", "abcd", 0), ("2x3:3x1", "ab", 0), ("2x3:1x2", "ab", 1), ("2x3:1x2", "ba", 0),
                                ("nChw16c 2x17x5x4", "nChw8c", 1), ("nChw16c 2x17x5x4", "aBcd16b", 0),
                                ("nhwc 2x1x4x5", "nchw", 0), ("ab:9x1 2x3", "ab:9x1", 0), ("ab:9x1 2x3", "ab", 1)):
        said = run("match", words, format)
        check(said.returncode == code, f"match {words} {format}: {said.returncode} {said.stdout} {said.stderr}")
        said = run("match", words, format, "--json")
        check(said.returncode == code and json.loads(said.stdout)["matches"] == (code == 0), f"{words} {format} as JSON")
    refused("strides", "match", "2x3:1x2", "ab", says=["axis 0 has the stride 1, in ab it has 3", "nearest", "ba"], lines=4)
    for arguments in (["any 2x3", "ab"], ["ab 2x3", "any"]):
        refused("no places", "match", *arguments, says=["match: any 2x3: layout_is_any"])
    refused("blocks", "match", "nChw16c", "2x17x5x4", "nChw8c", says=["16b", "8b"], lines=4)


def copies():
    """The copies, from the offsets of all elements: as many as counted, and the first ones."""
    for words in ("nhwc nChw16c 1x17x5x4", "nchw nhwc 2x3x4x5", "ab:9x1 2x3+4 ab 2x3", "Ab4a bA6a 13x2", "ab ab 4x5", "ab ba 0x4"):
        both = answer("copies", words)
        dst, src = places(both["to"]).ravel(), places(both["from"]).ravel()
        order = dst.argsort()
        dst, src, wanted = dst[order], src[order], []
        for to, source in zip(dst.tolist(), src.tolist()):
            if wanted and (wanted[-1]["dst"] + wanted[-1]["count"], wanted[-1]["src"] + wanted[-1]["count"]) == (to, source):
                wanted[-1]["count"] += 1
            else:
                wanted.append({"dst": to, "src": source, "count": 1})
        check(both["copies"] == len(wanted) and both["first"] == wanted[:8], f"copies {words}: {both}")
    text = run("copies", "nhwc nChw16c 1x17x5x4").stdout
    check("copies    40\n" in text and text.endswith("and 32 more\n") and "\n       16           17        16\n" in text, text)
    refused("copies of other dims", "copies", "ab 2x3", "ab 2x4", says=["dims_differ", "from      ab 2x3", "to        ab 2x4"], lines=3)


def refusals():
    def said(what, *arguments, says, code=1):
        return refused(what, *arguments, says=says, code=code, lines=None)

    answer_to = said("blocked", "reshape", "nChw16c", "1x17x5x4", "1x340",
                     says=["axis_is_blocked", "17", "from      nChw16c 1x17x5x4, padded to 1x32x5x4", "to        1x340",
                           "--from nChw16c --to nchw --dims 1x17x5x4"])
    check(answer_to.stdout == "", "a refusal prints nothing else")
    said("a view would", "reshape", "nChw16c 1x32x5x4", "1x2x320", says=["in place: plait view nChw16c 1x32x5x4 1x2x320"])
    said("volumes", "reshape", "nchw 2x3x4x5", "6x4x6", says=["volumes_differ", "120", "144", "nearest   6x4x5"])
    said("view", "view", "nhwc 2x3x4x5", "7x7", says=["volumes_differ"])
    said("permutation", "permute", "nchw 2x3x4x5", "0,0,1,2", says=["not_a_permutation", "nearest   0,3,1,2"])
    said("short", "permute", "nchw 2x3x4x5", "1,0", says=["rank_differs", "nearest   1,0,2,3"])
    said("letters", "permute", "nchw 2x3x4x5", "nhwk", says=["column 4", "'nchw'"])
    said("doubled", "permute", "nchw 2x3x4x5", "nhhw", says=["column 3"])
    said("outside", "submemory", "nchw 2x3x4x5", "1x2x4x5", "0,2,0,0",
         says=["part_is_outside_parent", "axis 1", "nearest   1x1x4x5 0x2x0x0"])
    said("cut", "submemory", "nChw16c 2x32x5x4", "2x20x5x4", "0,8,0,0",
         says=["part_cuts_a_block", "nearest   2x32x5x4 0x0x0x0"])
    said("part rank", "submemory", "nchw 2x3x4x5", "1x2", "0,0", says=["rank_differs"])
    said("tag", "show", "nChw16", "1x17x5x4", says=["column 5", "nearest   nChw16c"])
    said("case", "show", "nChw", "1x2x3x4", says=["column 2", "nearest   nchw"])
    said("twice", "show", "ab:2x1", "2x2:2x1", says=["strides are said twice"])
    said("offset", "show", "ab", "2x2+", says=["dims ''"])
    said("offsets", "show", "ab", "2x2+1x2", says=["'+1x2' is not one number"])
    said("far", "show", "ab", "2x2+9223372036854775807", says=["size_overflows"])
    said("backwards", "show", "2x3:3x-1+1", says=["stride_is_negative", "axis 1", "3x-1"])
    said("cute", "show", "(4,(16,2):(16,1)", says=["notation_is_malformed"])
    said("13 axes", "show", "x".join("1" * 13), says=["12 axes"])
    for arguments in (["reshape"], ["reshape", "nchw"], ["reshape", "nchw", "2x3x4x5"], ["view", "2x3"], ["permute", "ab 2x3"],
                      ["reshape", "ab 2x3", "6", "7"], ["submemory", "ab 2x3", "1x1"], ["match", "ab 2x3"], ["show"],
                      ["show", "ab"], ["match", "ab 2x3", "ab", "--yaml"], ["show", "ab", "2x3", "4"], ["show", " "]):
        said(f"usage of {arguments}", *arguments, says=[], code=2)


def explanations():
    said = run("explain", "nchw", "oihw", "2x3x4x5").stdout
    for text in ("copy      a copy byte for byte, in the same order: what memcpy does", "axis 0 is n in nchw and o in oihw",
                 "axis 1 is c in nchw and i in oihw"):
        check(text in said, f"explain nchw oihw lacks '{text}': {said}")
    check("names" not in run("explain", "nchw", "acdb", "2x3x4x5").stdout, "abstract letters are no other names")
    check("a copy into another order" in run("explain", "nchw", "nhwc", "2x3x4x5").stdout, "another order")
    pair = answer("explain", "nchw 2x3x4x5", "nChw16c 2x3x4x5", "--to", "bf16")
    check(pair["to"]["padded_dims"] == [2, 16, 4, 5] and pair["to_type"] == "bf16" and not pair["same_order"], "as JSON")
    legend = run("explain", "--legend")
    check(legend.returncode == 0, "the legend alone")
    words = {line.split()[0] for line in legend.stdout.splitlines()}
    for arguments in (("nchw", "nChw16c", "1x17x56x56", "--to", "bf16"), ("nhwc", "nchw", "1x3x56x56", "--type", "u8"),
                      ("nchw", "oihw", "2x3x4x5")):
        for line in run("explain", *arguments).stdout.splitlines():
            name = line.split()[0]
            check(line[0] == " " or name in words, f"the legend lacks '{name}'")
    refused("explain without dims", "explain", "nchw", "nhwc", code=2, lines=None)
    refused("explain without anything", "explain", code=2, lines=None)
    refused("dims", "explain", "ab 2x3", "ab 2x4", says=["dims_differ", "from      ab 2x3", "to        ab 2x4"], lines=3)


def timings():
    said = run("bench", "nchw", "nChw16c", "1x17x8x8", "--seconds", "0.01")
    names = [text.split()[0] for text in said.stdout.splitlines()]
    check(said.returncode == 0 and names == ["reorder", "copy", "memory", "time", "speed"], f"bench: {said.stdout} {said.stderr}")
    check("4352 bytes read, 8192 written" in said.stdout, f"bench: its bytes, {said.stdout}")
    timed = answer("bench", "ab 3x4", "ab:8x2 3x4", "--to", "s8", "--seconds", "0")
    check(timed["calls"] == 1 and timed["bytes_read"] == 48 and timed["to_type"] == "s8", f"bench --json: {timed}")
    check(timed["seconds"] > 0 and timed["memcpy_seconds"] >= 0, f"bench: its times, {timed}")
    refused("bench of other dims", "bench", "ab 2x3", "ab 2x4", says=["dims_differ"])
    refused("bench of no type", "bench", "ab", "ba", "2x3", "--type", "f31", says=["f31", "bf16", "nearest   f32"], lines=2)
    refused("bench forever", "bench", "ab", "ba", "2x3", "--seconds", "1e9", says=["--seconds"], code=2)
    refused("bench of more than there is", "bench", "ab", "ba", "99999999x99999999", says=["memory"])


for test in (timings, grammar, operations, matches, copies, refusals, explanations):
    test()
end()
