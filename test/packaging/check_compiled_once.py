"""Checks that the code of run-time reorders and of repacks is compiled once per program, in one unit or in several, and
that the linker error of a program without it names the remedy.

usage: check_compiled_once.py PROJECT SCRATCH COMPILER NM LIBRARY, where LIBRARY is the static library
"""

import os
import pathlib
import platform
import re
import resource

from trial import main, new_folder, require, run

REMEDY = "plait::for_all_units::reorders::link_plait_plait_or_include_plait_implementation_hpp_in_one_unit::"
REMEDY_OF_KERNELS, REMEDY_OF_RECORDS = (REMEDY.replace("reorders", other) for other in ("kernels", "records"))
# How much more memory GCC may take to compile a unit that calls make_reorder than to compile one that only includes the
# header. The code that is compiled once takes more than the header.
MOST_TIMES = 1.25
INCLUDED = "#include <plait/plait.hpp>\n"
MEASURED = INCLUDED + """
// A unit that calls make_reorder, and runs the plan.
void moves(const plait::descriptor& src, const void* in, const plait::descriptor& dst, void* out) {
    plait::make_reorder(src, dst).value()(in, out);
}
"""
UNITS = 3
# Extra flags of the last unit. They select another instruction set, but the unit must call the same functions.
OTHER_FLAGS = ["-msse4.1"] if platform.machine() == "x86_64" else []
UNIT = """#include <plait/plait.hpp>

#include <vector>

// All that is planned at run time: of descriptors, of dynamic ones, of layouts, on threads.
bool moves_@(const char* from_tag, const char* to_tag) {
    const plait::dims extents{2, 17, 5, 4};
    const plait::layout from(extents, *plait::parse_format_tag(from_tag)), to(extents, *plait::parse_format_tag(to_tag));
    const std::vector<float> in(from.element_span(), 1.5f);
    std::vector<float> out(to.element_span()), again(to.element_span());
    const plait::descriptor src(plait::data_type::f32, from), dst(plait::data_type::f32, to);
    const auto planned = plait::make_reorder(src, dst);
    if (!planned || !(*planned)(in.data(), out.data()).ok()) return false;
    plait::reorder(plait::sequential, from, in.data(), to, again.data());
    auto open = plait::make_reorder({plait::data_type::f32, plait::layout({plait::dynamic, 3}, "ab")},
                                    {plait::data_type::f32, plait::layout({plait::dynamic, 3}, "ba")});
    return out == again && open && open->bind(plait::dims{2, 3}).ok();
}
"""
# Units with other flags call each other with types of the language alone; plait's types have other names there.
MAIN = """@declarations
int main() {
    const char *const from = "nchw", *const to = "nChw16c";
    return @calls ? 0 : 1;
}
"""


def compile_units(project, scratch, compiler):
    """Returns the object files, and the memory in megabytes that the compiler took for a unit that only includes the
    header, and for one that calls make_reorder. Those units are not part of the program."""
    names = [str(number) for number in range(UNITS)]
    main_text = MAIN.replace("@declarations", "".join(f"bool moves_{n}(const char*, const char*);\n" for n in names))
    texts = {f"unit_{n}": UNIT.replace("@", n) for n in names} | {"main": main_text.replace("@calls", " && ".join(f"moves_{n}(from, to)" for n in names))}
    megabytes = []
    for text in (INCLUDED, MEASURED):
        (scratch / "measured.cpp").write_text(text)
        run(compiler, "-std=c++20", "-O2", "-I", project / "include", "-c", scratch / "measured.cpp", "-o", scratch / "measured.o")
        megabytes.append(max_megabytes())  # of all child processes until now, so the smaller unit comes first
    objects = []
    for name, text in texts.items():
        source = scratch / f"{name}.cpp"
        source.write_text(text)
        objects.append(source.with_suffix(".o"))
        flags = OTHER_FLAGS if name == f"unit_{UNITS - 1}" else []
        run(compiler, "-std=c++20", "-O2", *flags, "-I", project / "include", "-c", source, "-o", objects[-1])
    return objects, megabytes


def max_megabytes():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def code_of(nm, file):
    """Returns the names of the functions in a file, with repetitions."""
    return re.findall(r"^[0-9a-f]+ [TtWw] (.*)", run(nm, "-C", file), re.MULTILINE)


def check_parts(project):
    """Checks that implementation.hpp and src/implementation have a line and a unit for each header of implementation/.
    tiles.hpp and rows.hpp define what the others instantiate."""
    headers = {path.stem for path in (project / "include/plait/implementation").glob("*.hpp")} - {"tiles", "rows"}
    included = re.findall(r"#include <plait/implementation/(\w+)\.hpp>", (project / "include/plait/implementation.hpp").read_text())
    require(sorted(included) == sorted(headers), f"implementation.hpp does not include each header once: {sorted(headers ^ set(included))}")
    units = {path.stem: path.read_text() for path in (project / "src/implementation").glob("*.cpp")}
    require(set(units) == headers, f"src/implementation does not have a unit for each header: {sorted(headers ^ set(units))}")
    for name, text in units.items():
        require(text == f"#include <plait/implementation/{name}.hpp>\n", f"src/implementation/{name}.cpp does not include its header alone")


def undefined(name):
    """Returns the pattern of an error about a name that is not defined, as GNU's and LLVM's linkers print it."""
    return r"undefined (reference to|symbol:) [`']?" + re.escape(name)


def check_incomplete(scratch, compiler, objects, library):
    """Checks that a program that lacks the kernels of an instruction set is told what is missing."""
    members = new_folder(scratch / "members")
    run("ar", "x", pathlib.Path(library).resolve(), cwd=members)
    units = sorted(members.glob("*.o"))
    one = members / f"tiles_{'neon' if platform.machine() == 'aarch64' else 'avx512'}.cpp.o"
    require(one in units, f"the library has no {one.name}: {[unit.name for unit in units]}")
    run(compiler, *objects, *units, "-o", scratch / "of_units")
    refused = run(compiler, *objects, *(unit for unit in units if unit != one), "-o", scratch / "incomplete", fails=True, env=dict(os.environ, LC_ALL="C"))
    require(re.search(undefined("") + r"[^\n]*" + re.escape(REMEDY_OF_KERNELS) + "tiles<", refused), f"a program without {one.name} is not told of {REMEDY_OF_KERNELS}tiles:\n{refused}")


def check_records(project, scratch, compiler, library):
    """Checks what a program of records is told that lacks their code."""
    program = scratch / "results.o"
    run(compiler, "-std=c++20", "-O0", "-I", project / "include", "-c", project / "test/packaging/results.cpp", "-o", program)
    refused = run(compiler, program, "-o", scratch / "results", fails=True, env=dict(os.environ, LC_ALL="C"))
    require(re.search(undefined(REMEDY_OF_RECORDS + "plan("), refused), f"a program without the library is not told of {REMEDY_OF_RECORDS}plan:\n{refused}")
    run(compiler, program, library, "-o", scratch / "results")
    run(scratch / "results")


def trial(project, scratch, compiler, nm, library):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    check_parts(project)
    objects, megabytes = compile_units(project, scratch, compiler)
    for file in objects:
        kernels = [name for name in code_of(nm, file) if re.search(r"\bsimd::|\bplan_tiles\b|\bvalues_run\b|" + REMEDY, name)]
        require(not kernels, f"{file.name} has code that is to be compiled once: {kernels[:3]}")
    version = run(compiler, "--version")
    if "Free Software Foundation" in version:
        included, calling = megabytes
        require(calling <= MOST_TIMES * included, f"a unit that calls make_reorder takes the compiler {calling:.0f} MB, more than {MOST_TIMES} "
                f"times the {included:.0f} MB of one that only includes the header")

    # LC_ALL=C: the messages of the linker are compared in English.
    refused = run(compiler, *objects, "-o", scratch / "without", fails=True, env=dict(os.environ, LC_ALL="C"))
    for function in ("make", "plan", "bind"):
        require(re.search(undefined(REMEDY + function + "("), refused),
                f"a program without the library is not told of {REMEDY}{function}:\n{refused}")
    program = scratch / "with"
    run(compiler, *objects, library, "-o", program)
    run(program)
    names = code_of(nm, program)
    # A part that the compiler splits off a function has the name of the function followed by [clone ...].
    for function, forms in (("make(", 1), ("bind(", 2), ("plan(", 1)):
        found = [name for name in names if name.startswith(REMEDY + function) and "[clone" not in name]
        require(len(found) == forms == len(set(found)), f"{len(found)} of {REMEDY}{function}, and not {forms}: {found}")
    kernels = [name for name in names if "run_whole_data<" in name and "[clone" not in name]
    twice = sorted({name for name in kernels if kernels.count(name) > 1})
    require(kernels and not twice, f"kernels that are there more than once: {twice[:3]}" if kernels else "no kernels")
    check_incomplete(scratch, compiler, objects, library)
    check_records(project, scratch, compiler, library)
    print(f"{UNITS} units, {megabytes[1]:.0f} MB to compile one; {len(kernels)} kernels, each once")


main(trial)
