"""Tests the model with numbers from the specification, and with defects that it must detect. Needs no library."""

import contextlib
import ctypes
import io
import unittest

import numpy as np

import capi
import fixed_cases
import witness
from attributes import Attributes, ByAxes, apply
from capi import BF16, F16, F32, F64, F8_E4M3, F8_E5M2, S32, S8, U8
from draw import Draw
from element_types import DECODED, bytes_of, convert, elements_in, from_numbers, put_elements
from expected import reordered
from fixed_cases import by_hand
from offsets import Compensation, Layout
from run_case import Bench, Mismatch, run
from typed_values import typed


def f32(*numbers):
    return np.array(numbers, dtype=np.float32)


def one(number, data_type, number_type=np.float32):
    return int(from_numbers(np.array([number], dtype=number_type), data_type)[0])


class Offsets(unittest.TestCase):
    def test_blocks_of_two_axes(self):
        # OIhw4i16o4i of 17 x 23 x 3 x 3: o = 16 + 0, i = 16 + 4 + 2, h = 1, w = 2.
        desc = by_hand(S8, [17, 23, 3, 3], [32, 32, 3, 3], [4608, 2304, 768, 256],
                       [(1, 4, 64), (0, 16, 4), (1, 4, 1)])
        table = Layout(desc).element_offsets.reshape(17, 23, 3, 3)
        self.assertEqual(table[16, 22, 1, 2], 4608 + 2304 + 768 + 2 * 256 + 1 * 64 + 0 * 4 + 2)
        self.assertEqual(Layout(desc).end, 9216)

    def test_outer_digit_innermost(self):
        layout = Layout(by_hand(S32, [9, 343], [10, 343], [1, 12], [(0, 2, 6)]))
        self.assertEqual(layout.element_offsets.reshape(9, 343)[7, 2], 3 * 1 + 1 * 6 + 2 * 12)
        self.assertEqual(layout.end, 342 * 12 + 6 + 4 + 1)
        self.assertTrue(layout.is_injective and not layout.is_dense)

    def test_part_of_one_block_and_strides_of_one_value(self):
        desc = by_hand(F32, [3, 1], [3, 1], [2**62, -2**62], [(0, 8, 5)])
        desc.offset0 = 7
        self.assertEqual(Layout(desc).element_offsets.tolist(), [7, 12, 17])

    def test_padding_in_front(self):
        desc = by_hand(F32, [2], [4], [1], [])
        desc.padded_offsets[0] = 1
        self.assertEqual(Layout(desc).element_offsets.tolist(), [1, 2])
        self.assertEqual(Layout(desc).padded_element_offsets.tolist(), [0, 1, 2, 3])

    def test_shared_places(self):
        self.assertFalse(Layout(by_hand(F32, [2, 2], [2, 2], [1, 1], [])).is_injective)

    def test_size_with_compensation(self):
        # Measured sizes from onednn-behaviour 1.8: 9216, 9344, 9472; 48.
        desc = by_hand(S8, [17, 23, 3, 3], [32, 32, 3, 3], [4608, 2304, 768, 256],
                       [(1, 4, 64), (0, 16, 4), (1, 4, 1)])
        for flags, size in ((0, 9216), (capi.S8S8, 9344), (capi.S8S8 | capi.ASYMMETRIC_SOURCE, 9472)):
            desc.extra.flags, desc.extra.compensation_mask, desc.extra.asymmetric_source_mask = flags, 1, 1
            self.assertEqual(Compensation(desc, Layout(desc)).size, size)
        desc = by_hand(S8, [5, 5], [5, 5], [5, 1], [])
        desc.extra.flags, desc.extra.compensation_mask = capi.S8S8, 1
        self.assertEqual(Compensation(desc, Layout(desc)).size, 48)

    def test_sums_lie_as_the_tensor_does(self):
        # Abcd16a of 17 x 2 x 1 x 1, sums by a and b: Ab16a. A step of b = 1 is 16, and a step of a = 16 is 32.
        layout = Layout(by_hand(S8, [17, 2, 1, 1], [32, 2, 1, 1], [32, 16, 16, 16], [(0, 16, 1)]))
        places = layout.places_of_sums(3).reshape(32, 2)
        self.assertEqual([places[1, 0], places[0, 1], places[16, 0], places[17, 1]], [1, 16, 32, 49])
        self.assertEqual(layout.places_of_sums(1).tolist(), list(range(32)))
        self.assertEqual(layout.places_of_sums(0).tolist(), [0])
        # cdba of 4 x 6 x 2 x 3, sums by a and c: a is the innermost axis.
        layout = Layout(by_hand(S8, [4, 6, 2, 3], [4, 6, 2, 3], [1, 4, 72, 24], []))
        self.assertEqual(layout.places_of_sums(5).reshape(4, 2).tolist(), [[0, 4], [1, 5], [2, 6], [3, 7]])
        # BaCd4c16b4c of 3 x 18 x 20 x 1, sums by b and c: 4b 16c 16b 4c. A step of c = 4 is 64.
        layout = Layout(by_hand(S8, [3, 18, 20, 1], [3, 32, 32, 1], [512, 1536, 256, 256],
                                [(2, 4, 64), (1, 16, 4), (2, 4, 1)]))
        places = layout.places_of_sums(6).reshape(32, 32)
        self.assertEqual([places[0, 1], places[1, 0], places[0, 4], places[0, 16], places[16, 0]], [1, 4, 64, 256, 512])
        # An outer digit inside its block: index 2 follows index 0, and index 1 is five places further.
        layout = Layout(by_hand(S8, [10], [10], [1], [(0, 2, 5)]))
        self.assertEqual(layout.places_of_sums(1).tolist(), [0, 5, 1, 6, 2, 7, 3, 8, 4, 9])


class Types(unittest.TestCase):
    def test_values_of_bits(self):
        for data_type, bits, value in ((F8_E4M3, 0x7e, 448), (F8_E4M3, 0x01, 2.0**-9), (F8_E4M3, 0x08, 2.0**-6),
                                       (F8_E4M3, 0x80, 0), (F8_E5M2, 0x7b, 57344), (F8_E5M2, 0xfc, -np.inf),
                                       (F8_E5M2, 0x01, 2.0**-16), (BF16, 0xbf80, -1), (BF16, 0x0001, 2.0**-133)):
            self.assertEqual(DECODED[data_type][bits], value)
        self.assertTrue(np.isnan(DECODED[F8_E4M3][[0x7f, 0xff]]).all() and np.isnan(DECODED[F8_E5M2][0x7d]))
        as_numpy_has_it = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
        np.testing.assert_array_equal(DECODED[F16], as_numpy_has_it)

    def test_every_value_is_its_own_nearest(self):
        for data_type, values in DECODED.items():
            if data_type == capi.UE4M3:
                values = values[:128]  # the highest bit is not used
            numbers = ~np.isnan(values)
            np.testing.assert_array_equal(from_numbers(values[numbers], data_type), np.nonzero(numbers)[0])

    def test_nearest_even(self):
        for number, data_type, bits in ((1 + 2.0**-8, BF16, 0x3f80), (1 + 3 * 2.0**-8, BF16, 0x3f82),
                                        (464, F8_E4M3, 0x7e), (464.5, F8_E4M3, 0x7f), (-480, F8_E4M3, 0xff),
                                        (61439, F8_E5M2, 0x7b), (61440, F8_E5M2, 0x7c), (2.0**-10, F8_E4M3, 0),
                                        (3 * 2.0**-10, F8_E4M3, 2), (-0.0, F16, 0x8000), (65520, F16, 0x7c00),
                                        (np.nan, BF16, 0x7fc0), (np.nan, F16, 0x7e00), (0.5, S8, 0), (1.5, S8, 2),
                                        (-2.5, S8, -2), (127.5, S8, 127), (-0.5, U8, 0), (300, U8, 255),
                                        (np.nan, S8, -128), (np.nan, U8, 255), (np.nan, S32, -2**31),
                                        (2.0**31, S32, 2147483520), (np.inf, S32, 2147483520), (-np.inf, S8, -128)):
            self.assertEqual(one(number, data_type), bits, (number, data_type))
        self.assertEqual(one(2.0**31, S32, np.float64), 2**31 - 1)
        # f64 is rounded once. Rounded to f32 first, the number would be halfway and round to even.
        self.assertEqual(one(1 + 2.0**-8 + 2.0**-40, BF16, np.float64), 0x3f81)

    def test_f16_as_numpy_rounds(self):
        random = np.random.default_rng(1)
        bits = random.integers(0, 2**32, 100_000, dtype=np.uint64).astype(np.uint32).view(np.float32)
        near = np.ldexp(random.normal(size=100_000), random.integers(-26, 17, 100_000))
        with np.errstate(all="ignore"):
            for numbers in (bits[~np.isnan(bits)], near.astype(np.float32), near):
                np.testing.assert_array_equal(from_numbers(numbers, F16), numbers.astype(np.float16).view(np.uint16))

    def test_conversions(self):
        s32 = np.array([2**24 + 1, -2**31, 2**31 - 1, 300], dtype=np.int32)
        self.assertEqual(convert(s32, S32, U8).tolist(), [255, 0, 255, 255])
        self.assertEqual(convert(s32, S32, F32).view(np.float32).tolist(), [2.0**24, -2.0**31, 2.0**31, 300])
        self.assertEqual(convert(s32, S32, F64).view(np.float64).tolist(), [2**24 + 1, -2**31, 2**31 - 1, 300])
        # Rounded to f32 first, 2^24 + 2^16 + 1 is halfway between two bf16 numbers and rounds to even.
        self.assertEqual(convert(np.array([2**24 + 2**16 + 1], dtype=np.int32), S32, BF16).tolist(), [0x4b80])


class Arithmetic(unittest.TestCase):
    def test_formula(self):
        given = Attributes({"src_zero_point": ByAxes(0, np.array([3], np.int32), False),
                            "src_scale": ByAxes(1, f32(0.5, 1), False), "dst_scale": ByAxes(0, f32(4), False),
                            "dst_zero_point": ByAxes(2, np.array([3, 0], np.int32), False)}, np.float32(2))
        x, old = np.array([7, 7, 7, 7], dtype=np.int8), np.array([10, 10, 0, 1], dtype=np.int8)
        # ((7 - 3) * 0.5 + 2 * 10) / 4 + 3 = 8.5 rounds to even; 4 / 4 + 3 = 4; and (4 + 2) / 4 = 1.5 rounds to even.
        self.assertEqual(apply(x, S8, old, S8, (2, 2), given, 1).tolist(), [8, 6, 4, 2])

    def test_what_is_refused(self):
        def reasons(scale, beta=1):
            return Attributes({"dst_scale": ByAxes(1, f32(1, scale), False)}, np.float32(beta)).refusals()
        self.assertEqual(reasons(1e-40), [])
        for scale in (0, -0.0, np.inf, -np.inf, np.nan):
            self.assertEqual(reasons(scale), ["scale_is_invalid"])
        self.assertEqual(reasons(1, 0), [])
        self.assertEqual(reasons(0, np.nan), ["scale_is_invalid", "beta_is_not_finite"])

    def test_zero_point_of_zero_keeps_the_sign(self):
        given = Attributes({"dst_zero_point": ByAxes(1, np.array([0, 1], np.int32), False)})
        bits = apply(f32(-0.0, -0.0).view(np.uint32), F32, None, F32, (2,), given, 1)
        self.assertEqual(bits.tolist(), [0x80000000, 0x3f800000])

    def test_compensation_padding_and_gaps(self):
        # Two rows in a block of four, so rows 2 and 3 are padding. Values are multiplied by 0.5 and round to even.
        dst = by_hand(S8, [2, 3], [4, 3], [0, 4], [(0, 4, 1)])
        dst.extra.flags, dst.extra.scale_adjust = 11, 0.5
        dst.extra.compensation_mask, dst.extra.asymmetric_source_mask = 1, 2
        src = by_hand(S8, [2, 3], [2, 3], [3, 1], [])
        source = np.array([2, 4, 6, -2, 3, 5], dtype=np.int8).view(np.uint8)
        before = np.full(12 + 16 + 12, 0x55, dtype=np.uint8)
        layout = Layout(dst)
        got = reordered(Layout(src), S8, source, layout, S8, before, Attributes(), dst.extra,
                        Compensation(dst, layout)).data
        self.assertEqual(got[:12].view(np.int8).tolist(), [1, -1, 0, 0, 2, 2, 0, 0, 3, 2, 0, 0])
        self.assertEqual(got[12:].view(np.int32).tolist(), [-128 * 6, -128 * 3, 0, 0, 0, -4, -5])
        # The same rows, with a gap of one place after each column.
        gaps = by_hand(S8, [2, 3], [4, 3], [0, 5], [(0, 4, 1)])
        layout = Layout(gaps)
        got = reordered(Layout(src), S8, source, layout, S8, before[:14], Attributes(), gaps.extra,
                        Compensation(gaps, layout)).data
        self.assertEqual(got.view(np.int8).tolist(), [2, -2, 0, 0, 0x55, 4, 3, 0, 0, 0x55, 6, 5, 0, 0])


class Packed(unittest.TestCase):
    def test_the_first_element_is_in_the_low_bits(self):
        data = np.array([0x21, 0x43], np.uint8)
        self.assertEqual(elements_in(data, capi.U4).tolist(), [1, 2, 3, 4])
        self.assertEqual(elements_in(data, capi.U1).tolist(), [1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0])
        six = np.array([0x40, 0x24, 0xce], np.uint8)
        self.assertEqual(elements_in(six, capi.F6_E2M3).tolist(), [0, 17, 34, 51])
        put_elements(six, capi.F6_E2M3, np.array([63], np.uint8))
        self.assertEqual(six.tolist(), [0x7f, 0x24, 0xce])
        self.assertEqual([bytes_of(capi.S4, 15), bytes_of(capi.F6_E3M2, 5), bytes_of(capi.U1, 9)], [8, 4, 2])

    def test_numbers_of_ocp(self):
        self.assertEqual(DECODED[capi.F4_E2M1][:8].tolist(), [0, 0.5, 1, 1.5, 2, 3, 4, 6])
        self.assertEqual(DECODED[capi.F4_E3M0][8:].tolist(), [0, -0.25, -0.5, -1, -2, -4, -8, -16])
        self.assertEqual((DECODED[capi.F6_E2M3][31], DECODED[capi.F6_E3M2][1]), (7.5, 0.0625))
        self.assertEqual(DECODED[capi.E8M0][[0, 127, 254]].tolist(), [2.0**-127, 1, 2.0**127])
        for number, data_type, bits in ((5, capi.F4_E2M1, 6), (1e9, capi.F4_E2M1, 7), (np.nan, capi.F6_E2M3, 31),
                                        (3, capi.F4_E3M0, 4), (-0.75, capi.F4_E3M0, 10), (3, capi.E8M0, 128),
                                        (0, capi.E8M0, 0), (-1, capi.E8M0, 255), (-1, capi.UE4M3, 0),
                                        (1e9, capi.UE4M3, 0x7f), (-8.5, capi.S4, 8), (-1, capi.S4, 15),
                                        (np.nan, capi.BOOLEAN, 1), (-0.0, capi.BOOLEAN, 0), (2.5, capi.U2, 2)):
            self.assertEqual(one(number, data_type), bits, (number, data_type))

    def test_values_by_group_and_by_layout(self):
        elements = np.arange(1, 7, dtype=np.uint8)
        by_group = typed(U8, elements, group=[2, 2])
        self.assertEqual(by_group.of_elements([4, 6]).tolist()[1], [1, 1, 2, 2, 3, 3])
        self.assertEqual(by_group.of_elements([4, 6]).tolist()[2], [4, 4, 5, 5, 6, 6])
        by_mask = typed(U8, elements, mask=2).of_elements([4, 6])
        self.assertEqual(typed(U8, elements, group=[4, 1]).of_elements([4, 6]).tolist(), by_mask.tolist() * 4)
        layout = by_hand(U8, [2, 3], [2, 3], [0, 2], [])
        self.assertEqual(typed(U8, elements, desc=layout).of_elements([2, 3]).tolist(), [[1, 3, 5]] * 2)


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
