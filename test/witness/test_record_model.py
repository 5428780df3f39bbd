"""Tests the model of packed-weight records with formats that others specified, numbers found by hand, and laws on
random records; and records.py with programs that have a defect. Needs no compiled program."""

import argparse
import contextlib
import io
import random
import sys
import unittest

import numpy as np

import record_formats
import record_protocol
import records
from record_cases import broken_record, random_pair, random_record, random_values
from record_model import Record, pack, unpack
from record_protocol import hash_of, repacked
from record_tags import Refused


def places(tag, dims, name, **index):
    """Returns the place of one index, of the lowest piece that holds it."""
    record = Record(tag, dims)
    for piece in record.fields[name].pieces:
        local = {axis: np.array([index.get(axis, 0) - piece.bounds[axis][0]]) for axis in record.dims}
        counts = {axis: end - first for axis, (first, end) in piece.bounds.items()}
        if all(0 <= int(i[0]) < counts[axis] and piece.holds(axis, i)[0] for axis, i in local.items()):
            return int(piece.places(local).reshape(-1)[0])
    raise AssertionError("no piece holds the index")


class Formats(unittest.TestCase):
    def test_bytes_are_those_of_the_descriptions(self):
        for form in record_formats.FORMATS:
            for dims in form.dims:
                with self.subTest(form.name, dims=dims):
                    self.assertIsNone(record_formats.check(form, dims, random.Random(f"{form.name} {dims}")))

    def test_a_wrong_tag_is_found(self):
        form = record_formats.Format("wrong", "nk: NK(d:f16 4n /32k, q:u4^8 2k 4n 8k 2k@16)", [(4, 32)],
                                     record_formats.g.panels_of_32(4, 4, 2, 8))
        self.assertIn("differ", record_formats.check(form, (4, 32), random.Random(0)))


class Places(unittest.TestCase):
    def test_fields_in_blocks(self):
        # Q4_0 8x8: a block has 8 scales of 2 bytes, then 16 groups of 8 bytes. Row 1, k = 16: byte 24, high nibble.
        tag = "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"
        self.assertEqual(places(tag, (64, 256), "q", n=1, k=16), 8 * (16 + 8) + 4)
        self.assertEqual(places(tag, (64, 256), "d", n=8, k=33), 8 * (144 * 8 + 144))
        self.assertEqual(Record(tag, (64, 256)).size, 64 * 256 // 32 * 18)
        self.assertEqual(Record(tag, (64, 256)).fields["d"].dims, (64, 8))

    def test_marked_digits_between_others(self):
        # 4k 4n 4k 2k@16: the steps of k are 4, 1, 16. 4k 16n 4k 2k@4: 8, 1, 4.
        self.assertEqual([places("nk: q:u4 NK 4k 4n 4k 2k@16", (4, 32), "q", k=k) // 4 for k in (1, 4, 16)], [2, 32, 1])
        tag = "nk: q:u4 NK 4k 16n 4k 2k@4"
        self.assertEqual([places(tag, (16, 32), "q", k=k) // 4 for k in (1, 8, 4)], [2, 128, 1])

    def test_backwards_and_gaps(self):
        tag = "k: K(q:u4 2k!, _:%2, d:u8 /2k, _:1)"
        self.assertEqual([places(tag, (6,), "q", k=k) for k in range(4)], [4, 0, 36, 32])
        self.assertEqual([places(tag, (6,), "d", k=k) for k in range(4)], [16, 16, 48, 48])
        self.assertEqual(Record(tag, (6,)).size, 12)

    def test_turned(self):
        # Value v of row n lies at slot (v - n) mod 4 of 4 slots of 8 rows.
        tag = "nk: N(w:u8 K 4k-n 8n)"
        self.assertEqual(places(tag, (8, 8), "w", n=3, k=1), 8 * ((1 - 3) % 4 * 8 + 3))
        self.assertEqual(places(tag, (16, 8), "w", n=13, k=6), 8 * (64 + 32 + (2 - 13) % 4 * 8 + 5))

    def test_pieces(self):
        tag = "n: N(s:u6 2n@1=0, s.4:u2 2n@1=1, s:u4 2n@1=1)"  # 12 bits for two rows
        self.assertEqual([places(tag, (4,), "s", n=n) for n in range(4)], [0, 8, 12, 20])
        self.assertEqual(pack(tag, (2,), {"s": [0b101010, 0b110001]}), bytes([0b11101010, 0b0001]))
        tag = "k: (w:u8 k[:%4] K 2k 2k@2, w:u8 k[%4:] k)"
        self.assertEqual([places(tag, (7,), "w", k=k) // 8 for k in range(7)], [0, 2, 1, 3, 4, 5, 6])

    def test_ragged(self):
        tag = "kn: (w:u8 KN <4k 2n)"
        # k = 5 of 7 is row 1 of a block of 3; n = 2 is the second panel of that block.
        self.assertEqual(places(tag, (7, 3), "w", k=5, n=2), 8 * (4 * 4 + 3 * 2 + 2))
        self.assertEqual(Record(tag, (7, 3)).size, 7 * 4)

    def test_hash(self):
        first, second = 0x9E3779B97F4A7C15, 0x9E3779B97F4A7C15**2 % 2**64
        self.assertEqual(hash_of(np.array([0, 41])), f"{(first + 42 * second) % 2**64:016x}")


class Values(unittest.TestCase):
    def test_padding_is_zero_or_repeats(self):
        self.assertEqual(pack("n: q:u4^8 N 4n", (2,), {"q": [1, 2]}), bytes([0xa9, 0x00]))
        self.assertEqual(pack("n: q:u4^8 N 4n ~n", (2,), {"q": [1, 2]}), bytes([0xa9, 0xaa]))

    def test_sums(self):
        tag = "nk: N(q:u4^8 K 2n 2k, b:s32 2n /k =+sum(q)*-2p, t:s32 2n /2k K =sum(q)*16)"
        record = Record(tag, (2, 3))
        q, b = [[9, 10, 15], [0, 8, 7]], [[100], [0]]
        data = pack(record, None, {"q": q, "b": b}, {"p": 5})
        back = unpack(record, None, data, {"p": 5})
        self.assertEqual(back["b"].tolist(), b)
        # Row 0 is 1, 2, 7; row 1 is -8, 0, -1.
        self.assertEqual(back["t"].astype(np.int32).tolist(), [[48, 112], [-128, -16]])
        self.assertEqual(np.frombuffer(data[4:12], np.int32).tolist(), [100 - 2 * 5 * 10, 2 * 5 * 9])

    def test_sums_round_in_the_order_of_memory(self):
        # 2^24 + 1 + 1 in f32 is 2^24 if the small numbers come last, and 2^24 + 2 if they are added as integers.
        q, s = [[1, 1, 1]], [[2.0**24, 1, 1]]
        scale = np.array(s, dtype=np.float32).view(np.uint32)
        for order, expected in (("k", 2.0**24), ("K 4k!", 2.0**24 + 2)):
            tag = f"nk: n(q:u8 {order}, s:f32 k, a:f32 /k =sum(q*s;))"
            stored = unpack(tag, (1, 3), pack(tag, (1, 3), {"q": q, "s": scale}))["a"]
            self.assertEqual(stored.astype(np.uint32).view(np.float32).tolist(), [[expected]])

    def test_factor(self):
        one = np.array([1.0], dtype=np.float32).view(np.uint32)
        self.assertEqual(pack("n: d:f32*0.0625 n", (1,), {"d": one}), np.float32(0.0625).tobytes())


class Refusals(unittest.TestCase):
    CASES = [
        ("", "tag_is_empty", 1),
        ("nn: q:u4 n", "tag_axis_is_doubled", 2),
        ("nk: q:u4 n k j", "tag_character_is_unknown", 14),
        ("nk: q:u4 n", "tag_axis_is_missing", 5),
        ("nk: q:u4 n k k", "tag_axis_is_doubled", 14),
        ("nk: q:u4 N k", "tag_upper_case_axis_has_no_block", 10),
        ("nk: q:u4 n k 4k", "tag_blocked_axis_is_not_upper_case", 12),
        ("nk: q:u4 n K 1k", "tag_block_is_too_small", 14),
        ("nk: NK(q:u4 2k 8n 8k 2k@9)", "step_is_not_reached", 22),
        ("nk: q:u17 n k", "type_is_unknown", 7),
        ("nk: NK(q:u4 4n 8k, d:f16 4n /16k)", "loops_of_group_differ", 6),
        ("nk: q:u4^16 n k", "mask_is_too_wide", 10),
        ("nk: (q:u4 n k, q.3:u2 n k)", "pieces_overlap", 16),
        ("nk: (q:u4 n k, q.5:u2 n k)", "pieces_do_not_cover", 6),
        ("nk: N(w:u4 K 4k-n 2n)", "turn_does_not_divide", 14),
        ("nk: q:u4 n K 2k@1=2", "fixed_value_is_too_large", 19),
        ("nk: (w:u8 NK <4k 2n)", "ragged_axis_is_not_outermost", 14),
        ("nk: q:u4 n k[9:2] k", "range_is_outside", 12),
        ("nk: (q:u4 n K /2k, q.4:u1 n K /4k)", "fibres_of_pieces_differ", 20),
        ("nk: d:s32 n /k =sum(q)", "content_names_no_field", 5),
        ("nk: (q:u4 n k", "tag_character_is_unknown", 14),
    ]

    def test_reasons_and_columns(self):
        for tag, reason, column in self.CASES:
            with self.subTest(tag), self.assertRaises(Refused) as raised:
                Record(tag, (16, 16))
            self.assertEqual((raised.exception.reason, raised.exception.column), (reason, column))

    def test_nearest_steps(self):
        with self.assertRaises(Refused) as raised:
            Record("nk: NK(q:u4 2k 8n 8k 2k@9)", (64, 256))
        self.assertEqual(raised.exception.numbers, (9, 8, 16))

    def test_most_broken_tags_are_refused(self):
        refused = 0
        for seed in range(200):
            tag, dims = broken_record(seed)
            try:
                Record(tag, dims)
            except Refused:
                refused += 1
        self.assertGreater(refused, 150)


class Laws(unittest.TestCase):
    def test_unpack_undoes_pack(self):
        for seed in range(150):
            tag, dims, parameters = random_record(seed)
            with self.subTest(tag, dims=dims):
                record = Record(tag, dims)
                values = random_values(record, random.Random(seed))
                data = pack(record, None, values, parameters)
                back = unpack(record, None, data, parameters)
                self.assertTrue(all(np.array_equal(values[name], back[name]) for name in values))

    def test_repack_goes_back(self):
        count = 0
        for seed in range(150):
            first, second, dims, _ = random_pair(seed)
            source, other = Record(first, dims), Record(second, dims)
            if any(f.content for r in (source, other) for f in r.fields.values()):
                continue
            data = pack(source, None, random_values(source, random.Random(seed), [other]))
            with self.subTest(first, second=second), contextlib.suppress(Refused):  # fibres may grow on one of the ways
                self.assertEqual(repacked(other, source, repacked(source, other, data, {}), {}), data)
                count += 1
        self.assertGreater(count, 50)


class Driver(unittest.TestCase):
    """records.py with the model as the program, and with defects."""

    def run_driver(self, change=None, count=40):
        arguments = argparse.Namespace(program="", seed=3, case=None, first=1, count=count, jobs=1, failures=1)

        class Changed(records.Program):
            def ask(self, op, **request):
                answer = record_protocol.answer({"op": op, **request})
                if op in ("pack", "unpack", "repack", "record", "verify") and change:
                    change(op, answer)
                return answer

        original, records.Program = records.Program, Changed
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return records.run_job(arguments, 0)[0]
        finally:
            records.Program = original

    def test_equal_programs_pass(self):
        self.assertEqual(self.run_driver(), 0)

    def test_defects_are_found(self):
        def other_bit(op, answer):
            if "bytes" in answer and answer["bytes"]:
                answer["bytes"] = f"{int(answer['bytes'][0], 16) ^ 1:x}" + answer["bytes"][1:]

        def other_size(op, answer):
            if op == "record":
                answer["size"] += 1

        def other_hash(op, answer):
            if op == "record":
                answer["fields"] = {name: text[:-4] + "0000" for name, text in answer["fields"].items()}

        def no_text(op, answer):
            if op == "record":
                answer["text"] = "nk: q:u4 n k"

        def other_value(op, answer):
            if op == "unpack":
                answer["values"] = {name: "ff" * (len(text) // 2) for name, text in answer["values"].items()}

        def all_is_well(op, answer):
            if op == "repack":
                answer["bytes"] += "00"

        for change in (other_bit, other_size, other_hash, no_text, other_value, all_is_well):
            with self.subTest(change.__name__):
                self.assertEqual(self.run_driver(change), 1)


if __name__ == "__main__":
    sys.exit(unittest.main())
