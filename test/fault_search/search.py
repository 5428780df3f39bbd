"""Looks for the first test that finds a fault, as cheaply as possible."""

import json
import os
import re
import subprocess
import time
from typing import NamedTuple

from . import fault_list, order, outcome
from .build_graph import BuildGraph, Includes
from .build_tests import tests_of
from .one_unit import OneUnit
from .processes import call
from .stages import NEVER_ASKED, STAGES

UNITS_ALONE = 4  # test sources that are tried as programs of their own; four times as many if no others run


class Finding(NamedTuple):
    status: str  # "found", "not found", "defect": the fault does not compile
    by: str = ""      # the test of ctest, or a command of ./dev
    case: str = ""    # the case, or the unit whose assertion failed
    preset: str = ""
    tier: str = ""
    seconds: int = 0


class Build:
    """A build directory of the copy: its graph and its tests."""

    def __init__(self, root, preset):
        self.folder = root / "build" / preset
        if not (self.folder / "build.ninja").exists():
            done = subprocess.run(["cmake", "--preset", preset], cwd=root, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(f"cmake --preset {preset}:\n{done.stdout}{done.stderr}")
        self.graph = BuildGraph(self.folder, Includes(str(root)))
        self.tests = [t for t in tests_of(self.folder) if not re.fullmatch(NEVER_ASKED, t.name)]


class Search:
    def __init__(self, copy, jobs, stages=STAGES, say=print, near=False, asked=()):
        """asked: test sources, and patterns of tests of ctest; no others run, if there are any."""
        self._near = near or bool(asked)
        self._asked_sources = [str(copy.root / word) for word in asked if word.endswith(".cpp")]
        self._asked = [word for word in asked if not word.endswith(".cpp")]
        self._asks_few = bool(asked)
        self._copy, self._jobs, self._stages, self._say = copy, jobs, stages, say
        self._good_file = copy.scratch / "good.json"
        self._commit = subprocess.run(["git", "-C", copy.project, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
        self._good = self._read_good()
        self._broken = set()
        for folder in (copy.root / "build").glob("*"):
            call(["ninja", "-C", str(folder), "build.ninja"], copy.root)  # new files since the last search

    # ---- Tests that pass without a fault. Only they can find one. ----

    def _read_good(self):
        if not self._good_file.exists():
            return set()
        held = json.loads(self._good_file.read_text(encoding="utf-8"))
        return set(held["tests"]) if held["commit"] == self._commit else set()

    def _keep_good(self, names):
        self._good |= set(names)
        self._good_file.write_text(json.dumps({"commit": self._commit, "tests": sorted(self._good)}), encoding="utf-8")

    def _passes_without(self, fault, content, name, run):
        """Checks that what found a fault passes without it; if not, it is left out from then on. The fault is there again afterwards."""
        if name in self._good:
            return True
        self._restore(fault)
        passes = run()
        if passes:
            self._keep_good([name])
        else:
            self._broken.add(name)
            self._say(f"    {name} fails without the fault as well; it is in the copy, {self._copy.root}")
        self._change(fault, content)
        return passes

    # ---- The fault in the copy ----

    def _builds(self):
        for preset in dict.fromkeys(stage.preset for stage in STAGES):
            if (self._copy.root / "build" / preset / "build.ninja").exists():
                yield Build(self._copy.root, preset)

    def _dependents(self, file):
        return set().union(*(build.graph.dependents(self._copy.root / file) for build in self._builds()), set())

    def _change(self, fault, content):
        self._copy.change(fault.file, content, self._dependents(fault.file))

    def _restore(self, fault):
        if self._copy.is_changed():
            self._copy.restore(self._dependents(fault.file))

    def look_for(self, fault):
        """Returns the finding of one fault. The copy is afterwards as it was."""
        begin = time.time()
        original = (self._copy.root / fault.file).read_text(encoding="utf-8")
        content = fault_list.with_fault(fault, original)
        for stage in self._stages:  # so that outputs of each preset are set aside, if there are any
            if stage.matters_for(fault.file):
                Build(self._copy.root, stage.preset)
                break
        self._change(fault, content)
        try:
            finding = self._look(fault, content)
        finally:
            self._restore(fault)
        return finding._replace(seconds=round(time.time() - begin))

    def _look(self, fault, content):
        if not self._near and (problem := self._does_not_compile(fault)):
            return problem
        for stage in self._stages:
            if not stage.matters_for(fault.file):
                continue
            self._say(f"  {stage.preset}, {stage.tier}")
            finding = self._look_in(stage, fault, content)
            if finding:
                return finding._replace(preset=stage.preset, tier=stage.tier)
        if self._near:
            return Finding("not near")
        lint = self._lint(fault, content)
        return lint or Finding("not found")

    def _does_not_compile(self, fault):
        """Compiles a changed header alone, with warnings."""
        if not (fault.file.startswith("include/") and fault.file.endswith(".hpp")) or "/interop/" in fault.file:
            return None
        compiler = "aarch64-linux-gnu-g++" if "neon" in fault.file else "g++"
        done = call([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wpedantic", "-Werror",
                      "-I", "include", "-x", "c++", "-include", fault.file, "/dev/null"], self._copy.root)
        if not done.returncode:
            return None
        status, said = outcome.compiler_verdict(done.stdout, fault.file, self._copy.root)
        return Finding(status, "the header alone", said, "gcc", "everyday")

    def _look_in(self, stage, fault, content):
        build = Build(self._copy.root, stage.preset)
        path = str(self._copy.root / fault.file)
        changed = build.graph.dependents(path)
        sources = self._asked_sources if self._asks_few else order.sources_about(self._copy.root, fault.file, 4 * UNITS_ALONE)
        if stage.tier != "thorough":
            finding = self._units_alone(build, stage, fault, content, sources)
            if finding:
                return finding
        remaining = {}
        alone = self._one_unit(build, fault)
        is_alone = {source for source in sources if alone.program_of(source)}
        for test in build.tests:
            outputs = self._outputs_of(build, test, changed, path)
            if outputs is None or not stage.takes(test.labels) or f"{stage.preset} {test.name}" in self._broken:
                continue
            of_program = self._sources_of(build, outputs & changed)
            relevance = order.relevance(fault.file, test.name, bool(outputs & changed), of_program, sources)
            if self._asks(test.name, relevance, sources, of_program, is_alone):
                remaining[test.name] = (relevance, outputs)
        built = set()

        def cost(outputs):
            needed = build.graph.compilations(build.graph.needed(outputs))
            return frozenset(o for o in needed if o in changed or not os.path.exists(o))
        while remaining:
            names, compiled = order.next_batch(remaining, cost, built)
            outputs = sorted(set().union(*(remaining[name][1] for name in names)))
            self._say(f"    {len(compiled)} units for {', '.join(names[:3])}{', ...' if len(names) > 3 else ''}")
            for name in names:
                del remaining[name]
            built |= compiled
            finding = self._ask(build, names, outputs, fault, content)
            if finding:
                return finding
        return None

    def _asks(self, name, relevance, sources, of_program, alone):
        """True if a test runs: with --ask those that are named; with --near those about the file, unless they ran alone."""
        if self._asks_few:
            return any(re.fullmatch(word, name) for word in self._asked)
        if not self._near:
            return True
        return relevance <= order.NEAR and (not sources or (relevance == 0 and len(of_program) <= UNITS_ALONE and not of_program & alone))

    def _outputs_of(self, build, test, changed, path):
        """Returns what a test needs that is built; None if it does not depend on the changed file.

        A test that is given the whole project reads it, and is left to ./dev lint.
        """
        outputs = {p for p in test.paths if p in build.graph.edges}
        folders = {p for p in test.paths if p not in build.graph.edges and not str(self._copy.root).startswith(p)}
        programs = {p for p in changed if "EXECUTABLE_LINKER" in build.graph.edges[p][0] and p.rsplit("/", 1)[0] in folders}
        if outputs & changed or programs or path in test.paths or any(path.startswith(f + "/") for f in folders):
            return frozenset(outputs | programs)
        return None

    def _sources_of(self, build, outputs):
        found = set()
        for output in build.graph.needed(outputs):
            for source in build.graph.edges[output][1]:
                if "/together/" in source:
                    found |= set(build.graph._includes.direct(source))
                elif source.endswith(".cpp"):
                    found.add(source)
        return found

    def _units_alone(self, build, stage, fault, content, sources):
        """Asks test sources as programs of their own: with the library as it was before the fault, then with units of it that
        have the fault."""
        alone = self._one_unit(build, fault)
        for source in self._asked_sources:
            if not alone.program_of(source):
                self._say(f"    {source} is in no program of {stage.preset}")
        sources = [source for source in sources if alone.program_of(source)][:UNITS_ALONE * (4 if self._near else 1)]
        for units in ("none", "in use", "all"):
            if units != "none":
                sources = [source for source in sources if alone.calls_library(source)]
                if not sources or (units == "all" and self._near):
                    break
                count, done = alone.compile_library(units == "all")
                if not count:
                    continue
                self._say(f"    {count} units of the library")
                if done.returncode:
                    status, said = outcome.compiler_verdict(done.stdout, fault.file, self._copy.root)
                    return Finding(status, "the library", said)
            for source in sources:
                finding = self._unit_alone(alone, build, stage, fault, content, source)
                if finding:
                    return finding
        return None

    def _one_unit(self, build, fault, has_fault=True):
        scratch = self._copy.scratch / ("unit" if has_fault else "unit_before")
        return OneUnit(build.graph, scratch, self._jobs, fault.file, self._copy.set_aside() if has_fault else None)

    def _unit_alone(self, alone, build, stage, fault, content, source):
        name = source[len(str(self._copy.root)) + 1:]
        if f"{stage.preset} {name}" in self._broken:
            return None
        where, status, output = alone.run(source)
        if where == "no library":
            self._restore(fault)
            alone.compile_before()
            self._change(fault, content)
            alone.set_aside(self._copy.set_aside())
            where, status, output = alone.run(source)
        if status == 0:
            self._say(f"    {name}: passes")
            self._keep_good([f"{stage.preset} {name}"])
            return None
        if where == "link":
            self._say(f"    {name}: cannot be linked alone")
            return None
        said = f"{name}: {outcome.failing_case(output) or 'a crash'}"
        verdict = ("found", said) if where == "run" else outcome.compiler_verdict(output, fault.file, self._copy.root)
        if verdict[0] == "defect":
            return Finding("defect", name, verdict[1])
        said = verdict[1] if name in verdict[1] else f"{name}: {verdict[1]}"
        before = lambda: self._one_unit(build, fault, has_fault=False).run(source)[1] == 0  # noqa: E731
        if self._passes_without(fault, content, f"{stage.preset} {name}", before):
            return Finding("found", alone.program_of(source), said)
        return None

    def _ask(self, build, names, outputs, fault, content):
        while names:
            done = self._build(build, outputs)
            if done.returncode:
                status, said = outcome.compiler_verdict(done.stdout, fault.file, self._copy.root)
                return Finding(status, names[0], said)
            passed, failed, output = self._run(build, names)
            self._keep_good(f"{build.folder.name} {name}" for name in passed)
            if not failed:
                return None
            name = failed[0]
            again = lambda: self._build(build, outputs).returncode == 0 and not self._run(build, [name])[1]  # noqa: E731
            if self._passes_without(fault, content, f"{build.folder.name} {name}", again):
                return Finding("found", name, outcome.failing_case(output))
            names = [n for n in names if n not in passed and n != name]
        return None

    def _build(self, build, outputs):
        if not outputs:
            return subprocess.CompletedProcess([], 0, "", "")
        targets = [os.path.relpath(output, build.folder) for output in outputs]  # as build.ninja spells them
        done = call(["ninja", "-C", str(build.folder), f"-j{self._jobs}", *targets], self._copy.root)
        if done.stdout.startswith("ninja: error") or "\nninja: error" in done.stdout:
            raise RuntimeError(done.stdout)
        return done

    def _run(self, build, names):
        pattern = "^(" + "|".join(re.escape(name).replace("\\-", "-") for name in names) + ")$"
        done = call(["ctest", "--test-dir", str(build.folder), "-R", pattern, f"-j{self._jobs}", "--timeout", "900", "--output-on-failure",
                      "--stop-on-failure"], self._copy.root)
        passed, failed = outcome.ctest_results(done.stdout)
        wanted = set(names)
        return passed & wanted, [n for n in failed if n in wanted], done.stdout

    def _lint(self, fault, content):
        """Asks ./dev lint, where there is one."""
        if not re.search(r"^    lint\)", (self._copy.root / "dev").read_text(encoding="utf-8"), re.MULTILINE):
            return None

        def run():
            return call(["./dev", "lint"], self._copy.root)
        done = run()
        if done.returncode and self._passes_without(fault, content, "lint", lambda: run().returncode == 0):
            return Finding("found", "./dev lint", (done.stdout.strip().splitlines() or [""])[-1], "", "lint")
        return None
