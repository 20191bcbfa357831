#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of docs/check, and compares what the pages say that they write with what they write.

usage: pages.py [--update] CLARITY CC [PAGE...]

Each kind of src/check/report/kinds.def has a page docs/check/KIND.md. Its first block of C, whose file is named above
it, is the example, and its block `console` the commands, each behind `$ `, with what they write. With --update, what is
written there becomes what was written.
"""
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "docs/check"
SECONDS = 120
SOURCE = re.compile(r"^`([\w.]+)`:\n\n```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def kinds():
    spec = importlib.util.spec_from_file_location("make_kinds", ROOT / "docs/make_kinds.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [name for name, _, _, _ in module.kinds()]


def written(command, folder):
    """What a command writes, to standard output and error as they come."""
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", CLARITY_CACHE="0",
                       CLARITY_MESSAGES="never")
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    return done.stdout.decode(errors="replace")


def run(text, clarity, compiler):
    """The block `console` of a page as it should be."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/clarity").symlink_to(pathlib.Path(clarity).resolve())
        (folder / "bin/cc").symlink_to(shutil.which(compiler))
        shutil.copy(PAGES / "example.h", folder)
        file, source = SOURCE.search(text).groups()
        (folder / file).write_text(source, encoding="utf-8")
        block = ""
        for line in CONSOLE.search(text).group(1).splitlines():
            if line.startswith("$ "):
                block += line + "\n" + written(line[2:], folder)
    return block


def compared(text):
    """Without what differs from run to run, addresses and how often threads met, and from compiler to compiler: the
    columns that the debugging information of a host program has."""
    text = re.sub(r"found \d+ times", "found N times", re.sub(r"0x[0-9a-f]{12}", "0x7ffc00000000", text))
    if "$ cc " in text:
        text = re.sub(r"^ +\| +\^$", "^", re.sub(r"^(example\.[ch]:\d+):\d+:", r"\1:", text, flags=re.M), flags=re.M)
    return text


def problem_of(path, clarity, compiler, update):
    """What is wrong with a page; nothing if it is right."""
    text = path.read_text(encoding="utf-8")
    kind = path.stem
    if not SOURCE.search(text) or not CONSOLE.search(text):
        return "there is no example"
    block = run(text, clarity, compiler)
    if f"[{kind}]" not in block:
        return f"the example is not reported as {kind}:\n{block}"
    others = set(re.findall(r"\[([a-z-]+)\]$", block, re.MULTILINE)) - {kind}
    if others:
        return f"the example is also reported as {', '.join(sorted(others))}:\n{block}"
    was = CONSOLE.search(text).group(1)
    if compared(block) == compared(was):
        return None
    if not update:
        return f"it says\n{was}but what is written is\n{block}"
    path.write_text(text.replace(was, block), encoding="utf-8")
    return None


def main(arguments):
    update = arguments[:1] == ["--update"]
    arguments = arguments[update:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    clarity, compiler, *names = arguments
    wrong = 0
    for kind in names or kinds():
        path = PAGES / f"{kind}.md"
        problem = problem_of(path, clarity, compiler, update) if path.exists() else "there is no such page"
        if problem:
            print(f"{path.relative_to(ROOT)}: {problem}")
            wrong += 1
    strange = {path.stem for path in PAGES.glob("*.md")} - set(kinds())
    for name in sorted(strange):
        print(f"docs/check/{name}.md: there is no such kind")
    return 1 if wrong or strange else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
