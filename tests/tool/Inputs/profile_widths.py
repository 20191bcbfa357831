# SPDX-License-Identifier: Apache-2.0
"""Shows a record at many widths: profile_widths.py CLARITY RECORD. No line is wider, begins with the unit of a number
of the line before, or says a part of 0 %."""
import os
import re
import subprocess
import sys

UNIT = r"([kMGT]|%|[nmu]?s|[kMGT]?(B|FLOP)(/s)?)([ ,;:)]|$)"
WIDTHS = range(60, 120, 2)
for columns in WIDTHS:
    text = subprocess.run([sys.argv[1], "profile", "--read", sys.argv[2]], check=True, stderr=subprocess.PIPE,
                          env=os.environ | {"COLUMNS": str(columns)}).stderr.decode()
    lines = text.split("\n")
    for before, line in zip(lines, lines[1:]):
        assert len(line) <= columns or " " not in line.strip(), (columns, line)
        assert not (before[-1:].isdigit() and re.match(" *" + UNIT, line)), (columns, before, line)
        assert not re.search(r"(by|of|,) [A-Za-z0-9]+ 0 %", line), line
print(len(WIDTHS), "widths")
