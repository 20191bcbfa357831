#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what `clarity check` says about the program sum.c as finding.svg: a terminal with its report.

  make_finding.py CLARITY CC            runs the program, keeps the report in finding.txt, and draws it
  make_finding.py --check CLARITY CC    writes nothing; exit code 1 if the report is not that of finding.txt, or
                                        finding.svg is not what finding.txt gives

CLARITY is the tool, CC a C compiler. The tool writes no colours into a file: they are added by the words of the report.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

import svg

FOLDER = pathlib.Path(__file__).resolve().parent
REPORT, PICTURE = FOLDER / "finding.txt", FOLDER / "finding.svg"
COMMAND = "clarity check ./sum"
SECONDS = 120

# All lengths are in pixels. The width is that of a page of Markdown on code hosts.
WIDTH, MARGIN, TOP, LINE, LARGEST = 830, 20, 62, 20, 15
CHARACTER = 0.602  # of the font's size: each character's width, in whatever font, so that carets stay in place
BACK, BAR, INK = "#161b22", "#21262d", "#e6edf3"
# The first pattern that fits a line colours its groups; what is between them has the colour of the text.
RULES = [
    (re.compile(r"^(\$ )(.*)$"), ("#8b949e", "#e6edf3")),
    (re.compile(r"^(\S+:\d+:\d+: )(error: )(.*?)(\[[a-z-]+\])?$"), ("#e6edf3", "#ff7b72", "#e6edf3", "#d2a8ff")),
    (re.compile(r"^(\S+:\d+:\d+: )(note: )(.*)$"), ("#e6edf3", "#79c0ff", "#e6edf3")),
    (re.compile(r"^(.*\|)( *\^~*)$"), ("#8b949e", "#7ee787")),
    (re.compile(r"^( *\d+ \|)(.*)$"), ("#8b949e", "#e6edf3")),
    (re.compile(r"^( +help: )(.*)$"), ("#7ee787", "#e6edf3")),
    (re.compile(r"^(clarity check: .*)$"), ("#ffa657",)),
]


def reported(clarity, compiler):
    """The report on the program, as a terminal would show it below the command."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source in (FOLDER / "sum.c", FOLDER / "sum.cl", FOLDER.parent / "check/example.h"):
            shutil.copy(source, folder)
        subprocess.run([compiler, "-g", "sum.c", "-lOpenCL", "-o", "sum"], cwd=folder, check=True)
        environment = dict(os.environ, CLARITY_CACHE="0", CLARITY_MESSAGES="never")
        done = subprocess.run([pathlib.Path(clarity).resolve(), *COMMAND.split()[1:]], cwd=folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False, text=True)
    return done.stdout


def compared(text):
    """Without what differs from run to run, how often threads met, and from compiler to compiler: the columns that the
    debugging information of a host program has."""
    text = re.sub(r"found \d+ times", "found N times", text)
    if re.search(r"^(sum\.c|example\.h):", text, re.MULTILINE):
        text = re.sub(r"^((?:sum\.c|example\.h):\d+):\d+:", r"\1:", text, flags=re.MULTILINE)
        text = re.sub(r"^ +\| +\^$", "^", text, flags=re.MULTILINE)
    return text


def spans(line):
    for pattern, colours in RULES:
        if found := pattern.match(line):
            return [(found.group(i + 1) or "", colour) for i, colour in enumerate(colours)]
    return [(line, INK)]


def draw(report):
    lines = [f"$ {COMMAND}", *report.rstrip("\n").splitlines()]
    total = TOP + LINE * len(lines) + 2
    size = min(LARGEST, (WIDTH - 2 * MARGIN) / CHARACTER / max(len(line) for line in lines))
    character = CHARACTER * size
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{total}" viewBox="0 0 {WIDTH} {total}">',
             "<!-- Made by make_finding.py from finding.txt. -->",
             f"<title>{escape(COMMAND)}</title>",
             f'<rect width="{WIDTH}" height="{total}" rx="10" fill="{BACK}"/>',
             f'<path d="M0 32 V10 a10 10 0 0 1 10 -10 H{WIDTH - 10} a10 10 0 0 1 10 10 V32 z" fill="{BAR}"/>']
    for index, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        parts.append(f'<circle cx="{MARGIN + 20 * index}" cy="16" r="6" fill="{colour}"/>')
    parts.append(f'<g font-family="\'DejaVu Sans Mono\', Menlo, Consolas, monospace" font-size="{size:.2f}">')
    for number, line in enumerate(lines):
        column = 0
        for part, colour in spans(line):
            indent, text = len(part) - len(part.lstrip(" ")), part.strip(" ")
            if text:
                parts.append(f'<text x="{MARGIN + (column + indent) * character:.1f}" y="{TOP + LINE * number}" '
                             f'fill="{colour}" textLength="{len(text) * character:.1f}" '
                             f'lengthAdjust="spacingAndGlyphs">{escape(text)}</text>')
            column += len(part)
    return "\n".join(parts + ["</g>", "</svg>", ""])


def main(arguments):
    check = arguments[:1] == ["--check"]
    arguments = arguments[check:]
    if len(arguments) != 2:
        sys.exit(__doc__)
    report = reported(*arguments)
    if not check:
        REPORT.write_text(report, encoding="utf-8")
        PICTURE.write_text(draw(report), encoding="utf-8")
        return
    kept = REPORT.read_text(encoding="utf-8")
    if compared(report) != compared(kept):
        sys.exit(f"{REPORT} says\n{kept}but the report is\n{report}run {pathlib.Path(__file__).name}")
    svg.require_current(PICTURE, draw(kept), REPORT)


if __name__ == "__main__":
    main(sys.argv[1:])
