#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that tests provoke every error code of every entry point, as error_codes.toml lists them.

    check_error_codes.py --api-tests PROGRAM --discrete-tests PROGRAM --cpu ICD --discrete ICD --both ICD

The tests run with CLARITY_TRACE, whose lines say what each call returned: those of api_tests that are in a file named
after an entry point, its tests of absent features on the discrete test device, and discrete_tests. An error code of an
entry point counts where it was returned in a test of its file, of the files that the table names beside it, or of
contexts with discrete devices. Exit status 1, and a line for each: a code of the table that was not provoked, a code
that was returned and is not in the table, one that was returned though the table says that no test can provoke it, an
entry point of src/support/api.def without a row.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
API = HERE.parent.parent / "src" / "support" / "api.def"
# Errors of (nearly) all entry points: too little memory, which tests/api/address_space.cpp provokes, and contexts that
# were terminated.
GENERAL = {"CL_OUT_OF_HOST_MEMORY", "CL_OUT_OF_RESOURCES", "CL_CONTEXT_TERMINATED_KHR"}
RUN = re.compile(r"\[ RUN      \] (?:\w*/)?(\w+)\.(\w+)")
CALL = re.compile(r"\b(cl[A-Z]\w+) = (CL_\w+) \(")


def entry_points():
    """Those that Clarity has, in the order of api.def."""
    return re.findall(r"^API_(?:ENTRY|BY_NAME|COMMAND|COMMAND_BY_NAME)\((\w+),", API.read_text(), re.MULTILINE)


class Table:
    """What error_codes.toml says."""

    def __init__(self, path):
        content = tomllib.loads(path.read_text())
        self.codes = {name: set(codes.split()) for name, codes in content["codes"].items()}
        self.files = content["files"]
        self.never = collections.defaultdict(set)
        for block in content["never"]:
            for name in block.get("entries", self.codes):
                self.never[name] |= set(block["codes"]) & self.codes[name]

    def files_of(self, name):
        return {f"{name}.cpp", *self.files.get(name, [])}

    def all_files(self):
        return set().union(*map(self.files_of, self.codes))


def tests_in(folder):
    """File names by (suite, test)."""
    found = {}
    for path in folder.glob("*.cpp"):
        for suite, test in re.findall(r"^TEST(?:_[FP])?\((\w+), (\w+)\)", path.read_text(), re.MULTILINE):
            found[suite, test] = path.name
    return found


def run(program, icd, tests):
    """Runs tests, (suite, test) or all; yields (test, entry point, code) for each call with an error code."""
    environment = {**os.environ, "CLARITY_TRACE": "1", "OCL_ICD_VENDORS": icd,
                   "OCL_ICD_FILENAMES": pathlib.Path(icd).read_text().strip()}
    environment["CLARITY_TEST_DRIVER"] = environment["OCL_ICD_FILENAMES"]
    if tests:
        names = [name for test in sorted(tests) for name in (".".join(test), ".".join(test) + "/*")]
        environment["GTEST_FILTER"] = ":".join(names) + ":-*DISABLED_*"
    done = subprocess.run([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = done.stdout.decode(errors="replace")
    if not re.search(r"^\[==========\] .* ran\.", text, re.MULTILINE):
        sys.exit(f"{program} with {icd} ended before its tests had run:\n{text[-2000:]}")
    test = None
    for line in text.splitlines():
        if match := RUN.search(line):
            test = match.groups()
        for name, code in CALL.findall(line):
            if code != "CL_SUCCESS":
                yield test, name, code


def provoked(arguments, table):
    """Codes by entry point: those of tests that are about it, and those of all tests that ran."""
    its, any_test = collections.defaultdict(set), collections.defaultdict(set)
    files = tests_in(HERE)
    about = {test for test, file in files.items() if file in table.all_files()}
    for test, name, code in run(arguments.api_tests, arguments.cpu, about):
        any_test[name].add(code)
        if files.get(test) in table.files_of(name):
            its[name].add(code)
    absent = {test for test, file in files.items() if file.startswith("absent_")}
    for program, icd, tests in ((arguments.api_tests, arguments.discrete, absent),
                                (arguments.discrete_tests, arguments.both, None)):
        for _, name, code in run(program, icd, tests):
            any_test[name].add(code)
            its[name].add(code)
    return its, any_test


def complaints(table, its, any_test):
    for name in entry_points():
        if name not in table.codes:
            yield f"{name} has no row"
            continue
        codes, never = table.codes[name], table.never[name]
        yield from (f"{name}: no test of it provokes {code}" for code in sorted(codes - never - its[name]))
        yield from (f"{name}: {code} was provoked, though the table says that no test can"
                    for code in sorted(never & any_test[name]))
        yield from (f"{name}: {code} was returned, which its row lacks"
                    for code in sorted(any_test[name] - codes - GENERAL))
    yield from (f"{name} is no entry point" for name in sorted(table.codes.keys() - set(entry_points())))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--api-tests", "--discrete-tests", "--cpu", "--discrete", "--both"):
        parser.add_argument(option, required=True)
    table = Table(HERE / "error_codes.toml")
    found = list(complaints(table, *provoked(parser.parse_args(), table)))
    for text in found:
        print(text)
    number = sum(map(len, table.codes.values()))
    cannot = sum(map(len, table.never.values()))
    print(f"{len(table.codes)} entry points, {number} error codes; {cannot} of no test; {len(found)} mistakes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
