"""The exception for operations that are refused."""

from __future__ import annotations

from typing import Tuple


class Rejection(ValueError):
    """An operation that was refused. Nothing has been written.

    str() is the sentence. `reason` is the name of the rule. `axis` is the axis concerned, or None. `numbers` are the
    three numbers of the rule, 0 if it has fewer: the one that does not fit, the one it should agree with, a third.
    >>> import plait
    >>> try:
    ...     plait.Layout("nChw16c", (1, 17, 5, 4)).reshape((1, 340))
    ... except plait.Rejection as why:
    ...     print(why.reason, why.axis, why.numbers)
    ...     print(why)
    axis_is_blocked 1 (16, 17, 0)
    axis_is_blocked: axis 1 carries inner blocks of 16 elements, so its 17 elements cannot be split or joined
    """

    def __init__(self, sentence: str, reason: str = "", axis: "int | None" = None, numbers: Tuple[int, int, int] = (0, 0, 0)):
        arguments: "Tuple[Tuple[str, object, Tuple[type, ...]], ...]" = (
            ("sentence", sentence, (str,)), ("reason", reason, (str,)), ("axis", axis, (int, type(None))), ("numbers", numbers, (tuple,)))
        for what, given, wanted in arguments:
            if not isinstance(given, wanted):
                raise TypeError(f"{what} of a plait.Rejection is {type(given).__name__}")
        super().__init__(sentence)
        self.reason = reason or sentence.partition(":")[0]
        self.axis = axis
        self.numbers = numbers

    def __reduce__(self):
        return type(self), (str(self), self.reason, self.axis, self.numbers)


class WrongType(Rejection, TypeError):
    """A rejection of an argument's type, so that `except TypeError` also catches it."""


def refuse(reason: str, sentence: str, axis: "int | None" = None, *numbers: int) -> Rejection:
    """Returns a rejection of the package's own, in the same form as those of the library."""
    first, second, third = (*numbers, 0, 0, 0)[:3]
    return Rejection(f"{reason}: {sentence}", reason, axis, (first, second, third))
