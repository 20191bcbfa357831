#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs host programs with a planted mistake under `clarity check`, and compares what is found with their marks.

usage: run_host.py CLARITY WRONG RIGHT FILE...

WRONG and RIGHT are executables that run the program of a file by its name, with and without its mistake. A line
`// kind: NAME` says what has to be found (several names: one of them), `// findings: N` how often, `// says: REGEX`
what a sentence of a finding contains, `// status: N` with which exit code the right twin ends (0), `// needs:
breakpoints` that the system has to let a process have those of the processor, `// needs: malloc` that the C library's
has to be there (the sanitizers' own changes where the mistake is noticed). Every line marked `// wrong` has to be the
place of a finding or of another that took part, and lines without `// wrong` or `// also` none.
"""
import ctypes
import json
import os
import platform
import re
import struct
import subprocess
import sys
import tempfile

SECONDS = 120


def header(text, name, otherwise=""):
    found = re.search(rf"^// {name}: *(.*)$", text, re.MULTILINE)
    return found.group(1) if found else otherwise


def marked(text, mark):
    return {number for number, line in enumerate(text.split("\n"), 1) if re.search(rf"// {mark}\b", line)}


def run(clarity, program, name, **environment):
    """The exit code, the findings, and what was written to standard error."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        try:
            done = subprocess.run([clarity, "check", "--json", file.name, program, name], capture_output=True,
                                  timeout=SECONDS, check=False,
                                  env=dict(os.environ, CLARITY_MESSAGES="never", **environment))
        except subprocess.TimeoutExpired:
            return None, [], f"not done after {SECONDS} s"
        text = file.read()
    return done.returncode, json.loads(text or "[]"), done.stderr.decode(errors="replace")


def lines_of(finding, file):
    """The lines of a finding in the program's own file."""
    places = [finding["place"]] + [other["place"] for other in finding.get("others", [])]
    return {place["line"] for place in places if os.path.basename(place["file"]) == file}


def described(finding):
    return f"{finding['kind']} in {finding['place']['file']}:{finding['place']['line']}: {finding['summary']}"


def problems_of_mistake(text, file, code, findings):
    kinds, wrong = header(text, "kind").split(), marked(text, "wrong")
    allowed = wrong | marked(text, "also")
    if code != 1:
        yield f"the exit code is {code}, not 1"
    if not wrong:
        yield "no line is marked"
    for finding in findings:
        if finding["kind"] not in kinds:
            yield "of another kind: " + described(finding)
        elif not lines_of(finding, file) <= allowed:
            yield f"at another place ({sorted(lines_of(finding, file))}): " + described(finding)
    wanted = header(text, "findings")
    if wanted and len(findings) != int(wanted):
        yield f"{len(findings)} findings, not {wanted}"
    said = header(text, "says")
    sentences = [party["what"] for finding in findings for party in [finding, *finding.get("others", [])]]
    if said and not any(re.search(said, sentence) for sentence in sentences):
        yield f"no finding says '{said}': {sentences}"
    for line in sorted(wrong - set().union(*(lines_of(finding, file) for finding in findings))):
        yield f"missed in line {line}: {text.split(chr(10))[line - 1].strip()}"


def problems_of_twin(text, code, findings):
    if code != int(header(text, "status", "0")):
        yield f"the exit code of the right twin is {code}"
    for finding in findings:
        yield "false alarm in the right twin: " + described(finding)


def hasBreakpoints():
    """Whether perf_event_open gives this process a breakpoint for data."""
    number = {"x86_64": 298, "aarch64": 241}.get(platform.machine())
    library = ctypes.CDLL(None, use_errno=True)
    watched = ctypes.c_int()
    # struct perf_event_attr: type 5, disabled, without the kernel; bp_type 3, bp_addr, bp_len 4.
    attributes = struct.pack("=IIQQQQQIIQQ", 5, 72, 0, 1, 0, 0, 0x61, 0, 3, ctypes.addressof(watched), 4)
    file = library.syscall(number, attributes, 0, -1, -1, 0) if number else -1
    if file >= 0:
        os.close(file)
    return file >= 0


def check(clarity, wrong, right, path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name = os.path.splitext(os.path.basename(path))[0]
    if header(text, "needs") == "breakpoints" and not hasBreakpoints():
        print(f"{name}: left out, as there are no breakpoints for data")
        return True
    # ThreadSanitizer, where the tests are built with it, would end programs with races.
    code, findings, errors = run(clarity, wrong, name,
                                 TSAN_OPTIONS=os.environ.get("TSAN_OPTIONS", "") + ":report_bugs=0")
    problems = list(problems_of_mistake(text, os.path.basename(path), code, findings))
    said = errors if problems else ""
    code, findings, errors = run(clarity, right, name)
    more = list(problems_of_twin(text, code, findings))
    for problem in problems + more:
        print(f"{name}: {problem}")
    print("".join(f"    {line}\n" for line in (said + (errors if more else "")).splitlines()[:60]), end="")
    return not problems and not more


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    results = [check(*sys.argv[1:4], path) for path in sys.argv[4:]]
    print(f"{sum(results)} of {len(results)} as marked")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
