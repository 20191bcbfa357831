#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""assemble.py PTXAS[:PTXAS...] COMMAND...: runs the command, hands its standard output on, and assembles that if it is
PTX, by the first of the assemblers that knows the GPU. Without one a line on standard error says so."""
import re
import subprocess
import sys
import tempfile


def known(ptxas):
    """The GPUs that an assembler knows: "sm_50" and so on."""
    text = subprocess.run([ptxas, "--help"], capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"'(sm_\w+)'", text))


def assemble(every, text):
    target = re.search(rb"^\.target (sm_\w+)", text, re.M).group(1).decode()
    ptxas = next((each for each in every if target in known(each)), None)
    if not ptxas:
        print(f"not assembled: {', '.join(every)} do not know {target}", file=sys.stderr)
        return 0
    with tempfile.NamedTemporaryFile(suffix=".ptx") as file:
        file.write(text)
        file.flush()
        return subprocess.run([ptxas, "-arch", target, file.name, "-o", "/dev/null"], check=False).returncode


def main():
    done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, check=False)
    sys.stdout.buffer.write(done.stdout)
    sys.stdout.flush()
    if done.returncode == 0 and re.search(rb"^\.target sm_", done.stdout, re.M):
        return assemble(sys.argv[1].split(":"), done.stdout)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
