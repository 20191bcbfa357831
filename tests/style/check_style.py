#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the form of every file in the repository: line lengths, licence lines, tabs, words that are not used, comments
that hide their subject; in product code also sizes of files and functions, names of constants, thresholds
and std::regex.

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
# Product code: these folders, and the most lines of a source, of a header, of a function.
PRODUCT = ("src/", "tools/", "bench/")
MOST_LINES = {".cpp": 400, ".h": 200, ".cl": 400}
MOST_FUNCTION_LINES = 60

# Written by programs, so that their lines follow from their contents.
GENERATED = {
    "docs/accuracy.md": "math_accuracy --document",
    "docs/applications.md": "tests/applications/run.py --document",
    "docs/conformance.md": "tests/conformance/run.py",
}

CODE = {".cpp", ".h", ".c", ".cl", ".clh", ".def", ".inc", ".py", ".sh", ".cmake", ".map", ".supp"}
CODE_NAMES = {"CMakeLists.txt", "run"}
# Lines of these cannot be broken: FileCheck compares whole lines, and LLVM prints one instruction a line.
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
    if str(path).startswith(PRODUCT):
        yield from product_offences(path, text)
    if code or path.suffix in {".test", ".ll", ".toml"}:
        for number, comment in comments_of(text):
            for found in HIDDEN_SUBJECT.finditer(comment):
                yield "subject", number, f"'{found.group(1)}': begin with the noun that the sentence speaks of"
        for number, line in enumerate(lines, 1):
            if "///<" in line and (found := HIDDEN_NOUN.search(TEXT.sub('""', line))):
                yield "subject", number, f"'{found.group(1)}': begin with the noun that the member is"
    if str(path) not in HOLDS_WORDS:
        # Few patterns are in a file at all: most are done with by one search.
        inside = [(pattern, instead) for pattern, instead in words if pattern.search(text)]
        for number, line in enumerate(lines if inside else [], 1):
            for pattern, instead in inside:
                if found := pattern.search(line):
                    yield "words", number, f"'{found.group(0)}': write {instead}"


TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
COMMENT = re.compile(r"(?://+!?<?|^[ \t]*(?:\*|#))[ \t]+(.*)$")
HIDDEN_SUBJECT = re.compile(r"(?:^|[.:;!?][ \t]+)((?:What|Of)\b(?! course)[^,.;:]{0,40})")
HIDDEN_NOUN = re.compile(r"///<[ \t]+((?:what|of)\b[^,.;:]{0,40})")  # a member's name does not stand for it
SCOPE = re.compile(r"(?:(?:inline )?namespace|class|struct|union|enum|extern)\b(?![^=]*\)\s*(?:const|noexcept)?$)")
FUNCTION = re.compile(r"^(?:[^(=]|operator\s*=*)*\(.*\)[^=;]*$", re.DOTALL)
MEMBER = re.compile(r"\)\s*:\s*.*\w\s*$", re.DOTALL)
# Decisions of the compiler: these folders. Numbers of bits are facts of types.
DECIDING = re.compile(r"src/compiler/(?:analysis|nvptx|packets|passes|pipeline|transforms)/\w+\.cpp$")
THRESHOLD = re.compile(r"\bconstexpr\b[^;(){}=]*?\b((?:most|deepest|fewest)(?!\w*Bits\b)[A-Z]?\w*)\s*=\s*\d")
# Their users give patterns, and the texts are short names of the project's own.
REGEX_USERS = re.compile(r"bench/|tools/cmd_bench\.cpp$")
CONSTANT = re.compile(r"\b(?:constexpr|constinit)\b[^;(){}=]*?\b(k[A-Z]\w*|[A-Z]\w*)\s*(?:\[[^\]]*\]\s*)*[={]")


def comments_of(text):
    """(line, text) of each line of a comment; text in quotes is left alone."""
    for number, line in enumerate(text.split("\n"), 1):
        if not re.search(r"//|[*#][ \t]", line):
            continue
        if found := COMMENT.search(TEXT.sub('""', line)):
            yield number, found.group(1)


def without_text(text):
    """C++ with blanks in place of comments, strings, characters and directives, line by line as it was."""
    blank = lambda found: re.sub(r"[^\n]", " ", found.group(0))
    text = re.sub(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', blank, text, flags=re.DOTALL)
    text = re.sub(r"(?<!\w)'(?:[^'\\\n]|\\.)+'", blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.MULTILINE)


def functions_of(text):
    """(first line, lines) of each function that is defined outside of another one."""
    text = without_text(text)
    blocks, head, line, head_line = [], "", 1, 1
    for found in re.finditer(r"[^{};:\n]+|.", text, re.DOTALL):
        character = found.group(0)  # or several that mean nothing here
        if character == "\n":
            line += 1
        if character == "{":
            words = re.sub(r"^(?:\s*template\s*<[^{;]*?>(?=\s*[\w\[]))+", "", head).strip()
            inside = any(kind != "scope" for kind, _ in blocks)
            kind = "block"
            if not inside and SCOPE.match(words):
                kind = "scope"
            elif not inside and MEMBER.search(words):
                kind = "member"  # of a constructor's list: the same head goes on
            elif not inside and FUNCTION.search(words):
                kind = "function"
            blocks.append((kind, head_line if head.strip() else line))
            if kind != "member":
                head = ""
            continue
        if character == "}" and blocks:
            kind, first = blocks.pop()
            if kind == "function":
                yield first, line - first + 1
            head = head + ")" if kind == "member" else ""
            continue
        if character == ";" or (character == ":" and re.search(r"\b(?:public|private|protected)\s*$", head)):
            head = ""
            continue
        if not head.strip() and not character.isspace():
            head, head_line, character = "", line, character.lstrip()
        head += character


def product_offences(path, text):
    """Sizes, and names of constants, of a file of the product."""
    count = text.count("\n")
    most = MOST_LINES.get(path.suffix)
    if most and count > most:
        yield "size", 1, f"{count} lines, {most} are allowed: cut it where a part has a responsibility of its own"
    if path.suffix not in {".cpp", ".h"}:
        return
    for first, lines in functions_of(text):
        if lines > MOST_FUNCTION_LINES:
            yield "function", first, f"a function of {lines} lines, {MOST_FUNCTION_LINES} are allowed"
    if re.search(r"^#include <regex>", text, re.MULTILINE) and not REGEX_USERS.match(str(path)):
        yield ("regex", text.count("\n", 0, text.index("#include <regex>")) + 1,
               "std::regex overflows the stack in long texts: tools/pattern.h, or a loop")
    code = without_text(text)
    for found in THRESHOLD.finditer(code) if DECIDING.match(str(path)) else ():
        yield ("threshold", code.count("\n", 0, found.start(1)) + 1,
               f"'{found.group(1)}': thresholds stand in compiler/ir/cost_of_*.h, with where they come from")
    for found in CONSTANT.finditer(code):
        if not re.search(r"\b(?:class|struct|enum|operator|template|auto\s*\w*\s*\(|requires)\b", found.group(0)):
            yield "constant", code.count("\n", 0, found.start(1)) + 1, f"'{found.group(1)}': constants are camelBack"


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
