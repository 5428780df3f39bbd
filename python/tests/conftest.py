"""Imports the package beside these tests; PLAIT_LIBRARY names the library."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
