"""Uses plait as a part of another project, as a subdirectory and with FetchContent, and installs it without the
packages that only its developers need.

usage: check_subdirectory.py PROJECT SCRATCH C_COMPILER CXX_COMPILER
"""

import pathlib
import re
import shutil

from trial import configure, main, new_folder, require, run

# The tests, examples and benchmarks need these packages. Users of plait need none of them.
OF_DEVELOPERS = ("Boost", "doctest", "benchmark", "CLI11", "nlohmann_json", "Threads", "TBB", "OpenMP")
# Cache entries of CMake and its modules, which are not options.
OF_CMAKE = re.compile(r"CMAKE_|_|FIND_PACKAGE_|(plait|plait_as_a_part)_(BINARY_DIR|SOURCE_DIR|IS_TOP_LEVEL)")


def what_is_made(build, target):
    """Returns the input files of a target, as text."""
    return run("ninja", "-C", build, "-t", "inputs", target)


def check_part(here, project, scratch, compilers):
    build, prefix = scratch / "part", scratch / "prefix"
    configure(here / "subdirectory", build, f"-DPLAIT_SOURCE={project}", f"-DCMAKE_INSTALL_PREFIX={prefix}", *compilers)
    by_default = what_is_made(build, "all")
    require(not list(build.rglob("VerifyGlobs.cmake")), "each build looks for new files of plait")
    require("plans.cpp" not in by_default, f"the library is built though nothing links it:\n{by_default}")
    for target in ("with_kernels", "with_c", "with_c_shared"):
        require("plans.cpp" in what_is_made(build, target), f"{target} does not build the library that it links")
    commands = run("ninja", "-C", build, "-t", "commands", "headers")
    require(f"-isystem {project / 'include'}" in commands, f"plait's headers are not those of a system to a parent:\n{commands}")
    targets = run("ninja", "-C", build, "-t", "targets", "all")
    for target in ("plait_tests", "plait_warnings", "plait_tool"):
        require(target not in targets, f"plait as a subdirectory brings its own target {target}")
    run("cmake", "--build", build, "-j", "1")
    run(build / "headers")
    run("cmake", "--install", build)
    installed = [str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()]
    require(installed == ["bin/headers"], f"plait joins its parent's installation: {installed}")


def check_part_of_c(here, project, build, compilers):
    """Checks that a project whose only language is C links the C++ runtime, which the library needs."""
    configure(here / "subdirectory", build, f"-DPLAIT_SOURCE={project}", "-DPLAIT_PARENT_LANGUAGES=C", *compilers)
    link = run("ninja", "-C", build, "-t", "commands", "with_c").splitlines()[-1]
    require("libplait.a" in link and "-lstdc++" in link, f"with_c is linked without the C++ runtime: {link}")


def check_fetched(here, project, build, compilers):
    """Checks FetchContent as docs/packaging.md says it: with this source folder, and with a repository and a commit. The
    repository is a new one with the files of this folder, because a source folder need not be a repository."""
    source, given = new_folder(build.parent / "fetched_declared"), (here / "fetched/CMakeLists.txt").read_text()
    declared = "FetchContent_Declare(plait SOURCE_DIR /path/to/plait)"
    require(declared in (project / "docs/packaging.md").read_text(), "docs/packaging.md does not declare a SOURCE_DIR")
    line = next(line for line in given.splitlines() if line.startswith("FetchContent_Declare"))
    (source / "CMakeLists.txt").write_text(given.replace(line, declared.replace("/path/to/plait", str(project))).replace("../headers.cpp", str(here / "headers.cpp")))
    configure(source, build.parent / "fetched_folder", *compilers[1:])
    configure(here / "fetched", build.parent / "fetched_option", f"-DFETCHCONTENT_SOURCE_DIR_PLAIT={project}", *compilers[1:])

    repository = new_folder(build.parent / "repository")
    for name in ("CMakeLists.txt", "include", "src", "cmake", "packaging"):
        copy = shutil.copytree if (project / name).is_dir() else shutil.copy
        copy(project / name, repository / name)
    git = ["git", "-C", repository, "-c", "user.name=test", "-c", "user.email=test@example.com"]
    run(*git, "init", "--quiet")
    run(*git, "add", "--all")
    run(*git, "commit", "--quiet", "--no-verify", "-m", "for FetchContent")
    commit = run("git", "-C", repository, "rev-parse", "HEAD").strip()
    configure(here / "fetched", build, f"-DPLAIT_REPOSITORY={repository}", f"-DPLAIT_COMMIT={commit}", *compilers[1:])
    require("plans.cpp" not in what_is_made(build, "all"), "the library is built though nothing links it")
    run("cmake", "--build", build, "-j", "1")
    run(build / "headers")


def check_headers_alone(here, scratch, prefix, compiler):
    """Checks that a C++ project has plait::headers if only headers are installed. plait::plait needs the library, so it
    must not exist."""
    source = new_folder(scratch / "headers_alone")
    (source / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(headers_alone LANGUAGES CXX)
find_package(plait 0.1 REQUIRED)
if(TARGET plait::plait)
    message(FATAL_ERROR "plait::plait without its library")
endif()
add_executable(headers {here}/headers.cpp)
target_link_libraries(headers PRIVATE plait::headers)
""")
    configure(source, source / "build", prefix, compiler)
    run("cmake", "--build", source / "build")
    run(source / "build/headers")


def check_tool_refused(project, build, compiler, package):
    """Checks that the error for a missing package of the tool names the Debian packages."""
    configure(project, build, compiler, f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON", "-DPLAIT_TOOL=ON", fails=True,
              says="apt-get install libcli11-dev nlohmann-json3-dev")


def check_options(project, build):
    """Checks that the name of each option begins with PLAIT_, and that docs/packaging.md has a row for it."""
    entries = re.findall(r"^(\w[\w-]*):(\w+)=", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    options = {name for name, kind in entries if kind not in ("INTERNAL", "STATIC") and not OF_CMAKE.match(name)}
    require(options and all(name.startswith("PLAIT_") for name in options), f"options without a prefix: {sorted(options)}")
    rows = set(re.findall(r"^\| `(PLAIT_\w+)`", (project / "docs/packaging.md").read_text(), re.MULTILINE))
    declared = set(re.findall(r"^\s*option\((\w+)", (project / "CMakeLists.txt").read_text(), re.MULTILINE))
    require(options <= declared, f"not declared with option(): {sorted(options - declared)}")
    require(rows == declared, f"docs/packaging.md and CMakeLists.txt differ in {sorted(rows ^ declared)}")


def trial(project, scratch, c_compiler, cxx_compiler):
    project, scratch = pathlib.Path(project), new_folder(scratch)
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in OF_DEVELOPERS]
    cxx = f"-DCMAKE_CXX_COMPILER={cxx_compiler}"
    compilers = [f"-DCMAKE_C_COMPILER={c_compiler}", cxx, *without]
    check_part(project / "test/packaging", project, scratch, compilers)
    check_part_of_c(project / "test/packaging", project, scratch / "part_of_c", compilers)
    check_fetched(project / "test/packaging", project, scratch / "fetched", compilers)
    for package in ("CLI11", "nlohmann_json"):
        check_tool_refused(project, scratch / f"without_{package}", cxx, package)

    # To install the headers alone, a C++ compiler is enough, and nothing is built.
    alone = scratch / "alone"
    configure(project, alone, cxx, *without, "-DPLAIT_C_API=OFF")
    check_options(project, alone)
    run("cmake", "--install", alone, "--prefix", scratch / "headers")
    require((scratch / "headers/include/plait/plait.hpp").exists(), "no plait/plait.hpp is installed")
    # If a project needs the library of such a prefix, the error names what is missing.
    prefix = f"-DCMAKE_PREFIX_PATH={scratch / 'headers'}"
    configure(project / "test/packaging/c_only", scratch / "no_component", prefix, compilers[0], fails=True,
              says="installed without its component 'c'; to have plait::c and plait::c_shared, configure plait without -DPLAIT_C_API=OFF")
    configure(project / "test/packaging/c_only", scratch / "no_library", prefix, compilers[0], "-DPLAIT_WITHOUT_COMPONENTS=ON", fails=True,
              says="the headers alone are installed here, plait::headers, without plait::plait, plait::c and plait::c_shared")
    check_headers_alone(project / "test/packaging", scratch, prefix, cxx)
    require(not [*(scratch / "headers").rglob("plait-c-targets*"), *(scratch / "headers").rglob("plait-c.pc")], "the C interface is said to be there, and is not")


main(trial)
