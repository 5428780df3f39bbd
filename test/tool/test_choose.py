"""plait choose: the table of a graph matches the stored one, and the picture has what the table says; each rejection is
one sentence with names."""

import copy
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree

import tool
from tool import check

GRAPHS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/graphs")
NETWORK = os.path.join(GRAPHS, "network.json")


def run(*arguments):
    return tool.run("choose", *arguments)


def content(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def as_kept(folder):
    picture = os.path.join(folder, "out.svg")
    answer = run(NETWORK, "--svg", picture)
    check(answer.returncode == 0 and answer.stderr == "", "network: " + answer.stderr)
    kept = os.path.join(GRAPHS, "network.txt")
    if "--write" in sys.argv:
        with open(kept, "w", encoding="utf-8") as file:
            file.write(answer.stdout)
    check(answer.stdout == content(kept), f"network.txt is not as it is kept:\n{answer.stdout}")
    has_the_choice(content(picture))


def has_the_choice(svg):
    """Checks each box of the picture of NETWORK, with its lines; the arrows; the title."""
    root = xml.etree.ElementTree.fromstring(svg)
    boxes, arrows, title = [], 0, ""
    for item in root:
        tag, kind = item.tag.rpartition("}")[2], item.get("class", "")
        if tag == "rect" and kind != "paper":
            boxes.append((kind, []))
        elif tag == "text" and kind != "heading":
            boxes[-1][1].append(item.text)
        arrows += tag == "path"
        title += item.text if tag == "title" else ""
    image = "f32 1x64x56x56"
    wanted = [
        ("tensor", ["tensor image", image, "nhwc"]), ("tensor", ["tensor weights", "f32 64x64x3x3", "hwio, constant"]),
        ("tensor", ["tensor first", image, "nChw16c"]), ("tensor", ["tensor active", image, "nChw16c"]),
        ("tensor", ["tensor upper half", "f32 1x32x56x56", "nChw16c"]), ("tensor", ["tensor result", "f32 1x32x56x56", "nchw"]),
        ("operation", ["convolution conv", "alternative 1"]), ("operation", ["eltwise relu", "alternative 2"]),
        ("view", ["submemory half", "no copy"]), ("operation", ["softmax", "alternative 0"]),
        ("reorder", ["hwio → OIhw16i16o", "294,912 bytes, ahead"]), ("reorder", ["nhwc → nChw16c", "1,605,632 bytes"]),
        ("reorder", ["nChw16c → nchw", "802,816 bytes"])]
    check(sorted(boxes) == sorted(wanted), f"network: the boxes of the picture, {boxes}")
    # Each operation has an arrow for each source and result, and each reorder divides one in two.
    check(arrows == 9 + 3, f"network: {arrows} arrows")
    check(title == "20,408,448 bytes, the least there is; 1,753,088 bytes at the peak", f"network: the title, {title}")


def cost(*arguments):
    answer = run(*arguments)
    check(answer.returncode == 0, answer.stderr)
    return int(re.match(r"cost +(\d+)", answer.stdout).group(1))


def options(folder):
    free, shared = cost(NETWORK), cost(NETWORK, "--runs", "100")
    # The weights: 64 x 64 x 3 x 3 floats, read and written once for 100 runs.
    check(shared - free == -(-2 * 4 * 64 * 64 * 9 // 100), f"runs: {shared - free}")
    factors = os.path.join(folder, "factors.json")
    with open(factors, "w", encoding="utf-8") as file:
        json.dump({"percent": {"runs": 200, "pieces": 200, "transposition": 200}}, file)
    kept = os.path.join(GRAPHS, "../../docs/bench/zen-4/formats.json")
    with open(kept, encoding="utf-8") as file:
        measured = json.load(file)["percent"]
    # 1605632 bytes of the image are moved in runs, 802816 bytes of half of it are transposed.
    expected = 18000000 - (-1605632 * measured["runs"] // 100) - (-802816 * measured["transposition"] // 100)
    check(cost(NETWORK, "--factors", kept) == expected, f"factors as measured: {expected}")
    operations = 18000000
    check(cost(NETWORK, "--factors", factors) - operations == 2 * (free - operations), "factors: twice as much")


def refusals(folder):
    with open(NETWORK, encoding="utf-8") as file:
        network = json.load(file)
    path = os.path.join(folder, "bad.json")

    def refused_text(what, text, *says):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        picture = os.path.join(folder, "none.svg")
        answer = run(path, "--svg", picture)
        check(answer.returncode == 1, f"{what}: exit code {answer.returncode}")
        check(answer.stdout == "" and answer.stderr.count("\n") == 1, f"{what}: not one sentence: {answer.stderr}")
        for part in says:
            check(part in answer.stderr, f"{what}: says '{answer.stderr.strip()}', not '{part}'")
        check(not os.path.exists(picture), f"{what}: leaves a picture")

    def refused(what, change, *says):
        changed = copy.deepcopy(network)
        change(changed, {t["name"]: t for t in changed["tensors"]}, {o["name"]: o for o in changed["operations"]})
        refused_text(what, json.dumps(changed), *says)

    for what, text, says in (("a factor", '{"runs": 0, "pieces": 1, "transposition": 1}', "the factor 'runs' is not between"),
                             ("no factor", '{"percent": {"runs": 100}}', "the field 'pieces' is missing")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        answer = run(NETWORK, "--factors", path)
        check(answer.returncode == 1 and says in answer.stderr, f"{what}: {answer.stderr}")
    refused_text("no JSON", '{"tensors": [\n {"name" "image"}]}', "bad.json: line 2, column 16: the text is not valid JSON")
    refused_text("nothing", "", "the JSON is not complete: its text ends in line 1")
    refused_text("a bracket that is not closed", '{"tensors": [\n', "the JSON is not complete: its text ends in line 2")
    refused_text("a number", "7", "bad.json: is no object")
    refused_text("doubled", '{"tensors": [], "tensors": []}', "the name 'tensors' is there twice")
    refused_text("deep", "[" * 100000 + "]" * 100000, "in more than 16 others")
    refused_text("empty", "{}", "'operations' is missing or empty")
    refused("a field", lambda g, t, o: o["conv"].update(kinds=1), "operation 'conv'", "'kinds' is none of name, kind")
    refused("no sources", lambda g, t, o: o["conv"].pop("sources"), "operation 'conv'", "'sources' is missing")
    refused("kind", lambda g, t, o: o["conv"].update(kind="conv"), "kind 'conv' is none of convolution,")
    refused("propagation", lambda g, t, o: o["conv"].update(propagation="up"), "'up' is neither forward nor backward")
    refused("format", lambda g, t, o: t["image"].update(format="nchq"), "tensor 'image'", "'nchq'")
    refused("rank", lambda g, t, o: t["image"].update(format="nwc"), "tensor 'image'", "rank_differs")
    refused("dims", lambda g, t, o: t["image"].update(dims=[1, 2.5]), "tensor 'image'", "'dims'", "whole number")
    refused("large", lambda g, t, o: t["image"].update(dims=[2**63]), "tensor 'image'", "'dims'", "63 bits")
    refused("axes", lambda g, t, o: t["image"].update(dims=[1] * 13), "tensor 'image'", "more than 12 axes")
    refused("type", lambda g, t, o: t["image"].update(type="f31"), "tensor 'image'", "'f31'")
    refused("type as a number", lambda g, t, o: t["image"].update(type=3), "tensor 'image'", "'type' is no text")
    refused("strides", lambda g, t, o: t["image"].update(strides=[1, 2]), "tensor 'image'", "rank_differs")
    refused("name", lambda g, t, o: t["first"].update(name="image"), "tensor 'image'", "there twice")
    refused("a line in a name", lambda g, t, o: t["first"].update(name="a\nb"), "tensor 'a b'", "a control character")
    refused("a line in a reference", lambda g, t, o: o["conv"].update(sources=["a\nb", "c"]), "names 'a b', which is no")
    refused("run time", lambda g, t, o: t["first"].update(dims=[-(2**63), 64, 56, 56]), "dim_is_dynamic")
    refused("no format", lambda g, t, o: t["image"].update(format="undef"), "layout_is_undefined")
    refused("65 formats", lambda g, t, o: o["conv"].update(alternatives=[
        {"formats": [f"aBcd{block}b", "hwio", "nhwc"]} for block in range(2, 70)]), "graph_is_full", "64 entries")
    refused_text("a large number", json.dumps(network).replace("30000000", "1e400"), "a number in it is larger than any")
    refused("unknown", lambda g, t, o: o["conv"].update(sources=["image", "wieghts"]),
            "operation 'conv': port 1 of 'sources' names 'wieghts', which is no tensor")
    refused("ports", lambda g, t, o: o["conv"]["alternatives"][1]["formats"].pop(),
            "ports_do_not_match: alternative 1 of operation 0", "operation 0 is 'conv'")
    refused("port rank", lambda g, t, o: o["conv"]["alternatives"][0].update(formats=["nhwc", "hwio", "nwc"]),
            "port_rank_differs: port 2 of operation 0", "operation 0 is 'conv'; tensor 2 is 'first'")
    refused("extents", lambda g, t, o: t["active"].update(dims=[1, 64, 56, 57]),
            "port_extents_differ: operation 1", "57 along axis 3", "operation 1 is 'relu'")
    refused("cost", lambda g, t, o: o["conv"]["alternatives"][0].update(cost="much"), "'conv', alternative 0", "'cost'")
    refused("cycle", lambda g, t, o: o["conv"].update(sources=["active", "weights"]),
            "graph_has_cycle", "operation 0 is 'conv'; operation 1 is 'relu'")
    refused("written twice", lambda g, t, o: o["relu"].update(results=["first"]),
            "tensor_has_two_producers", "tensor 2 is 'first'; operation 0 is 'conv'")
    refused("in place", lambda g, t, o: o["relu"].update(in_place=1), "operation 'relu': 'in_place' is no source")
    refused("hint", lambda g, t, o: o["relu"].update(hint="later"), "hint 'later' is no operation before it")
    refused("view", lambda g, t, o: o["half"].update(offsets=[0, 33, 0, 0]),
            "view_does_not_fit: the view of operation 2 has 65 at axis 1", "64", "operation 2 is 'half'")
    refused("view's field", lambda g, t, o: o["half"].update(axis=1), "'axis' does not belong here")
    refused("view's kind", lambda g, t, o: o["half"].update(view="part"), "'part' is none of permute_axes, reshape")
    refused("two wholes", lambda g, t, o: o["half"].update(sources=["active", "first"]), "one source and one result")
    refused("nobody says", lambda g, t, o: g["operations"].__delitem__(slice(1, 4)), "tensor_format_is_open", "'active'")


def usage(folder):
    for what, code, arguments in (("no file", 1, [os.path.join(folder, "absent.json")]), ("a folder", 1, [folder]),
                                  ("nothing", 2, []), ("runs", 2, [NETWORK, "--runs", "-1"]),
                                  ("an option", 2, [NETWORK, "--quickly", "x"]),
                                  ("no place", 1, [NETWORK, "--svg", os.path.join(folder, "no/such/place.svg")])):
        answer = run(*arguments)
        check(answer.returncode == code and answer.stderr.count("\n") == 1, f"{what}: {answer.returncode} {answer.stderr}")


with tempfile.TemporaryDirectory() as temporary:
    as_kept(temporary)
    options(temporary)
    refusals(temporary)
    usage(temporary)
tool.end()
