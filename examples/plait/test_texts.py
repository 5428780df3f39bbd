"""The manual page and the completion name every command and every option of --help."""

import re
import shutil
import subprocess

from tool import TOOL, check, end, run


def commands():
    listed = run("--help").stdout.split("Subcommands:")[1]
    return re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE)


def options_of(command):
    return sorted(set(re.findall(r"^\s+(?:-\w,)?(--[a-z-]+)", run(command, "--help").stdout, re.MULTILINE)))


def manual():
    page = run("man")
    check(page.returncode == 0 and page.stdout.startswith(".TH PLAIT 1"), "man")
    for command in commands():
        section = page.stdout.split(f".SS plait {command}\n")
        check(len(section) == 2, f"man lacks {command}")
        section = section[-1].split(".SS")[0]
        for option in options_of(command):
            check(option.replace("-", "\\-") in section, f"man {command} lacks {option}")
    if shutil.which("groff"):
        answer = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page.stdout, capture_output=True, text=True)
        check(answer.stderr == "", f"groff warns: {answer.stderr}")


def completed(*words):
    """Returns bash's completions of the last word."""
    script = ("source <(\"$1\" completion); shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _plait; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    answer = subprocess.run(["bash", "-c", script, "bash", TOOL, *words], capture_output=True, text=True, timeout=60)
    check(answer.returncode == 0 and answer.stderr == "", f"{words}: {answer.stderr}")
    return answer.stdout.split()


def completion():
    check(len(commands()) >= 11, f"the commands are read from --help: {commands()}")
    check(set(commands()) <= set(completed("plait", "")), f"commands: {completed('plait', '')}")
    check(completed("plait", "per") == ["permute"], "one command")
    for command in commands():
        check(set(options_of(command)) == {word for word in completed("plait", command, "--") if word.startswith("--")},
              f"options of {command}: {completed('plait', command, '--')}")
    check("--src-zero-point" in completed("plait", "reorder", "x.npy", "y.npy", "--src-z"), "an option further on")
    check(completed("plait", "reorder", "") == [], "names of files are left to bash")


manual()
completion()
end()
