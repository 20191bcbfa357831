#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the summary table of docs/performance.md, which bench/compare.py writes, as speed.svg: for each group of
kernels the time of another implementation divided by Clarity's, on a logarithmic axis.

  make_speed.py            writes speed.svg beside this file
  make_speed.py --check    writes nothing; exit code 1 if speed.svg is not what the table gives
"""
import math
import pathlib
import re

import svg

FOLDER = pathlib.Path(__file__).resolve().parent
TABLE, PICTURE = FOLDER.parent / "performance.md", FOLDER / "speed.svg"
BEGIN, END = "<!-- compare.py summary -->", "<!-- compare.py end -->"

# All lengths are in pixels. The width is that of a page of Markdown on code hosts.
WIDTH, LEFT, RIGHT, TOP, BOTTOM = 830, 118, 60, 76, 40
BAR, SPACE = 9, 9  # one bar is one implementation; the space separates groups
COLOURS = ["#3b6fb6", "#d08a1d"]
FAINT = "#c9d0d9"


def table():
    """The machine, the names of the other implementations, and (group, cases, factors) of each row."""
    text = TABLE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    machine = re.search(r"^Machine: (.*?)$\n\n", text, re.MULTILINE | re.DOTALL).group(1).replace("\n", " ")
    rows = [[cell.strip(" *") for cell in line.strip("| ").split("|")] for line in text.splitlines() if line[:1] == "|"]
    names = [head.removesuffix(" / Clarity") for head in rows[0][2:]]
    return machine, names, [(row[0], row[1], [None if cell == "-" else float(cell) for cell in row[2:]])
                            for row in rows[2:]]


def draw(machine, names, rows):
    step = len(names) * BAR + SPACE
    bottom = TOP + len(rows) * step
    total = bottom + BOTTOM
    largest = max(factor for _, _, factors in rows for factor in factors if factor)
    scale = (WIDTH - LEFT - RIGHT) / math.log10(largest)

    def place(factor):
        return LEFT + max(0.0, math.log10(factor)) * scale

    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500) if tick <= largest]
    title = "How many times as long other CPU implementations take"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{total}" viewBox="0 0 {WIDTH} {total}" '
             f"{svg.FONT}>", "<!-- Made by make_speed.py from docs/performance.md. -->", f"<title>{title}</title>",
             f'<rect width="{WIDTH}" height="{total}" rx="10" fill="#ffffff"/>',
             svg.label(24, 30, title, 17, weight="bold")]
    x = 24
    for name, colour in zip(names, COLOURS):
        parts.append(f'<rect x="{x}" y="42" width="12" height="12" fill="{colour}"/>')
        parts.append(svg.label(x + 18, 53, f"{name} / Clarity", 12.5))
        x += 40 + 7 * len(name + " / Clarity")
    for tick in ticks:
        parts.append(f'<path d="M{place(tick):.1f} {TOP - 6} V{bottom}" stroke="{FAINT}"/>')
        parts.append(svg.label(place(tick), bottom + 14, f"{tick}", 11, "middle"))
    for index, (group, _, factors) in enumerate(rows):
        y = TOP + index * step
        weight = "bold" if group == "all" else "normal"
        parts.append(svg.label(LEFT - 8, y + len(names) * BAR / 2 + 4, group, 12.5, "end", weight=weight))
        for position, (factor, colour) in enumerate(zip(factors, COLOURS)):
            top = y + position * BAR
            if factor is None:
                parts.append(svg.label(LEFT + 4, top + BAR - 1, "no support", 9.5, colour="#55606e"))
                continue
            parts.append(f'<rect x="{LEFT}" y="{top}" width="{place(factor) - LEFT:.1f}" height="{BAR - 1}" '
                         f'fill="{colour}"/>')
            parts.append(svg.label(place(factor) + 4, top + BAR - 1, f"{factor:.1f}", 9.5, weight=weight))
    parts.append(svg.label(24, total - 9, machine.rstrip("."), 10.5, colour="#55606e"))
    return "\n".join(parts + ["</svg>", ""])


if __name__ == "__main__":
    svg.write_or_check(PICTURE, draw(*table()), TABLE, __doc__)
