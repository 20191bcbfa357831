#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Modules that cannot be used, and the sentence for each.

    refused.py CLARITY SPIRV_AS

The instruction that the sentence names is the one that ends in `; <-`. Modules of refused_modules.py are one function
with parameters a, b, ... between a common beginning and end, unless they bring their own. Modules that are read in
spite of what they demand follow.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
from refused_modules import BEGIN, BODIES, BYTES, DEMANDING, MODULES


def function(parameters, body):
    """A module with one function of these types of parameters."""
    lines = [f"%fn = OpTypeFunction %void " + " ".join(f"%{each}" for each in parameters.split()),
             "%f = OpFunction %void None %fn"]
    lines += [f"%{name} = OpFunctionParameter %{each}" for name, each in zip("abcdefgh", parameters.split())]
    return BEGIN + "\n".join(lines + ["%entry = OpLabel", body, "OpReturn", "OpFunctionEnd"])


def assembled(text, assembler, folder):
    source, module = os.path.join(folder, "m.spvasm"), os.path.join(folder, "m.spv")
    with open(source, "w", encoding="utf-8") as out:
        out.write(text)
    made = subprocess.run([assembler, "--target-env", "spv1.6", source, "-o", module], capture_output=True, text=True)
    if made.returncode != 0:
        return None, made.stderr
    with open(module, "rb") as file:
        return file.read(), ""


def sentence(data, clarity, folder):
    module = os.path.join(folder, "changed.spv")
    with open(module, "wb") as out:
        out.write(data)
    run = subprocess.run([clarity, "compile", module, "--emit", "portable-ir", "-o", os.devnull], capture_output=True,
                         text=True, env=dict(os.environ, CLARITY_COMPILE_MEMORY_MB="1024"))
    found = re.search(r"error: this module of SPIR-V cannot be used: (.*)", run.stderr)
    return found[1] if found else f"no sentence, exit code {run.returncode}: {run.stderr}"


def expected(text, message):
    """The message with the number and the name of the marked instruction."""
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if line and not line.startswith(";")]
    marked = [number for number, line in enumerate(lines, 1) if line.endswith("; <-")]
    if not marked:
        return message
    name = re.search(r"\b(Op\w+)", lines[marked[0] - 1])
    return f"instruction {marked[0]} ({name[1]}): {message}"


def main():
    clarity, assembler = sys.argv[1:3]
    modules = [(text, message) for text, message in MODULES]
    modules += [(function(parameters, body), message) for parameters, body, message in BODIES]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = []
        for text, message in modules:
            data, error = assembled(text, assembler, folder)
            cases.append((data, expected(text, message), text) if data else (None, message, error + text))
        for text in DEMANDING:
            data, error = assembled(text, assembler, folder)
            cases.append((data, "no sentence, exit code 0: ", error + text[:200]))
        whole, _ = assembled(function("i32", "%r = OpIAdd %i32 %a %a"), assembler, folder)
        for change, message in BYTES:
            words = list(struct.unpack(f"<{len(whole) // 4}I", whole))
            changed = change(words)
            data = changed if isinstance(changed, bytes) else struct.pack(f"<{len(changed)}I", *changed)
            cases.append((data, message, str(change)))
        for data, message, text in cases:
            got = sentence(data, clarity, folder) if data is not None else "not assembled"
            if got != message:
                wrong += 1
                print(f"{text}\n  expected: {message}\n  got:      {got}\n")
    print(f"{len(cases)} modules, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
