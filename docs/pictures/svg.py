# SPDX-License-Identifier: Apache-2.0
"""Shared by the programs that draw pictures: text in an SVG, and the choice between writing and checking."""
import pathlib
import sys
from xml.sax.saxutils import escape

INK = "#1b2430"
FONT = "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\""


def label(x, y, text, size=12, anchor="start", colour=INK, weight="normal"):
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="{weight}" fill="{colour}" '
            f'text-anchor="{anchor}">{escape(text)}</text>')


def require_current(path, picture, source):
    """Ends the program with a message if the file is not the picture of its source."""
    if not path.exists() or path.read_text(encoding="utf-8") != picture:
        sys.exit(f"{path} is not what {source.name} gives: run {pathlib.Path(sys.argv[0]).name}")


def write_or_check(path, picture, source, usage):
    """Without arguments of the command line writes the picture; with --check requires that it is there already."""
    if sys.argv[1:] == ["--check"]:
        require_current(path, picture, source)
    elif sys.argv[1:]:
        sys.exit(usage)
    else:
        path.write_text(picture, encoding="utf-8")
