"""Installs a build of plait, and uses it from C projects and from builds without CMake.

usage: check_installed.py BUILD PROJECT SCRATCH C_COMPILER CXX_COMPILER VERSION
"""

import os
import pathlib
import platform

from trial import configure, main, new_folder, require, run


def check_c_projects(here, scratch, prefix, compiler):
    """Checks C projects that name the component, and C projects that do not."""
    for name, option in (("components", "OFF"), ("languages", "ON")):
        build = scratch / name
        configure(here / "c_only", build, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={compiler}",
                  f"-DPLAIT_WITHOUT_COMPONENTS={option}")
    run("cmake", "--build", scratch / "components", "-j", "1")
    for program in ("with_static", "with_shared"):
        run(scratch / "components" / program)


def check_drop_ins(here, scratch, prefix, compiler):
    """Checks a project that links the drop-ins. Nothing names the folder of libplait, which is beside them."""
    configure(here / "drop_ins", scratch / "drop_ins", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={compiler}")
    run("cmake", "--build", scratch / "drop_ins", "-j", "1")
    for program in ("mine", "other"):
        run(scratch / "drop_ins" / program)


def check_pkg_config(project, scratch, prefix, c_compiler, cxx_compiler, version):
    """Checks builds with a compiler and pkg-config only, against an installation that was moved."""
    moved = scratch / "moved"
    prefix.rename(moved)
    (files,) = moved.rglob("plait.pc")
    environment = dict(os.environ, PKG_CONFIG_LIBDIR=str(files.parent))

    def ask(*arguments):
        return run("pkg-config", *arguments, env=environment).split()

    for module in ("plait", "plait-c"):
        require(ask("--modversion", module) == [version], f"{module}.pc has another version than {version}")
    source = project / "test/structure/consumer"
    flags = ask("--cflags", "plait")
    require(pathlib.Path(flags[0].removeprefix("-I")).resolve() == moved / "include", f"plait.pc says {flags}")
    run(cxx_compiler, "-std=c++20", *flags, project / "test/packaging/headers.cpp", "-o", scratch / "headers")
    run(scratch / "headers")
    # plait.pc links the code that is compiled once. The shared library is in the same folder but does not contain it.
    linked = ask("--cflags", "--libs", "plait")
    run(cxx_compiler, "-std=c++20", project / "test/packaging/run_time.cpp", *linked, "-o", scratch / "run_time")
    run(scratch / "run_time")

    shared = ask("--cflags", "--libs", "plait-c")
    # docs/packaging.md recommends -rpath for a prefix that the loader does not search.
    (library,) = ask("--variable=libdir", "plait-c")
    run(c_compiler, "-std=c99", source / "main.c", *shared, f"-Wl,-rpath,{library}", "-o", scratch / "shared")
    run(scratch / "shared")
    needed = run("readelf", "-d", scratch / "shared") if platform.system() == "Linux" else "libplait.so"
    require("libplait.so" in needed, "linked without the shared library")
    # plait-c-static links the static library beside the shared one.
    run(c_compiler, "-std=c99", source / "main.c", *ask("--cflags", "--libs", "plait-c-static"), "-o", scratch / "static_of_both")
    run(scratch / "static_of_both")
    needed = run("readelf", "-d", scratch / "static_of_both") if platform.system() == "Linux" else ""
    require("libplait.so" not in needed, "linked with the shared library")
    # Without the shared library, -lplait links the static one, which needs the flags of --static.
    for link in pathlib.Path(library).glob("libplait.so*"):
        link.unlink()
    run(c_compiler, "-std=c99", source / "main.c", *ask("--cflags", "--libs", "--static", "plait-c"), "-o", scratch / "static")
    run(scratch / "static")


def trial(build, project, scratch, c_compiler, cxx_compiler, version):
    project, scratch = pathlib.Path(project), new_folder(scratch).resolve()
    here, prefix = project / "test/packaging", scratch / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    configure(here / "versions", scratch / "versions", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DPLAIT_IS={version}")
    check_c_projects(here, scratch, prefix, c_compiler)
    check_drop_ins(here, scratch, prefix, c_compiler)
    check_pkg_config(project, scratch, prefix, c_compiler, cxx_compiler, version)


main(trial)
