#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the names in all headers of src by clang-tidy: check_names.py ROOT BUILD CLANG_TIDY.

All headers are one translation unit, because the headers of LLVM and clang, which take most of the time, are then read
once. They are compiled as the build compiles the files that read clang's headers, without precompiled headers.
"""
import json
import pathlib
import shlex
import subprocess
import sys

# Headers of other compilers' and other flags' files; supplements to Khronos' headers, whose names they have.
LEFT_OUT = ("builtins/", "device/cluster/mpi/")
KHRONOS = r"/src/support/(command_buffer_types|unified_svm_types)\.h$|/generated/"


def arguments_of(build):
    """How the build compiles a file that reads clang's headers, and in which folder."""
    with open(build / "compile_commands.json", encoding="utf-8") as file:
        commands = json.load(file)
    for command in commands:
        words = shlex.split(command["command"])
        if "clarity_frontend.dir" not in command["command"] or "-c" not in words:
            continue
        kept, words = [], words[next(i for i, word in enumerate(words) if "clang" in word):]
        while words:
            word = words.pop(0)
            if word in ("-o", "-c"):
                words.pop(0)
            elif word == "-Xclang" and words[0] in ("-include", "-include-pch"):
                del words[:3]
            elif word == "-Xclang":
                words.pop(0)
            elif word != "-Winvalid-pch":
                kept.append(word)
        return kept, command["directory"]
    sys.exit(f"{build}/compile_commands.json has no file of clarity_frontend")


def main(root, build, clang_tidy):
    headers = sorted(header.relative_to(root / "src").as_posix() for header in (root / "src").rglob("*.h"))
    headers = [header for header in headers if not header.startswith(LEFT_OUT)]
    folder = build / "tests/style"
    folder.mkdir(parents=True, exist_ok=True)
    unit = folder / "headers.cpp"
    unit.write_text("".join(f'#include "{header}"\n' for header in headers))
    arguments, directory = arguments_of(build)
    generated = f"-I{build}/src/compiler/generated"
    entry = {"directory": directory, "file": str(unit), "arguments": [*arguments, generated, "-c", str(unit)]}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    ended = subprocess.run(
        [clang_tidy, "-p", folder, f"--config-file={root}/.clang-tidy", "--checks=-*,readability-identifier-naming",
         f"--header-filter={root}/src/", f"--exclude-header-filter={KHRONOS}", "--warnings-as-errors=*", "--quiet",
         unit], capture_output=True, text=True, check=False)
    print(ended.stdout, ended.stderr if ended.returncode else "", f"{len(headers)} headers", sep="\n")
    return 1 if ended.returncode or not headers else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]))
