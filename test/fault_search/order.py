"""Which tests are run first: those that are about the file, then small programs, then all others."""

import pathlib
import re

# Tests of files that are not headers, by their names.
_AREAS = (
    ("src/tool/", r"tool\."),
    ("src/", r"plait_c_tests|c_api.*|python\.|.*from_c"),
    ("python/", r"python\."),
    ("include/plait/interop/", r"interop\."),
)


def _mirrors(root, file):
    """Returns the test sources of a header's name: test/algebra/slice.cpp, then slice_*.cpp."""
    place = pathlib.PurePosixPath(file).relative_to("include/plait")
    folder, stem = root / "test" / place.parent, place.stem
    first = [folder / f"{stem}.cpp"]
    return [p for p in first + sorted(folder.glob(f"{stem}_*.cpp")) if p.is_file()]


def _includers(root, folder, file):
    """Returns the sources or headers of a folder that include a header directly, the smallest first."""
    line = re.compile(r"#\s*include\s*<" + re.escape(file[len("include/"):]) + ">")
    paths = [p for pattern in ("*.cpp", "*.hpp", "*.inl") for p in (root / folder).rglob(pattern)]
    found = [p for p in paths if line.search(p.read_text(encoding="utf-8", errors="replace"))]
    return sorted(found, key=lambda p: p.stat().st_size)


def sources_about(root, file, most):
    """Returns the test sources that are most likely about a header, up to `most`: those of its name, those that include
    it, and the same of headers that include it."""
    if not file.startswith("include/plait/"):
        return []
    chosen, seen, rest = [], {file}, [file]
    while rest and len(chosen) < most:
        header = rest.pop(0)
        for path in _mirrors(root, header) + [p for p in _includers(root, "test", header) if p.suffix == ".cpp"]:
            if path not in chosen:
                chosen.append(path)
        for path in _includers(root, "include", header):
            name = path.relative_to(root).as_posix()
            if name not in seen and name.count("/") > 2:  # plait.hpp includes everything
                seen.add(name)
                rest.append(name)
    return [str(path) for path in chosen[:most]]


NEAR = 1  # the most that `relevance` gives a test that is about the file


def relevance(file, test_name, is_program, sources, wanted_sources):
    """Returns how early a test is run: 0 first. `sources` are the test sources of its program."""
    stem = pathlib.PurePosixPath(file).stem.strip("_")
    if sources & set(wanted_sources):
        return 0
    for folder, names in _AREAS:
        if file.startswith(folder):
            if not re.match(names, test_name):
                break
            words = set(stem.split("_"))
            return 0 if words & set(re.split(r"[._]", test_name)) else 1
    folder = "test/" + "/".join(file.split("/")[2:-1])
    if is_program and file.startswith("include/") and any(f"/{folder}/" in source for source in sources):
        return 1
    if is_program:
        return 2
    return 4 if re.match(r"packaging\.|structure\.installed", test_name) else 3


def next_batch(tests, cost, built):
    """Returns the tests to run next, and the outputs that are compiled for them.

    tests: {name: (relevance, outputs)}; cost(outputs): the set of outputs that have to be compiled for them. Takes the
    cheapest test of the most relevant ones, with all of the same relevance that cost nothing more.
    """
    least = min(rank for rank, _ in tests.values())
    ranked = {name: cost(outputs) - built for name, (rank, outputs) in tests.items() if rank == least}
    chosen = min(ranked, key=lambda name: (len(ranked[name]), name))
    compiled = ranked[chosen]
    return sorted(name for name, more in ranked.items() if more <= compiled), compiled
