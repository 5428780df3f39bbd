"""Checks tools/release.py with a small repository: each thing that is not ready for a release is named, and nothing else.

usage: check_release.py PROJECT SCRATCH VERSION
"""

import pathlib
import re
import runpy
import shutil
import sys

from trial import main, new_folder, require, run


def commit(folder):
    run("git", "-C", folder, "add", "-A")
    run("git", "-C", folder, "-c", "user.name=plait", "-c", "user.email=plait@localhost", "commit", "-q", "--allow-empty", "-m", "a release")


def change(path, before, after):
    text = path.read_text()
    require(before in text, f"{path} has no {before}")
    path.write_text(text.replace(before, after))


def trial(project, scratch, version):
    project, folder = pathlib.Path(project), new_folder(scratch) / "plait"
    script = project / "tools/release.py"
    places = runpy.run_path(str(script))["PLACES"]
    for name in {name for name, _ in places} | {"include/plait/version.hpp", "docs/public_names.txt"}:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project / name, folder / name)
    changes = folder / "CHANGELOG.md"
    changes.write_text(f"# Changes\n\n## {version}, 2026-12-01\n\n- The first one.\n")
    run("git", "init", "-q", folder)
    commit(folder)

    def release(says, fails=True):
        answer = run(sys.executable, "-B", script, folder, fails=fails, says=says)
        findings = answer.split("\n\nThen run")[0].splitlines()
        require(len(findings) == 1, f"{len(findings)} findings instead of one, '{says}':\n{answer}")
        return answer

    # Two numbers follow the minor version, three the patch, so a release may find all places as they are.
    ready = release(f"git tag -a v{version} -m 'plait {version}'", fails=False)
    require("./dev test deep" in ready and run("git", "-C", folder, "rev-parse", "HEAD").strip() in ready, ready)

    for name, pattern in places:
        path = folder / name
        kept = path.read_text()
        found = re.search(pattern, kept, re.MULTILINE)
        path.write_text(kept[:found.start(1)] + "7.8" + kept[found.end(1):])
        commit(folder)
        release(f"{name}: names version 7.8, but include/plait/version.hpp says {version}")
        path.write_text(kept)
        commit(folder)

    for head, says in ((f"{version}, not released yet", "is needed"), ("9.9.9, 2026-12-01", "'9.9.9, 2026-12-01'")):
        change(changes, f"{version}, 2026-12-01", head)
        commit(folder)
        release(says)
        change(changes, head, f"{version}, 2026-12-01")
    change(changes, "- The first one.", "")
    commit(folder)
    release("has no entry")
    changes.write_text(f"# Changes\n\n## {version}, 2026-12-01\n\n- The first one.\n")
    release("not committed")
    commit(folder)

    library = folder / "build/gcc/src/libplait.so"
    library.parent.mkdir(parents=True)
    shutil.copy(shutil.which("true"), library)
    (folder / ".gitignore").write_text("/build/\n")
    commit(folder)
    release("its soname is None, where libplait.so." + version.rpartition(".")[0])
    library.unlink()

    run("git", "-C", folder, "tag", "-a", f"v{version}", "-m", "a release", env={"GIT_COMMITTER_NAME": "plait", "GIT_COMMITTER_EMAIL": "plait@localhost", "PATH": "/usr/bin:/bin"})
    answer = run(sys.executable, "-B", script, folder, fails=True, says=f"the tag v{version} exists")
    require(f"version {version} does not follow v{version}" in answer, answer)
    patch = version.rpartition(".")[0] + "." + str(int(version.rpartition(".")[2]) + 1)
    change(changes, f"## {version}, 2026", f"## {patch}, not released yet\n\n- A fix.\n\n## {version}, 2026")
    run(sys.executable, "-B", script, folder, patch, fails=True, says="not committed")
    for name, pattern in places:
        found = re.search(pattern, (folder / name).read_text(), re.MULTILINE)[1]
        require(found == (patch if found.count(".") == 2 else version.rpartition(".")[0]), f"{name} names {found} after {patch} was set")
    commit(folder)
    release(f"git tag -a v{patch}", fails=False)
    header = folder / "include/plait/plait.h"
    kept = header.read_text()
    header.write_text(kept.replace("plait_last_refusal(", "plait_final_refusal("))
    commit(folder)
    release("plait_last_refusal of")
    header.write_text(kept)
    names = folder / "docs/public_names.txt"
    names.write_text(re.sub(r"^reshape .*\n", "", names.read_text(), flags=re.MULTILINE))
    commit(folder)
    release("reshape of")


main(trial)
