"""Buffers between inaccessible pages, with a pattern before and after each buffer."""

import ctypes
import mmap

import numpy as np

PAGE = mmap.PAGESIZE
ZONE = 1024  # bytes of pattern on a side that does not end at a page

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
MAP_PRIVATE, MAP_ANONYMOUS, PROT_NONE = 2, 0x20, 0  # constants of Linux; Python's mmap does not define PROT_NONE


class Arena:
    """Several MB of memory with an inaccessible page on each side."""

    def __init__(self, size):
        self.size = (size + PAGE - 1) // PAGE * PAGE
        whole = self.size + 2 * PAGE
        begin = libc.mmap(None, whole, mmap.PROT_READ | mmap.PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        if begin is None or begin == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "mmap")
        self.begin = begin + PAGE
        for page in (begin, self.begin + self.size):
            if libc.mprotect(page, PAGE, PROT_NONE) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")
        self.bytes = np.frombuffer((ctypes.c_uint8 * self.size).from_address(self.begin), dtype=np.uint8)

    def place(self, size, where):
        """Returns a buffer that begins or ends at a page, or `where` bytes after a zone if `where` is a number."""
        if where == "begin":
            first = 0
        elif where == "end":
            first = self.size - size
        else:
            first = ZONE + where
        assert 0 <= first and first + size <= self.size
        return Room(self, first, size)


class Room:
    """A buffer in an arena, and the zones around it."""

    def __init__(self, arena, first, size):
        self.address = arena.begin + first
        self.size = size
        self.bytes = arena.bytes[first:first + size]
        self.before = arena.bytes[max(0, first - ZONE):first]
        self.behind = arena.bytes[first + size:first + size + ZONE]
        self.before_was = self.behind_was = None

    def fill(self, data, zones):
        """Writes the buffer, and a pattern around it."""
        self.bytes[:] = data
        self.before[:] = zones[:self.before.size]
        self.behind[:] = zones[:self.behind.size]
        self.before_was, self.behind_was = zones[:self.before.size], zones[:self.behind.size]

    def changed_zone(self):
        """Describes a write outside of the buffer. Returns an empty text if there was none."""
        sides = (("in front of", self.before, self.before_was), ("behind", self.behind, self.behind_was))
        for name, zone, was in sides:
            if zone.tobytes() != was.tobytes():
                places = np.nonzero(zone != was)[0]
                distance = zone.size - places[-1] if name == "in front of" else places[0] + 1
                return f"{places.size} bytes {name} the buffer are changed, the nearest {distance} from it"
        return ""
