"""The type hints are consistent, as the package declares (py.typed)."""

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
REVEALED = ["ndarray[Any, dtype[floating[_32Bit]]]", "ndarray[Any, dtype[signedinteger[_8Bit]]]", "ndarray[Any, dtype[Any]]",
            "ndarray[Any, dtype[floating[_32Bit]]]", "ndarray[Any, dtype[floating[_64Bit]]]"]


def test_results_have_the_type_of_their_elements(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "user.py"
    program.write_text(USER)
    monkeypatch.setenv("MYPYPATH", str(PACKAGE.parent))
    said, problems, _ = api.run(["--cache-dir", os.devnull, str(program)])
    shown = [line.split('"')[1].replace("numpy._typing._nbit_base.", "").replace("numpy._typing._8Bit", "_8Bit").replace("numpy.", "").replace("_typing.", "")
             for line in said.splitlines() if "Revealed" in line]
    assert shown == REVEALED, said + problems
    wrong = [int(line.split(":")[1]) for line in said.splitlines() if ": error: " in line]
    assert sorted(set(wrong)) == [12, 13, 14], said
