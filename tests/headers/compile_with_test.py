#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests compile_with.py with headers that one source does not compile with: compile_with_test.py BUILD."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "compile_with.py"
BUILD = pathlib.Path(sys.argv.pop())
SOURCE = "src/core/sampler.cpp"


def compile_with(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "CLARITY_OPENCL_HEADERS"}
    return subprocess.run([sys.executable, SCRIPT, BUILD, SOURCE, *arguments], env={**environment, **variables},
                          capture_output=True, text=True)


class CompileWith(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.headers = pathlib.Path(folder.name)
        pathlib.Path(self.headers, "CL").mkdir()

    def write(self, text):
        pathlib.Path(self.headers, "CL", "cl.h").write_text(text)

    def test_no_headers_are_named(self):
        done = compile_with()
        self.assertEqual(done.returncode, 77)
        self.assertIn("No OpenCL headers are named", done.stdout)

    def test_no_folder_of_headers(self):
        self.assertIn("has no CL/cl.h", compile_with("--headers", self.headers).stderr)

    def test_headers_of_the_system(self):
        self.write("#include_next <CL/cl.h>\n")
        done = compile_with(CLARITY_OPENCL_HEADERS=str(self.headers))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 sources", done.stdout)

    def test_headers_without_a_name(self):
        self.write("#include_next <CL/cl.h>\n#undef CL_ADDRESS_CLAMP_TO_EDGE\n")
        done = compile_with("--headers", self.headers)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("CL_ADDRESS_CLAMP_TO_EDGE", done.stdout)


if __name__ == "__main__":
    unittest.main()
