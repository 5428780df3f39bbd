"""Imports the package beside these tests; PLAIT_LIBRARY names the library."""

import pathlib
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

# Sessions show a number as NumPy 1 does, as 340.0; NumPy 2 would print np.float32(340.0).
if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0":
    numpy.set_printoptions(legacy="1.25")
