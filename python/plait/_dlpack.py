"""What another library says of a tensor through __dlpack__: its device, and the type of its elements."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

_DEVICES = {1: "the CPU", 2: "a GPU (CUDA)", 3: "the CPU (CUDA)", 4: "OpenCL", 7: "Vulkan", 8: "a GPU (Metal)", 9: "VPI", 10: "a GPU (ROCm)",
            11: "the CPU (ROCm)", 13: "a GPU (CUDA managed)", 14: "oneAPI", 15: "a GPU (WebGPU)", 16: "Hexagon"}
_READ = (1, 3, 11, 13)  # those that NumPy accepts

# DLPack's code and bits of the types that NumPy does not have: plait's name, and the integers for their bits.
_BITS = {(4, 16): ("bf16", "int16"), (12, 8): ("f8_e5m2", "uint8"), (10, 8): ("f8_e4m3", "uint8"), (14, 8): ("e8m0", "uint8"),
         (17, 4): ("f4_e2m1", "uint8"), (15, 6): ("f6_e2m3", "uint8"), (16, 6): ("f6_e3m2", "uint8"), (0, 4): ("s4", "uint8"),
         (1, 1): ("u1", "uint8"), (1, 2): ("u2", "uint8"), (1, 4): ("u4", "uint8")}


class Device(NamedTuple):
    """A device in DLPack's terms."""
    type: int
    number: int

    @property
    def is_read(self) -> bool:
        return self.type in _READ

    @property
    def name(self) -> str:
        return f"{_DEVICES.get(self.type, 'a device')}, number {self.number} of DLPack's type {self.type}"


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    """The first members of DLTensor, with which DLManagedTensor begins."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("type", _Type)]


def device_of(given: Any) -> "Optional[Device]":
    """Returns the device of a tensor; None if it does not say it."""
    try:
        kind, number = given.__dlpack_device__()
        return Device(int(kind), int(number))
    except Exception:  # whatever the other library raises: NumPy reads the tensor, or refuses it
        return None


def _type_of(given: Any) -> "Optional[_Type]":
    """Returns the type of the elements; None if the tensor is not exported. The capsule frees the tensor, unused."""
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    try:
        capsule = given.__dlpack__()
        said = _Tensor.from_address(pointer_of(capsule, b"dltensor")).type
        return _Type(said.code, said.bits, said.lanes)
    except Exception:
        return None


def advice_for(given: Any) -> str:
    """Returns what to do with a tensor that NumPy does not read because of the type of its elements; empty if its type is
    not the cause."""
    said = _type_of(given)
    if said is None:
        return ""
    word, carrier = _BITS.get((said.code, said.bits), ("", ""))
    whole = f"its elements have DLPack's code {said.code}, {said.bits} bits and {said.lanes} lanes"
    if said.lanes != 1 and said.lanes * said.bits != 8:
        return f"{whole}, and an array has no lanes"
    if word:
        return f"{whole}; NumPy has no such type, whose bits go as {carrier} (torch: tensor.view(torch.{carrier})) with the type '{word}'"
    return "" if (said.code, said.bits) in ((0, 8), (0, 16), (0, 32), (0, 64), (1, 8), (1, 16), (1, 32), (1, 64), (2, 16), (2, 32), (2, 64),
                                            (5, 64), (5, 128), (6, 8)) else f"{whole}, a type that neither NumPy nor plait has"
