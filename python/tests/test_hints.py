"""The type hints are consistent, because the package declares that it has some (py.typed)."""

import os
import pathlib

import plait
import pytest

PACKAGE = pathlib.Path(plait.__file__).parent


def test_hints_agree():
    api = pytest.importorskip("mypy.api")
    said, problems, status = api.run(["--cache-dir", os.devnull, str(PACKAGE)])
    assert status == 0, said + problems
    assert (PACKAGE / "py.typed").exists()
