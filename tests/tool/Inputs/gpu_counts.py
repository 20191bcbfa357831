# SPDX-License-Identifier: Apache-2.0
"""Prints what counted code on a GPU says of kernels: gpu_counts.py CLARITY FILE."""
import json
import subprocess
import sys
import tempfile

clarity, file = sys.argv[1:]
KERNELS = {"side_by_side": "-a iota:64K -a zeros:64K -g 64K -l 128",
           "by_columns": "-a iota:64K -a zeros:64K -g 64K -l 128",
           "wide": "-a iota:64K -a zeros:64K -g 16K -l 128", "one_word": "-a iota:64K -a zeros:64K -g 64K -l 128",
           "banks": "-a iota:8K -g 8K -l 64", "halves": "-a iota:8K -g 8K -l 128", "lengths": "-a iota:4K -g 4K -l 64",
           "edges": "-a iota:4K -g 1000 -l 128 -b -cl-std=CL3.0"}
for kernel, arguments in KERNELS.items():
    with tempfile.NamedTemporaryFile() as sums:
        subprocess.run([clarity, "profile", "--quiet", "--json", sums.name, clarity, "exec", file, kernel,
                        *arguments.split(), "--repeat", "3"], check=True, stdout=subprocess.DEVNULL)
        summary = json.load(sums)[0]["kernels"][0]
    work = summary["work"]
    print(f"{kernel}: {summary['count']} measured, {work['bytes_read']:.0f} + {work['bytes_written']:.0f} bytes, "
          f"{work['local_bytes']:.0f} local, {work['float_operations']:.0f} float")
    for line in work["lines"]:
        if line["requests"] or line["local_requests"] or line["active_threads"] not in (0, 32):
            print(f"  line {line['line']}: {line['executions']:.0f} times, {line['active_threads']:.1f} threads; "
                  f"{line['requests']:.0f} requests, {line['sectors']:.0f} sectors of {line['least_sectors']:.0f}; "
                  f"{line['local_requests']:.0f} requests, {line['passes']:.0f} passes of {line['least_passes']:.0f}")
