"""Tests the model of packed-weight records with formats that others specified, and records.py with programs that have a
defect. Needs no compiled program. That the model is right elsewhere is what records.py finds out with plait."""

import argparse
import contextlib
import io
import pathlib
import random
import re
import sys
import unittest

import record_formats
import record_protocol
import records


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


class Names(unittest.TestCase):
    """The tags of packed/formats.hpp are those that are compared with packers here."""

    # Of these the list here has other letters, or the rest of the last block of a buffer.
    OTHERWISE = {"fbgemm_f16_16", "fbgemm_f16_32", "pytorch_int4_pairs", "onednn_amx_s8", "onednn_amx_s8_asymmetric",
                 "awq_int4"}

    @staticmethod
    def spelled(tag):
        """Returns a tag without what may be written in several ways: blanks, the order of `~n`, parentheses of one item."""
        axes, text = tag.split(": ", 1)
        text = re.sub(r"(=[^,]*?) (~[a-z](?:=\d+)?)(?=[,)])", r"\2 \1", text)
        if "," not in text:
            text = re.sub(r"^([A-Za-z]*)\((\w+:\w+) ([^()]*)\)$", r"\2 \1 \3", text)
        return "".join(sorted(axes)) + ":" + text.replace(" ", "")

    def test_every_name_has_a_packer(self):
        header = (pathlib.Path(__file__).resolve().parents[2] / "include/plait/packed/formats.hpp").read_text()
        named = {name: "".join(re.findall(r'"([^"]*)"', texts)) for name, texts in
                 re.findall(r"using (\w+) =\s*record_constant<((?:\s*\"[^\"]*\")+)", header)}
        self.assertGreater(len(named), 100)
        known = {self.spelled(form.tag) for form in record_formats.FORMATS}
        for name, tag in named.items():
            if name not in self.OTHERWISE:
                with self.subTest(name):
                    self.assertTrue(self.spelled(tag) in known, self.spelled(tag))


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
