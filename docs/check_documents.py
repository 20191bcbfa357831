#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that relative links in the Markdown files below ROOT lead to files, and that every entry of docs/glossary.md
has two lines: its meaning and the nearest standard term.

  check_documents.py ROOT

Exit code 1, and a line for each violation, if one is found. Build folders and hidden folders are skipped.
"""
import pathlib
import re
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def documents(root):
    for path in sorted(root.rglob("*.md")):
        parts = path.relative_to(root).parts
        if parts[0] != "build" and not any(part.startswith(".") for part in parts):
            yield path


def dead_links(root):
    for path in documents(root):
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in LINK.findall(text):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.relative_to(root)}: the link to {target} leads to no file"


def glossary_entries(root):
    path = root / "docs" / "glossary.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("- ") and not (line.startswith("- **") and lines[number].startswith("  Nearest: ")):
            yield f"docs/glossary.md:{number}: an entry is '- **term**: meaning', then '  Nearest: standard term'"
        if line.startswith("  Nearest: ") and number < len(lines) and lines[number].startswith("  "):
            yield f"docs/glossary.md:{number + 1}: an entry has two lines"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    violations = [*dead_links(root), *glossary_entries(root)]
    for violation in violations:
        print(violation)
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
