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


ZSH = """
source <("$1" completion zsh)
_describe() { print -rl -- "${(P@)2}" }
_arguments() { print -rl -- "${@:#-s}" }
_files() { print -r -- "$@" }
words=("${@:2}") CURRENT=$#words
_plait
"""


def completed_by_zsh(*words):
    """Returns what zsh is told of the last word: commands or options, each with its description."""
    answer = subprocess.run(["zsh", "-f", "-c", "compdef() { : }" + ZSH, "zsh", TOOL, *words], capture_output=True, text=True, timeout=60)
    check(answer.returncode == 0 and answer.stderr == "", f"zsh, {words}: {answer.stderr}")
    return answer.stdout.splitlines()


def zsh():
    described = dict(re.findall(r"^  ([a-z]+) +(\S.*)$", run("--help").stdout.split("Subcommands:")[1], re.MULTILINE))
    check({line.partition(":")[0] for line in completed_by_zsh("plait", "")} == set(commands()), "commands in zsh")
    check(any(line == f"show:{described['show']}" for line in completed_by_zsh("plait", "")), "zsh describes show")
    for command in commands():
        specs = completed_by_zsh("plait", command, "--")
        check({f"--{name}" for name in re.findall(r"^\*?--([a-z-]+)\[", "\n".join(specs), re.MULTILINE)} == set(options_of(command)),
              f"options of {command} in zsh: {specs}")
        check(all(re.fullmatch(r"\*?--?[a-z-]+\[[^][]*\](:value:_files)?|\*:file:_files", spec) for spec in specs), f"zsh cannot read {specs}")
    check(any(spec.startswith("*--type[") for spec in completed_by_zsh("plait", "explain", "--")), "an option that takes a value")
    check(any(spec.startswith("--json[") and spec.endswith("]") for spec in completed_by_zsh("plait", "explain", "--")), "a flag")


def first_line():
    said = run("--help").stdout.splitlines()[0]
    for word in ("layouts", "files", "weights", "network", "ranks"):
        check(word in said, f"--help begins with '{said}', without {word}")


manual()
completion()
check(run("completion", "bash").stdout == run("completion").stdout, "bash is the default")
check(run("completion", "fish").returncode == 2, "a shell without completion")
if shutil.which("zsh"):
    zsh()
else:
    print("zsh is not installed: its completion is not tested")
first_line()
end()
