"""Tensor memory layouts and reorders for Python: layouts are values, arrays are NumPy's.

>>> import numpy as np, plait
>>> blocked = plait.Layout("nChw16c", (1, 17, 5, 4))     # channels in blocks of 16, the last one padded with zeros
>>> blocked.offset(0, 16, 2, 3)                          # in elements
496
>>> x = np.arange(340, dtype=np.float32).reshape(1, 17, 5, 4)
>>> y = plait.reorder(x, "nchw", "nChw16c")
>>> y.shape                                              # the memory, with its blocks as axes
(1, 2, 5, 4, 16)
>>> y[0, 1, 2, 3, 0] == x[0, 16, 2, 3]
True

A call that is refused raises a `plait.Rejection`, which has the rule, the axis and the numbers; nothing was written.

The package is pure Python. It loads the shared library of plait's C interface from the first of these places:

- the file that the environment variable PLAIT_LIBRARY names, and then nowhere else
- beside this package
- the builds of the source tree that contains it, the last one built first
- the library folders of the prefix that it is installed in
- where the system's loader finds libplait.so
"""

from ._blob import open_blob
from ._copies import copies, count_copies
from ._dims import parse_dims
from ._layout import Layout
from ._library import version as __version__
from ._model import pack
from ._numpy import ascontiguousarray, copyto
from ._record import Record
from ._rejection import Rejection
from ._reorder import Reorder, reorder
from ._table_reorder import TableReorder
from ._values import Values
from ._words import Words

for _public in (Layout, Record, Rejection, Reorder, TableReorder, Values, Words, ascontiguousarray, copies, copyto, count_copies, open_blob, pack,
                parse_dims, reorder):
    _public.__module__ = "plait"  # the module that errors and help show

__all__ = ["Layout", "Record", "Rejection", "Reorder", "TableReorder", "Values", "Words", "ascontiguousarray", "copies", "copyto", "count_copies",
           "open_blob", "pack", "parse_dims", "reorder"]
