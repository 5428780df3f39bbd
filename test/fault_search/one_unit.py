"""A program of one test source: it compiles in seconds, where the program that the source belongs to takes minutes."""

import os
import subprocess

from .processes import call


class OneUnit:
    def __init__(self, graph, scratch, jobs):
        self._graph, self._scratch, self._jobs = graph, scratch, jobs

    def program_of(self, source):
        """Returns the name of the program that a test source belongs to; None if it is not linked with doctest's main."""
        unit = self._graph.unit_of(source)
        programs = self._graph.programs_with(unit[3]) if unit else []
        for program in programs:
            if any("plait_doctest_main.dir" in i for i in self._graph.edges[program][1]):
                return os.path.basename(program)
        return None

    def run(self, source):
        """Compiles, links and runs a source. Returns (stage, exit status, output); the stage is compile, link or run."""
        words, directory, unit, _ = self._graph.unit_of(source)
        self._scratch.mkdir(parents=True, exist_ok=True)
        out = self._scratch / "unit.o"
        command, rest = [], iter(words)
        for word in rest:
            if word in ("-include", "-o", "-c"):
                next(rest)  # precompiled headers say nothing more: each test includes what it uses
            elif word not in (unit, "-Winvalid-pch"):
                command.append(word)
        done = call([*command, "-c", source, "-o", str(out)], directory)
        if done.returncode:
            return "compile", done.returncode, done.stdout
        main = next(o for o in self._graph.edges if o.endswith("plait_doctest_main.dir/main.cpp.o"))
        call(["ninja", "-C", self._graph.folder, f"-j{self._jobs}", os.path.relpath(main, self._graph.folder)], directory)
        program = self._scratch / "unit"
        flags = [w for w in command[1:] if w.startswith(("-fsanitize", "-O", "--sysroot"))]
        link = [command[0], *flags, str(out), main, "-o", str(program), "-pthread"]
        done = call(link, directory)
        if done.returncode:  # it calls kernels that the library holds, or those of test/engine/kernel/table_kernels.cpp
            archive = next(o for o in self._graph.edges if o.endswith("src/libplait.a"))
            tables = [o for o in self._graph.edges if o.endswith("table_kernels.cpp.o")] if "run_table" in done.stdout else []
            wanted = [os.path.relpath(o, self._graph.folder) for o in [archive, *tables]]
            built = call(["ninja", "-C", self._graph.folder, f"-j{self._jobs}", *wanted], directory)
            if built.returncode:
                return "compile", built.returncode, built.stdout
            done = call([*link, *tables, archive], directory)
            if done.returncode:
                return "link", done.returncode, done.stdout
        try:
            done = call([*self._emulator(), str(program)], directory, 600)
        except subprocess.TimeoutExpired:
            return "run", 124, "TEST CASE:  (does not end)"
        return "run", done.returncode, done.stdout

    def _emulator(self):
        if not self._graph.folder.endswith("/neon"):
            return []
        cache = open(os.path.join(self._graph.folder, "CMakeCache.txt"), encoding="utf-8").read()
        qemu = next(line.split("=", 1)[1] for line in cache.splitlines() if line.startswith("PLAIT_QEMU:"))
        return [qemu, "-L", "/usr/aarch64-linux-gnu"]
