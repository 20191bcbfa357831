#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the commands `clarity ...` in the documents exist, with the options that stand there.

  check_commands.py CLARITY

Looks at blocks of code and at `code` in README.md, CONTRIBUTING.md, CHANGELOG.md, docs and bench/README.md. Exit code
1, and a line for each command that `clarity COMMAND --help` does not know, if there is one.
"""
import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = re.compile(r"(?:^|[`$/(]|&&|; )\s*clarity ([a-z]+)(?![\w-])((?: [^`\n|;)]*)?)", re.MULTILINE)
OPTION = re.compile(r"--[a-z][a-z-]*")
PROGRAMS = {"run", "check"}  # what follows their first word that is no option is another program's


@functools.cache
def options_of(clarity, command):
    """Option -> whether a value follows it; None if there is no such command."""
    done = subprocess.run([clarity, command, "--help"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    return {name: bool(value) for name, value in re.findall(r"(--[a-z][a-z-]*)( [A-Z\[])?", done.stdout)}


def code_of(text):
    """Blocks of code, fenced or indented, with broken lines joined, and `code` in sentences."""
    blocks = re.findall(r"^```\w*\n(.*?)^```|((?:^    .*\n)+)", text, re.MULTILINE | re.DOTALL)
    sentences = re.sub(r"^```.*?^```|^    .*$", "", text, flags=re.MULTILINE | re.DOTALL)
    code = ["\n".join(line.strip() for line in (fenced or indented).replace("\\\n", " ").splitlines())
            for fenced, indented in blocks]
    return code + ["`" + " ".join(words.split()) + "`" for words in re.findall(r"`([^`]+)`", sentences)]


def unknown(clarity, command, words):
    """What is wrong with one command, or nothing."""
    known = options_of(clarity, command)
    if known is None:
        return f"there is no command '{command}'"
    skip = False
    for word in words.split(" -- ")[0].split(" # ")[0].split():
        option = OPTION.match(word)
        if option and option.group(0) not in known:
            return f"'clarity {command}' has no option {option.group(0)}"
        if not word.startswith("-") and not skip and command in PROGRAMS:
            return None
        skip = bool(option and known[option.group(0)] and "=" not in word)
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong, seen = [], 0
    for path in [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md")),
                 *sorted((ROOT / "docs").rglob("*.md"))]:
        for code in code_of(path.read_text(encoding="utf-8")):
            for command, words in COMMAND.findall(code):
                seen += 1
                if (problem := unknown(sys.argv[1], command, words)):
                    wrong.append(f"{path.relative_to(ROOT)}: {problem}: clarity {command}{words}")
    for line in wrong:
        print(line)
    print(f"{seen} commands, {len(wrong)} wrong")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
