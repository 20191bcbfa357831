#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file writes the conversion checks: one function for each destination, source, saturation and rounding mode, which
# converts an array element by element and then at every vector width, counting the elements in which a vector differs.
#
#   generate_conversion_checks.py cl > conversions.cl      generate_conversion_checks.py def > conversions.def
"""Generates the OpenCL C side of the conversion tests and the list of its functions."""

import sys

INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
FLOATS = ["half", "float", "double"]
MODES = ["", "_rte", "_rtz", "_rtp", "_rtn"]
WIDTHS = [2, 3, 4, 8, 16]

HEADER = """#define CHECK(D, S, SUFFIX, NAME)                                                      \\
  void NAME(global const S *in, global D *out, int count, global int *mismatches) {             \\
    for (int i = 0; i < count; ++i) out[i] = convert_##D##SUFFIX(in[i]);                         \\
"""
VECTOR = """    for (int i = 0; i + {n} <= count; i += {n}) {{                                               \\
      D values[{n}];                                                                             \\
      vstore{n}(convert_##D##{n}##SUFFIX(vload{n}(0, in + i)), 0, values);                       \\
      for (int j = 0; j < {n}; ++j) *mismatches += differ_##D(values[j], out[i + j]);            \\
    }}                                                                                           \\
"""
DIFFER_FLOAT = "int differ_{t}({t} a, {t} b) {{ return as_{i}(a) != as_{i}(b) && !(a != a && b != b); }}"
DIFFER_INTEGER = "int differ_{t}({t} a, {t} b) {{ return a != b; }}"


def cases():
    for to in INTEGERS + FLOATS:
        for source in INTEGERS + FLOATS:
            for saturate in ("", "_sat") if to in INTEGERS else ("",):
                for mode in MODES:
                    yield to, source, saturate, mode


def main(arguments):
    if arguments[1:] == ["def"]:
        for to, source, saturate, mode in cases():
            name = f"check_{to}{saturate}{mode}_{source}"
            rounding = mode[1:] or "none"
            print(f"CONVERSION({name}, {to}, {source}, {'true' if saturate else 'false'}, {rounding})")
        return 0
    if arguments[1:] != ["cl"]:
        print(f"usage: {arguments[0]} cl|def", file=sys.stderr)
        return 2
    print("#pragma OPENCL EXTENSION cl_khr_fp16 : enable")
    for name, bits in zip(FLOATS, ("short", "int", "long")):
        print(DIFFER_FLOAT.format(t=name, i=bits))
    for name in INTEGERS:
        print(DIFFER_INTEGER.format(t=name))
    print(HEADER + "".join(VECTOR.format(n=n) for n in WIDTHS) + "  }")
    for to, source, saturate, mode in cases():
        print(f"CHECK({to}, {source}, {saturate}{mode}, check_{to}{saturate}{mode}_{source})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
