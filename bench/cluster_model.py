#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs cluster_model on modelled clusters of several sizes and prints a table of what it says.

  cluster_model.py BUILD [--nodes 1 3 7 16 64 256 1024]

BUILD is the build folder (ninja clarity_modelled_nodes cluster_model). On real nodes:
mpirun -n 4 clarity run --cluster BUILD/bin/cluster_model real
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile


def run(build, nodes):
    """{what: number} of the lines that cluster_model prints."""
    driver = os.path.abspath(os.path.join(build, "bench", "libclarity_modelled_nodes.so"))
    with tempfile.NamedTemporaryFile("w", suffix=".icd") as icd:
        icd.write(driver + "\n")
        icd.flush()
        environment = dict(os.environ, OCL_ICD_VENDORS=icd.name, OCL_ICD_FILENAMES=driver, CLARITY_MODEL_DRIVER=driver,
                           CLARITY_MODEL_NODES=str(nodes))
        program = os.path.join(build, "bin", "cluster_model")
        done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{nodes} nodes: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return [line.rsplit(": ", 1) for line in done.stdout.splitlines() if ": " in line]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1, 3, 7, 16, 64, 256, 1024])
    arguments = parser.parse_args()
    rows = {}
    for nodes in arguments.nodes:
        for what, value in run(arguments.build, nodes):
            rows.setdefault(what, []).append(re.sub(r" (by the clock|of rank 0's processor)", "", value))
    print("| nodes | " + " | ".join(str(each) for each in arguments.nodes) + " |")
    print("|" + "---|" * (len(arguments.nodes) + 1))
    for what, values in rows.items():
        print(f"| {what} | " + " | ".join(values) + " |")


if __name__ == "__main__":
    main()
