"""Makes a wheel of the Python package and the shared library, for pip: the hooks of PEP 517. Needs nothing that pip would
have to download; CMake and a C++ compiler build the library.

If the environment variable PLAIT_LIBRARY names a library, that one is taken instead of a new build.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sysconfig
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent


def version_of_project():
    text = (PROJECT / "include/plait/version.hpp").read_text()
    return re.search(r'define PLAIT_VERSION "([\d.]+)"', text)[1]


def shared_library(scratch):
    """Returns the file of the library: the one that is named, or a new one."""
    said = os.environ.get("PLAIT_LIBRARY")
    if said:
        return pathlib.Path(said)
    if not (PROJECT / "CMakeLists.txt").is_file():
        raise SystemExit(f"{PROJECT} has no CMakeLists.txt: the package is built in a checkout of plait, or PLAIT_LIBRARY names the library")
    subprocess.run(["cmake", "-S", PROJECT, "-B", scratch, "-DCMAKE_BUILD_TYPE=Release", "-DPLAIT_INSTALL=OFF"], check=True)
    subprocess.run(["cmake", "--build", scratch, "--target", "plait_c_shared", "-j", str(os.cpu_count() or 1)], check=True)
    return pathlib.Path(scratch) / "src/libplait.so"


def metadata_of(version):
    return (f"Metadata-Version: 2.1\nName: plait\nVersion: {version}\nSummary: Tensor memory layouts, and the reorders between them\n"
            "License: BSL-1.0\nRequires-Python: >=3.8\nRequires-Dist: numpy>=1.23\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel, and returns the name of its file."""
    version = version_of_project()
    short = ".".join(version.split(".")[:2])
    tag = "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    info = f"plait-{version}.dist-info"
    files = {f"plait/{path.name}": path.read_bytes() for path in sorted((HERE / "plait").iterdir()) if path.suffix == ".py" or path.name == "py.typed"}
    with tempfile.TemporaryDirectory() as scratch:
        files[f"plait/libplait.so.{short}"] = shared_library(scratch).read_bytes()
    files[f"{info}/METADATA"] = metadata_of(version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: plait\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/LICENSE"] = (PROJECT / "LICENSE").read_bytes()
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
                     for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"plait-{version}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("plait has no source package of Python alone: install from a checkout, pip install ./plait/python")
