"""Repacks of files of 192 MB: the tool needs the memory of a few chunks, and of the output if that is not in a file."""

import os
import pathlib
import struct
import tempfile

from tool import TOOL, check, end, refused

MB = 1 << 20
LARGE, MOST = 192 * MB, 64 * MB
ROWS = "nk: nK(d:f16 /32k, q:u4 16k 2k@16)"
PANELS = "nk: NK(d:f16 8n /32k, q:u4^8 2k 8n 8k 2k@16)"
FIELDS = "nk: (d:f16 nK /32k, q:u4 nK 16k 2k@16)"


def fnv_1a(text):
    state = 0xcbf29ce484222325
    for letter in text:
        state = (state ^ letter) * 0x100000001b3 % (1 << 64)
    return state


def write_zeros(path, tag, n, k, size):
    """Writes a blob without a checksum whose record is a hole in the file, so that it takes no space on the disk."""
    text = f"{tag} {n} {k}".encode()
    header = -(-(64 + len(text)) // 64) * 64
    fixed = b"plaitrec" + struct.pack("<IIQQQII", 1, header, size, fnv_1a(text), 0, 1, len(text))
    path.write_bytes(fixed.ljust(64, b"\0") + text)
    os.truncate(path, header + size)


def most_memory(*arguments):
    """Runs the tool, and returns the most memory that it had, in bytes."""
    arguments = [TOOL, *map(str, arguments)]
    null = os.open(os.devnull, os.O_WRONLY)
    process = os.posix_spawn(TOOL, arguments, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    os.close(null)
    _, status, usage = os.wait4(process, 0)
    check(status == 0, f"{arguments}: {status}")
    return usage.ru_maxrss * 1024


def at_most(what, limit, *arguments):
    found = most_memory(*arguments)
    print(f"{what}: {found / MB:.0f} MB")
    check(found <= limit, f"{what}: {found / MB:.0f} MB, more than {limit / MB:.0f} MB")


def in_parts(folder):
    source, panels = folder / "rows.plait", folder / "panels.plait"
    n = LARGE // (8192 // 32 * 18) // 8 * 8
    size = n * (8192 // 32 * 18)
    write_zeros(source, ROWS, n, 8192, size)
    at_most("into a file", MOST, "repack", source, PANELS, panels)
    check(panels.stat().st_size == 128 + size, "the file is complete")
    at_most("out of a file with a checksum, into memory", size + MOST, "repack", panels, ROWS, os.devnull)
    # Chunks read from all over the source.
    fields = folder / "fields.plait"
    write_zeros(fields, FIELDS, n, 8192, size)
    at_most("out of a file whose fields are apart", MOST, "repack", fields, PANELS, panels)
    with open(panels, "r+b") as file:
        file.seek(-MB, os.SEEK_END)
        file.write(b"x")
    refused("damage near the end", "repack", str(panels), ROWS, str(source), says=["panels.plait: blob_data_is_damaged"])


def one_field(folder):
    source, out = folder / "plain.plait", folder / "tiles.plait"
    write_zeros(source, "nk: w:u8 nk", LARGE // 8192, 8192, LARGE)
    at_most("one field", LARGE + MOST, "repack", source, "nk: w:u8 NK 8n 4k", out)


for part in (in_parts, one_field):
    with tempfile.TemporaryDirectory() as made:
        part(pathlib.Path(made))
end()
