"""plait shard: who has what of a tensor over ranks, what moves to another distribution, and each rejection."""

import os
import tempfile

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


explains()
order_of_ranks()
draws()
rejects()
tool.end()
