#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of the documents, and compares what they print with what is written there.

  check_examples.py CLARITY

An example is a block of C, then a line `<!-- example: FILE: clarity ... -->`, then an indented block with what the
command prints for the C in FILE; with `part of FILE`, with a part of that. Lines may be broken otherwise than the
command breaks them; lines that begin with `$ ` are not compared. Exit code 1, and both texts, if they differ.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DOCUMENTS = pathlib.Path(__file__).resolve().parent
C = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^<!-- example: (part of )?(\S+): clarity (.*?) -->\n\n((?:    .*\n)+)", re.MULTILINE)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    clarity, seen, wrong = pathlib.Path(sys.argv[1]).resolve(), 0, 0
    for path in sorted(DOCUMENTS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        for example in EXAMPLE.finditer(text):
            part, file, arguments, written = example.groups()
            source = C.findall(text[:example.start()])[-1]
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / file).write_text(source, encoding="utf-8")
                environment = dict(os.environ, CLARITY_CACHE="0", CLARITY_DEVICES="cpu", CLARITY_THREADS="1")
                printed = subprocess.run([clarity, *arguments.split()], cwd=folder, env=environment, text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout
            seen += 1
            lines = [line for line in written.splitlines() if not line.strip().startswith("$ ")]
            said, prints = (" ".join(words.split()) for words in (" ".join(lines), printed))
            if not (said in prints if part else said == prints):
                wrong += 1
                print(f"{path.name}: 'clarity {arguments}' is said to print\n{written}but prints\n{printed}")
    print(f"{seen} examples, {wrong} wrong")
    return 1 if wrong or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
