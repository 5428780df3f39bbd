"""Checks that the pictures of layouts in docs/images are those that the tool draws.

usage: check_pictures.py PROJECT TOOL
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree


def main():
    images = pathlib.Path(sys.argv[1]) / "docs/images"
    script = images / "draw.sh"
    names = re.findall(r'-o "\$to/([\w.-]+)"', script.read_text(encoding="utf-8"))
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["sh", str(script), sys.argv[2], folder], check=True, timeout=120)
        for name in names:
            drawn = (pathlib.Path(folder) / name).read_bytes()
            xml.etree.ElementTree.fromstring(drawn)
            if not (images / name).exists() or (images / name).read_bytes() != drawn:
                problems.append(f"docs/images/{name}: not what the tool draws; run docs/images/draw.sh, and look at it")
    print("\n".join(problems) or f"{len(names)} pictures")
    return bool(problems) or not names


if __name__ == "__main__":
    sys.exit(main())
