"""Compiles the module plait and a program that imports it, and links both with the library of this build.

usage: check_module.py PROJECT SCRATCH LIBRARY COMPILER..., where a compiler that is not installed is left out; at least one must be.
"""

import pathlib
import shutil

from trial import Failed, main, new_folder, require, run

FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror"]


def with_clang(compiler, module, program, include, library, folder):
    run(compiler, *FLAGS, include, "-x", "c++-module", "--precompile", module, "-o", folder / "plait.pcm")
    run(compiler, "-c", folder / "plait.pcm", "-o", folder / "plait.o")
    run(compiler, *FLAGS, f"-fmodule-file=plait={folder / 'plait.pcm'}", program, folder / "plait.o", library, "-o", folder / "program")


def with_gcc(compiler, module, program, include, library, folder):
    # GCC looks for the compiled module in gcm.cache of the current folder.
    run(compiler, *FLAGS, "-fmodules-ts", include, "-x", "c++", "-c", module, "-o", folder / "plait.o", cwd=folder)
    run(compiler, *FLAGS, "-fmodules-ts", program, folder / "plait.o", library, "-o", folder / "program", cwd=folder)


def trial(project, scratch, library, *compilers):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    module, include = project / "include/plait/plait.cppm", f"-I{project / 'include'}"
    program = pathlib.Path(__file__).parent / "module/program.cpp"
    there = [compiler for compiler in compilers if shutil.which(compiler)]
    require(there, f"none of {', '.join(compilers)} is installed")
    for compiler in there:
        folder = new_folder(scratch / compiler)
        build = with_clang if "clang" in compiler else with_gcc
        build(compiler, module, program, include, library, folder)
        run(folder / "program", says="bytes")
        # Names that are no users' are not exported.
        hidden = folder / "hidden.cpp"
        hidden.write_text("import plait;\nplait::engine::reorder_plan plan;\n")
        try:
            build(compiler, module, hidden, include, library, folder)
        except Failed as failed:
            require("reorder_plan" in str(failed), f"another error:\n{failed}")
        else:
            raise Failed("a program that imports the module may name plait::engine::reorder_plan")
        print(f"{compiler}: a program with import plait;")


main(trial)
