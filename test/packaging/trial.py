"""Helpers of the tests in this folder: run commands that must succeed, or fail with a given sentence, and create
folders."""

import pathlib
import shutil
import subprocess
import sys


class Failed(Exception):
    pass


def require(condition, sentence):
    if not condition:
        raise Failed(sentence)


def new_folder(path):
    path = pathlib.Path(path)
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def run(*command, says="", fails=False, **options):
    """Runs a command and returns its output, including errors. The command must return 0, or another status if `fails`.
    The output must contain `says`."""
    words = [str(word) for word in command]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    require((done.returncode != 0) == fails, f"{'did not fail' if fails else 'failed'}: {' '.join(words)}\n{done.stdout}")
    # CMake breaks the lines of its messages.
    require(" ".join(says.split()) in " ".join(done.stdout.split()), f"{' '.join(words)} does not say '{says}':\n{done.stdout}")
    return done.stdout


def configure(source, build, *options, **expected):
    # The explicit options override what the user has set for other builds, e.g. CMAKE_GENERATOR.
    return run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF", *options, **expected)


def main(trial):
    """Runs trial(arguments...). If it fails, prints the reason and exits with 1."""
    try:
        trial(*sys.argv[1:])
    except Failed as failed:
        print(failed)
        sys.exit(1)
