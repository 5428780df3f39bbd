"""Where the shared library is looked for: what PLAIT_LIBRARY says and nothing else, beside the package, where the loader looks."""

import os
import pathlib
import shutil
import subprocess
import sys

import plait
import pytest

PACKAGE = pathlib.Path(plait.__file__).parent
LIBRARY = os.environ.get("PLAIT_LIBRARY", "")
pytestmark = pytest.mark.skipif(not LIBRARY, reason="PLAIT_LIBRARY does not name the library")


def imported(folder, **environment):
    """A new process that imports the package from a folder: what it prints, or how its error ends."""
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
    wrong = imported(copied, PLAIT_LIBRARY="/nowhere/libplait.so")  # what was said is not second-guessed
    assert wrong.startswith("ImportError") and "/nowhere/libplait.so" in wrong and "PLAIT_LIBRARY" in wrong


def test_it_is_beside_the_package(copied):
    shutil.copy(LIBRARY, copied / "plait" / "libplait.so")
    assert imported(copied) == f"{plait.__version__} ab"


def test_it_is_where_the_loader_looks(copied):
    shutil.copy(LIBRARY, copied / "libplait.so.0.1")
    assert imported(copied, LD_LIBRARY_PATH=str(copied)) == f"{plait.__version__} ab"


def test_another_library_is_refused(copied):
    (copied / "none.so").write_text("no library")
    assert "none.so" in imported(copied, PLAIT_LIBRARY=str(copied / "none.so"))
    assert "another library" in imported(copied, PLAIT_LIBRARY="libc.so.6")
