#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the list of the driver's environment variables in docs/options.md from src/core/config.def.

  make_options.py            brings docs/options.md up to date
  make_options.py --check    exit code 1 if docs/options.md is not up to date
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- make_options.py -->\n", "<!-- make_options.py end -->\n"
OPTION = re.compile(r"^CONFIG_OPTION\((.*?)\)$", re.MULTILINE | re.DOTALL)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def options():
    """(name, documentation) of every option."""
    for entry in OPTION.findall((ROOT / "src/core/config.def").read_text(encoding="utf-8")):
        name, rest = re.match(r'\s*\w+,\s*\w+,\s*"(\w+)",(.*)', entry, re.DOTALL).groups()
        # The default of a text is a string too; the documentation follows it.
        default = re.match(r'\s*("(?:[^"\\]|\\.)*"|[^,]*),', rest)
        yield name, "".join(STRING.findall(rest[default.end():]))


def listing():
    entries = (textwrap.fill(f"- `{name}`: {text}", width=120, subsequent_indent="  ", break_long_words=False,
                             break_on_hyphens=False) for name, text in options())
    return "\n" + "\n".join(entries) + "\n\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    path = ROOT / "docs/options.md"
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    wanted = before + BEGIN + listing() + END + after
    if wanted == text:
        return
    if sys.argv[1:]:
        sys.exit("docs/options.md does not list the options of src/core/config.def: run docs/make_options.py")
    path.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
