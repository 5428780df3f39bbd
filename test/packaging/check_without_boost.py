"""Compiles and runs programs without Boost, because the headers need only the standard library.

usage: check_without_boost.py PROJECT SCRATCH CXX_COMPILER

The compiler searches its own system folders. A folder that contains boost/ is replaced with a folder of links to all
its other entries.
"""

import pathlib
import re
import subprocess

from trial import main, new_folder, require, run

EXAMPLES = ("01_layouts", "04_types", "13_rearrange")
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wpedantic", "-Werror")


def system_folders(compiler):
    """Returns the folders that the compiler searches for <...>, in order."""
    said = subprocess.run([compiler, "-std=c++20", "-x", "c++", "-E", "-v", "/dev/null"], text=True, capture_output=True, check=True).stderr
    listed = re.search(r"#include <\.\.\.> search starts here:\n(.*?)End of search list", said, re.DOTALL)
    require(listed is not None, f"{compiler} -v names no folders:\n{said}")
    return [pathlib.Path(line.strip()) for line in listed[1].splitlines()]


def without_boost(folders, scratch):
    """Returns the flags that name the same folders without boost/."""
    flags = ["-nostdinc"]
    for number, folder in enumerate(folders):
        if (folder / "boost").exists():
            links = scratch / f"include_{number}"
            links.mkdir()
            for entry in folder.iterdir():
                if entry.name != "boost":
                    (links / entry.name).symlink_to(entry)
            folder = links
        flags += ["-isystem", folder]
    return flags


def program_of_readme(project):
    blocks = re.findall(r"^```cpp[^\n]*\n(.*?)^```", (project / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (program,) = [block for block in blocks if "int main()" in block]
    return program


def trial(project, scratch, compiler):
    project, scratch = pathlib.Path(project), new_folder(scratch).resolve()
    flags = ["-std=c++20", *without_boost(system_folders(compiler), scratch), "-I", project / "include"]
    probe = scratch / "boost.cpp"
    probe.write_text("#include <boost/hana.hpp>\n")
    run(compiler, *flags, "-fsyntax-only", probe, fails=True, says="boost/hana.hpp")

    for header in ("plait.hpp", "layouts.hpp", "typed/hana_models.hpp"):
        unit = scratch / "header.cpp"
        unit.write_text(f"#include <plait/{header}>\n")
        run(compiler, *flags, *WARNINGS, "-fsyntax-only", unit)
    readme = scratch / "readme.cpp"
    readme.write_text(program_of_readme(project))
    for source in (readme, *(project / f"examples/{name}.cpp" for name in EXAMPLES)):
        run(compiler, *flags, source, "-o", scratch / source.stem)
        run(scratch / source.stem)


main(trial)
