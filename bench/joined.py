#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times joined_bench on a joined device and on what it is compared with, in turn, and prints a table.

  joined.py PROGRAM --alone cpu --joined 'joined(cpu,cpu)' [--scale 0.1] [--rounds 3]
  joined.py PROGRAM --alone nvidia --joined 'joined(nvidia)'

--alone and --joined are values of CLARITY_DEVICES, whose first devices are timed. The table has the times and what the
joined device gains. Results are compared bit by bit: exit code 1 if one differs.
"""
import argparse
import os
import subprocess
import sys


def measure(program, devices, scale):
    """{name: (milliseconds, hash of the results)}, and the name of the device."""
    environment = dict(os.environ, CLARITY_DEVICES=devices)
    run = subprocess.run([program, str(scale)], env=environment, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{devices}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
    lines = run.stdout.splitlines()
    times = {name: (float(time), result) for name, time, result in (line.split() for line in lines[1:])}
    return times, lines[0].removeprefix("device ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--alone", required=True)
    parser.add_argument("--joined", required=True)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    best, results, names = {}, {}, {}
    for _ in range(arguments.rounds):
        for devices in (arguments.alone, arguments.joined):
            times, names[devices] = measure(arguments.program, devices, arguments.scale)
            for case, (time, result) in times.items():
                best[case, devices] = min(time, best.get((case, devices), time))
                results.setdefault(case, set()).add(result)
    print(f"{names[arguments.alone]} | {names[arguments.joined]}")
    print("| | alone, ms | joined, ms | times as fast | results |\n|---|---|---|---|---|")
    for case, found in results.items():
        alone, joined = best[case, arguments.alone], best[case, arguments.joined]
        same = "same" if len(found) == 1 else "DIFFER"
        print(f"| {case} | {alone:.2f} | {joined:.2f} | {alone / joined:.2f} | {same} |")
    sys.exit(any(len(found) > 1 for found in results.values()))


if __name__ == "__main__":
    main()
