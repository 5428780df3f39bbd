"""The type hints are consistent, as the package declares (py.typed)."""

import os
import pathlib
import re

import plait
import pytest

PACKAGE = pathlib.Path(plait.__file__).parent


def test_hints_agree():
    api = pytest.importorskip("mypy.api")
    said, problems, status = api.run(["--cache-dir", os.devnull, str(PACKAGE)])
    assert status == 0, said + problems
    assert (PACKAGE / "py.typed").exists()


USER = """
import numpy as np
import plait

x = np.zeros((1, 17, 5, 4), np.float32)
reveal_type(plait.reorder(x, "nchw", "nhwc"))
reveal_type(plait.reorder(x, "nchw", "nhwc", dtype=np.int8))
reveal_type(plait.reorder(x, "nchw", "nhwc", dtype="bf16"))
reveal_type(plait.ascontiguousarray(x.T))
reveal_type(plait.ascontiguousarray(x.T, np.float64))
plait.copyto(x, np.zeros(4, np.float32))
plait.reorder(x, "nchw", 5)                # 12: no layout
plait.Reorder("nchw", "nhwc", dtype="f32")  # 13: no layouts
plait.ascontiguousarray(x, like=x).no_member  # 14
"""
REVEALED = ["float32", "int8", "Any", "float32", "float64"]
# How the hints of NumPy 1 and 2 say the types of elements.
ELEMENT = {"floating[_32Bit]": "float32", "floating[_64Bit]": "float64", "signedinteger[_8Bit]": "int8"}


def test_results_have_the_type_of_their_elements(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "user.py"
    program.write_text(USER)
    monkeypatch.setenv("MYPYPATH", str(PACKAGE.parent))
    said, problems, _ = api.run(["--cache-dir", os.devnull, str(program)])
    types = re.findall(r'Revealed type is "numpy.ndarray\[.+, numpy.dtype\[(.+)\]\]"', said)
    shown = [re.sub(r"\b(?:\w+\.)+", "", found) for found in types]
    shown = [ELEMENT.get(found, found) for found in shown]
    assert shown == REVEALED, said + problems
    wrong = [int(line.split(":")[1]) for line in said.splitlines() if ": error: " in line]
    assert sorted(set(wrong)) == [12, 13, 14], said
