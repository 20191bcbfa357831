#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs suites of a built KhronosGroup/OpenCL-CTS on Clarity and writes their table into docs/conformance.md.

    tests/conformance/run.py BUILD [--driver libclarity.so] [--suite NAME ...] [--spir-v]

BUILD is the build folder of the tests. Every test of a suite is a process of its own with a time limit, so that one
that crashes or hangs takes no other with it. Results are kept in tests/conformance/results.json, suite by suite, and
the table is made of all of them: a run of some suites leaves the rows of the others, with their versions and dates.
With --spir-v, clang compiles all programs of the tests to SPIR-V (cl_offline_compiler.py); these results are apart.
Exit status 1: a test has failed that had not failed before, or a suite could not be run.
"""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SPIR_V = ", through SPIR-V"  # ends the names of these results
BEGIN, END = "<!-- begin: tests/conformance/run.py -->", "<!-- end: tests/conformance/run.py -->"


def tests_of(program):
    """The names that `program --list` prints, each on an indented line."""
    text = subprocess.run([program, "--list"], capture_output=True, text=True, timeout=120).stdout
    return [line.strip() for line in text.splitlines() if line[:1].isspace() and len(line.split()) == 1]


def outcome_of(program, arguments, test, seconds):
    """"pass", "fail" or "skip" as the test says, "crash" or "time"."""
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "results.json")
        environment = {**os.environ, "CL_CONFORMANCE_RESULTS_FILENAME": str(results)}
        try:
            subprocess.run([program, *arguments, test], env=environment, cwd=folder, timeout=seconds,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "time"
        try:
            return json.loads(results.read_text())["results"][test]
        except (OSError, KeyError, ValueError):
            return "crash"


def run_suite(suite, build, spirv):
    program = build / "test_conformance" / suite["program"]
    if not program.exists():
        return None
    outcomes = {}
    arguments = list(suite.get("arguments", []))
    if spirv:  # modules lie in the folder of one test: the tests name them by 32 bits of their source
        arguments += ["--compilation-mode", "spir-v", "--disable-spirv-validation", "--compilation-program",
                      str(HERE / "cl_offline_compiler.py"), "--compilation-cache-path", "."]
    names = tests_of(program)
    for number, test in enumerate(names, 1):
        if sys.stderr.isatty():
            print(f"\r\033[K{suite['name']}: {number} of {len(names)}, {test}", end="", file=sys.stderr)
        seconds = 60 * suite.get("minutes", 10)
        outcomes[test] = outcome_of(program, arguments, test, seconds)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return outcomes


def output_of(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    return done.stdout.strip() if done.returncode == 0 else ""


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"


def names_with(outcomes, *wanted):
    return sorted(name for name, outcome in outcomes.items() if outcome in wanted)


def row(suite, result, end):
    outcomes = result["outcomes"]
    remark = "spirv_remark" if end else "remark"
    wrong = names_with(outcomes, "fail", "crash", "time")
    skipped = names_with(outcomes, "skip")
    remarks = [suite[remark]] if remark in suite else []
    if wrong:
        remarks.append("not passed: " + ", ".join(f"`{name}` ({outcomes[name]})" for name in wrong))
    mode = ["--compilation-mode", "spir-v"] if end else []
    command = " ".join([pathlib.Path(suite["program"]).name, *suite.get("arguments", []), *mode])
    passed = len(names_with(outcomes, "pass"))
    return (f"| {suite['name']}{end} | `{command}` | {passed} | {len(wrong)} | {len(skipped)} | {result['date']} | "
            f"{'; '.join(remarks)} |")


def table(suites, results):
    lines = ["| suite | command | passed | failed | skipped | date | remarks |", "|---|---|---|---|---|---|---|"]
    lines += [row(suite, results[suite["name"] + end], end) for end in ("", SPIR_V) for suite in suites
              if suite["name"] + end in results]
    places = {(each["suite"], each["processor"]) for each in results.values()}
    lines += ["", *(f"Tests of commit {commit}, on {where}." for commit, where in sorted(places))]
    return "\n".join(lines)


def write_table(document, text):
    before, rest = document.read_text().split(BEGIN, 1)
    document.write_text(before + BEGIN + "\n\n" + text + "\n\n" + END + rest.split(END, 1)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder of the tests")
    parser.add_argument("--driver", type=pathlib.Path, help="driver to test; otherwise what the loader finds")
    parser.add_argument("--suite", action="append", help="run this suite only; may be repeated")
    parser.add_argument("--spir-v", action="store_true", help="compile the tests' programs to SPIR-V with clang")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results.json")
    parser.add_argument("--document", type=pathlib.Path, default=HERE.parent.parent / "docs" / "conformance.md")
    arguments = parser.parse_args()

    suites = tomllib.loads((HERE / "suites.toml").read_text())["suite"]
    unknown = set(arguments.suite or []) - {suite["name"] for suite in suites}
    if unknown:
        parser.error(f"no suite is named {', '.join(sorted(unknown))}; there are "
                     + ", ".join(suite["name"] for suite in suites))
    if not (arguments.build / "test_conformance").is_dir():
        parser.error(f"{arguments.build} has no folder test_conformance: it is no build folder of OpenCL-CTS")
    vendors = tempfile.TemporaryDirectory()
    if arguments.driver:
        # The only driver there is: loaders add what OCL_ICD_FILENAMES names to what they find.
        pathlib.Path(vendors.name, "clarity.icd").write_text(f"{arguments.driver.resolve(strict=True)}\n")
        os.environ.pop("OCL_ICD_FILENAMES", None)
        os.environ["OCL_ICD_VENDORS"] = vendors.name

    arguments.build = arguments.build.resolve()
    source = arguments.build.parent
    cache = arguments.build / "CMakeCache.txt"
    if cache.exists():
        for line in cache.read_text().splitlines():
            if line.startswith("CMAKE_HOME_DIRECTORY:"):
                source = pathlib.Path(line.split("=", 1)[1])
    commit = output_of("git", "-C", str(source), "rev-parse", "--short=8", "HEAD") or "unknown"
    results = json.loads(arguments.results.read_text()) if arguments.results.exists() else {}
    status = 0
    for suite in suites:
        if arguments.suite and suite["name"] not in arguments.suite:
            continue
        outcomes = run_suite(suite, arguments.build, arguments.spir_v)
        if not outcomes:
            if arguments.suite:
                print(f"{suite['name']}: {suite['program']} is not built or lists no tests", file=sys.stderr)
                status = 1
            continue
        name = suite["name"] + (SPIR_V if arguments.spir_v else "")
        before = results.get(name, {}).get("outcomes", {})
        wrong = names_with(outcomes, "fail", "crash", "time")
        newly = [name for name in wrong if before.get(name) in (None, "pass", "skip")]
        status = 1 if newly else status
        results[name] = {"date": datetime.date.today().isoformat(), "suite": commit, "processor": processor(),
                         "outcomes": outcomes}
        print(f"{name}: {len(names_with(outcomes, 'pass'))} passed, {len(wrong)} not, "
              f"{len(names_with(outcomes, 'skip'))} skipped" + (f"; {', '.join(wrong)}" if wrong else ""))
        arguments.results.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
        write_table(arguments.document, table(suites, results))
    return status


if __name__ == "__main__":
    sys.exit(main())
