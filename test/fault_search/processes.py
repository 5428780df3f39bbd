"""Runs a command with all that it starts, so that an interrupted search leaves no compiler behind."""

import os
import signal
import subprocess


def call(words, directory, timeout=None):
    """Returns the completed process, with its output and errors in stdout. Kills its whole group if interrupted or too slow."""
    with subprocess.Popen(words, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(words, process.returncode, output)
