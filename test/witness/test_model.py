"""Tests the witness with defects that it must detect. Needs no library: the model itself plays one."""

import contextlib
import ctypes
import io
import unittest

import numpy as np

import fixed_cases
import witness
from attributes import Attributes
from capi import S32, S8
from draw import Draw
from expected import reordered
from fixed_cases import by_hand
from offsets import Compensation, Layout
from run_case import Bench, Mismatch, run


class Obedient:
    """A library that writes the model's result and then has one defect."""

    def __init__(self, defect):
        self.defect = defect

    def by_strides(self, dims, strides, data_type):
        return by_hand(data_type, dims, dims, strides, [])

    def instruction_sets(self):
        return []

    def buffer_size(self, desc):
        return Layout(desc).end * np.dtype({S8: "i1", S32: "i4"}[desc.data_type]).itemsize

    def reorder(self, isa, src, source, source_size, dst, destination, size, attributes):
        def bytes_at(address, count):
            return np.frombuffer((ctypes.c_uint8 * count).from_address(address), dtype=np.uint8)
        out = bytes_at(destination, size)
        layout = Layout(dst)
        out[:] = reordered(Layout(src), S8, bytes_at(source, source_size).copy(), layout, S32, out.copy(), Attributes(),
                           dst.extra, Compensation(dst, layout)).data
        self.defect(source, destination, size)


def changed(address):
    """A defect: changes one bit of the byte at an address."""
    ctypes.memset(address, ctypes.string_at(address, 1)[0] ^ 1, 1)


class Defects(unittest.TestCase):
    """Defects that must be detected. The first case has a gap of one element after each five."""
    DEFECTS = {"an element": lambda src, dst, size: changed(dst), "a gap": lambda src, dst, size: changed(dst + 5 * 4),
               "padding": lambda src, dst, size: changed(dst + 10 * 4),
               "in front": lambda src, dst, size: changed(dst - 1),
               "behind": lambda src, dst, size: changed(dst + size), "the source": lambda src, dst, size: changed(src)}

    def run_first_case(self, defect):
        library = Obedient(defect)
        case = fixed_cases.ALL[0](library)
        case.draw, case.places = Draw(0, 0), (64, 64)
        run(library, Bench(library, 10_000), case, ["public"], lambda *_: None, lambda *_: None)

    def test_defects_are_seen(self):
        self.run_first_case(lambda *_: None)  # without a defect, the run must not fail
        for name, defect in self.DEFECTS.items():
            with self.subTest(name), self.assertRaises(Mismatch):
                self.run_first_case(defect)

    def test_a_case_that_ends_the_process_is_reported(self):
        library = Obedient(lambda src, dst, size: ctypes.string_at(dst + size, 1))  # reads the page after the buffer
        arguments = witness.parse(["no library", "--seed", "1", "--case", "0"])
        progress = witness.Progress(1)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            witness.watch(arguments, library, progress)
        self.assertEqual(progress.count_of("failures"), 1)
        self.assertIn("case 0, public: ended by SIGSEGV", out.getvalue())
        self.assertIn("again: ./dev witness --seed 1 --case 0", out.getvalue())


if __name__ == "__main__":
    unittest.main()
