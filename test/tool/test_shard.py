"""plait shard: who has what of a tensor over ranks, what moves to another distribution, and each rejection."""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import tool
from tool import check


def run(*arguments):
    return tool.run("shard", *arguments)


def explains():
    answer = run("1000x700", "64x64@2x2", "[Shard(0)]@4")
    check(answer.returncode == 0 and answer.stderr == "", answer.stderr)
    # By brute force: how many elements have the same rank in both.
    stay = 4 * sum((i // 64 % 2) * 2 + j // 64 % 2 == i // 250 for i in range(1000) for j in range(700))
    sent = 1000 * 700 * 4 - stay
    for line in ("rank 0  512x380", "rank 3  488x320", "rank 3  250x700", "DTensor   [Shard(0)]", "GSPMD     {devices=[4,1]0,1,2,3}",
                 f"all  {stay} bytes stay on their rank, {sent} bytes are sent in 12 messages"):
        check(line + "\n" in answer.stdout, f"no line '{line}':\n{answer.stdout}")
    doubled = run("1000x700", "64x64@2x2", "[Shard(0)]@4", "--type", "f64").stdout
    check(f"{2 * sent} bytes are sent" in doubled, doubled)
    copies = run("8x6", "{replicated}@4", "[Shard(0), Replicate()]@2x2").stdout
    check("0 bytes are sent in 0 messages" in copies, copies)
    check("copies    4" in copies, copies)
    tiles = run("8x6", "{devices=[2,2]0,2,1,3}").stdout
    check("GSPMD     {devices=[2,2]0,2,1,3}" in tiles, tiles)


def order_of_ranks():
    """jax-ml/jax#21562, pytorch/xla#5305: two orders of the ranks of one mesh are two distributions."""
    transposed = run("16x16x16", "{devices=[2,1,4]<=[4,2]T(1,0)}").stdout
    plain = run("16x16x16", "[Shard(0), Replicate(), Shard(2)]@2x1x4").stdout
    check("mesh      2x1x4, 8 ranks\n" in plain and "DTensor   [Shard(0), Replicate(), Shard(2)]\n" in plain, plain)
    check("mesh      2x1x4, 8 ranks in the order " in transposed and "DTensor" not in transposed, transposed)


def draws():
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "ranks.svg")
        answer = run("1000x700", "64x64@2x2", "--svg", picture)
        check(answer.returncode == 0, answer.stderr)
        with open(picture, encoding="utf-8") as file:
            check("64-127,64-127" in file.read(), "the picture")


def rejects():
    for arguments, said in ((("8x6", "64x64"), "has no mesh"), (("8x6", "2x2@4"), "rank_differs"), (("8x6", "[Shard(3)]@2"), "axis_is_out_of_range"),
                            (("10", "[Shard(0), Shard(0)]@2x3"), "chunks_differ"), (("8x6", "{replicated}"), "how many ranks"),
                            (("8x6", "2x2@2x0"), "mesh"), (("8x6", "2x2@2x2", "[Shard(0)]@4", "--type", "f99"), "f99")):
        answer = run(*arguments)
        check(answer.returncode == 1 and said in answer.stderr, f"{arguments}: {answer.returncode} {answer.stderr}")


def files(folder, name, ranks):
    return [os.path.join(folder, f"{name}{rank}") for rank in range(ranks)]


def contents(paths):
    return [np.fromfile(path, np.float32) for path in paths]


def moves_files():
    """The tool, another program with the plan in JSON, and brute force write the same files; other plans are refused."""
    with tempfile.TemporaryDirectory() as folder:
        dims, blocks, rows = "100x70", "16x8@2x2", "[Shard(0)]@3"
        plan = os.path.join(folder, "plan.json")
        before, after, others = files(folder, "a", 4), files(folder, "b", 3), files(folder, "c", 3)
        x = np.arange(100 * 70, dtype=np.float32).reshape(100, 70)
        for rank, path in enumerate(before):
            mine = [np.concatenate([x[i:i + 16, j:j + 8] for j in range(8 * (rank % 2), 70, 16)], axis=1) for i in range(16 * (rank // 2), 100, 32)]
            part = np.concatenate(mine)
            # block_cyclic: the memory of each rank has room for the largest part.
            room = np.zeros((64, 40), np.float32)
            room[:part.shape[0], :part.shape[1]] = part
            room.tofile(path)
        answer = run(dims, blocks, rows, "--json", plan, "--in", *before, "--out", *after)
        check(answer.returncode == 0, answer.stderr)
        got = contents(after)
        for rank in range(3):
            wanted = x[34 * rank:34 * rank + 34].ravel()
            check(np.array_equal(got[rank][:wanted.size], wanted), f"rank {rank}")
        with open(plan, encoding="utf-8") as file:
            made = json.load(file)
        digests = [made["from"]["digest"], made["to"]["digest"]]
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/19_ranks/run_plan.py")

        def by_plan(*arguments):
            return subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True)

        answer = by_plan(plan, "--in", *before, "--out", *others, "--digests", *digests)
        check(answer.returncode == 0, answer.stderr)
        check(all(np.array_equal(a, b) for a, b in zip(got, contents(others))), "the plan in JSON")
        check(sum(move["elements"] for move in made["moves"]) == x.size, "each element moves once")
        for path in others:
            os.remove(path)
        answer = by_plan(plan, "--in", *before, "--out", *others, "--digests", digests[1], digests[0])
        check(answer.returncode != 0 and "another layout" in answer.stderr, answer.stderr)
        check(not any(os.path.exists(path) for path in others), "a file was written")

        check(run(dims, blocks, rows, "--check", plan).returncode == 0, "its own plan")
        for arguments, said in (((dims, "16x9@2x2", rows), "from.digest"), ((dims, blocks, "[Shard(1)]@3"), "to.digest"),
                                ((dims, blocks, rows, "--type", "f64"), "from.type"), ((dims, blocks, rows, "--to-type", "bf16"), "to.type")):
            answer = run(*arguments, "--check", plan, "--in", *before, "--out", *others)
            check(answer.returncode == 1 and said in answer.stderr, f"{arguments}: {answer.stderr}")
            check(not any(os.path.exists(path) for path in others), "a file was written")
        made["plait_redistribution"] = 2
        for text, said in ((json.dumps(made), "plait_redistribution"), ("[1]", "no JSON object"), ("{", "no JSON object")):
            with open(plan, "w", encoding="utf-8") as file:
                file.write(text)
            answer = run(dims, blocks, rows, "--check", plan)
            check(answer.returncode == 1 and said in answer.stderr, answer.stderr)
        for arguments, said in (((dims, blocks, rows, "--in", *before), "go together"), ((dims, blocks, "--json", plan), "second distribution"),
                                ((dims, blocks, rows, "--in", *before[1:], "--out", *others), "rank_memories_differ"),
                                ((dims, blocks, rows, "--in", *before, "--out", *others[:2], before[0]), "spans_overlap"),
                                ((dims, blocks, rows, "--in", *before[1:], "absent", "--out", *others), "absent: No such file")):
            answer = run(*arguments)
            check(answer.returncode == 1 and said in answer.stderr, f"{arguments}: {answer.stderr}")
        # On standard output a plan is alone, and files are moved all the same.
        answer = run(dims, blocks, rows, "--json", "-", "--in", *before, "--out", *others)
        check(answer.returncode == 0 and json.loads(answer.stdout)["from"]["digest"] == digests[0], answer.stdout[:200])
        check(all(np.array_equal(a, b) for a, b in zip(got, contents(others))), "moved beside a plan on standard output")
        check(run(dims, blocks, rows, "--json", "-", "--svg", "-").returncode == 1, "two outputs")


explains()
order_of_ranks()
moves_files()
draws()
rejects()
tool.end()
