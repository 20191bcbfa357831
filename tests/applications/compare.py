#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two files of pixels: fails if they differ by more than is allowed, or if the reference has one value only.

    compare.py [--type u1|u2|f4] [--largest N] [--mean N] [--many N] RESULT REFERENCE

--largest: most that any value may differ. --mean: most that the mean of all differences may be. --many: the part of
all values that may differ by more than --largest (default 0).
"""
import argparse
import array
import math
import pathlib
import sys

TYPES = {"u1": "B", "u2": "H", "f4": "f"}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--type", choices=TYPES, default="u1")
    parser.add_argument("--largest", type=float, default=0)
    parser.add_argument("--mean", type=float, default=math.inf)
    parser.add_argument("--many", type=float, default=0)
    parser.add_argument("result")
    parser.add_argument("reference")
    options = parser.parse_args()
    code = TYPES[options.type]
    result, reference = (array.array(code, pathlib.Path(path).read_bytes())
                         for path in (options.result, options.reference))
    if len(result) != len(reference):
        sys.exit(f"wrong: {options.result} has {len(result)} values, {options.reference} {len(reference)}")
    if len(set(reference)) < 2:
        sys.exit(f"wrong: {options.reference} holds fewer than two different values, which checks nothing")
    differences = [abs(a - b) for a, b in zip(result, reference)]
    # "Not less or equal" holds for NaN too.
    larger = [i for i, difference in enumerate(differences) if not difference <= options.largest]
    mean = sum(differences) / len(differences)
    if len(larger) > options.many * len(differences) or not mean <= options.mean:
        at = larger[0] if larger else 0
        sys.exit(f"wrong: {options.result} and {options.reference}: {len(larger)} of {len(differences)} values "
                 f"differ by more than {options.largest:g}, the mean is {mean:g}; "
                 f"value {at}: {result[at]:g} for {reference[at]:g}")
    print(f"largest difference {max(differences):g}, mean {mean:.3g}")


if __name__ == "__main__":
    main()
