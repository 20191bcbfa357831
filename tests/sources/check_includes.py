# SPDX-License-Identifier: Apache-2.0
"""Compares the #include lines of src/ with the table of folders in ARCHITECTURE.md.

A name in the last column between backticks allows: `support` the headers of src/support; `analysis`, in a row of a
folder of src/compiler, those of src/compiler/analysis; `compiler/host/target.h` this header; `compiler/**` all headers
below src/compiler. A folder may include its own headers. The rows must cover all folders and allow nothing that is
unused, and folders must not include each other in a cycle.
"""
import fnmatch
import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
ROW = re.compile(r"^\| `src/([\w/]+)` \| [^|]*\| ([^|]*) \|$", re.MULTILINE)


def allowed_by_table(text):
    """Folder -> patterns of paths below src/."""
    table = {}
    rows = ROW.findall(text)
    siblings = {folder.removeprefix("compiler/") for folder, _ in rows if folder.startswith("compiler/")}
    for folder, cell in rows:
        patterns = []
        for name in re.findall(r"`([^`]+)`", cell):
            if name.endswith((".h", "*")):
                patterns.append(name)
            elif folder.startswith("compiler/") and name in siblings:
                patterns.append(f"compiler/{name}/*")
            else:
                patterns.append(f"{name}/*")
        table[folder] = patterns
    return table


def matches(path, pattern):
    if pattern.endswith("**"):
        return path.startswith(pattern[:-2])
    return os.path.dirname(path) == os.path.dirname(pattern) and fnmatch.fnmatch(path, pattern)


def includes_of(sources):
    """(file, folder, included path) of every #include "..." in C++ that names another file of the project."""
    for folder, _, names in os.walk(sources):
        for name in sorted(names):
            if not name.endswith((".h", ".cpp", ".def")):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                for included in INCLUDE.findall(file.read()):
                    if os.path.exists(os.path.join(sources, included)):
                        yield os.path.relpath(path, sources), os.path.relpath(folder, sources), included


def circle(edges):
    """A list of folders that include each other in a circle, or nothing."""
    def visit(folder, way):
        if folder in way:
            return way[way.index(folder):] + [folder]
        for following in sorted(edges.get(folder, ())):
            if found := visit(following, way + [folder]):
                return found
        return None
    for folder in sorted(edges):
        if found := visit(folder, []):
            return found
    return None


def main(root):
    wrong = []
    with open(os.path.join(root, "ARCHITECTURE.md"), encoding="utf-8") as file:
        table = allowed_by_table(file.read())
    unused = {(folder, pattern) for folder, patterns in table.items() for pattern in patterns}
    edges = {}
    for path, folder, included in includes_of(os.path.join(root, "src")):
        to = os.path.dirname(included)
        if folder not in table:
            wrong.append(f"src/{path}: the folder src/{folder} has no row")
            continue
        if to == folder:
            continue
        fitting = {(folder, pattern) for pattern in table[folder] if matches(included, pattern)}
        unused -= fitting
        if not fitting:
            wrong.append(f"src/{path} includes {included}: the row of src/{folder} does not allow it")
        edges.setdefault(folder, set()).add(to)
    wrong += [f"the row of src/{folder} allows {pattern}, which nothing there includes"
              for folder, pattern in sorted(unused)]
    if found := circle(edges):
        wrong.append("these folders include each other in a circle: " + " -> ".join(found))
    for line in wrong:
        print(line)
    if not table:
        wrong.append("ARCHITECTURE.md has no table of folders")
        print(wrong[-1])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
