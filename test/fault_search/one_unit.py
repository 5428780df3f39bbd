"""A program of one test source: it compiles in seconds, where the program that the source belongs to takes minutes."""

import os
import pathlib
import shlex
import subprocess

from .processes import call

_SETS = ("avx512", "avx2", "sse41", "neon", "portable")  # units of the library are named so


def widest_set():
    """Returns the instruction set whose kernels this CPU runs."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        flags = ""
    return "avx512" if " avx512bw" in flags else "avx2" if " avx2" in flags else "sse41" if " sse4_1" in flags else "neon"


def set_of(unit):
    """Returns the instruction set whose kernels a unit of the library has, or None."""
    return next((s for s in _SETS if f"_{s}." in os.path.basename(unit)), None)


def units_in_use(objects, file, widest):
    """Returns the units of the library whose code a fault of `file` changes where tests run: all but the kernels of other
    instruction sets, unless the file is about one of these."""
    return [o for o in objects if set_of(o) in (None, widest) or set_of(o) in os.path.basename(file)]


class OneUnit:
    """Programs of test sources, while a file is changed.

    The library takes minutes to compile, so it is linked as it was before the change, and only the program has the fault:
    what a header instantiates in the test source, and the inline functions, of which the linker keeps the first. Then
    units of the library are compiled with it, see `compile_library`. A test that fails with some of the fault finds it.
    """

    def __init__(self, graph, scratch, jobs, file, kept):
        self._graph, self._scratch, self._jobs, self._file = graph, scratch, jobs, file
        self._kept = kept  # {output: where it was set aside}; None without a fault
        self._compiled = {}  # {source: object}
        self._faulty = {}  # {unit of the library: its object with the fault}
        self._calls_library = set()
        self.archive = next((o for o in graph.edges if o.endswith("src/libplait.a")), None)

    def program_of(self, source):
        """Returns the name of the program that a test source belongs to; None if it is not linked with doctest's main."""
        unit = self._graph.unit_of(source)
        programs = self._graph.programs_with(unit[3]) if unit else []
        for program in programs:
            if any("plait_doctest_main.dir" in i for i in self._graph.edges[program][1]):
                return os.path.basename(program)
        return None

    def calls_library(self, source):
        """True if the program of a source was linked with the library."""
        return source in self._calls_library

    def compile_before(self):
        """Compiles the library, which must not have the fault now."""
        return self._ninja(self._units())

    def set_aside(self, kept):
        self._kept = kept

    def compile_library(self, all_units):
        """Compiles the library's units with the fault: those in use, or all. Returns how many, and the last process.

        The code is the same with less optimisation, in half of the time; kernels without any take longer."""
        units = [o for o in self._units() if o in self._kept and o not in self._faulty]
        chosen = units if all_units else units_in_use(units, self._file, widest_set())
        done = None
        for unit in chosen:
            name = os.path.relpath(unit, self._graph.folder)
            entry = next(e for e in self._graph.commands if f" -o {name} " in e["command"])
            out = str(self._scratch / f"library{len(self._faulty)}.o")
            level = "-O1" if set_of(unit) else "-O0"
            words = [level if w == "-O2" else w for w in shlex.split(entry["command"])]
            words[words.index("-o") + 1] = out
            done = call(words, entry["directory"])
            if done.returncode:
                break
            self._faulty[unit] = out
        return len(chosen), done

    def _units(self):
        return [i for i in self._graph.edges[self.archive][1] if i in self._graph.edges]

    def _ninja(self, outputs):
        names = [os.path.relpath(o, self._graph.folder) for o in outputs]
        return call(["ninja", "-C", self._graph.folder, f"-j{self._jobs}", *names], self._graph.folder)

    def run(self, source):
        """Compiles, links and runs a source. Returns (stage, exit status, output); the stage is compile, link, run, or
        "no library" if the library has to be compiled first, without the fault."""
        words, directory, unit, _ = self._graph.unit_of(source)
        self._scratch.mkdir(parents=True, exist_ok=True)
        if source not in self._compiled:
            out = str(self._scratch / f"unit{len(self._compiled)}.o")
            command, rest = [], iter(words)
            for word in rest:
                if word in ("-include", "-o", "-c"):
                    next(rest)  # precompiled headers say nothing more: each test includes what it uses
                elif word not in (unit, "-Winvalid-pch"):
                    command.append(word)
            done = call([*command, "-c", source, "-o", out], directory)
            if done.returncode:
                return "compile", done.returncode, done.stdout
            self._compiled[source] = out
        main = next(o for o in self._graph.edges if o.endswith("plait_doctest_main.dir/main.cpp.o"))
        self._ninja([main])
        program = self._scratch / "unit"
        flags = [w for w in words[1:] if w.startswith(("-fsanitize", "-O", "--sysroot"))]
        link = [words[0], *flags, self._compiled[source], main, "-o", str(program), "-pthread"]
        done = call(link, directory)
        if done.returncode:  # it calls kernels that the library holds, or those of test/engine/kernel/table_kernels.cpp
            if self._kept is not None and not all(os.path.exists(o) or o in self._kept for o in self._units()):
                return "no library", 1, ""
            self._calls_library.add(source)
            tables = [o for o in self._graph.edges if o.endswith("table_kernels.cpp.o")] if "run_table" in done.stdout else []
            aside = {o: self._kept[o] for o in self._units() if self._kept and o in self._kept and not os.path.exists(o)} | self._faulty
            built = self._ninja([*(o for o in self._units() if o not in aside), *tables])
            if built.returncode:
                return "compile", built.returncode, built.stdout
            done = call([*link, *tables, *(aside.get(o, o) for o in self._units())], directory)
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
