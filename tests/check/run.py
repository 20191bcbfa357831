#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kernels with a planted mistake under `clarity exec --check`, and compares what is found with their marks.

usage: run.py [--check=LIST] CLARITY FILE...

The folder of a file is the kind of its mistake. Its first lines say how it is run:

    // kernel: NAME
    // run: ARGUMENTS OF clarity exec
    // build: BUILD OPTIONS            (may be left out)
    // check: LIST                     (in place of all)
    // findings: N                     (how many; may be left out)
    // bounds: REASON                  (for a mistake that CLARITY_CHECK=bounds does not find)

As it stands, every line marked `// wrong` has to be the place of a finding or of another that took part, and lines
without `// wrong` or `// also` none. With -D RIGHT nothing may be found.
"""
import json
import os
import re
import shlex
import subprocess
import sys

SECONDS = 120


def header(text, name):
    found = re.search(rf"^// {name}: *(.*)$", text, re.MULTILINE)
    return found.group(1) if found else ""


def marked(text, mark):
    return {number for number, line in enumerate(text.split("\n"), 1) if re.search(rf"// {mark}\b", line)}


def run(clarity, checks, path, text, definition):
    """The exit code, the findings, and what was written to standard error. What kernels print comes first."""
    options = " ".join(filter(None, [header(text, "build"), definition]))
    if checks == "--check" and header(text, "check"):
        checks += "=" + header(text, "check")
    command = [clarity, "exec", "-q", checks, "--json", path, header(text, "kernel")]
    command += shlex.split(header(text, "run"))
    if options:
        command += ["--build", options]
    environment = dict(os.environ, CLARITY_CACHE="0")
    try:
        done = subprocess.run(command, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, [], f"not done after {SECONDS} s"
    errors = done.stderr.decode(errors="replace")
    try:
        return done.returncode, json.loads(done.stdout[done.stdout.index(b"{"):])["findings"], errors
    except (ValueError, KeyError) as wrong:
        return done.returncode, [], f"no findings in the output ({wrong})\n{errors}"


def lines_of(finding):
    """The lines of a finding, 0 for those that have none: work-items that have returned wait nowhere."""
    places = [finding["place"]] + [other["place"] for other in finding.get("others", [])]
    return {place["line"] for place in places}


def described(finding):
    lines = ", ".join(str(line) for line in sorted(lines_of(finding)))
    return f"{finding['kind']} in line {lines}: {finding['summary']}; {finding['what']}"


def problems_of_mistake(kind, text, code, findings):
    wrong = marked(text, "wrong")
    allowed = wrong | marked(text, "also") | {0}
    if code != 1:
        yield f"the exit code is {code}, not 1"
    if not wrong:
        yield "no line is marked"
    for finding in findings:
        if finding["kind"] != kind:
            yield "of another kind: " + described(finding)
        elif finding["place"]["line"] == 0 or not lines_of(finding) <= allowed:
            yield "at another place: " + described(finding)
    wanted = header(text, "findings")
    if wanted and len(findings) != int(wanted):
        yield f"{len(findings)} findings, not {wanted}"
    missed = wrong - set().union(*map(lines_of, findings))
    for line in sorted(missed):
        yield f"missed in line {line}: {text.split(chr(10))[line - 1].strip()}"


def problems_of_twin(code, findings):
    if code != 0:
        yield f"the exit code of the right twin is {code}"
    for finding in findings:
        yield "false alarm in the right twin: " + described(finding)


def check(clarity, checks, path):
    """Whether the file is found to be what it says."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    kind = os.path.basename(os.path.dirname(os.path.abspath(path)))
    isRight = True
    for definition in ("", "-D RIGHT"):
        isTwin = definition != ""
        if checks == "--check=bounds" and header(text, "bounds") and not isTwin:
            continue
        code, findings, errors = run(clarity, checks, path, text, definition)
        problems = list(
            problems_of_twin(code, findings) if isTwin else problems_of_mistake(kind, text, code, findings))
        for problem in problems:
            print(f"{path}: {problem}")
        if problems and not findings and errors.strip():
            print("  " + errors.strip().replace("\n", "\n  "))
        isRight = isRight and not problems
    return isRight


def main(arguments):
    checks = arguments.pop(0) if arguments and arguments[0].startswith("--check=") else "--check"
    if len(arguments) < 2:
        sys.exit(__doc__)
    wrong = [path for path in arguments[1:] if not check(arguments[0], checks, path)]
    print(f"{len(arguments) - 1} files, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
