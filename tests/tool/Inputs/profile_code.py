# SPDX-License-Identifier: Apache-2.0
"""Prints a driver's record of a kernel whose lines were sampled: profile_code.py CASE."""
import json
import sys


def sums(declared, type_name, line):
    return f"""{declared}
kernel void k(global {type_name}* a, global {type_name}* b, int n) {{
  int i = get_global_id(0);
  {type_name} v = a[i];
  for (int j = 0; j < n; ++j)
    {line}
  b[i] = v;
}}
"""


def kept(first, second):
    return f"""
kernel void k(global float* a, local float* t, int n) {{
  int l = get_local_id(0);
  {first}
  {second}
  for (int j = 0; j < 4; ++j) few[j] = a[j + l];
  for (int j = 0; j < 32; ++j) sums[j] = 0;
  for (int i = 0; i < n; ++i) {{
    t[l] = a[(i * 64 + l) & 65535] * few[i & 3 ? 0 : 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 32; ++j) sums[j] += t[(l + j) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
  }}
  float s = few[0];
  for (int j = 0; j < 32; ++j) s += sums[j] * (j + 1);
  a[get_global_id(0)] = s;
}}
"""


FEW, SUMS = "float few[4];", "real sums[COUNT * 2];"
TERMS = " + ".join(f"a[i + {k & 15}] * {k}.5f" for k in range(2000))
CASES = {  # source, options, the line with samples
    "float": (sums("typedef float real;\ntypedef double wide;", "real", "v = v * 0.999 + 0.001;"), "", 7),
    "double": (sums("typedef double real;", "real", "v = v * 0.999 + 0.001;"), "", 6),
    "named": (sums("typedef double wide;\ntypedef wide real;", "real", "v = v * 0.999 + 0.001;"), "", 7),
    "option": (sums("#define real REAL", "real", "v = v * 0.999 + 0.001;"), "-DREAL=double", 6),
    "member": (sums("typedef struct { double d; } pair;", "float", "v = v * ((global pair*)b)[j].d + 0.001;"), "", 6),
    "kept": ("typedef float real;\n#define COUNT 16" + kept(FEW, SUMS), "", 11),
    "turned": ("typedef float real;\n#define COUNT 16" + kept(SUMS, FEW), "", 11),
    "comments": ("/*" + "*" * 150000 + "*/ //" + "x" * 150000 + "\n" +
                 sums("/*" + "a[i] = " * 20000 + "*/", "float", "v = v * 0.999f + 0.001f;"), "", 7),
    "terms": (sums("", "float", f"v = v * 0.5f + ({TERMS});"), "", 6),
}

source, options, line = CASES[sys.argv[1]]
MILLISECOND, LAUNCHES = 1_000_000, 20
# Launches of three command-queues run at the same time.
commands = []
for step in range(3 * LAUNCHES if sys.argv[1] == "float" else LAUNCHES):
    begin = (step % LAUNCHES) * MILLISECOND
    commands.append({"name": "clEnqueueNDRangeKernel", "kernel": 1, "thread": 1, "call": step, "queue": 7, "dims": 1,
                     "global": [65536, 1, 1], "local": [64, 1, 1], "bytes": 0, "status": 0, "blocking": False,
                     "times": [begin, begin, begin, begin + MILLISECOND], "after": []})
calls = [{"name": "clEnqueueNDRangeKernel", "args": "", "begin": step, "end": step + 1, "error": 0}
         for step in range(len(commands))]
print(json.dumps({"clarity": "profile 1", "process": 1, "command": "made", "begin": 0, "end": LAUNCHES * MILLISECOND,
                  "dropped": 0, "kernels": ["k"], "queues": [{"id": 7, "device": "a CPU", "outOfOrder": False}],
                  "threads": [{"id": 1, "calls": calls}], "commands": commands, "compiles": [], "counts": [],
                  "sources": [source], "builds": [{"source": 0, "options": options}], "sampleTime": MILLISECOND,
                  "samples": [{"kernel": "k", "file": "program.cl", "line": line, "function": "k", "count": 20,
                               "denormals": 0, "callers": []}]}))
