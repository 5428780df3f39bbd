"""plait prove, and tools/check_certificate.py: plans that are right are accepted, and each damaged certificate is refused
for what is wrong with it."""

import copy
import importlib.util
import json
import pathlib
import subprocess
import sys
import time

import tool
from tool import check, end, refused, run

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "tools/check_certificate.py"
loaded = importlib.util.spec_from_file_location("check_certificate", CHECKER)
checker = importlib.util.module_from_spec(loaded)
loaded.loader.exec_module(checker)

ROWS = """nchw nChw16c 1x17x56x56; nchw nChw16c 1x64x56x56; nChw16c nchw 1x17x56x56; nhwc nchw 2x3x32x33 --type u8
nchw nhwc 2x3x32x33 --type u8; nhwc nchw 2x4x32x33 --type u8; ab ba 100x77; ab ba 1000x777 --type u8; ab ba 100x77 --type f64
ab ba 7264x7264; ab ba 1048576x1048576 --type f64; nChw8c nChw16c 1x40x13x13 --type bf16; aBcd32b aBcd48b 2x96x4x4
aBcd32b aBcd48b 2x90x4x4; aBcd48b aBcd32b 2x100x4x4; aBcd3b aBcd5b 2x100x4x4; oihw OIhw16i16o 64x50x3x3
oihw OIhw4i16o4i 64x50x3x3 --type s8; oihw OIhw8i16o2i 64x50x3x3 --type bf16; OIhw16i16o hwio 64x50x3x3
abcd aBcd64b 2x3x5x5 --type s8; abcd ABcd16b16a 3x3x5x5 --type u8; ab ab 30x40; abc cba 17x19x23; abcd acbd 8x12x16x64 --type bf16
abcd acdb 16x64x3x3; abcd acdb 16x64x3x3 --type bf16; acdb abcd 16x64x3x3 --type u8; aBc3b abc 5x39x3 --type u8
20x30:30x-1+29 20x30; 20x30:0x1 20x30; 20x30:40x1 20x30; abcd aBcd32b 2x1x3x1; abcde Acdeb16a 1x3x9x9x20 --type u8
abcde BcdeA16a32b4a 3x1x32x4x64 --type bf16; aBC16b2c abc 4x33x1 --type bf16; nchw nhwc 64x64x112x112; a a 1; ab ba 1x1
acdb abcd 2x3x1x10000063 --type u8; ab ba 1024x1024; ab ba 8192x8192 --type u8; nchw nChw16c 1x17x56x56 --to s8
ab ba 100x77 --to bf16 --group 1x32; oihw OIhw16i16o 40x20x3x3 --to s8 --group 1x20x3x3; aBcd32b aBcd48b 2x90x4x4 --to f16
abcde Acdeb16a 1x3x9x9x20 --type u8 --to f32; nchw nhwc 2x3x8x8 --type s8 --group 1x3x1x8; 20x30:30x-1+29 20x30 --to s32""".replace("\n", "; ").split("; ")


def certificate(words):
    answer = run("prove", *words.split())
    check(answer.returncode == 0 and answer.stderr == "", f"{words}: {answer.stderr}")
    return answer.stdout


def why(text):
    """Returns what is wrong with a certificate, or "" if it is right."""
    try:
        checker.check(text if isinstance(text, str) else json.dumps(text))
        return ""
    except checker.Wrong as error:
        return str(error)


def instruction_sets():
    return [isa for isa in ("portable", "sse41", "neon", "avx2", "avx512") if run("prove", "ab", "ba", "2x3", "--isa", isa).returncode == 0]


def places_of(words):
    """Returns the offset of each index of each axis, by the digits that `plait show` prints."""
    layout = json.loads(run("show", *words, "--json").stdout)
    out = []
    for axis, stored in enumerate(layout["padded_dims"]):
        digits, offsets, step = [d for d in layout["digits"] if d["axis"] == axis], [0] * min(stored, 4096), 1
        for number, digit in enumerate(reversed(digits)):
            for i in range(len(offsets)):
                value = i // step if number + 1 == len(digits) else i // step % digit["extent"]
                offsets[i] += value * digit["stride"]
            step *= digit["extent"]
        out.append(offsets)
    return layout["offset"], out


def accepted():
    for words in ROWS:
        for isa in instruction_sets():
            text, *of_scales = certificate(f"{words} --isa {isa}").splitlines()
            check(len(of_scales) == ("--group" in words), f"{words}: {len(of_scales)} certificates of scales")
            for one in (text, *of_scales):
                check(why(one) == "", f"{words} with {isa}: {why(one)}")
        # The jumps are those of the layouts: they are compared with the digits.
        c, parts = json.loads(text), words.split(" --")[0].split()
        for at, side in enumerate(checker.BOTH):
            layout = [parts[at], parts[2]] if len(parts) == 3 else [parts[at]]
            if len(parts) == 2 and parts[0] == "a":
                continue
            offset, places = places_of(layout)
            check(offset == c["offsets"][at], f"{words}: offset")
            for axis, offsets in zip(c["axes"], places):
                jumps = dict(map(tuple, axis[side]))
                n = min(axis["elements" if side == "source" else "stored"], len(offsets))
                check([checker.place(jumps, i) for i in range(n)] == offsets[:n], f"{words}: the jumps of {side}")


def wrong_requests():
    refused("a conversion to less than a byte", "prove", "ab", "ba", "2x3", "--to", "u4", says=["type 'u4'", "whole bytes"])
    refused("a group of another rank", "prove", "ab", "ba", "2x3", "--group", "3", says=["--group 3: has 1 numbers, but the tensor has 2 axes"])
    refused("a group of none", "prove", "ab", "ba", "2x3", "--group", "1x0", says=["--group 1x0"])
    refused("2^40 scales", "prove", "ab", "ba", "1048576x1048576", "--group", "1x1", says=["too many scales"])
    refused("a type below a byte", "prove", "ab", "ba", "2x3", "--type", "u4", says=["whole bytes"])
    refused("other extents", "prove", "ab 2x3", "ab 2x4", says=["dims_differ"])
    refused("no elements", "prove", "ab", "ba", "0x3", says=["there is no certificate, because nothing is moved"])
    refused("no such set", "prove", "ab", "ba", "2x3", "--isa", "mmx", says=["mmx"])


TURNED, ENDS, UNEVEN, ZEROED, RGB, RGB_ENDS, STAGED, COPIED, RUN = "ab ba 100x77", "nchw nChw16c 1x17x56x56", "aBcd32b aBcd48b 2x90x4x4", "abcde BcdeA16a32b4a 3x1x32x4x64 --type bf16", "nhwc nchw 2x3x32x33 --type u8", "acdb abcd 2x3x1x10000063 --type u8", "ab ba 1024x1024", "ab ba 8192x8192 --type u8 --isa avx2", "ab ba 12x131072"
CONVERTED, SCALED = "nchw nChw16c 1x17x56x56 --to s8", "ab ba 100x77 --to bf16 --group 1x32"  # of SCALED, the certificate of the scales is damaged


def put(path, value):
    """Returns what changes the item at a path of a certificate: to a value, or by a function of it."""
    def change(c):
        *way, last = path
        for key in way:
            c = c[key]
        c[last] = value(c[last]) if callable(value) else value
    return change


def more(by):
    return lambda value: value + by


def drop(path):
    def change(c):
        for key in path[:-1]:
            c = c[key]
        del c[path[-1]]
    return change


def on_loop(which, key, value):
    """Changes the first loop of the plan's own order that `which` accepts."""
    def change(c):
        loop = next(loop for loop in c["orders"][0]["loops"] if which(loop))
        loop[key] = value(loop[key]) if callable(value) else value
    return change


def any_loop(loop):
    return loop["count"] > 1


def overlaps(loop):
    return loop["overlap"][0] > 0


def is_uneven(loop):
    return loop["uneven"] != []


def on_edge(which, change_edge):
    def change(c):
        change_edge(next(edge for edge in c["edges"] if which(edge)))
    return change


def first_bit(side, flip):
    """Flips a bit of the first mask that has some lanes."""
    def change(edge):
        segment = next(k for k, mask in enumerate(edge[side]) if mask)
        edge[side][segment] ^= flip
    return change


def clear_edges_that(load):
    def change(c):
        c["edges"] = [edge for edge in c["edges"] if edge["loads"] != load]
    return change


def on_strip(change_strip):
    """Changes the staging buffer of the first order of loops that has one."""
    def change(c):
        change_strip(next(order["staged"] for order in c["orders"] if order["staged"]))
    return change


def any_edge(edge):
    return True


def pads(edge):
    return edge["loads"] == "lanes"


DAMAGES = [  # (what, reorder, change, what the checker says)
    ("another version", TURNED, put(["certificate"], 1), "no certificate of version 2"),
    ("a version that is true", TURNED, put(["certificate"], True), "no certificate of version 2"),
    ("no axes", TURNED, drop(["axes"]), "KeyError 'axes'"),
    ("no tile", TURNED, drop(["tile"]), "KeyError 'tile'"),
    ("an element of no bytes", TURNED, put(["element_bytes"], 0), "'0' is no integer from 1 to 8"),
    ("a count as text", TURNED, on_loop(any_loop, "count", "7"), "'7' is no integer"),
    ("a count that is a fraction", TURNED, on_loop(any_loop, "count", 7.0), "'7.0' is no integer"),
    ("a count of none", TURNED, on_loop(any_loop, "count", 0), "'0' is no integer from 1"),
    ("a count below 0", TURNED, on_loop(any_loop, "count", -7), "'-7' is no integer from 1"),
    ("a step beyond 62 bits", TURNED, on_loop(any_loop, "source", 2**63), "is no integer"),
    ("a loop of 2^40", TURNED, on_loop(any_loop, "count", 2**40), "is wrong"),
    ("2^40 loops around 2^40", TURNED, lambda c: c["orders"][0]["loops"].extend({**c["orders"][0]["loops"][0], "count": 2**40} for _ in range(20)), "only its outermost loop may be"),
    ("a million loops", TURNED, put(["orders", 0, "loops"], lambda loops: loops * 500000), "no list of at most"),
    ("no orders", TURNED, put(["orders"], []), "there is no order of loops"),
    ("another number of axes", TURNED, put(["axes"], lambda axes: axes[:1]), "that are not the tensor's"),
    ("an axis more", TURNED, put(["axes"], lambda axes: axes + [{"elements": 3, "stored": 3, "written": 3, "source": [[1, 7700]], "destination": [[1, 7700]]}]), "the plan does not reach it"),
    ("a border of 0", TURNED, put(["axes", 0, "source"], [[0, 77]]), "are no jumps of"),
    ("borders that fall", ENDS, put(["axes", 1, "destination"], lambda jumps: jumps[::-1]), "are no jumps of"),
    ("a jump of 0", TURNED, put(["axes", 0, "source"], [[1, 77], [2, 0]]), "are no jumps of"),
    ("a border beyond the axis", TURNED, put(["axes", 0, "source"], [[1, 77], [100, 1]]), "are no jumps of"),
    ("a destination that meets itself", TURNED, put(["axes", 0, "destination"], [[1, 2]]), "two indices may have one place"),
    ("more elements than places", ENDS, put(["axes", 1, "elements"], 33), "places 32 are written"),
    ("fewer written than stored", ENDS, put(["axes", 1, "written"], 17), "of 32 places 17 are written"),
    ("another offset of the source", TURNED, put(["plan_offsets", 0], more(1)), "index [0, 0] is wrong: it is at [0, 0], and the plan moves it at [1, 0]"),
    ("another offset of the destination", TURNED, put(["plan_offsets", 1], more(-1)), "index [0, 0] is wrong"),
    ("a loop less", ENDS, put(["orders", 0, "loops"], lambda loops: loops[1:]), "is wrong"),
    ("a loop twice", TURNED, put(["orders", 0, "loops"], lambda loops: loops + loops[:1]), "only its outermost loop may be"),
    ("a count more", TURNED, on_loop(any_loop, "count", more(1)), "is wrong"),
    ("a count less", TURNED, on_loop(any_loop, "count", more(-1)), "is wrong"),
    ("a step of the source", TURNED, on_loop(any_loop, "source", more(1)), "is wrong"),
    ("a step of the destination", TURNED, on_loop(any_loop, "destination", more(1)), "is wrong"),
    ("a step of the index", TURNED, on_loop(any_loop, "index", more(1)), "is wrong: a loop steps by"),
    ("a loop of another axis", TURNED, on_loop(any_loop, "axis", 7), "is wrong"),
    ("a step of the channels", ENDS, on_loop(any_loop, "source", more(16)), "is wrong"),
    ("an overlap of an index more", TURNED, on_loop(overlaps, "overlap", lambda o: [o[0] + 1, *o[1:]]), "the last step moves back by"),
    ("an overlap from elsewhere", TURNED, on_loop(overlaps, "overlap", lambda o: [o[0], o[1] + 1, o[2]]), "the last step moves back by"),
    ("an overlap to elsewhere", TURNED, on_loop(overlaps, "overlap", lambda o: [o[0], o[1], o[2] - 1]), "the last step moves back by"),
    ("no overlap", TURNED, on_loop(overlaps, "overlap", [0, 0, 0]), "is wrong"),
    ("an overlap of all", TURNED, on_loop(overlaps, "overlap", [1 << 20, 0, 0]), "is wrong"),
    ("another period", UNEVEN, on_loop(is_uneven, "uneven", lambda u: [[u[0][0] + 1, *u[0][1:]], *u[1:]]), "is wrong"),
    ("another jump", UNEVEN, on_loop(is_uneven, "uneven", lambda u: [[u[0][0], u[0][1] + 1, u[0][2]], *u[1:]]), "is wrong"),
    ("an even loop", UNEVEN, on_loop(is_uneven, "uneven", []), "is wrong"),
    ("a period of 0", UNEVEN, on_loop(is_uneven, "uneven", [[0, 1, 1]]), "'0' is no integer from 1"),
    ("a bit from elsewhere", TURNED, put(["bits", 0, "source"], more(1)), "is wrong"),
    ("a bit to elsewhere", TURNED, put(["bits", 1, "destination"], more(1)), "is wrong"),
    ("a bit of another index", TURNED, put(["bits", 0, "index"], more(2)), "is wrong"),
    ("a bit less", TURNED, put(["bits"], lambda bits: bits[:-1]), "is wrong"),
    ("13 bits", TURNED, put(["bits"], lambda bits: (bits * 13)[:13]), "bits is no list of at most 12"),
    ("an element more", ENDS, put(["bounds", 0, "elements"], more(1)), "is wrong"),
    ("a place less", ENDS, put(["bounds", 0, "stored"], more(-1)), "is wrong"),
    ("no bound", ENDS, put(["bounds"], []), "is wrong"),
    ("a bound twice", ENDS, put(["bounds"], lambda bounds: bounds * 2), "two bounds of one axis"),
    ("another reach", ENDS, put(["bounds", 0, "reach"], more(1)), "indices, not"),
    ("a segment loaded from elsewhere", TURNED, put(["tile", "source", 1], more(4)), "of a tile is wrong"),
    ("a segment loaded from between elements", TURNED, put(["tile", "source", 1], more(1)), "is wrong"),
    ("a segment stored elsewhere", TURNED, put(["tile", "destination", 1], more(1 << 20)), "a tile writes byte"),
    ("two segments exchanged", TURNED, put(["tile", "source"], lambda s: [s[1], s[0], *s[2:]]), "of a tile is wrong"),
    ("a segment less", TURNED, put(["tile", "source"], lambda s: s[:-1]), "segments of"),
    ("no network", TURNED, put(["tile", "network"], []), "of a tile is wrong"),
    ("a shuffle less", TURNED, put(["tile", "network"], lambda n: n[:-1]), "of a tile is wrong"),
    ("a shuffle twice", TURNED, put(["tile", "network"], lambda n: n + n[:1]), "of a tile is wrong"),
    ("an unknown shuffle", TURNED, put(["tile", "network"], [{"rotate": 1}]), "'rotate' is no shuffle"),
    ("an order of too many bits", TURNED, put(["tile", "network"], [{"order": [0, 1, 2, 3, 4, 4]}]), "is no order of bits"),
    ("an order of fewer bits", TURNED, put(["tile", "network", 0, "order"], lambda order: order[:-1]), "is no order of bits"),
    ("64 more registers", TURNED, put(["tile", "registers"], 64), "'64' is no integer from 1 to 16"),
    ("no masks", ENDS, put(["edges"], []), "there are no masks for a tile with"),
    ("a way to end less", ENDS, put(["edges"], lambda edges: [edge for edge in edges if edge["remaining"] != edges[0]["remaining"]]), "there are no masks for a tile with"),
    ("padding that is not written", ENDS, on_edge(pads, first_bit("stored", 1)), "it is not stored"),
    ("an element that is not loaded", ENDS, on_edge(pads, first_bit("loaded", 1)), "it is not loaded"),
    ("padding that is loaded", ENDS, on_edge(pads, lambda edge: edge.update(loads="whole segments")), "it is padding, and loaded"),
    ("elements that are zeroed", ENDS, on_edge(pads, lambda edge: edge.update(loads="nothing")), "it is not loaded"),
    ("masks of another kind", ENDS, on_edge(pads, lambda edge: edge.update(loads="some")), "an edge is not of this plan"),
    ("a masked store elsewhere", ENDS, on_edge(pads, lambda edge: edge["destination"].__setitem__(-1, edge["destination"][-1] + 4)), "it is stored elsewhere"),
    ("a masked load from elsewhere", ENDS, on_edge(pads, lambda edge: edge["source"].__setitem__(0, 4)), "it is loaded from elsewhere"),
    ("nothing is zeroed", ZEROED, put(["zeroed"], None), "are written"),
    ("a byte less is zeroed", ZEROED, put(["zeroed", "bytes"], more(-1)), "what is zeroed is not the destination"),
    ("a byte more is zeroed", ZEROED, put(["zeroed", "bytes"], more(1)), "what is zeroed is not the destination"),
    ("zeroed from elsewhere", ZEROED, put(["zeroed", "from"], more(2)), "what is zeroed is not the destination"),
    ("zeroed twice", ZEROED, put(["zeroed", "loops"], [[2, 64]]), "what is zeroed is not the destination"),
    ("four channels in place of three", RGB, put(["bits", -1, "count"], 4), "is wrong"),
    ("channels further apart", RGB, put(["bits", -1, "destination"], more(1)), "is wrong"),
    ("2^40 channels", RGB, put(["bits", -1, "count"], 2**40), "is wrong"),
    ("two planes exchanged", RGB, put(["tile", "destination"], lambda d: [d[1], d[0], *d[2:]]), "of a tile is wrong"),
    ("no picking", RGB, put(["tile", "network"], []), "of a tile is wrong"),
    ("a byte of another pixel", RGB, put(["tile", "network", 0, "pick", 0], lambda p: [p[1], *p[1:]]), "is wrong"),
    ("a byte of another channel", RGB, put(["tile", "network", 0, "pick", 1, 3], lambda byte: (byte + 16) % 48), "is wrong"),
    ("another order of bytes", RGB, put(["tile", "network", 1, "pick", 2], lambda p: p[::-1]), "of a tile is wrong"),
    ("a byte of no register", RGB, put(["tile", "network", 0, "pick", 0, 0], 48), "bytes are picked that are not there"),
    ("a byte below 0", RGB, put(["tile", "network", 0, "pick", 0, 0], -1), "'-1' is no integer from 0"),
    ("a register less", RGB, put(["tile", "network", 0, "pick"], lambda p: p[:-1]), "bytes are picked that are not there"),
    ("15 bytes", RGB, put(["tile", "network", 0, "pick", 0], lambda p: p[:-1]), "are not 16 numbers"),
    ("a pixel that is not stored", RGB_ENDS, on_edge(any_edge, first_bit("stored", 1)), "it is not stored"),
    ("a pixel beyond the end", RGB_ENDS, on_edge(any_edge, lambda edge: edge.update(stored=[2**64 - 1] * len(edge["stored"]))), "it is stored"),
    ("a pixel that is not loaded", RGB_ENDS, on_edge(any_edge, first_bit("loaded", 1)), "it is not loaded"),
    ("no ends of an interleave", RGB_ENDS, put(["edges"], []), "there are no masks for a tile with"),
    ("a strip of other loops", STAGED, on_strip(put(["from"], more(1))), "a buffer"),
    ("a loop of a strip less", STAGED, on_strip(put(["loops"], lambda loops: loops[:-1])), "is wrong"),
    ("a strip of 2^40 tiles", STAGED, on_strip(put(["loops", 0, "count"], 2**40)), "there are more than"),
    ("a million loops in a strip", STAGED, on_strip(put(["loops"], lambda loops: loops * 500000)), "no list of at most"),
    ("a strip that overlaps", STAGED, on_strip(put(["loops", 0, "overlap"], [1, 1, 1])), "a strip has an end"),
    ("a strip at an end", STAGED, put(["bounds"], [{"axis": -1, "elements": 1, "stored": 1, "reach": 1}]), "a strip has an end"),
    ("a row of a buffer less", STAGED, on_strip(put(["destination", "rows"], lambda rows: rows[:-1])), "the rows of a buffer are not its elements"),
    ("two rows exchanged", STAGED, on_strip(put(["destination", "rows"], lambda rows: [rows[1], rows[0], *rows[2:]])), "a strip is wrong"),
    ("a row twice", STAGED, on_strip(put(["destination", "rows"], lambda rows: [rows[0], *rows[:-1]])), "a strip is wrong"),
    ("a row to elsewhere", STAGED, on_strip(put(["destination", "rows", 3], more(1))), "a strip is wrong"),
    ("longer rows", STAGED, on_strip(put(["destination", "length"], more(1))), "the rows of a buffer are not its elements"),
    ("a pitch of 0", STAGED, on_strip(put(["destination", "pitch"], 0)), "'0' is no integer from 1"),
    ("rows closer together", STAGED, on_strip(put(["destination", "pitch"], more(-1))), "the rows of a buffer are not its elements"),
    ("a tile of a strip to elsewhere", STAGED, on_strip(put(["loops", -1, "destination"], more(1))), "the rows of a buffer are not its elements"),
    ("a bit of a strip to elsewhere", STAGED, on_strip(put(["bits", 0, "destination"], more(1))), "the rows of a buffer are not its elements"),
    ("a segment of a strip elsewhere", STAGED, on_strip(put(["tile", "destination", 1], more(4))), "is wrong"),
    ("no network in a strip", STAGED, on_strip(put(["tile", "network"], [])), "of a tile is wrong"),
    ("a run of other loops", RUN, on_strip(put(["loops", 0, "count"], more(1))), "a strip has an end"),
    ("a run from a loop further out", RUN, on_strip(put(["from"], more(-1))), "there are more than"),
    ("a run without its first loop", RUN, on_strip(lambda staged: staged.update({"from": staged["from"] + 1, "loops": staged["loops"][1:]})), "the rows of a buffer are not its elements"),
    ("a longer run", RUN, on_strip(put(["destination", "length"], more(1))), "the rows of a buffer are not its elements"),
    ("a shorter run", RUN, on_strip(put(["destination", "length"], more(-1))), "the rows of a buffer are not its elements"),
    ("a segment of a run elsewhere", RUN, on_strip(put(["tile", "destination", 1], more(4))), "is wrong"),
    ("a copied row from elsewhere", COPIED, on_strip(put(["source", "rows", 1], more(1))), "a strip is wrong"),
    ("a copied row less", COPIED, on_strip(put(["source", "rows"], lambda rows: rows[:-1])), "the rows of a buffer are not its elements"),
    ("a converted element from elsewhere", CONVERTED, on_loop(any_loop, "source", more(1)), "is wrong"),
    ("converted padding from elements", CONVERTED, on_edge(any_edge, lambda edge: edge.update(loads="whole segments")), "it is padding, and loaded"),
    ("converted padding left out", CONVERTED, put(["edges"], []), "there are no masks for a tile with"),
    ("the scale of another group", SCALED, on_loop(lambda loop: loop["source"] > 0, "source", more(1)), "is wrong"),
    ("one scale for all", SCALED, on_loop(lambda loop: loop["source"] > 0, "source", 0), "that are not the tensor's"),
    ("scales that begin elsewhere", SCALED, put(["plan_offsets", 0], 1), "is wrong"),
    ("longer groups", SCALED, put(["axes", 1, "source", 0, 0], 33), "is wrong"),
    ("no copy of the source", COPIED, on_strip(put(["source"], None)), "a strip is wrong"),
]


def damaged():
    asked = [words for words in dict.fromkeys(words for _, words, _, _ in DAMAGES) if words != COPIED or "avx2" in instruction_sets()]
    whole = {words: json.loads(certificate(words).splitlines()[-1]) for words in asked}
    for words, c in whole.items():
        check(why(c) == "", f"{words}: {why(c)}")
    has_vectors = "network" in whole[TURNED]["tile"] and whole[TURNED]["tile"]["network"] != []
    number = 0
    for what, words, change, says in DAMAGES:
        if words not in whole:
            continue
        if not has_vectors and ("overlap" in what or "tile" in what or words in (RGB, RGB_ENDS, STAGED, COPIED, RUN)):
            continue
        c = copy.deepcopy(whole[words])
        try:
            change(c)
        except (StopIteration, IndexError, KeyError) as error:
            check(False, f"{what}: the plan of {words} has nothing of this kind: {error!r}")
            continue
        text = json.dumps(c)
        start = time.monotonic()
        said = why(text)
        check(said != "" and says in said, f"{what}: says '{said}', not '{says}'")
        check(time.monotonic() - start < 20, f"{what}: takes {time.monotonic() - start} seconds")
        number += 1
    check(number >= 40 or not has_vectors, f"{number} damaged certificates")


def texts():
    """Texts that are no certificates are refused in bounded time."""
    whole = certificate(TURNED)
    for length in (0, 1, 2, 100, len(whole) // 2, len(whole) - 3):
        check("this is no certificate" in why(whole[:length]), f"the first {length} bytes: {why(whole[:length])}")
    for text in ("null", "[]", "7", '"x"', "{}", "[" * 100000, '{"certificate": NaN}', '{"certificate": 1}', whole.replace("77", "9" * 5000), "\x00"):
        check("this is no certificate" in why(text), f"{text[:40]}: {why(text)}")


def as_a_program():
    text = certificate(TURNED)
    answer = subprocess.run([sys.executable, CHECKER, "-"], input=text, capture_output=True, text=True, timeout=60)
    check((answer.returncode, answer.stdout) == (0, "-: right, 7700 elements\n"), f"the program: {answer}")
    answer = subprocess.run([sys.executable, CHECKER, "-", "/nonexistent"], input=text[1:], capture_output=True, text=True, timeout=60)
    check(answer.returncode == 1 and answer.stdout.count("\n") == 2 and answer.stderr == "", f"two that are wrong: {answer}")
    check(subprocess.run([sys.executable, CHECKER], capture_output=True, timeout=60).returncode == 1, "no file")
    answer = subprocess.run([sys.executable, CHECKER, "-"], input=text + text, capture_output=True, text=True, timeout=60)
    check(answer.stdout == "-: right, 7700 elements\n", f"two certificates: {answer}")
    answer = subprocess.run([sys.executable, CHECKER, "-"], input=text + text[1:], capture_output=True, text=True, timeout=60)
    check(answer.returncode == 1 and "right" not in answer.stdout, f"two certificates, one of which is wrong: {answer}")
    answer = subprocess.run([sys.executable, CHECKER, "-"], input="", capture_output=True, text=True, timeout=60)
    check(answer.returncode == 1 and "this is no certificate" in answer.stdout, f"an empty file: {answer}")
    lines = sum(line.strip() != "" for line in CHECKER.read_text(encoding="utf-8").splitlines())
    check(lines <= 250, f"the checker is to be read in one go, and has {lines} lines")


for test in (accepted, wrong_requests, damaged, texts, as_a_program):
    test()
end()
