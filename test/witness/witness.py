"""Random reorders through the C interface, compared byte by byte with an independent model (the witness).

usage: witness.py LIBRARY [--seed S] [--count N] [--first I | --case I] [--isa NAME,...] [--jobs J] [--failures F]

Case I of seed S is the same in each run. Cases run in a child process, so if one ends the process, its number is known.
"""

import argparse
import mmap
import os
import signal
import sys
import time

import numpy as np

import capi
import fixed_cases
from cases import WEIGHTS, make_case
from draw import HUGE
from run_case import Bench, Mismatch, run
from views import LawBroken

COUNTERS = ["cases", "failures", "no pair found", "reorders", "rightly refused", "with attributes", "compensation",
            "padded", "in place", "zero_pad"]
COUNTERS += [f"{what} {kind}" for what in ("tried", "refused", "accepted") for kind in WEIGHTS]
SLOWEST_CASE = 100  # seconds
# The least share of accepted descriptors, so that the test cannot silently lose its cases.
LEAST_ACCEPTED = {"by hand": 0.4, "submemory": 0.15, "reshaped": 0.3}
LEAST_OF_OTHERS = 0.5


class Progress:
    """Numbers that the child writes and the parent reads, even after the child has ended."""

    def __init__(self, jobs):
        self.numbers = np.frombuffer(mmap.mmap(-1, 8 * (3 * jobs + len(COUNTERS) * jobs)), dtype=np.int64)
        self.now = self.numbers[:3 * jobs].reshape(jobs, 3)  # case, index of its run, start time
        self.counts = self.numbers[3 * jobs:].reshape(jobs, -1)

    def count_of(self, name):
        return int(self.counts[:, COUNTERS.index(name)].sum())


def names_of_runs(library):
    return ["made", "zero_pad", "public"] + library.instruction_sets()


def report(arguments, number, isa, what, case=None):
    forced = "" if isa in ("public", "zero_pad", "made") else f" --isa {isa}"
    lines = [f"case {number}, {isa}: {what}"]
    if case is not None:
        lines += [f"  src ({case.kinds[0]}, at {case.places[0]}): {capi.fields_of(case.src)}",
                  f"  dst ({case.kinds[1]}, at {case.places[1]}): {capi.fields_of(case.dst)}",
                  f"  attributes: {case.attributes}" + (", in place" if case.in_place else "")]
    lines.append(f"  again: ./dev witness --seed {arguments.seed} --case {number}{forced}")
    print("\n".join(lines), flush=True)


def sets_for(arguments, library, number):
    """Returns the instruction sets of a case: those requested, otherwise the users' and one narrower set in turn."""
    if arguments.isa:
        return arguments.isa.split(",")
    narrower = library.instruction_sets()[1:]
    if arguments.case is not None or number < len(fixed_cases.ALL) or not narrower:
        return ["public"] + narrower
    return ["public", narrower[number % len(narrower)]]


def child(arguments, library, progress, job, numbers):
    """Runs the cases until all are done or too many have failed."""
    names = names_of_runs(library)
    now, counts = progress.now[job], progress.counts[job]

    def tally(name, that=True):
        counts[COUNTERS.index(name)] += int(that)

    def entered(name):
        now[1] = names.index(name)

    bench = Bench(library, 3 * HUGE)
    for number in numbers:
        now[:] = number, names.index("made"), int(time.monotonic())
        case = None
        try:
            case = make_case(arguments.seed, number, library, tally)
            if case is None:
                tally("no pair found")
            else:
                run(library, bench, case, sets_for(arguments, library, number), tally, entered)
        except (Mismatch, LawBroken) as failed:
            tally("failures")
            report(arguments, number, names[now[1]], failed, case)
            if progress.count_of("failures") >= arguments.failures:
                break
        tally("cases")


def remaining(arguments, job, after=None):
    numbers = range(arguments.first + job, arguments.first + arguments.count, arguments.jobs)
    return [n for n in numbers if after is None or n > after]


def start(arguments, library, progress, job, numbers):
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            child(arguments, library, progress, job, numbers)
            status = 0
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    return process


def describe_again(arguments, library, number):
    """Makes the case that ended a child again, to show it. Returns None if that raises an exception."""
    try:
        return make_case(arguments.seed, number, library, lambda *_: None)
    except Exception:
        return None


def watch(arguments, library, progress):
    """Runs the children. If a case ends a child, starts another one with the next case."""
    names = names_of_runs(library)
    running = {}
    for job in range(arguments.jobs):
        progress.now[job, 2] = int(time.monotonic())
        running[start(arguments, library, progress, job, remaining(arguments, job))] = job
    broken = False
    while running:
        time.sleep(0.02)
        for process, job in list(running.items()):
            ended, status = os.waitpid(process, os.WNOHANG)
            number, run_of_case, began = (int(n) for n in progress.now[job])
            if ended == 0:
                if time.monotonic() - began > SLOWEST_CASE:
                    os.kill(process, signal.SIGKILL)
                continue
            del running[process]
            if os.WIFSIGNALED(status):
                progress.counts[job, COUNTERS.index("failures")] += 1
                name = signal.Signals(os.WTERMSIG(status)).name
                isa = names[run_of_case]
                report(arguments, number, isa, f"ended by {name}" + (" (too slow)" if name == "SIGKILL" else ""),
                       None if isa == "made" else describe_again(arguments, library, number))
                left = remaining(arguments, job, number)
                if left and progress.count_of("failures") < arguments.failures:
                    running[start(arguments, library, progress, job, left)] = job
            elif os.WEXITSTATUS(status) != 0:
                print(f"the witness itself failed in case {number}", flush=True)
                broken = True
    return broken


def idle_kinds(progress):
    """Returns the kinds of cases that were accepted too rarely for a useful test."""
    out = []
    for kind in WEIGHTS:
        tried, accepted = progress.count_of("tried " + kind), progress.count_of("accepted " + kind)
        if accepted < LEAST_ACCEPTED.get(kind, LEAST_OF_OTHERS) * tried:
            out.append(f"{kind}: {accepted} of {tried} accepted")
    for name, least in (("reorders", 0.9), ("with attributes", 0.3), ("padded", 0.25), ("compensation", 0.01),
                        ("in place", 0.001), ("zero_pad", 0.1)):
        if progress.count_of(name) < least * progress.count_of("cases"):
            out.append(f"{name}: {progress.count_of(name)} of {progress.count_of('cases')} cases")
    return out


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    clock = time.time_ns() // 1000 % 10**9
    parser.add_argument("--seed", type=int, default=clock, help="the clock's, if none is given")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case; the lowest are not random")
    parser.add_argument("--case", type=int, help="only this one")
    parser.add_argument("--isa", help="public: as users call it; avx512, avx2, sse41, portable: forced; or a list")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--failures", type=int, default=5, help="stop behind so many")
    arguments = parser.parse_args(words)
    if arguments.case is not None:
        arguments.first, arguments.count, arguments.jobs = arguments.case, 1, 1
    return arguments


def main():
    arguments = parse(sys.argv[1:])
    library = capi.Library(arguments.library)
    there = ["public"] + library.instruction_sets()
    if unknown := set(sets_for(arguments, library, 0)) - set(there):
        sys.exit(f"witness: this library and CPU have no {', '.join(sorted(unknown))}; they have {', '.join(there)}")
    print(f"witness: seed {arguments.seed}, cases {arguments.first} to {arguments.first + arguments.count - 1}, "
          f"with {arguments.isa or 'public, and in turn ' + ', '.join(there[2:])}", flush=True)
    progress = Progress(arguments.jobs)
    began = time.monotonic()
    broken = watch(arguments, library, progress)
    seconds = time.monotonic() - began
    print(", ".join(f"{name} {progress.count_of(name)}" for name in COUNTERS if " " not in name or name in
                    ("no pair found", "rightly refused", "with attributes", "in place")))
    print("accepted of tried: " + ", ".join(f"{kind} {progress.count_of('accepted ' + kind)} of "
                                            f"{progress.count_of('tried ' + kind)}" for kind in WEIGHTS))
    print(f"{progress.count_of('cases') / seconds:.0f} cases a second")
    failed = broken or progress.count_of("failures") > 0
    if not failed and arguments.count >= 1000 and (idle := idle_kinds(progress)):
        print("witness: too little was tested: " + "; ".join(idle))
        failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
