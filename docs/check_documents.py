#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks rules for the text files of the project.

  check_documents.py ROOT documents    every line of every Markdown file has at most 120 columns, links between files
                                       lead to files, and every entry of docs/glossary.md has two lines
  check_documents.py ROOT code         every line of code, build files and scripts has at most 120 columns

Exit code 1, and a line for each violation, if a rule is broken. Build folders and hidden folders are skipped.
"""
import pathlib
import re
import sys

COLUMNS = 120
CODE = {".c", ".cl", ".clh", ".cmake", ".cpp", ".def", ".h", ".map", ".py", ".sh"}
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def files_of(root, suffixes):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if parts[0] == "build" or any(part.startswith(".") for part in parts):
            continue
        if path.is_file() and (path.suffix in suffixes or (path.name == "CMakeLists.txt" and ".cmake" in suffixes)):
            yield path


def long_lines(root, suffixes):
    for path in files_of(root, suffixes):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > COLUMNS:
                yield f"{path.relative_to(root)}:{number}: {len(line)} columns, at most {COLUMNS} are allowed"


def dead_links(root):
    for path in files_of(root, {".md"}):
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
    if len(sys.argv) != 3 or sys.argv[2] not in ("documents", "code"):
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2] == "documents":
        violations = [*long_lines(root, {".md"}), *dead_links(root), *glossary_entries(root)]
    else:
        violations = list(long_lines(root, CODE))
    for violation in violations:
        print(violation)
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
