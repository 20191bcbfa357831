#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Findings in a program in Python name its lines, and what a kept binary hides is said: run.py CLARITY"""
import json
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
PROGRAM, STRUCTURES, VALUES = (FOLDER / name for name in ("program.py", "structures.py", "values.py"))


def findings(clarity, program, *words):
    """The exit code, and (kind, file, line) of each finding."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        done = subprocess.run([clarity, "check", "--json", file.name, sys.executable, program, *words], timeout=120,
                              capture_output=True, check=False)
        found = json.loads(file.read() or b"[]")
    places = [(each["kind"], pathlib.Path(each["place"]["file"]).name, each["place"]["line"]) for each in found]
    return done.returncode, places, done.stderr.decode(errors="replace")


def check_kept_binary(clarity):
    """A binary of a run without checks: its kernel cannot be checked, and that is no success."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, FOLDER / "binary.py", f"{folder}/binary"]
        subprocess.run([clarity, "run", *words], timeout=120, check=True)
        for code, said in ((125, "not checked: kernel 'nothing'"), (0, "checked 1 kernel in 1 launch")):
            done = subprocess.run([clarity, "check", *words], timeout=120, capture_output=True, check=False)
            text = done.stderr.decode(errors="replace")
            if done.returncode != code or said not in text:
                sys.exit(f"a kept binary: exit code {done.returncode}, not {code}, and\n{text}")
            pathlib.Path(f"{folder}/binary").unlink()


def marked(program):
    lines = program.read_text(encoding="utf-8").splitlines()
    numbers = [number for number, line in enumerate(lines, 1) if "# wrong:" in line]
    return lines, {("argument-kind", program.name, number) for number in numbers}


def check_kinds(clarity, program):
    """Members of structures, which Python's buffers describe; values by what they are."""
    _, wrong = marked(program)
    for words, expected in (((), wrong), (("right",), set())):
        code, places, text = findings(clarity, program, *words)
        if code != bool(expected) or set(places) != expected:
            sys.exit(f"{program.name} {words}: exit code {code}, findings {places}\n{text}")


def main(clarity):
    lines, wrong = marked(PROGRAM)
    code, places, text = findings(clarity, PROGRAM)
    leaks = [place for place in places if place[0] == "leaked-object"]
    # Python's version decides which line of a call in several lines is named.
    mine = [number for number, line in enumerate(lines, 1) if "clEnqueueNDRangeKernel" in line][0]
    if code != 1 or {place for place in places if place[0] != "leaked-object"} != wrong or len(leaks) != 1 or \
            leaks[0][1] != PROGRAM.name or not mine <= leaks[0][2] <= mine + 1:
        sys.exit(f"exit code {code}, findings {places}\n{text}")
    code, places, text = findings(clarity, PROGRAM, "right")
    if code != 0 or places:
        sys.exit(f"in the right one: exit code {code}, findings {places}\n{text}")
    check_kinds(clarity, STRUCTURES)
    check_kinds(clarity, VALUES)
    check_kept_binary(clarity)


if __name__ == "__main__":
    main(sys.argv[1])
