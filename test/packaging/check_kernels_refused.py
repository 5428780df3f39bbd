"""Checks that plait_add_kernels refuses wrong arguments, with the reason.

usage: check_kernels_refused.py PROJECT
"""

import pathlib

from trial import main, require, run

REFUSED = [
    ("k", "", "plait_add_kernels(k): no REORDERS and no SOURCES"),
    ("k", "a.cpp", "plait_add_kernels(k): 'a.cpp' belongs neither to REORDERS nor to SOURCES"),
    ("k-1", "REORDERS;ab 2x3 f32 -> ba", "plait_add_kernels(k-1): the target's name is a namespace too"),
    ("k", "REORDERS;ab 2x3 -> ba", "plait_add_kernels(k): 'ab 2x3 -> ba' is no reorder. One is 'nchw 1x64x56x56 f32 -> nChw16c'"),
    ("k", "REORDERS;ab 2x-3 f32 -> ba", "'ab 2x-3 f32 -> ba' is no reorder"),
    ("k", "REORDERS;ab 2x3 f32 -> ba f31", "'ab 2x3 f32 -> ba f31': f31 is no element type; there are f64, f32, bf16"),
    ("k", "REORDERS;one = ab 2x3 f32 -> ba;one = ab 2x3 f32 -> ab", "plait_add_kernels(k): two reorders are called one"),
]


def trial(project):
    project = pathlib.Path(project)
    for target, arguments, sentence in REFUSED:
        run("cmake", f"-DTARGET={target}", f"-DARGUMENTS={arguments}", "-P", project / "test/packaging/kernels/refused.cmake",
            fails=True, says=sentence)


main(trial)
