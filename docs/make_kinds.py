#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of what `clarity check` finds in docs/check.md from src/check/kinds.def.

  make_kinds.py            brings docs/check.md up to date
  make_kinds.py --check    exit code 1 if it is not up to date
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- make_kinds.py -->\n", "<!-- make_kinds.py end -->\n"
KIND = re.compile(r'^CHECK_KIND\(\w+,\s*"([^"]+)",\s*(\w+),\s*(.*?)\)$', re.MULTILINE | re.DOTALL)
TEXT = re.compile(r'((?:"[^"]*"\s*)+)')


def kinds():
    """(name, group, title, how it is mended) of every kind."""
    for name, group, rest in KIND.findall((ROOT / "src/check/kinds.def").read_text(encoding="utf-8")):
        title, help_text = ("".join(re.findall(r'"([^"]*)"', part)) for part in TEXT.findall(rest))
        yield name, group.lower(), title, help_text


def listing():
    entries = (textwrap.fill(f"- `{name}` ({group}): {title}. Mended: {text}.", width=120, subsequent_indent="  ",
                             break_long_words=False, break_on_hyphens=False) for name, group, title, text in kinds())
    return "\n" + "\n".join(entries) + "\n\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    path = ROOT / "docs/check.md"
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    wanted = before + BEGIN + listing() + END + rest.split(END)[1]
    if wanted == text:
        return
    if sys.argv[1:]:
        sys.exit("docs/check.md does not list the kinds of src/check/kinds.def: run docs/make_kinds.py")
    path.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
