"""Packs the arrays of a whole model in one call."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Mapping
from typing import Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from ._arguments import text, wrong_type
from ._arrays import array_of
from ._rejection import Rejection, refuse
from ._reorder import reorder
from ._safetensors import read_safetensors
from ._types import DType, element_type


def pack(model: Any, formats: "Mapping[str, Any]", *, dtype: Optional[DType] = None) -> Dict[str, NDArray[Any]]:
    """Packs the arrays of a model, each into the layout for its name. Returns a new dict with all of them.

    - model: a dict of arrays (such as a state_dict), or the path of a .safetensors file, which is memory-mapped.
    - formats: for patterns of names, as in the module fnmatch, the tag to pack into, or a pair of the array's own tag
      and that one. The first pattern that fits a name counts. Arrays that fit none are returned as they are.
    - dtype: the type of the packed arrays; by default, each keeps its type. bf16 and f8 of a file are bits, as in
      plait.reorder.

    Refused: a pattern that fits no name; what plait.reorder refuses, with the name of the array.

    >>> import numpy as np, plait
    >>> model = {"conv1.weight": np.ones((64, 3, 7, 7), np.float32), "fc.weight": np.ones((10, 64), np.float32), "fc.bias": np.ones(10)}
    >>> packed = plait.pack(model, {"conv*.weight": "OIhw16i16o", "fc.weight": ("oi", "OI16i16o")})
    >>> packed["conv1.weight"].shape, packed["fc.weight"].shape, packed["fc.bias"] is model["fc.bias"]
    ((4, 1, 7, 7, 16, 16), (1, 4, 16, 16), True)
    """
    arrays = _arrays_of(model)
    rules = _rules_of(formats)
    if dtype is not None:
        element_type(dtype)
    packed: Dict[str, NDArray[Any]] = {}
    for name, (given, word) in arrays.items():
        pattern = next((each for each in rules if fnmatch.fnmatchcase(name, each)), None)
        if pattern is None:
            packed[name] = given
            continue
        src, dst = rules[pattern]
        try:
            packed[name] = reorder(array_of(given, f"model['{name}']"), src, dst, dtype=dtype, src_dtype=word)
        except Rejection as why:
            raise type(why)(f"{why.reason}: '{name}': {str(why).partition(': ')[2]}", why.reason, why.axis, why.numbers) from None
    for pattern in rules:
        if not any(fnmatch.fnmatchcase(name, pattern) for name in arrays):
            raise refuse("pattern_fits_no_name", f"no array of the model fits '{pattern}' of formats{_some(list(arrays))}")
    return packed


def _some(names: "list[str]") -> str:
    return f"; its names are {', '.join(names[:4])}{', ...' if len(names) > 4 else ''}" if names else ", which has none"


def _arrays_of(model: Any) -> "Dict[str, Tuple[Any, Optional[str]]]":
    """Returns each array by name, with the name of its type if the dtype does not determine it."""
    if isinstance(model, (str, os.PathLike)):
        path = os.fspath(model)
        text(path if isinstance(path, str) else os.fsdecode(path), "model")
        return read_safetensors(path)
    if not isinstance(model, Mapping):
        raise wrong_type("model", "a dict of arrays or the path of a .safetensors file", model)
    for name in model:
        if not isinstance(name, str):
            raise wrong_type("each name of model", "a text", name)
    return {name: (given, None) for name, given in model.items()}


def _rules_of(formats: Any) -> "Dict[str, Tuple[Optional[str], str]]":
    """Returns the tags of the source (None: as it lies in memory) and of the result, by pattern."""
    if not isinstance(formats, Mapping):
        raise wrong_type("formats", "a dict from patterns of names to tags", formats)
    rules: "Dict[str, Tuple[Optional[str], str]]" = {}
    for pattern, said in formats.items():
        if not isinstance(pattern, str):
            raise wrong_type("each pattern of formats", "a text", pattern)
        src, dst = said if isinstance(said, tuple) and len(said) == 2 else (None, said)
        if not isinstance(dst, str) or not isinstance(src, (str, type(None))):
            raise wrong_type(f"formats['{pattern}']", "a tag or a pair of tags", said)
        rules[pattern] = (src, dst)
    return rules
