"""What depends on a file in a build directory of ninja: from build.ninja, from what units include, and from ninja's log."""

import json
import os
import re
import shlex
import subprocess
from functools import lru_cache

_INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)


def _words(text):
    """Returns the paths of a line of build.ninja, without its escapes."""
    return [re.sub(r"\$([ :$])", r"\1", word) for word in re.findall(r"(?:\$[ :$]|[^ ])+", text)]


def parse_ninja(text, folder):
    """Returns {output: (rule, inputs)} of a build.ninja, with absolute paths. Order-only inputs are left out."""
    edges = {}
    text = text.replace("$\n", "").replace("${cmake_ninja_workdir}", folder.rstrip("/") + "/")
    for line in re.findall(r"^build (.+)$", text, re.MULTILINE):
        head, tail = re.split(r"(?<!\$): ?", line, maxsplit=1)
        words = _words(tail.split(" || ")[0])
        rule = words[0] if words else ""
        inputs = [_absolute(w, folder) for w in words[1:] if w != "|"]
        for output in _words(head):
            if output != "|":
                edges[_absolute(output, folder)] = (rule, inputs)
    return edges


def _absolute(path, folder):
    return os.path.normpath(os.path.join(folder, path))


class Includes:
    """The files that a source includes, found by reading, so that nothing has to be built before."""

    def __init__(self, root):
        self._folders = [os.path.join(root, folder) for folder in ("include", "test", "src", "examples/integrations/onednn")]
        self._root = str(root)

    @lru_cache(maxsize=None)
    def direct(self, path):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            return ()
        found = []
        for angled, quoted in _INCLUDE.findall(text):
            name = angled or quoted
            for folder in [os.path.dirname(path), *self._folders]:
                candidate = os.path.normpath(os.path.join(folder, name))
                if candidate.startswith(self._root) and os.path.isfile(candidate):
                    found.append(candidate)
                    break
        return tuple(found)

    @lru_cache(maxsize=None)
    def all_of(self, path):
        """Returns the path, and all that it includes."""
        seen, rest = {path}, [path]
        while rest:
            for included in self.direct(rest.pop()):
                if included not in seen:
                    seen.add(included)
                    rest.append(included)
        return frozenset(seen)


class BuildGraph:
    def __init__(self, folder, includes):
        self.folder = str(folder)
        self.edges = parse_ninja((folder / "build.ninja").read_text(encoding="utf-8"), self.folder)
        self._includes = includes
        self._logged = self._read_log()
        commands = folder / "compile_commands.json"
        self.commands = json.loads(commands.read_text(encoding="utf-8")) if commands.exists() else []

    def _read_log(self):
        """Returns {output: files} as compilers reported them, of the outputs that have been built."""
        done = subprocess.run(["ninja", "-C", self.folder, "-t", "deps"], capture_output=True, text=True)
        logged, output = {}, None
        for line in done.stdout.splitlines():
            if line.startswith("    "):
                logged[output].append(_absolute(line.strip(), self.folder))
            elif ": #deps" in line:
                output = _absolute(line.split(": #deps")[0], self.folder)
                logged[output] = []
        return logged

    @lru_cache(maxsize=None)
    def _sources_of(self, output):
        """Returns all files that an output is made of directly, with what they include."""
        rule, inputs = self.edges[output]
        found = set(inputs) | set(self._logged.get(output, ()))
        if "COMPILER" in rule or "CUSTOM_COMMAND" in rule:
            for path in inputs:
                if path.endswith((".cpp", ".cxx", ".c", ".hpp", ".h")):
                    found |= self._includes.all_of(path)
        return found

    def dependents(self, path):
        """Returns the outputs that are built again when a file changes."""
        users = {}
        for output in self.edges:
            for source in self._sources_of(output):
                users.setdefault(source, []).append(output)
        found, rest = set(), [str(path)]
        while rest:
            for output in users.get(rest.pop(), ()):
                if output not in found:
                    found.add(output)
                    rest.append(output)
        return found

    def needed(self, outputs):
        """Returns all outputs that are built for these, with themselves."""
        found, rest = set(), [o for o in outputs if o in self.edges]
        while rest:
            output = rest.pop()
            if output not in found:
                found.add(output)
                rest += [i for i in self.edges[output][1] if i in self.edges]
        return found

    def compilations(self, outputs):
        return [o for o in outputs if "COMPILER" in self.edges[o][0] or "CUSTOM_COMMAND" in self.edges[o][0]]

    def unit_of(self, source):
        """Returns the command that compiles a source, alone or with others, as (words, directory, unit, object); None if there is none."""
        for entry in self.commands:
            unit = entry["file"]
            if unit == source or ("/together/" in unit and source in self._includes.direct(unit)):
                words = shlex.split(entry["command"])
                return words, entry["directory"], unit, _absolute(words[words.index("-o") + 1], entry["directory"])
        return None

    def programs_with(self, object_file):
        """Returns the programs that an object file is linked into directly."""
        return [o for o, (rule, inputs) in self.edges.items() if "EXECUTABLE_LINKER" in rule and object_file in inputs]
