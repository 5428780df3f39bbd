"""Compiles the explorer to WebAssembly with emscripten: one file of JavaScript that needs no server.

usage: make_module.py PROJECT OUT.js

Nothing is done where the file is newer than all that it is made of.
"""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = ["typed_layout.cpp", "explore.cpp", "exports.cpp"]
EXPORTS = ["layout", "place", "index", "reorder"]
# nlohmann/json.hpp is a header of the system; all others of it come after emscripten's own.
COMPILE = ["-std=c++20", "-Oz", "-fwasm-exceptions", "-include", str(HERE / "libcxx_13.hpp"), "-idirafter", "/usr/include"]
# What is refused is an exception; large pictures need more memory than there is at the beginning.
LINK = ["-sSINGLE_FILE=1", "-sMODULARIZE=1", "-sEXPORT_NAME=plaitModule", "-sENVIRONMENT=web", "-sFILESYSTEM=0", "-sALLOW_MEMORY_GROWTH=1",
        "-sTOTAL_STACK=1MB", "-sEXPORTED_RUNTIME_METHODS=ccall", "-sEXPORTED_FUNCTIONS=" + ",".join(f"_plait_explore_{name}" for name in EXPORTS)]


def newest(project):
    files = [*HERE.iterdir(), *(project / "include/plait").rglob("*.hpp"), *(project / "include/plait").rglob("*.inl")]
    return max(path.stat().st_mtime for path in files if path.is_file())


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    project, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    if out.exists() and out.stat().st_mtime > newest(project):
        return 0
    out.parent.mkdir(parents=True, exist_ok=True)
    # Where node is not Debian's, it does not look for Debian's modules by itself, of which emscripten needs one.
    environment = {**os.environ, "NODE_PATH": os.environ.get("NODE_PATH", "/usr/share/nodejs")}
    made = out.with_suffix(".new.js")
    command = ["em++", *COMPILE, "-I", str(project / "include"), *(str(HERE / name) for name in SOURCES), *LINK, "-o", str(made)]
    status = subprocess.run(command, env=environment).returncode
    if status == 0:
        made.replace(out)
        print(f"{out.name}: {out.stat().st_size // 1024} KB")
    return status


if __name__ == "__main__":
    sys.exit(main())
