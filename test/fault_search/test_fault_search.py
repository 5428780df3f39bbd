"""Tests of the parts that need no build: the list, what depends on a file, which tests come first, what output says."""

import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from fault_search import build_graph, build_tests, fault_list, one_unit, order, outcome, processes, report, stages, tree_copy

LIST = """# core

A bound is off by one.
include/plait/a.hpp: `x < y` -> `x <= y`

A check is missing.
src/b.inl: `if (z) return;` -> ``
"""


class List(unittest.TestCase):
    def test_parses_texts_sections_and_words(self):
        first, second = fault_list.parse(LIST)
        self.assertEqual(first, (1, "core", "A bound is off by one.", "include/plait/a.hpp", "x < y", "x <= y"))
        self.assertEqual((second.number, second.new), (2, ""))

    def test_refuses_what_is_no_fault(self):
        for wrong in ("Words.\na.hpp: `x` -> y", "a.hpp: `x` -> `y`", "Words.\na.hpp: `x` -> `x`", "Words.", "Words.\nMore words.",
                      "Words.\na.hpp: `x` -> `y`\nWords.\na.hpp: `x` -> `y`"):
            with self.assertRaises(fault_list.ListError, msg=wrong):
                fault_list.parse(wrong)

    def test_a_text_must_occur_once(self):
        fault = fault_list.parse(LIST)[0]
        self.assertEqual(fault_list.with_fault(fault, "if (x < y) z;"), "if (x <= y) z;")
        for content in ("", "x < y; x < y"):
            with self.assertRaises(fault_list.ListError):
                fault_list.with_fault(fault, content)

    def test_selects_by_number_range_and_pattern(self):
        faults = fault_list.parse(LIST)
        self.assertEqual([f.number for f in fault_list.select(faults, ["2", "a[.]hpp"])], [1, 2])
        self.assertEqual([f.number for f in fault_list.select(faults, ["1-2"])], [1, 2])
        with self.assertRaises(fault_list.ListError):
            fault_list.select(faults, ["nothing"])


NINJA = """build lib/a.o: CXX_COMPILER__a_Release /p/src/a.cpp | /p/build/x.gch || order
  FLAGS = -O2
build lib/b$ c.o: CXX_COMPILER__b_Release /p/src/b.cpp
build a.exe: CXX_EXECUTABLE_LINKER__a_Release lib/a.o | $
  lib/b$ c.o
build gen/x.h | ${cmake_ninja_workdir}gen/y.h: CUSTOM_COMMAND /p/make.py
"""


class Graph(unittest.TestCase):
    def test_reads_ninja(self):
        edges = build_graph.parse_ninja(NINJA, "/p/build")
        self.assertEqual(edges["/p/build/lib/a.o"], ("CXX_COMPILER__a_Release", ["/p/src/a.cpp", "/p/build/x.gch"]))
        self.assertEqual(edges["/p/build/a.exe"][1], ["/p/build/lib/a.o", "/p/build/lib/b c.o"])
        self.assertEqual(edges["/p/build/gen/y.h"], ("CUSTOM_COMMAND", ["/p/make.py"]))

    def test_finds_what_depends_on_a_header(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name).resolve()
            for file, text in {"include/plait/a.hpp": "", "include/plait/b.hpp": "#include <plait/a.hpp>\n", "test/t.cpp": "# include <plait/b.hpp>\n",
                               "test/other.cpp": ""}.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text)
            build = root / "build"
            build.mkdir()
            (build / "build.ninja").write_text(
                f"build t.o: CXX_COMPILER__t_Release {root}/test/t.cpp\nbuild o.o: CXX_COMPILER__t_Release {root}/test/other.cpp\n"
                "build t: CXX_EXECUTABLE_LINKER__t_Release t.o o.o\nbuild all: phony t\n")
            graph = build_graph.BuildGraph(build, build_graph.Includes(str(root)))
            found = graph.dependents(root / "include/plait/a.hpp")
            self.assertEqual(sorted(os.path.basename(p) for p in found), ["all", "t", "t.o"])
            self.assertEqual([os.path.basename(p) for p in graph.compilations(graph.needed([str(build / "t")]) & found)], ["t.o"])
            self.assertEqual(graph.programs_with(str(build / "t.o")), [str(build / "t")])


class Tests(unittest.TestCase):
    def test_reads_what_cmake_wrote(self):
        text = ('add_test([=[plait_tests]=] "/b/test/plait_tests" "--x=*/test/y/*")\n'
                'set_tests_properties([=[plait_tests]=] PROPERTIES  ENVIRONMENT "LIB=/b/libplait.so;P=/p/python" LABELS "thorough" _BACKTRACE_TRIPLES "")\n')
        test, = build_tests.parse(text)
        self.assertEqual((test.name, test.labels), ("plait_tests", {"thorough"}))
        self.assertLessEqual({"/b/test/plait_tests", "/b/libplait.so", "/p/python"}, test.paths)

    def test_stages_take_tests_by_labels(self):
        everyday, thorough, rest = stages.STAGES[0], stages.STAGES[1], stages.STAGES[2]
        self.assertTrue(everyday.takes(frozenset()) and not everyday.takes({"thorough"}))
        self.assertTrue(thorough.takes({"thorough"}) and not thorough.takes(frozenset()))
        self.assertTrue(rest.takes({"thorough"}) and not rest.takes({"deep"}))
        self.assertFalse(everyday.matters_for("include/plait/engine/simd/neon.hpp"))


class Order(unittest.TestCase):
    def test_the_mirror_comes_first_then_its_folder(self):
        rank = lambda name, program, sources: order.relevance("include/plait/view/nibbles.hpp", name, program, sources, ["/t/test/view/nibbles.cpp"])  # noqa: E731
        self.assertEqual([rank("plait_tests", True, {"/t/test/view/nibbles.cpp"}), rank("plait_view", True, {"/t/test/view/index.cpp"}),
                          rank("example.12", True, {"/t/examples/12_views.cpp"}), rank("fail.a", False, set()), rank("packaging.a", False, set())],
                         [0, 1, 2, 3, 4])

    def test_sources_about_a_header_are_those_of_its_name_then_those_of_its_users(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for file, text in {"include/plait/x/a.hpp": "", "include/plait/x/b.hpp": "#include <plait/x/a.hpp>\n", "test/x/a.cpp": "",
                               "test/x/a_more.cpp": "", "test/y/user.cpp": "#include <plait/x/a.hpp>\n", "test/x/b.cpp": "",
                               "test/x/other.cpp": ""}.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text)
            found = [os.path.basename(p) for p in order.sources_about(root, "include/plait/x/a.hpp", 4)]
            self.assertEqual(found, ["a.cpp", "a_more.cpp", "user.cpp", "b.cpp"])
            self.assertEqual(order.sources_about(root, "src/a.inl", 4), [])

    def test_tests_of_python_and_the_tool_are_known_by_name(self):
        rank = lambda file, name: order.relevance(file, name, False, set(), [])  # noqa: E731
        self.assertLess(rank("python/plait/_record.py", "python.record"), rank("python/plait/_record.py", "python.layout"))
        self.assertLess(rank("src/tool/npy.cpp", "tool.npy_headers"), rank("src/tool/npy.cpp", "document.others"))

    def test_the_cheapest_test_takes_those_along_that_cost_no_more(self):
        tests = {"large": (0, frozenset("abc")), "small": (0, frozenset("a")), "same": (0, frozenset("a")), "later": (1, frozenset())}
        names, compiled = order.next_batch(tests, lambda outputs: outputs, set())
        self.assertEqual((names, compiled), (["same", "small"], {"a"}))


class Library(unittest.TestCase):
    def test_the_units_in_use_are_those_of_this_cpu_and_of_the_file(self):
        units = [f"/b/{name}.cpp.o" for name in ("plans", "tiles_avx512", "tiles_avx2", "rows_sse41", "rows_portable", "rows_neon")]
        names = lambda file: [u[3:-6] for u in one_unit.units_in_use(units, file, "avx512")]  # noqa: E731
        self.assertEqual(names("include/plait/engine/simd/kernel.inl"), ["plans", "tiles_avx512"])
        self.assertEqual(names("include/plait/engine/simd/sse41.hpp"), ["plans", "tiles_avx512", "rows_sse41"])


class Outcome(unittest.TestCase):
    def test_a_static_assertion_of_a_test_finds_a_fault(self):
        output = "/r/test/core/a.cpp:12:5: error: static assertion failed\n"
        self.assertEqual(outcome.compiler_verdict(output, "include/plait/a.hpp", "/r"), ("found", "static assertion in test/core/a.cpp"))

    def test_a_fault_that_does_not_compile_is_a_defect_of_the_list(self):
        for said in ("expected ';'", "unused parameter 'x' [-Werror=unused-parameter]"):
            output = f"In file included from /r/test/core/a.cpp:1:\n/r/include/plait/a.hpp:3:1: error: {said}\n"
            self.assertEqual(outcome.compiler_verdict(output, "include/plait/a.hpp", "/r")[0], "defect")

    def test_reads_failing_cases_and_tests(self):
        self.assertEqual(outcome.failing_case("====\nTEST CASE:  law: a slice\n\nx.cpp:1: ERROR"), "law: a slice")
        self.assertEqual(outcome.failing_case("FAILED python/tests/test_a.py::test_b - assert"), "test_b")
        output = ("1/2 Test  #5: tool.a .......   Passed    0.1 sec\n2/2 Test #6: tool.b ...........***Failed  0.2 sec\n"
                  "2/2 Test #7: tool.c .......***Timeout  9 sec\n")
        self.assertEqual(outcome.ctest_results(output), ({"tool.a"}, ["tool.b", "tool.c"]))


class Report(unittest.TestCase):
    def test_the_table_keeps_what_it_said_of_faults_that_were_not_run(self):
        faults = fault_list.parse(LIST)
        document = f"# x\n\n{report.BEGIN}\n{report.END}\n\nrest\n"
        self.assertEqual(len(report.missing_rows(document, faults)[0]), 2)
        with tempfile.TemporaryDirectory() as name:
            results = report.Results(pathlib.Path(name) / "results.json")
            results.by_key[faults[0].key] = {"status": "found", "by": "plait_tests", "case": "a", "preset": "clang", "seconds": 1}
            first = report.with_table(document, faults, results)
            results.by_key = {}
            again = report.with_table(first, faults, results)
        self.assertEqual(first, again)
        self.assertIn("| 1 | `include/plait/a.hpp` | A bound is off by one. | plait_tests, a (clang) |", first)
        self.assertIn("not run yet", first)
        self.assertEqual(report.missing_rows(first, faults), ([], []))
        self.assertEqual(len(report.missing_rows(first, faults[:1])[1]), 1)


class Copy(unittest.TestCase):
    def test_a_change_is_undone_with_its_outputs_and_times(self):
        with tempfile.TemporaryDirectory() as name:
            copy = tree_copy.TreeCopy(pathlib.Path(name), pathlib.Path(name) / "scratch")
            copy.root.mkdir(parents=True)
            (copy.root / "a.hpp").write_text("old")
            kept, made = copy.root / "kept.o", copy.root / "made.o"
            kept.write_text("of old")
            times = [(copy.root / "a.hpp").stat().st_mtime_ns, kept.stat().st_mtime_ns]
            copy.change("a.hpp", "new", [str(kept), str(made)])
            self.assertFalse(kept.exists())
            self.assertEqual({output: pathlib.Path(aside).read_text() for output, aside in copy.set_aside().items()}, {str(kept): "of old"})
            kept.write_text("of new")
            made.write_text("of new")
            copy.restore([str(kept), str(made)])
            self.assertEqual(((copy.root / "a.hpp").read_text(), kept.read_text(), made.exists()), ("old", "of old", False))
            self.assertEqual([(copy.root / "a.hpp").stat().st_mtime_ns, kept.stat().st_mtime_ns], times)


class Processes(unittest.TestCase):
    def test_a_slow_command_ends_with_all_that_it_started(self):
        with tempfile.TemporaryDirectory() as name:
            with self.assertRaises(subprocess.TimeoutExpired):
                processes.call(["sh", "-c", "(sleep 1; touch late) & sleep 5"], name, timeout=0.2)
            time.sleep(1.2)
            self.assertEqual(os.listdir(name), [])
        self.assertEqual(processes.call(["sh", "-c", "echo a >&2"], "/").stdout, "a\n")


if __name__ == "__main__":
    unittest.main()
