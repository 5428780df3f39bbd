"""Executes plans of random reorders through tables with run_plan.py, and gives it plans that are damaged.

    run_table_plans.py PROGRAM: interop_table_reorder_json, which writes the plans
"""

import copy
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUN_PLAN = os.path.join(ROOT, "examples", "19_ranks", "run_plan.py")


def run(folder, plan, name, *arguments):
    out = os.path.join(folder, "out")
    with open(os.path.join(folder, name + ".out"), "rb") as before, open(out, "wb") as file:
        file.write(before.read())
    answer = subprocess.run([sys.executable, RUN_PLAN, plan, "--in", os.path.join(folder, name + ".in"), "--out", out, *arguments],
                            capture_output=True, text=True, timeout=60)
    with open(out, "rb") as file:
        return answer, file.read()


def contents(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def executes(folder, names):
    for name in names:
        plan = os.path.join(folder, name + ".json")
        made = json.loads(contents(folder, name + ".json"))
        if made["from"]["places"] == 0 or made["to"]["places"] == 0:
            continue
        answer, got = run(folder, plan, name, "--digests", made["from"]["digest"], made["to"]["digest"])
        assert answer.returncode == 0, f"plan {name}: {answer.stderr}"
        assert got == contents(folder, name + ".wanted"), f"plan {name}: other bytes"


def refuses(folder, names):
    """What is refused has written nothing, and is refused at once."""
    plans = {name: json.loads(contents(folder, name + ".json")) for name in names}
    name = next(n for n, plan in plans.items() if len(plan["moves"]) > 2 and plan["units"][0]["parts"])
    good, text = plans[name], contents(folder, name + ".json").decode()
    before = contents(folder, name + ".out")

    def changed(change):
        made = copy.deepcopy(good)
        change(made)
        return json.dumps(made)

    part = good["units"][good["moves"][0][0]]["parts"][0]
    huge = {"dims": [2**40], "from": {"offset": 0, "strides": [0]}, "to": {"offset": 0, "strides": [0]}}
    damaged = (
        (changed(lambda p: p.update(plait_table_reorder=2)), "version 2 is not 1"),
        (changed(lambda p: p.pop("plait_table_reorder")), "version None is not 1"),
        (text[:len(text) // 2], "is no plan"),
        ("[1]", "is no JSON object"),
        (changed(lambda p: p.pop("units")), "is no plan"),
        (changed(lambda p: p["units"][good["moves"][0][0]].update(parts=[huge])), "writes more than"),
        (changed(lambda p: p.update(zeros=[{"dims": [2**40], "to": {"offset": 0, "strides": [0]}}])), "writes more than"),
        (changed(lambda p: p["moves"][0].__setitem__(0, 7)), "there is no unit 7"),
        (changed(lambda p: p["moves"][0].__setitem__(2, -2**62)), "a part reaches from"),
        (changed(lambda p: p["moves"][0].__setitem__(1, 2**40)), "a part reaches from"),
        (changed(lambda p: p["moves"].__setitem__(0, [0, 0])), "is no plan"),
        (changed(lambda p: p.update(moves=p["moves"] * 1000)), "writes more than"),
        (changed(lambda p: p["units"][good["moves"][0][0]]["parts"][0].update(dims=part["dims"][1:])), "strides"),
        (changed(lambda p: p["to"].update(type="bf16" if p["to"]["type"] == "f32" else "f32")), "does not convert"),
        (changed(lambda p: p["to"].update(places=p["to"]["places"] + 1)), "places, not"),
    )
    path = os.path.join(folder, "damaged.json")
    for given, said in damaged:
        with open(path, "w", encoding="utf-8") as file:
            file.write(given)
        answer, got = run(folder, path, name)
        assert answer.returncode == 1 and said in answer.stderr, f"'{said}' is not in {answer.stderr}"
        assert "Traceback" not in answer.stderr and got == before, answer.stderr
    digest = good["to"]["digest"]
    answer, got = run(folder, os.path.join(folder, name + ".json"), name, "--digests", digest[::-1], digest)
    assert answer.returncode == 1 and "another layout" in answer.stderr and got == before, answer.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], "--test-case=table_reorder_json: a program*"], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, PLAIT_PLANS=folder))
        names = sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".json"))
        assert len(names) == 60, names
        executes(folder, names)
        refuses(folder, names)


main()
