#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documents below ROOT:

- relative links in Markdown files lead to files, and to headings that these files have;
- source files that README.md, ARCHITECTURE.md, CONTRIBUTING.md and docs name in `code` exist;
- every entry of docs/glossary.md has two lines: its meaning and the nearest standard term;
- docs/README.md links to every page of docs;
- docs/options.md lists the build options that the front end knows, and no others;
- README.md and ARCHITECTURE.md are as short as they are meant to be, and so are the parts of sentences (between full
  stops, colons and semicolons) in them, in CONTRIBUTING.md, CHANGELOG.md and docs.

  check_documents.py ROOT

Exit code 1, and a line for each violation, if one is found. Build folders and hidden folders are skipped.
"""
import pathlib
import re
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
SOURCE = re.compile(r"(?<![\w*])`([a-z_][\w./-]*\.(?:h|cpp|def|py|clh|cmake|supp|toml))`")
BROKEN = re.compile(r"\]\([^)\s]*\n")
LINES = {"README.md": 125, "ARCHITECTURE.md": 150}
WORDS = 50


def files(root):
    """Paths relative to the root of all files outside of build folders and hidden ones."""
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if parts[0] != "build" and not any(part.startswith(".") for part in parts) and path.is_file():
            yield path.relative_to(root)


def text_of(path):
    """The text without blocks of code."""
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(path):
    """The names by which code hosts link to the headings of a file."""
    for heading in re.findall(r"^#+ (.+)$", text_of(path), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def dead_links(root, documents):
    for name in documents:
        path = root / name
        for start in BROKEN.findall(text_of(path)):
            yield f"{name}: the link {start[1:-1]} is broken across lines, which shows it as text"
        for target, anchor in LINK.findall(text_of(path)):
            if "://" in target:
                continue
            goal = path.parent / target if target else path
            if not goal.exists():
                yield f"{name}: the link to {target} leads to no file"
            elif anchor and goal.suffix == ".md" and anchor not in anchors(goal):
                yield f"{name}: {goal.name} has no heading #{anchor}"


def missing_sources(root, documents, paths):
    endings = {"/".join(path.parts[start:]) for path in paths for start in range(len(path.parts))}
    for name in documents:
        if name.parts[0] in ("docs", "src", "tests", "bench") or len(name.parts) == 1:
            for source in SOURCE.findall(text_of(root / name)):
                if source not in endings and not re.search(r"\b[A-Z]+\b", source):  # NAME.cpp stands for any
                    yield f"{name}: there is no file {source}"


def glossary_entries(root):
    path = root / "docs" / "glossary.md"
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("- ") and not (line.startswith("- **") and lines[number].startswith("  Nearest: ")):
            yield f"docs/glossary.md:{number}: an entry is '- **term**: meaning', then '  Nearest: standard term'"
        if line.startswith("  Nearest: ") and number < len(lines) and lines[number].startswith("  "):
            yield f"docs/glossary.md:{number + 1}: an entry has two lines"


def missing_in_map(root):
    linked = {target for target, _ in LINK.findall(text_of(root / "docs/README.md"))}
    for path in sorted((root / "docs").glob("*.md")):
        if path.name not in linked | {"README.md"}:
            yield f"docs/README.md: it does not say when to read {path.name}"


def build_options(root):
    def names(*paths):
        return {name for path in paths
                for name in re.findall(r"-cl-clarity-[a-z]+(?:-[a-z]+)*", (root / path).read_text(encoding="utf-8"))}
    known = names("src/compiler/frontend/options.cpp", "src/compiler/ir/source.h")
    listed = names("docs/options.md")
    yield from (f"docs/options.md: it does not list {name}" for name in sorted(known - listed))
    yield from (f"docs/options.md: there is no option {name}" for name in sorted(listed - known))


def too_long(root):
    for name, most in LINES.items():
        count = len((root / name).read_text(encoding="utf-8").splitlines())
        if count > most:
            yield f"{name}: {count} lines, {most} are allowed: move what not every reader needs to docs"


def long_sentences(root, documents):
    for name in documents:
        if name.parts[0] != "docs" and len(name.parts) > 1:
            continue
        prose = re.sub(r"^(?:    |\||#|<!--).*$", "", text_of(root / name), flags=re.MULTILINE)
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*] |\s*\d+\. )", prose):
            for part in re.split(r"(?<=[.;:?!])\s+", " ".join(paragraph.split())):
                if (count := len(part.split())) > WORDS:
                    yield f"{name}: {count} words, {WORDS} are allowed: {part}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    paths = list(files(root))
    documents = [path for path in paths if path.suffix == ".md"]
    violations = [*dead_links(root, documents), *missing_sources(root, documents, paths), *glossary_entries(root),
                  *missing_in_map(root), *build_options(root), *too_long(root), *long_sentences(root, documents)]
    for violation in violations:
        print(violation)
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
