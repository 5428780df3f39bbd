"""What the tests of this folder share: commands that have to succeed, or to fail with a sentence, and folders of their own."""

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
    """What the command printed, errors too; it has to end with 0, or with something else where it `fails`."""
    words = [str(word) for word in command]
    done = subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    require((done.returncode != 0) == fails, f"{'did not fail' if fails else 'failed'}: {' '.join(words)}\n{done.stdout}")
    # CMake breaks the lines of its messages.
    require(" ".join(says.split()) in " ".join(done.stdout.split()), f"{' '.join(words)} does not say '{says}':\n{done.stdout}")
    return done.stdout


def configure(source, build, *options, **expected):
    # What the machine's user has set for other builds, CMAKE_GENERATOR say, stays out by being said here.
    return run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF", *options, **expected)


def main(trial):
    """Runs trial(arguments...), and prints what failed."""
    try:
        trial(*sys.argv[1:])
    except Failed as failed:
        print(failed)
        sys.exit(1)
