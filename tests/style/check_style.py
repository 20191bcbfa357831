#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the form of every file in the repository: line lengths, licence lines, tabs, and words that are not used.

    check_style.py [--root FOLDER] [--baseline FILE] [--shrink]

The baseline lists what does not yet comply, one "RULE PATH" a line. It can only shrink: an entry of a file that
complies by now, or that is gone, is an error too. --shrink removes such entries; nothing adds any.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

LONGEST_LINE = 120

# Written by programs, so that their lines follow from their contents.
GENERATED = {
    "docs/accuracy.md": "math_accuracy --document",
    "docs/applications.md": "tests/applications/run.py --document",
    "docs/conformance.md": "tests/conformance/run.py",
}

CODE = {".cpp", ".h", ".c", ".cl", ".clh", ".def", ".inc", ".py", ".sh", ".cmake", ".map", ".supp"}
CODE_NAMES = {"CMakeLists.txt", "run"}
# Of these a line cannot be broken: FileCheck compares whole lines, and LLVM prints one instruction a line.
NO_LINE_LENGTH = {".ll", ".test", ".png", ".svg"}
# The words are listed and explained in words.txt; this file and its tests hold them for that reason.
HOLDS_WORDS = {"tests/style/words.txt", "tests/style/test_check_style.py"}


def is_code(path):
    return path.suffix in CODE or path.name in CODE_NAMES


def files_of(root):
    """Paths relative to the root: what git tracks or would track, or all files of an unpacked archive."""
    if (root / ".git").exists():
        listing = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout
        names = {name for name in listing.split("\0") if name and (root / name).is_file()}
        return sorted(pathlib.PurePosixPath(name) for name in names)
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not re.match(r"build(-|$)|\.|__pycache__$", name)]
        found += [pathlib.PurePosixPath((pathlib.Path(folder) / name).relative_to(root).as_posix()) for name in names]
    return sorted(found)


def words_of(path):
    """Pairs of a pattern and what is written instead, from lines "PATTERN -> INSTEAD"."""
    words = []
    for line in path.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        pattern, instead = line.split(" -> ")
        words.append((re.compile(pattern, re.IGNORECASE), instead))
    return words


def offences_of(path, text, words):
    """(rule, line, message) for everything that is wrong in one file."""
    lines = text.split("\n")
    code = is_code(path)
    if (code or path.suffix == ".md") and path.suffix not in NO_LINE_LENGTH and str(path) not in GENERATED:
        written = False  # what programs write, as they write it
        for number, line in enumerate(lines, 1):
            if line.startswith("```"):
                written = line == "```console"
            unbreakable = written or (path.suffix == ".md" and line.startswith("| "))  # a row of a table is one line
            if len(line) > LONGEST_LINE and not unbreakable:
                yield "length", number, f"{len(line)} columns, {LONGEST_LINE} are allowed"
    if code and not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:3]):
        yield "licence", 1, "no line 'SPDX-License-Identifier: Apache-2.0' among the first three"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield "tab", number, "a tab"
    if str(path) not in HOLDS_WORDS:
        for number, line in enumerate(lines, 1):
            for pattern, instead in words:
                if found := pattern.search(line):
                    yield "words", number, f"'{found.group(0)}': write {instead}"


def check(root, baseline, words):
    """Messages about new offences, entries of the baseline that are stale, and the entries that stay."""
    messages, offending = [], set()
    for path in files_of(root):
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        for rule, number, message in offences_of(path, text, words):
            offending.add((rule, str(path)))
            if (rule, str(path)) not in baseline:
                messages.append(f"{path}:{number}: {message}")
    stale = sorted(baseline - offending)
    return messages, stale, sorted(baseline & offending)


def read_baseline(path):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {tuple(line.split(" ", 1)) for line in lines}


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=pathlib.Path, default=here.parent.parent)
    parser.add_argument("--baseline", type=pathlib.Path, default=here / "baseline.txt")
    parser.add_argument("--shrink", action="store_true")
    arguments = parser.parse_args()
    baseline = read_baseline(arguments.baseline)
    messages, stale, stays = check(arguments.root, baseline, words_of(here / "words.txt"))
    if arguments.shrink:
        head = [line for line in arguments.baseline.read_text().splitlines() if line.startswith("#")]
        arguments.baseline.write_text("\n".join(head + [" ".join(entry) for entry in stays]) + "\n")
        stale = []
    for message in messages:
        print(message)
    for rule, path in stale:
        print(f"{arguments.baseline.name}: '{rule} {path}' complies by now: remove the entry (--shrink does)")
    print(f"{len(messages)} new offences, {len(stale)} stale entries of the baseline, {len(stays)} entries left")
    return 1 if messages or stale else 0


if __name__ == "__main__":
    sys.exit(main())
