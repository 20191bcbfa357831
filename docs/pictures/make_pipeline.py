#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws pipeline.txt as pipeline.svg.

  make_pipeline.py            writes pipeline.svg beside this file
  make_pipeline.py --check    writes nothing; exit code 1 if pipeline.svg is not what pipeline.txt gives

Columns stand side by side, boxes below each other, and an arrow leads from the last box of a column into the next
column: to its first box, or to the one that the last box names. Only the standard library is used, and the result
depends on the text alone.
"""
import functools
import pathlib
import sys
from xml.sax.saxutils import escape

import svg

FOLDER = pathlib.Path(__file__).resolve().parent
TEXT, PICTURE = FOLDER / "pipeline.txt", FOLDER / "pipeline.svg"

# All lengths are in pixels of the SVG's own coordinates.
MARGIN, COLUMN, GAP = 24, 268, 46
TITLE_HEIGHT, HEAD_HEIGHT, ARROW = 40, 52, 18
PADDING, LINE = 9, 15
TITLE_SIZE, HEAD_SIZE, BOX_SIZE, DETAIL_SIZE = 20, 15, 13.5, 11.5
CHARACTER = 0.53  # width of an average character, relative to the size of the font
COLOURS = {"step": ("#eef3fb", "#3b6fb6"), "data": ("#fdf3e1", "#b8791a")}  # inside, edge


def parse(text):
    """The title and a list of columns: (title, when, [(kind, title, detail, box of the next column)])."""
    title, columns = "", []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        first, second, third = ([part.strip() for part in rest.split("|")] + ["", ""])[:3]
        if word == "title":
            title = first
        elif word == "column":
            columns.append((first, second, []))
        elif word in COLOURS and columns:
            columns[-1][2].append((word, first, second, third))
        else:
            sys.exit(f"{TEXT.name}:{number}: expected title, column, step or data: {line}")
    return title, columns


def wrapped(text, size):
    """The text in lines that fit into a box."""
    lines, most = [""], (COLUMN - 2 * PADDING) / (size * CHARACTER)
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = (lines[-1] + " " + word).strip()
    return lines if text else []


def height(box):
    return 2 * PADDING + LINE + LINE * len(wrapped(box[2], DETAIL_SIZE))


def middle_of(boxes, name):
    """How far below the top of a column the middle of the box of this name is; of the first one without a name."""
    y = 0
    for box in boxes:
        if name in ("", box[1]):
            return y + height(box) / 2
        y += height(box) + ARROW
    sys.exit(f"{TEXT.name}: the next column has no box '{name}'")


label = functools.partial(svg.label, anchor="middle")


def arrow(*points):
    path = " ".join(f"{'L' if i else 'M'}{x:g} {y:g}" for i, (x, y) in enumerate(points))
    return f'<path d="{path}" fill="none" stroke="#55606e" stroke-width="1.5" marker-end="url(#end)"/>'


def draw(title, columns):
    tallest = max(sum(height(box) + ARROW for box in boxes) - ARROW for _, _, boxes in columns)
    width = 2 * MARGIN + len(columns) * COLUMN + (len(columns) - 1) * GAP
    top = MARGIN + TITLE_HEIGHT + HEAD_HEIGHT
    total = top + tallest + MARGIN
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}" '
             f'viewBox="0 0 {width} {total}" {svg.FONT}>',
             f"<!-- Made by make_pipeline.py from {TEXT.name}. -->",
             f"<title>{escape(title)}</title>",
             '<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
             'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#55606e"/></marker></defs>',
             f'<rect width="{width}" height="{total}" rx="10" fill="#ffffff"/>',
             label(width / 2, MARGIN + 20, title, TITLE_SIZE, weight="bold")]
    for index, (head, when, boxes) in enumerate(columns):
        left = MARGIN + index * (COLUMN + GAP)
        middle = left + COLUMN / 2
        parts.append(label(middle, MARGIN + TITLE_HEIGHT + 16, head, HEAD_SIZE, weight="bold"))
        parts.append(label(middle, MARGIN + TITLE_HEIGHT + 34, when, DETAIL_SIZE, colour="#55606e"))
        y = top
        for position, box in enumerate(boxes):
            kind, name, detail, target = box
            inside, edge = COLOURS[kind]
            corner = 4 if kind == "step" else 18
            parts.append(f'<rect x="{left}" y="{y}" width="{COLUMN}" height="{height(box)}" rx="{corner}" '
                         f'fill="{inside}" stroke="{edge}"/>')
            parts.append(label(middle, y + PADDING + 12, name, BOX_SIZE, weight="bold"))
            for i, line in enumerate(wrapped(detail, DETAIL_SIZE)):
                parts.append(label(middle, y + PADDING + 12 + LINE * (i + 1), line, DETAIL_SIZE, colour="#39434f"))
            below = y + height(box)
            if position + 1 < len(boxes):
                parts.append(arrow((middle, below), (middle, below + ARROW)))
            elif index + 1 < len(columns):
                channel = left + COLUMN + GAP / 2  # up between the columns
                next_middle = top + middle_of(columns[index + 1][2], target)
                parts.append(arrow((left + COLUMN, y + height(box) / 2), (channel, y + height(box) / 2),
                                   (channel, next_middle), (left + COLUMN + GAP, next_middle)))
            y = below + ARROW
    return "\n".join(parts + ["</svg>", ""])


if __name__ == "__main__":
    svg.write_or_check(PICTURE, draw(*parse(TEXT.read_text(encoding="utf-8"))), TEXT, __doc__)
