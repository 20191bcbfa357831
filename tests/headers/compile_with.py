#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the syntax of every source that includes OpenCL headers, with the headers of a folder.

    tests/headers/compile_with.py BUILD --headers FOLDER [--jobs N] [PATTERN ...]

BUILD is a configured build folder with a compile_commands.json, FOLDER contains CL/cl.h, as a clone of
KhronosGroup/OpenCL-Headers does; the environment variable CLARITY_OPENCL_HEADERS names it too. The commands are those
of the build, but for precompiled headers, which are compiled again with the headers of the folder. With patterns, only
the sources whose paths contain one of them. Exit status 77: no folder is named; 1: a source does not compile.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)
PRECOMPILED = re.compile(r"-Xclang -include-pch -Xclang (\S+) -Xclang -include -Xclang (\S+)")


class Includes:
    """Tells which files include a header of OpenCL, themselves or through files of this project."""

    def __init__(self):
        self.known = {}

    def opencl(self, path, roots):
        if path in self.known:
            return self.known[path]
        self.known[path] = False  # While it is looked at: includes go in no circle.
        found = False
        for form, name in INCLUDE.findall(path.read_text(errors="replace")):
            if form == "<" and name.startswith("CL/"):
                found = True
                continue
            for root in (path.parent, *roots):
                if (root / name).is_file():
                    found = self.opencl(root / name, roots) or found
                    break
        self.known[path] = found
        return found


def folders_of(command):
    return [pathlib.Path(path) for path in re.findall(r"-I\s*(\S+)", command)]


def entries_of(build):
    """Of each source its entry of compile_commands.json, also where the build compiles several sources together."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if path.parent.name != "Unity" or not path.is_file():
            yield entry
            continue
        for _, source in INCLUDE.findall(path.read_text()):
            yield {**entry, "file": source, "command": entry["command"].replace(str(path), source)}


def sources_of(build, patterns):
    """The commands of the sources that include a header of OpenCL, by source."""
    includes, commands = Includes(), {}
    for entry in entries_of(build):
        path, command = pathlib.Path(entry["file"]), entry["command"]
        if not path.is_file() or path.name.startswith("cmake_pch."):
            continue
        if patterns and not any(pattern in str(path) for pattern in patterns):
            continue
        precompiled = PRECOMPILED.search(command)
        roots = folders_of(command)
        if includes.opencl(path, roots) or precompiled and includes.opencl(pathlib.Path(precompiled[2]), roots):
            commands[str(path)] = entry
    return commands


def with_headers(command, folder):
    """The words of a command that compiles with the headers of the folder and writes nothing."""
    words = shlex.split(re.sub(r" -o \S+", "", command))
    at = words.index("-c")
    return words[:at] + ["-isystem", str(folder), "-fsyntax-only"] + words[at + 1:]


def run(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stderr


class Compilation:
    def __init__(self, headers, scratch):
        self.headers, self.scratch, self.precompiled = headers, scratch, {}

    def precompile(self, entry):
        """Compiles the precompiled header of the entry anew: returns what a compiler says if it fails."""
        found = PRECOMPILED.search(entry["command"])
        if not found or found[1] in self.precompiled:
            return ""
        target = pathlib.Path(self.scratch, f"{len(self.precompiled)}.pch")
        self.precompiled[found[1]] = target
        words = with_headers(PRECOMPILED.sub("", entry["command"]), self.headers)
        words = [word for word in words[:-1] if word != "-fsyntax-only"]
        # The header has an #ifdef around it and no #pragma once: a copy is what is compiled.
        copy = target.with_suffix(".hxx")
        copy.write_text(pathlib.Path(found[2]).read_text())
        code, text = run([*words, "-x", "c++-header", str(copy), "-o", str(target)], entry["directory"])
        return text if code else ""

    def check(self, entry):
        command = entry["command"]
        found = PRECOMPILED.search(command)
        if found:
            target = self.precompiled[found[1]]
            command = PRECOMPILED.sub(f"-include-pch {target}", command)
        code, text = run(with_headers(command, self.headers), entry["directory"])
        return text if code else ""

    def uses_headers(self, entry):
        """Whether CL/cl.h comes from the folder: otherwise this would check nothing."""
        command = PRECOMPILED.sub(lambda found: f"-include {self.precompiled[found[1]].with_suffix('.hxx')}",
                                  entry["command"])
        words = [word for word in with_headers(command, self.headers) if word != "-fsyntax-only"]
        done = subprocess.run([*words, "-M"], cwd=entry["directory"], capture_output=True, text=True)
        return str(self.headers / "CL" / "cl.h") in done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("--headers", default="")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_intermixed_args()
    named = arguments.headers or os.environ.get("CLARITY_OPENCL_HEADERS", "")
    if not named:
        print("No OpenCL headers are named. Clone KhronosGroup/OpenCL-Headers and name its folder with "
              "cmake -DCLARITY_OPENCL_HEADERS=FOLDER, or in the environment variable CLARITY_OPENCL_HEADERS.")
        return 77
    headers = pathlib.Path(named).resolve()
    if not (headers / "CL" / "cl.h").is_file():
        parser.error(f"{headers} has no CL/cl.h")
    commands = sources_of(arguments.build, arguments.patterns)
    if not commands:
        parser.error("no source includes OpenCL headers")

    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        compilation = Compilation(headers, scratch)
        wrong = [text for text in map(compilation.precompile, commands.values()) if text]
        if not wrong and not any(map(compilation.uses_headers, list(commands.values())[:1])):
            wrong = [f"{next(iter(commands))} does not include {headers / 'CL' / 'cl.h'}"]
        if not wrong:
            wrong = [text for text in pool.map(compilation.check, commands.values()) if text]
    for text in wrong:
        print(text)
    print(f"{len(commands)} sources with the headers of {headers}: {len(wrong)} do not compile")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
