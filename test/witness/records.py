"""Packed-weight records of plait, compared byte by byte with an independent model: published formats and random
records.

usage: records.py PROGRAM [--count N] [--seed S] [--first I | --case I] [--jobs J] [--failures F]

PROGRAM follows the protocol that record_protocol.py describes. Case I of seed S is the same in each run: case 0 is all
formats of record_formats.py, and each other case is a random record, two records of the same fields, or a broken tag.
"""

import argparse
import collections
import json
import multiprocessing
import random
import select
import shlex
import subprocess
import sys

import numpy as np

from record_cases import broken_record, random_pair, random_record, random_values
from record_formats import FORMATS
from record_model import Record, pack, unpack
from record_protocol import fields_of, from_hex, repacked, tensors
from record_tags import Refused

SLOWEST_ANSWER = 100  # seconds
# What plait refuses of broken tags that the model accepts: a shorter last block with other digits of its axis, or not
# outermost; pieces whose shared digits reach over a border of a range, as far as no index shows it.
NARROWER = ["ragged_loop_is_not_outermost", "shares_differ"]


class Mismatch(Exception):
    pass


class Program:
    """The program under test. It is started again after it has ended."""

    def __init__(self, command, tally):
        self.command, self.tally, self.process = shlex.split(command), tally, None

    def ask(self, op, **request):
        """Returns the answer to a request, or raises Refused."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        request = {name: value for name, value in request.items() if value not in (None, {}, [])}
        try:
            self.process.stdin.write((json.dumps({"op": op, **request}) + "\n").encode())
            self.process.stdin.flush()
            ready = select.select([self.process.stdout], [], [], SLOWEST_ANSWER)[0]
            line = self.process.stdout.readline() if ready else b""
        except BrokenPipeError:
            line = b""
        if not line:
            self.process.kill()
            code, self.process = self.process.wait(), None
            raise Mismatch(f"{op}: the program ended with {code}, or gave no answer")
        self.tally[op] += 1
        answer = json.loads(line)
        if "error" in answer:
            raise Mismatch(f"{op}: {answer['error']}")
        if "refused" in answer:
            raise Refused(answer["refused"], answer.get("column", 0), answer.get("sentence", ""))
        return answer


def differing(got, expected):
    """Returns where two byte strings differ, in words; None if they are equal."""
    if got == expected:
        return None
    if len(got) != len(expected):
        return f"{len(got)} bytes instead of {len(expected)}"
    at = np.flatnonzero(np.frombuffer(got, np.uint8) != np.frombuffer(expected, np.uint8))
    return f"{at.size} of {len(got)} bytes differ, first {at[0]}: {got[at[0]]:#04x} instead of {expected[at[0]]:#04x}"


def compare(what, got, expected):
    wrong = differing(got, expected)
    if wrong:
        raise Mismatch(f"{what}: {wrong}")


def check_places(program, tag, dims, record):
    """Checks size, places, tensors, and that the canonical text describes the same record."""
    got = program.ask("record", tag=tag, dims=dims)
    if got["size"] != record.size:
        raise Mismatch(f"size is {got['size']} instead of {record.size}")
    for name, expected in fields_of(record).items():
        if got["fields"].get(name) != expected:
            raise Mismatch(f"field {name} is {got['fields'].get(name)} instead of {expected}; "
                           + first_wrong_place(program, tag, dims, record, name))
    if got["fields"].keys() != record.fields.keys():
        raise Mismatch(f"fields are {list(got['fields'])} instead of {list(record.fields)}")
    text = got["text"]
    try:
        canonical = Record(text, dims)
    except Refused as why:
        raise Mismatch(f"the canonical text is not a tag: {why}: {text}") from why
    if canonical.size != record.size or fields_of(canonical) != fields_of(record):
        raise Mismatch(f"the canonical text has other places: {text}")
    if program.ask("record", tag=text, dims=dims)["text"] != text:
        raise Mismatch(f"the canonical text of the canonical text is another one: {text}")


def first_wrong_place(program, tag, dims, record, name):
    got = np.array(program.ask("places", tag=tag, dims=dims, field=name)["places"])
    expected = record.numbers_of_places(name)[:got.size]
    if got.size != expected.size:
        return f"{got.size} numbers instead of {expected.size}"
    wrong = np.flatnonzero(got != expected)
    if not wrong.size:
        return "the list is equal"
    return f"number {wrong[0]} is {got[wrong[0]]} instead of {expected[wrong[0]]}"


def check_pack(program, tag, dims, record, parameters, draw, expected=None):
    """Checks pack, unpack and verify. `expected` are bytes that have another source than the model."""
    values = random_values(record, draw)
    data = pack(record, dims, values, parameters)
    if expected is not None:
        compare("the model", data, expected(values))
    common = {"tag": tag, "dims": dims, "parameters": parameters, "threads": draw.choice([1, 1, 2, 3])}
    compare("pack", bytes.fromhex(program.ask("pack", values=tensors(record, values), **common)["bytes"]), data)
    got = program.ask("unpack", bytes=data.hex(), **common)["values"]
    stored = unpack(record, dims, data, parameters)
    for name in set(values) | set(got):
        if name not in got:
            raise Mismatch(f"unpack has no {name}")
        found = from_hex(record.fields[name], got[name])
        if not np.array_equal(found, stored[name]):
            at = tuple(np.argwhere(found != stored[name])[0].tolist())
            raise Mismatch(f"unpack: {name}{list(at)} is {found[at]} instead of {stored[name][at]}")
    program.ask("verify", bytes=data.hex(), **common)
    if data and draw.random() < 0.3:
        check_damage(program, common, record, data, draw)


def check_damage(program, common, record, data, draw):
    """Checks that verify refuses what pack cannot make."""
    if any(piece.field.factor != 1 for piece in record.pieces):
        return  # the damaged number may round, or be NaN
    damaged = bytearray(data)
    damaged[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    back = unpack(record, None, damaged, common["parameters"])
    is_possible = pack(record, None, back, common["parameters"]) == damaged
    try:
        program.ask("verify", bytes=damaged.hex(), **common)
    except Refused:
        if is_possible:
            raise
        return
    if not is_possible:
        raise Mismatch("verify accepts damaged bytes")


def run_formats(program, tally):
    """Checks every format, and reports all that fail."""
    failures = []
    for form in FORMATS:
        for dims in form.dims:
            where = f"{form.name}: {form.tag}, {dims}"
            try:
                record = Record(form.tag, dims)
                check_places(program, form.tag, list(dims), record)
                check_pack(program, form.tag, list(dims), record, form.parameters, random.Random(where),
                           lambda values: bytes(form.packer({name: v.tolist() for name, v in values.items()})))
                tally["formats"] += 1
            except (Mismatch, Refused) as failed:
                failures.append(f"{failed}\n  {where}")
    if failures:
        raise Mismatch("\n".join([f"{len(failures)} formats", *failures]))


def run_record(program, seed, tally):
    tag, dims, parameters = random_record(seed)
    try:
        run_tag(program, tag, dims, parameters, seed, tally)
    except (Mismatch, Refused) as failed:
        raise Mismatch(f"{failed}\n  {tag}, {dims}, {parameters}") from failed


def run_tag(program, tag, dims, parameters, seed, tally):
    record = Record(tag, dims)
    try:
        check_places(program, tag, dims, record)
        check_pack(program, tag, dims, record, parameters, random.Random(seed))
    except Refused as why:
        if not record.ends_inside_a_byte or why.column:
            raise
        tally[f"a chunk ends inside a byte: {why.reason}"] += 1


def run_pair(program, seed, tally):
    tag, to, dims, parameters = random_pair(seed)
    try:
        draw = random.Random(seed)
        record, other = Record(tag, dims), Record(to, dims)
        data = pack(record, dims, random_values(record, draw, [other]))
        request = {"tag": tag, "to": to, "dims": dims, "bytes": data.hex(), "parameters": parameters,
                   "threads": draw.choice([1, 1, 2, 3])}
        drop = [name for name in record.fields if name not in other.fields]
        try:
            expected = repacked(record, other, data, parameters)
        except Refused as why:
            check_refused(program, why, tally, request | {"drop": drop})
            return
        if drop and draw.random() < 0.2:
            check_refused(program, Refused("field_is_not_dropped"), tally, request)
        compare("repack", bytes.fromhex(program.ask("repack", drop=drop, **request)["bytes"]), expected)
    except (Mismatch, Refused) as failed:
        chunks = "; a chunk ends inside a byte" if record.ends_inside_a_byte or other.ends_inside_a_byte else ""
        raise Mismatch(f"{failed}{chunks}\n  {tag}\n  {to}, {dims}, {parameters}") from failed


def check_refused(program, expected, tally, request):
    """Checks that the program refuses a repack."""
    try:
        program.ask("repack", **request)
    except Refused as why:
        tally[f"{expected.reason}: {why.reason}"] += 1
        return
    raise Mismatch(f"repack is accepted, but the model refuses: {expected}")


def run_broken(program, seed, tally):
    tag, dims = broken_record(seed)
    try:
        Record(tag, dims)
    except Refused as expected:
        try:
            program.ask("record", tag=tag, dims=dims)
        except Refused as why:
            columns = "the same column" if why.column == expected.column else "another column"
            tally[f"{expected.reason}: {why.reason}, {columns}"] += 1
            return
        raise Mismatch(f"accepted, but the model refuses: {expected}\n  {tag}, {dims}") from expected
    tally["broken, and still valid"] += 1
    try:
        check_places(program, tag, dims, Record(tag, dims))
    except Refused as why:
        if why.reason not in NARROWER:
            raise Mismatch(f"{why}\n  {tag}, {dims}") from why
        tally[f"the model accepts, plait refuses: {why.reason}"] += 1
    except Mismatch as failed:
        raise Mismatch(f"{failed}\n  {tag}, {dims}") from failed


def run_case(program, number, arguments, tally):
    seed = f"{arguments.seed}-{number}"
    if number == 0:
        run_formats(program, tally)
    elif number % 10 < 5:
        run_record(program, seed, tally)
    elif number % 10 < 8:
        run_pair(program, seed, tally)
    else:
        run_broken(program, seed, tally)


def run_job(arguments, job):
    """Runs every case of one job. Returns the number of failures and what was counted."""
    tally, failures = collections.Counter(), 0
    program = Program(arguments.program, tally)
    numbers = range(arguments.first + job, arguments.first + arguments.count, arguments.jobs)
    for number in numbers if arguments.case is None else [arguments.case]:
        try:
            run_case(program, number, arguments, tally)
        except (Mismatch, Refused) as failed:
            failures += 1
            again = f"records.py PROGRAM --seed {arguments.seed} --case {number}"
            print(f"case {number}: {failed}\n  again: {again}", flush=True)
            if failures >= arguments.failures:
                break
    return failures, tally


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--case", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--failures", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.case is not None:
        arguments.jobs = 1
    with multiprocessing.Pool(arguments.jobs) as pool:
        results = pool.starmap(run_job, [(arguments, job) for job in range(arguments.jobs)])
    failures = sum(result[0] for result in results)
    for what, count in sorted(sum((result[1] for result in results), collections.Counter()).items()):
        print(f"{count:7} {what}")
    print(f"{arguments.count if arguments.case is None else 1} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
