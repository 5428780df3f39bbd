"""The examples in the docstrings print what they show."""

import doctest
import importlib
import pkgutil

import numpy
import plait
import pytest

MODULES = ["plait"] + [f"plait.{found.name}" for found in pkgutil.iter_modules(plait.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    # They show a number as NumPy 1 does, as 340.0; NumPy 2 would print np.float32(340.0).
    as_before = {"legacy": "1.25"} if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0" else {}
    with numpy.printoptions(**as_before):
        results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0


def test_every_public_operation_has_an_example():
    """The module, its classes, and each operation of the algebra have at least one line of a session."""
    from plait._algebra import Algebra
    operations = [value for name, value in vars(Algebra).items() if not name.startswith("_")]
    assert len(operations) >= 8
    for documented in [plait, plait.Layout, plait.Record, plait.Rejection, plait.Reorder, plait.copies, plait.count_copies, plait.pack,
                       plait.parse_dims, plait.reorder, *operations]:
        assert ">>>" in documented.__doc__, documented
