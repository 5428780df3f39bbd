"""The search for the shared library: only PLAIT_LIBRARY if it is set, else beside the package, then by the loader."""

import os
import pathlib
import shutil
import subprocess
import sys

import plait
import pytest

PACKAGE = pathlib.Path(plait.__file__).parent
LIBRARY = os.environ.get("PLAIT_LIBRARY", "")
SONAME = "libplait.so." + plait.__version__.rpartition(".")[0]
pytestmark = pytest.mark.skipif(not LIBRARY, reason="PLAIT_LIBRARY does not name the library")


def imported(folder, **environment):
    """Imports the package from a folder in a new process. Returns what it prints, or the end of its error."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PLAIT_LIBRARY", "LD_LIBRARY_PATH", "PYTHONPATH")}
    done = subprocess.run([sys.executable, "-c", "import plait; print(plait.__version__, plait.Layout((4, 3)).name)"], text=True,
                          capture_output=True, env={**clean, "PYTHONPATH": str(folder), **environment})
    return done.stdout.strip() if done.returncode == 0 else "ImportError" + done.stderr.split("ImportError")[-1]


@pytest.fixture
def copied(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "plait", ignore=shutil.ignore_patterns("__pycache__", "libplait*"))
    return tmp_path


def test_it_is_where_the_variable_says(copied):
    assert imported(copied, PLAIT_LIBRARY=LIBRARY) == f"{plait.__version__} ab"
    shutil.copy(LIBRARY, copied / "plait" / "libplait.so")
    wrong = imported(copied, PLAIT_LIBRARY="/nowhere/libplait.so")  # PLAIT_LIBRARY overrides all other places
    assert wrong.startswith("ImportError") and "/nowhere/libplait.so" in wrong and "PLAIT_LIBRARY" in wrong


def test_it_is_beside_the_package(copied):
    shutil.copy(LIBRARY, copied / "plait" / "libplait.so")
    assert imported(copied) == f"{plait.__version__} ab"


def test_it_is_in_the_prefix_that_the_package_is_installed_in(tmp_path):
    for lib, packages in (("lib", "python3/dist-packages"), ("lib", "python3.11/site-packages"), ("lib/x86_64-linux-gnu", "python3/dist-packages"),
                          ("lib64", "python3/dist-packages")):
        prefix = tmp_path / lib.replace("/", "-") / packages.replace("/", "-")
        shutil.copytree(PACKAGE, prefix / "lib" / packages / "plait", ignore=shutil.ignore_patterns("__pycache__", "libplait*"))
        (prefix / lib).mkdir(exist_ok=True)
        shutil.copy(LIBRARY, prefix / lib / SONAME)
        assert imported(prefix / "lib" / packages) == f"{plait.__version__} ab"


def test_it_is_in_the_last_build_of_the_source_tree(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "python" / "plait", ignore=shutil.ignore_patterns("__pycache__", "libplait*"))
    (tmp_path / "CMakeLists.txt").write_text("")
    (old := tmp_path / "build" / "clang" / "src").mkdir(parents=True)
    (new := tmp_path / "build" / "gcc" / "src").mkdir(parents=True)
    shutil.copy(LIBRARY, new / "libplait.so")
    (old / "libplait.so").write_text("no library")
    os.utime(old / "libplait.so", (1, 1))
    assert imported(tmp_path / "python") == f"{plait.__version__} ab"
    # The other one is tried first because it is newer. It does not load, so the next one is used.
    os.utime(old / "libplait.so", (2**31, 2**31))
    assert imported(tmp_path / "python") == f"{plait.__version__} ab"


def test_all_places_are_said(copied):
    missing = imported(copied)
    assert missing.startswith("ImportError") and "plait_c_shared" in missing and str(copied / "plait") in missing and SONAME in missing
    (copied / "python").mkdir()
    shutil.move(copied / "plait", copied / "python" / "plait")
    (copied / "CMakeLists.txt").write_text("")
    assert str(copied / "build/*/src") in imported(copied / "python")


def test_it_is_where_the_loader_looks(copied):
    shutil.copy(LIBRARY, copied / SONAME)
    assert imported(copied, LD_LIBRARY_PATH=str(copied)) == f"{plait.__version__} ab"


def test_another_library_is_refused(copied):
    (copied / "none.so").write_text("no library")
    assert "none.so" in imported(copied, PLAIT_LIBRARY=str(copied / "none.so"))
    assert "another library" in imported(copied, PLAIT_LIBRARY="libc.so.6")


def test_the_file_has_the_name_of_the_system():
    names = plait._library._names_on
    assert names("linux") == ("libplait.so.0.1", "libplait.so")
    assert names("darwin") == ("libplait.0.1.dylib", "libplait.dylib")
    assert names("win32")[-1] == "libplait.dll"  # as MinGW names it, which builds are looked for by
