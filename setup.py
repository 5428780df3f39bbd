"""Makes the wheel of the Python package, for pip: CMake builds the shared library, which lies beside the modules.

- CMAKE_ARGS are options of CMake, as in `CMAKE_ARGS=-DPLAIT_TOOL=ON pip install .`, which installs the tool as well.
- PLAIT_BUILD names a build folder. Its library, and its tool if it has one, are taken instead of a new build.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70
    from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
# Where the package is used from the checkout, it looks for the library in build/*/src.
BUILD = ROOT / "build/python"
VERSION = re.search(r'define PLAIT_VERSION "([\d.]+)"', (ROOT / "include/plait/version.hpp").read_text(encoding="utf-8"))[1]
SONAME = "libplait.so." + VERSION.rpartition(".")[0]


def built():
    """Returns the build folder, after building what the package takes from it, with the flags of the tests and benchmarks."""
    if "PLAIT_BUILD" in os.environ:
        return pathlib.Path(os.environ["PLAIT_BUILD"]).resolve()
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2", "-DPLAIT_INSTALL=OFF",
                    *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
    targets = ["plait_c_shared"] + ["plait_tool"] * ("PLAIT_TOOL:BOOL=ON" in (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"))
    jobs = [] if os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") else ["--parallel", str(os.cpu_count() or 1)]
    subprocess.run(["cmake", "--build", BUILD, "--target", *targets, *jobs], check=True)
    return BUILD


class BuildWithLibrary(build_py):
    def run(self):
        shutil.rmtree(self.build_lib, ignore_errors=True)  # a module that is no more would be in the wheel
        super().run()
        build = built()
        if not getattr(self, "editable_mode", False):
            shutil.copyfile(build / "src" / SONAME, pathlib.Path(self.build_lib, "plait", SONAME))
        if (build / "src/tool/plait").exists():
            tool = build / "src/tool"
            self.distribution.data_files = [("bin", [str(tool / "plait")]), ("share/man/man1", [str(tool / "plait.1")])]


class WheelOfThisMachine(bdist_wheel):
    """The library is for this machine, and for every Python 3, because ctypes loads it."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


# Everything that setuptools writes is in the build folder.
BUILD.mkdir(parents=True, exist_ok=True)
setup(version=VERSION, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelOfThisMachine},
      options={"build": {"build_base": str(BUILD / "setuptools")}, "egg_info": {"egg_base": str(BUILD)}})
