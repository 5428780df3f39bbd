"""Arguments of wrong types: every function raises a TypeError that names the argument, for any value."""

import inspect
import os

import numpy as np
import plait
import pytest

SHAPE = (2, 3)
LAYOUT = plait.Layout("ab", SHAPE)
X = np.arange(6, dtype=np.float32).reshape(SHAPE)
PLAN = plait.Reorder(LAYOUT, plait.Layout("ba", SHAPE), dtype=np.float32)
CHOICE = plait.Reorder(LAYOUT, LAYOUT, dtype=np.float32, src_scale=2.0, dst_scale=2.0, src_zero_point=1, dst_zero_point=1).choice
TABLES = plait.TableReorder(plait.Layout("ab", (4, 3)), plait.Layout("ab", (8, 3)), dtype=np.float32, src_table=(0, 2), dst_table=(0, 2))
RECORD = plait.Record("nk: nk(x:u8)", SHAPE)
BYTES = bytes(range(6))


class Thing:
    """Neither a number, nor a text, nor a sequence."""


class Endless:
    """A sequence that never ends, and has no len()."""

    def __iter__(self):
        while True:
            yield 1


WRONG = [None, (), ((),), ("ab",), (1.5, 2), (None, 1), ({}, 1), [[1, 2], [3]], "no\0tag", "\udc80", b"ab", bytearray(b"ab"), {1: 2}, {1, 2},
         10**400, -10**400, 2**63, -2**63, -1, 3.5, float("nan"), float("inf"), 1j, Thing(), Thing, Endless(), iter(()), range(10**12),
         np.float64(2), np.nan, np.array(["a"]), np.array([1.5]), np.array([object()]), np.ma.array([1.0], mask=[True]), np.zeros((2, 2, 2)),
         True, Ellipsis, NotImplemented, lambda: 1, [1] * 5000, "a" * 5000, plait, LAYOUT, slice(1), memoryview(b"ab"), (10**5000, 1)]

# Correct arguments for each public function, by name.
RIGHT = {
    "Layout": dict(tag="ab", shape=SHAPE, strides=(3, 1)),
    "Layout.of": dict(array=X),
    "Layout.on": dict(memory=X),
    "Layout.offset": dict(position=((0, 1),)),
    "Layout.matches": dict(tag="ab"),
    "Layout.recast": dict(dtype="f32", to_dtype="u8"),
    "Layout.common_run": dict(other=LAYOUT),
    "Layout.is_contiguous_along": dict(axis=1),
    "Layout.transpose": dict(axes=((1, 0),)),
    "Layout.permute_axes": dict(perm=((1, 0),)),
    "Layout.reshape": dict(shape=((3, 2),)),
    "Layout.view": dict(shape=((3, 2),)),
    "Layout.split_axis": dict(axis=1, parts=(3, 1)),
    "Layout.join_axes": dict(first=0, last=1),
    "Layout.submemory": dict(shape=(1, 3), offsets=(1, 0)),
    "Layout.strided_slice": dict(axis=1, begin=0, end=3, step=2),
    "Layout.rearrange": dict(pattern="a (b c) -> b a c", extents=dict(b=3)),
    "Layout.rearrange_copy": dict(pattern="a (b c) -> b a c", extents=dict(b=3)),
    "Layout.digits": {}, "Layout.explain": {}, "Layout.forget_padding": {},
    "copies": dict(src=LAYOUT, dst=LAYOUT),
    "count_copies": dict(src=LAYOUT, dst=LAYOUT),
    "pack": dict(model={"x": X}, formats={"x": "ba"}, dtype="f32"),
    "parse_dims": dict(text="2x3"),
    "Record": dict(tag="nk: nk(x:u8)", dims=SHAPE),
    "Record.offset": dict(name="x", index=((0, 1),)),
    "Record.pack": dict(arrays={"x": X.astype(np.uint8)}, parameters={"a": 1}, packed=False),
    "Record.unpack": dict(data=BYTES, names=("x",), parameters={"a": 1}, packed=False),
    "Record.repack": dict(to=RECORD, data=BYTES, drop=["x"], parameters={"a": 1}, threads=2),
    "Record.repack_chunks": dict(to=RECORD, data=BYTES, drop=["x"], parameters={"a": 1}, chunk_bytes=8),
    "Record.verify": dict(data=BYTES, parameters={"a": 1}, ignore_padding=False),
    "Record.field": dict(data=BYTES, name="x"),
    "Record.blob": dict(data=BYTES, key="avx2"),
    "Record.save": dict(path=os.devnull, data=BYTES, key="avx2"),
    "open_blob": dict(source=RECORD.blob(BYTES)),
    "Rejection": dict(sentence="why", reason="word", axis=1, numbers=(1, 2, 3)),
    "Words": dict(array=X.astype(np.int32)),
    "Values": dict(values=X, dtype="f32", group=(1, 3), layout=None),
    "Reorder": dict(src=LAYOUT, dst=LAYOUT, dtype=np.float32, src_dtype="f32", src_scale=2.0, dst_scale=2.0, src_zero_point=1,
                    dst_zero_point=1, choice=CHOICE, tries=True),
    "Reorder.__call__": dict(array=X, out=np.zeros((3, 2), np.float32)),
    "TableReorder": dict(src=LAYOUT, dst=LAYOUT, dtype=np.float32, src_dtype="f32", src_table=None, dst_table=(0, 1), src_groups=(0, 1),
                         dst_groups=None, src_scale=2.0, dst_scale=2.0, src_zero_point=1, dst_zero_point=1),
    "TableReorder.__call__": dict(array=np.zeros((4, 3), np.float32), out=np.zeros((8, 3), np.float32), src_table=[(np.array([1]), 2, 0)],
                                  dst_table=[3]),
    "TableReorder.json": dict(src_table=[(np.array([1]), 2, 0)], dst_table=[3]),
    "reorder": dict(array=X, src="ab", dst="ba", dtype="f32", src_dtype="f32", shape=SHAPE, src_scale=2.0, dst_scale=2.0, src_zero_point=1,
                    dst_zero_point=1, out=np.zeros((3, 2), np.float32)),
}
# Optional arguments default to None.
OPTIONAL = {("Layout", "shape"), ("Layout", "strides"), ("Rejection", "axis"), ("Reorder.__call__", "out"), ("reorder", "src"),
            ("reorder", "dst"), ("reorder", "dtype"), ("reorder", "src_dtype"), ("reorder", "shape"), ("reorder", "out"), ("pack", "dtype"),
            ("Values", "dtype"), ("Values", "group"), ("Values", "layout"), ("Reorder", "choice"), ("TableReorder", "src_dtype"), ("TableReorder", "src_table"),
            ("TableReorder", "dst_groups")}


# Twins of NumPy's functions take, and refuse, what NumPy does: test_numpy_twins.py.
TWINS = {"ascontiguousarray", "copyto"}


def public_functions():
    """Returns every function and method that users can call, with its object. Introspection finds new ones as well."""
    objects = {"Layout": LAYOUT, "Record": RECORD, "Reorder": PLAN, "TableReorder": TABLES}
    for name in sorted(set(plait.__all__) - TWINS):
        value = getattr(plait, name)
        yield name, value
        if not inspect.isclass(value) or issubclass(value, Exception):
            continue
        for member in dir(value):
            is_public = not member.startswith("_") or member == "__call__"
            if is_public and (member != "__call__" or "__call__" in vars(value)) and callable(getattr(value, member)):
                yield f"{name}.{member}", getattr(objects[name], member)


FUNCTIONS = dict(public_functions())


def called(function, arguments):
    """Calls it with the values for *arguments and **arguments in their places."""
    positional, named, behind = [], {}, {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += arguments[name]
        elif parameter.kind is parameter.VAR_KEYWORD:
            behind = arguments[name]
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named.update({name: arguments[name]} if name in arguments else {})
        else:
            positional.append(arguments[name])
    return function(*positional, **named, **behind)


def test_every_public_function_is_here():
    assert set(FUNCTIONS) == set(RIGHT)
    for name, function in FUNCTIONS.items():
        assert set(inspect.signature(function).parameters) == set(RIGHT[name]), name
        called(function, RIGHT[name])


ALL = [(name, argument) for name, arguments in RIGHT.items() for argument in arguments]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name, argument", ALL, ids=[f"{name}-{argument}" for name, argument in ALL])
def test_wrong_values(name, argument):
    function, kind = FUNCTIONS[name], inspect.signature(FUNCTIONS[name]).parameters[argument].kind
    refused = 0
    for wrong in WRONG:
        given = (wrong,) if kind is inspect.Parameter.VAR_POSITIONAL else dict(b=wrong) if kind is inspect.Parameter.VAR_KEYWORD else wrong
        said = "b" if kind is inspect.Parameter.VAR_KEYWORD else argument
        try:
            called(function, {**RIGHT[name], argument: given})
        except plait.Rejection as why:
            refused += 1
            assert why.reason and str(why).startswith(why.reason) or name == "Rejection", (name, argument, type(wrong))
        except OSError:
            assert argument in ("model", "path", "source") and isinstance(wrong, str)  # no such file
            refused += 1
        except TypeError as why:
            refused += 1
            assert said in str(why), (name, argument, type(wrong), str(why))
        # Any other exception fails the test: AttributeError, MemoryError, OverflowError, UnicodeEncodeError, ValueError, ...
    assert refused >= 20 or argument == "reason", (name, argument, refused)


@pytest.mark.parametrize("name, argument", [each for each in ALL if each not in OPTIONAL],
                         ids=[f"{name}-{argument}" for name, argument in ALL if (name, argument) not in OPTIONAL])
def test_what_is_no_text_number_or_array_is_a_type_error(name, argument):
    """Only the type is wrong, for any value."""
    function, kind = FUNCTIONS[name], inspect.signature(FUNCTIONS[name]).parameters[argument].kind
    for wrong in (Thing(), Thing, b"ab", 1j, Ellipsis, lambda: 1):
        if wrong is Thing and argument.endswith("dtype"):
            continue  # NumPy reads any class as the dtype of objects: a dtype, and one that is refused
        if wrong == b"ab" and argument in ("data", "source"):
            continue  # bytes, and too few
        given = (wrong,) if kind is inspect.Parameter.VAR_POSITIONAL else dict(b=wrong) if kind is inspect.Parameter.VAR_KEYWORD else wrong
        said = "b" if kind is inspect.Parameter.VAR_KEYWORD else argument
        with pytest.raises(TypeError, match=said):
            called(function, {**RIGHT[name], argument: given})


def test_an_array_that_no_machine_has_room_for():
    huge = plait.Layout("ab", (2, 3), strides=(2**50, 1))
    with pytest.raises(plait.Rejection) as caught:
        plait.reorder(X, "ab", huge)
    assert caught.value.reason == "out_of_memory" and str(4 * (2**50 + 3)) in str(caught.value)


def test_scales_that_are_refused():
    for wrong in (0, -0.0, np.inf, -np.inf, np.nan):
        for given in (wrong, [1, 2, wrong], [[1], [wrong]]):
            with pytest.raises(plait.Rejection) as caught:
                plait.reorder(X, None, None, dtype=np.int8, dst_scale=given)
            assert caught.value.reason == "scale_is_invalid"
            assert caught.value.numbers[1] == (0 if given is wrong else len(given) - 1)
            assert "destination" in str(caught.value)
            # Values are multiplied by the scales of the source, which may be any numbers.
            with np.errstate(invalid="ignore"):
                wanted = X * np.float32(given)
            assert np.array_equal(plait.reorder(X, None, None, dtype=np.float32, src_scale=given), wanted, equal_nan=True)
