#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""known.py CLARITY KNOWN FOLDER: compiles what the tests in tests/passes/ptx compile to PTX, as their RUN lines say,
and asks KNOWN (ptx_known) whether all instructions are ones that tests can execute."""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

clarity, known, folder = sys.argv[1:]
texts = failures = 0
with tempfile.TemporaryDirectory() as scratch:
    file = pathlib.Path(scratch, "kernel.ptx")
    for source in sorted(pathlib.Path(folder).glob("*.cl")):
        text = re.sub(r"\\\n// RUN:", "", source.read_text())  # lines that go on
        for line in re.findall(r"RUN: (.*)", text):
            command = re.match(r"%clarity (compile [^|>]*)", line)
            if not command or "asm" not in command[1]:
                continue
            arguments = [clarity, *shlex.split(command[1].replace("%s", shlex.quote(str(source))))]
            compiled = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            if compiled.returncode != 0 or b".version" not in compiled.stdout:
                continue  # what is refused, and what is not PTX
            texts += 1
            file.write_bytes(compiled.stdout)
            if subprocess.run([known, str(file)], check=False).returncode != 0:
                failures += 1
                print(f"{source.name}: {shlex.join(arguments[1:])}")
print(f"{texts} texts, {failures} with unknown instructions")
sys.exit(0 if texts and not failures else 1)
