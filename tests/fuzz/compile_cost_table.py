#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the table of docs/kernel-compiler.md from what compile_cost printed, of one run or of several over other seeds
(of a seed that was measured twice the least of each form):

    for first in 1 101 201; do compile_cost --seed $first --count 100 > cost-$first.log; done
    tests/fuzz/compile_cost_table.py cost-*.log
"""
import pathlib
import re
import sys

LINE = re.compile(r"seed (\d+): ([\d.]+) s, in packets ([\d.]+) s, (\d+) MB(.*)")
MOST_TIMES, BESIDE, MOST_MEGABYTES = 5, 0.05, 300


def main():
    rows = {}
    for name in sys.argv[1:]:
        for line in pathlib.Path(name).read_text().splitlines():
            found = LINE.fullmatch(line)
            if found and found.group(5):
                raise SystemExit(f"{name}: {line}")
            if found:
                row = tuple(float(found.group(i)) for i in (2, 3, 4))
                seed = int(found.group(1))
                rows[seed] = tuple(map(min, row, rows.get(seed, row)))
    if not rows:
        raise SystemExit(__doc__)

    def ratio(row):
        return (row[1] - BESIDE) / row[0]

    def line(name, value, digits):
        values = sorted(map(value, rows.values()))
        shares = [values[int(share * (len(values) - 1))] for share in (0.5, 0.9, 0.99, 1)]
        print(f"| {name} | " + " | ".join(f"{each:.{digits}f}" for each in shares) + " |")

    print(f"| {len(rows)} programs | median | 90 % | 99 % | most |\n|---|---|---|---|---|")
    line("one work-item at a time, s", lambda row: row[0], 2)
    line("in packets, s", lambda row: row[1], 2)
    line("ratio, 50 ms less", ratio, 2)
    line("in packets, MB", lambda row: row[2], 0)
    beyond = sorted((each for each in rows if ratio(rows[each]) > MOST_TIMES or rows[each][2] > MOST_MEGABYTES),
                    key=lambda each: -ratio(rows[each]))
    print(f"\n{len(beyond)} beyond {MOST_TIMES} times and {1000 * BESIDE:.0f} ms, or {MOST_MEGABYTES} MB"
          + "".join(f"{', ' if i else ': '}seed {each} {ratio(rows[each]):.1f}" for i, each in enumerate(beyond)))


if __name__ == "__main__":
    main()
