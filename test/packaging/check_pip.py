"""Installs the Python package with pip into new environments, offline, and uses it there: from the checkout, and from a
source package.

usage: check_pip.py PROJECT SCRATCH BUILD PYTHON, where BUILD is a build folder with the library, and perhaps the tool
"""

import os
import pathlib
import subprocess
import tarfile
import time

from trial import main, new_folder, require, run

USE = """
import pathlib, numpy as np, plait
y = plait.reorder(np.arange(340, dtype=np.float32).reshape(1, 17, 5, 4), "nchw", "nChw16c")
assert y.shape == (1, 2, 5, 4, 16) and y[0, 1, 0, 0, 0] == 320
import plait._library as loaded
print(pathlib.Path(plait.__file__).parent, loaded.library._name)
"""


def files_of(project):
    """Returns the files of the checkout that are not tracked, except what git ignores in a build folder or __pycache__."""
    if not (project / ".git").exists():
        return set()
    said = run("git", "-C", project, "status", "--porcelain", "--ignored")
    return {line[3:] for line in said.splitlines() if line[:2] in ("??", "!!") and not line[3:].startswith("build") and "__pycache__" not in line}


def environment_of(scratch, name, python):
    """Returns the Python of a new environment. NumPy, setuptools and pip are those of the system, because nothing is downloaded."""
    run(python, "-m", "venv", "--without-pip", "--system-site-packages", scratch / name)
    return scratch / name / "bin/python"


def use(python, scratch, clean):
    package, library = run(python, "-c", USE, cwd=scratch, env=clean).split()
    venv = python.parent.parent
    require(pathlib.Path(package).is_relative_to(venv) and pathlib.Path(library).is_relative_to(venv), f"another package is used: {package}, {library}")


def from_checkout(project, scratch, build, python, clean):
    mine = environment_of(scratch, "venv", python)
    pip = [mine, "-m", "pip", "--disable-pip-version-check"]
    before, begin = files_of(project), time.monotonic()
    run(*pip, "install", "--no-index", "--no-build-isolation", "--ignore-installed", "--no-deps", project, cwd=scratch, env=dict(clean, PLAIT_BUILD=str(build)))
    use(mine, scratch, clean)
    print(f"pip install, and the first reorder, without the build: {time.monotonic() - begin:.1f} s")
    require(files_of(project) == before, f"the build leaves files in the checkout: {files_of(project) - before}")
    require("plait" in run(*pip, "list", cwd=scratch, env=clean), "pip does not list it")
    said = run(*pip, "show", "plait", cwd=scratch, env=clean)
    require("Requires: numpy" in said and "Tensor memory layouts" in said, said)
    tool = mine.parent / "plait"
    require(tool.exists() == (build / "src/tool/plait").exists(), f"{tool} is there without being built, or the other way round")
    if tool.exists():
        run(tool, "match", "nchw", "2x3x4x5", "abcd", says="matches")
        require((scratch / "venv/share/man/man1/plait.1").exists(), "no manual page")
    run(*pip, "uninstall", "--yes", "plait", cwd=scratch, env=clean)
    require(not list((scratch / "venv").rglob("*plait*")), f"pip leaves files of the package: {list((scratch / 'venv').rglob('*plait*'))}")


def from_source_package(project, scratch, build, python, clean):
    (scratch / "source").mkdir()
    run(python, "-c", "import sys, setuptools.build_meta as backend; backend.build_sdist(sys.argv[1])", scratch / "source", cwd=project, env=clean)
    (package,) = (scratch / "source").iterdir()
    with tarfile.open(package) as archive:
        there = {name.partition("/")[2] for name in archive.getnames()}
    wanted = subprocess.run(["git", "-C", project, "ls-files", "include", "src", "cmake", "python/plait"], text=True, capture_output=True).stdout.split()
    lacks = sorted({"CMakeLists.txt", "LICENSE", "pyproject.toml", "setup.py", *wanted} - there)
    require(not lacks, f"the source package lacks {lacks}")
    others = sorted(name for name in there if name.partition("/")[0] in ("test", "docs", "bench", "build", "examples"))
    require(not others, f"the source package has {others[:5]}")
    mine = environment_of(scratch, "other", python)
    run(mine, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", "--no-build-isolation", "--ignore-installed", "--no-deps", package, cwd=scratch,
        env=dict(clean, PLAIT_BUILD=str(build)))
    use(mine, scratch, clean)


def trial(project, scratch, build, python):
    project, scratch, build = pathlib.Path(project), new_folder(scratch).resolve(), pathlib.Path(build)
    require("pip install ./plait\n" in (project / "docs/packaging.md").read_text(), "docs/packaging.md does not say how pip installs it")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PLAIT_"))}
    from_checkout(project, scratch, build, python, clean)
    from_source_package(project, scratch, build, python, clean)


main(trial)
