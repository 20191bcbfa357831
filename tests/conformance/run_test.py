#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests run.py on a suite made of a shell script: outcomes, the table, and what a second run keeps."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

SUITE = """#!/bin/sh
case "$*" in *spir-v*) while [ $# -gt 1 ]; do shift; done;; esac
if [ "$1" = --list ]; then printf 'Tests:\\n\\tgood\\n\\tbad\\n\\tabsent\\n\\tdead\\n'; exit; fi
case $1 in
  good) outcome=%s;; bad) outcome=fail;; absent) outcome=skip;; dead) kill -SEGV $$;;
esac
printf '{ "results": { "%%s": "%%s" } }' $1 $outcome > "$CL_CONFORMANCE_RESULTS_FILENAME"
"""


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        self.document = self.build / "table.md"
        self.document.write_text("before\n<!-- begin: tests/conformance/run.py -->\n"
                                 "<!-- end: tests/conformance/run.py -->\nafter\n")

    def program(self, path, good):
        program = self.build / "test_conformance" / path
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(SUITE % good)
        program.chmod(0o755)

    def run_it(self, *arguments):
        return subprocess.run([sys.executable, HERE / "run.py", self.build, "--document", self.document, "--results",
                               self.build / "results.json", *arguments], capture_output=True, text=True)

    def test_outcomes_and_table(self):
        self.program("SVM/test_svm", "pass")
        done = self.run_it()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("SVM: 1 passed, 2 not, 1 skipped; bad, dead", done.stdout)
        outcomes = json.loads((self.build / "results.json").read_text())["SVM"]["outcomes"]
        self.assertEqual(outcomes, {"good": "pass", "bad": "fail", "absent": "skip", "dead": "crash"})
        text = self.document.read_text()
        self.assertIn("| SVM | `test_svm` | 1 | 2 | 1 |", text)
        self.assertIn("`bad` (fail), `dead` (crash)", text)
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))

    def test_through_spirv(self):
        self.program("SVM/test_svm", "pass")
        self.run_it()
        done = self.run_it("--spir-v")
        self.assertIn("SVM, through SPIR-V: 1 passed", done.stdout)
        text = self.document.read_text()
        self.assertIn("| SVM | `test_svm` | 1 |", text)
        self.assertIn("| SVM, through SPIR-V | `test_svm --compilation-mode spir-v` | 1 |", text)

    def test_known_failures_and_other_suites_stay(self):
        self.program("SVM/test_svm", "pass")
        self.program("select/test_select", "pass")
        self.run_it()
        self.assertEqual(self.run_it("--suite", "SVM").returncode, 0, "nothing fails that did not fail before")
        self.assertIn("| select |", self.document.read_text())
        self.program("SVM/test_svm", "fail")
        self.assertEqual(self.run_it("--suite", "SVM").returncode, 1)
        self.assertIn("| SVM | `test_svm` | 0 | 3 | 1 |", self.document.read_text())

    def test_wrong_arguments(self):
        self.assertIn("is no build folder", self.run_it().stderr)
        (self.build / "test_conformance").mkdir()
        self.assertIn("no suite is named nothing", self.run_it("--suite", "nothing").stderr)
        absent = self.run_it("--suite", "SVM")
        self.assertEqual(absent.returncode, 1)
        self.assertIn("is not built", absent.stderr)


if __name__ == "__main__":
    unittest.main()
