#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the list of what `clarity check` finds in docs/check.md, and the beginning of the page of each kind in
docs/check, from src/check/report/kinds.def. A kind without a page gets one whose sections are to be written.

  make_kinds.py            brings them up to date
  make_kinds.py --check    exit code 1 if one is not up to date
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
    """(name, group, title, how to fix it) of every kind."""
    for name, group, rest in KIND.findall((ROOT / "src/check/report/kinds.def").read_text(encoding="utf-8")):
        title, help_text = ("".join(re.findall(r'"([^"]*)"', part)) for part in TEXT.findall(rest))
        yield name, re.sub(r"(?<=.)([A-Z])", r"-\1", group).lower(), title, help_text


def filled(text, **options):
    return textwrap.fill(text, width=120, break_long_words=False, break_on_hyphens=False, **options)


def listing():
    entries = (filled(f"- [`{name}`](check/{name}.md) ({group}): {title}.", subsequent_indent="  ")
               for name, group, title, _ in kinds())
    return BEGIN + "\n" + "\n".join(entries) + "\n\n" + END


def beginning(name, group, title, help_text):
    about = f"Group `{group}` of [`clarity check`](../check.md). To fix it: {help_text}."
    return f"# {name}: {title}\n\n{BEGIN}\n{filled(about)}\n\n{END}"


SECTIONS = "".join(f"\n## {title}\n" for title in
                   ("What it means", "Example", "How to fix it", "What is not noticed"))


def wanted():
    """(path, text as it should be) of every file."""
    overview = ROOT / "docs/check.md"
    text = overview.read_text(encoding="utf-8")
    yield overview, text.split(BEGIN)[0] + listing() + text.split(END)[1]
    for name, *about in kinds():
        page = ROOT / f"docs/check/{name}.md"
        text = page.read_text(encoding="utf-8") if page.exists() else END + SECTIONS
        yield page, beginning(name, *about) + text.split(END)[1]


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    old = [(path, text) for path, text in wanted() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if old and sys.argv[1:]:
        names = ", ".join(str(path.relative_to(ROOT)) for path, _ in old)
        sys.exit(f"not as src/check/report/kinds.def says: {names}; run docs/make_kinds.py")
    for path, text in old:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
