"""A copy of the project in which files are changed, built and restored."""

import filecmp
import json
import os
import pathlib
import shutil
import subprocess


def tracked_files(project):
    """Returns the files of a working tree that git does not ignore, relative to it."""
    out = subprocess.run(["git", "-C", project, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, text=True, check=True)
    return sorted(name for name in out.stdout.split("\0") if name and (project / name).is_file())


class TreeCopy:
    """The copy, with its build directories in build/PRESET. Times of unchanged files stay, so that ninja builds little."""

    def __init__(self, project, scratch):
        self.project, self.scratch = project, scratch
        self.root = scratch / "tree"
        self._state = scratch / "changed.json"

    def update(self):
        """Makes the copy equal to the project: undoes an interrupted change, copies what differs, removes what is gone."""
        self.root.mkdir(parents=True, exist_ok=True)
        if self._state.exists():
            self.restore()
        wanted = tracked_files(self.project)
        for name in wanted:
            source, target = self.project / name, self.root / name
            if target.is_file() and filecmp.cmp(source, target, shallow=False):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        keep = set(wanted)
        for path in sorted(self.root.rglob("*"), reverse=True):
            name = path.relative_to(self.root).as_posix()
            if name.startswith("build/") or name == "build" or not (path.is_file() or path.is_symlink()):
                continue
            if name not in keep:
                path.unlink()

    def change(self, name, content, outputs):
        """Writes a file of the copy. Sets aside the outputs that depend on it, for restore()."""
        path = self.root / name
        kept = []
        for place, output in enumerate(sorted(outputs)):
            if os.path.isfile(output):
                kept.append((output, str(self.scratch / "kept" / str(place))))
        stat = path.stat()
        state = {"file": name, "times": [stat.st_atime_ns, stat.st_mtime_ns], "content": path.read_text(encoding="utf-8"), "kept": kept}
        (self.scratch / "kept").mkdir(parents=True, exist_ok=True)
        self._state.write_text(json.dumps(state), encoding="utf-8")
        for output, aside in kept:
            os.replace(output, aside)
        path.write_text(content, encoding="utf-8")

    def restore(self, outputs=()):
        """Undoes change(): the file with its times, and all outputs that were there. Removes the other `outputs`."""
        state = json.loads(self._state.read_text(encoding="utf-8"))
        for output in outputs:
            pathlib.Path(output).unlink(missing_ok=True)
        for output, aside in state["kept"]:
            if os.path.exists(aside):
                os.replace(aside, output)
        path = self.root / state["file"]
        path.write_text(state["content"], encoding="utf-8")
        os.utime(path, ns=tuple(state["times"]))
        self._state.unlink()

    def set_aside(self):
        """Returns {output: where it is} of what change() set aside."""
        return dict(json.loads(self._state.read_text(encoding="utf-8"))["kept"]) if self._state.exists() else {}

    def is_changed(self):
        return self._state.exists()
