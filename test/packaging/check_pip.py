"""Installs the Python package with pip into a new environment, offline, and uses it there.

usage: check_pip.py PROJECT SCRATCH LIBRARY PYTHON
"""

import os
import pathlib

from trial import main, new_folder, require, run

USE = """
import pathlib, numpy as np, plait
y = plait.reorder(np.arange(340, dtype=np.float32).reshape(1, 17, 5, 4), "nchw", "nChw16c")
assert y.shape == (1, 2, 5, 4, 16) and y[0, 1, 0, 0, 0] == 320
print(pathlib.Path(plait.__file__).parent)
"""


def trial(project, scratch, library, python):
    project, scratch = pathlib.Path(project), new_folder(scratch).resolve()
    require("pip install ./plait/python" in (project / "docs/packaging.md").read_text(), "docs/packaging.md does not say how pip installs it")
    # NumPy and pip are those of the system, because nothing is downloaded.
    run(python, "-m", "venv", "--without-pip", "--system-site-packages", scratch / "venv")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    pip = [scratch / "venv/bin/python", "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "install", "--no-index", "--no-deps", "--ignore-installed", project / "python", cwd=scratch, env=dict(environment, PLAIT_LIBRARY=library))
    place = run(scratch / "venv/bin/python", "-c", USE, cwd=scratch, env={name: value for name, value in environment.items() if name != "PLAIT_LIBRARY"})
    require(pathlib.Path(place.strip()).is_relative_to(scratch / "venv"), f"another package is used: {place}")
    require("plait" in run(*pip, "list", cwd=scratch, env=environment), "pip does not list it")
    run(*pip, "uninstall", "--yes", "plait", cwd=scratch, env=environment)
    require(not list((scratch / "venv").rglob("plait")), "pip leaves files of the package")
    left = [path for path in (project / "python").iterdir() if path.name not in ("plait", "tests", "pyproject.toml", "build_wheel.py", "__pycache__")]
    require(not left, f"the build leaves files in the checkout: {left}")


main(trial)
