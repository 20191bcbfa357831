#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file makes the libraries that a driver brings along under names of their own, and the assembly of the driver's
# stubs for the functions that it needs of them (private_libraries.cpp).
#
#   private_libraries.py --folder FOLDER --assembly FILE.S --archives A.a... --libraries /usr/lib/.../libsleef.so.3...
"""Copies libraries under names of their own and writes stubs for their functions."""

import argparse
import pathlib
import shutil
import struct
import subprocess

STUB_BYTES = 8  # stubBytes in private_libraries.cpp
DT_NULL, DT_FLAGS, DF_SYMBOLIC = 0, 30, 2
PT_DYNAMIC = 2


def run(*command):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def private_name(name):
    """libsleef.so.3 becomes libsleef-clarity.so.3."""
    return name.replace(".so", "-clarity.so", 1)


def bind_to_itself(file):
    """Sets DF_SYMBOLIC: the library calls its own functions, whatever else in the process has the same names."""
    content = bytearray(file.read_bytes())
    headers, = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    for header in range(headers, headers + size * count, size):
        kind, _, place, _, _, length = struct.unpack_from("<IIQQQQ", content, header)
        if kind != PT_DYNAMIC:
            continue
        for entry in range(place, place + length, 16):
            tag, value = struct.unpack_from("<QQ", content, entry)
            # The last entry that is used is followed by at least one of zeros.
            if tag == DT_FLAGS or (tag == DT_NULL and entry + 16 < place + length):
                struct.pack_into("<QQ", content, entry, DT_FLAGS, (value if tag == DT_FLAGS else 0) | DF_SYMBOLIC)
                file.write_bytes(content)
                return
    raise SystemExit(f"{file} has no room for DF_SYMBOLIC")


def copy(library, folder):
    """The library under its own name in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    made, target = folder / (private_name(library.name) + ".new"), folder / private_name(library.name)
    shutil.copyfile(library.resolve(), made)
    made.chmod(0o644)
    run("patchelf", "--set-soname", target.name, made)
    bind_to_itself(made)
    made.rename(target)  # processes may have the older one open
    return target


def needed(archives, library):
    """The functions of `library` that the archives need. Ends the program if they need a variable of it."""
    undefined = set()
    for archive in archives:
        lines = run("nm", "-u", "--no-sort", archive).splitlines()
        undefined.update(line.split()[-1] for line in lines if " U " in line)
    exported = [line.split()[-2:] for line in run("nm", "-D", "--defined-only", library).splitlines()]
    variables = sorted(name for kind, name in exported if name in undefined and kind not in "TWi")
    if variables:
        raise SystemExit(f"the driver needs variables of {library.name}, for which no stub can stand: {variables}")
    return sorted(name for _, name in exported if name in undefined)


def assembly(libraries):
    """Stubs, the addresses that they jump to, and the table of both. `libraries`: (file name, functions)."""
    text = ["/* Written by private_libraries.py. */", ".text"]
    for index, (_, functions) in enumerate(libraries):
        text += [f".p2align 4", f"stubs{index}:"]
        for place, function in enumerate(functions):
            text += [f".globl {function}", f".hidden {function}", f".type {function}, @function",
                     f".p2align {STUB_BYTES.bit_length() - 1}, 0xcc", f"{function}:",
                     f"  jmp *addresses{index}+{8 * place}(%rip)", f".size {function}, . - {function}"]
    for index, (_, functions) in enumerate(libraries):
        text += [".bss", ".p2align 3", f"addresses{index}: .zero {8 * max(len(functions), 1)}"]
    text.append(".section .rodata")
    for index, (name, functions) in enumerate(libraries):
        text += [f'file{index}: .asciz "{name}"', f"names{index}:"]
        text += [f'  .asciz "{function}"' for function in functions]
    text += [".p2align 3", ".globl clarityPrivateLibraryCount", ".hidden clarityPrivateLibraryCount",
             f"clarityPrivateLibraryCount: .quad {len(libraries)}",
             '.section .data.rel.ro, "aw"', ".p2align 3", ".globl clarityPrivateLibraries",
             ".hidden clarityPrivateLibraries", "clarityPrivateLibraries:"]
    for index, (_, functions) in enumerate(libraries):
        text.append(f"  .quad file{index}, names{index}, {len(functions)}, stubs{index}, addresses{index}")
    text.append('.section .note.GNU-stack, "", @progbits')
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="the folder for the copies")
    parser.add_argument("--assembly", type=pathlib.Path, required=True)
    parser.add_argument("--archives", type=pathlib.Path, nargs="+", required=True, help="what the driver is made of")
    parser.add_argument("--libraries", type=pathlib.Path, nargs="+", required=True)
    arguments = parser.parse_args()
    parts = [(copy(library, arguments.folder).name, needed(arguments.archives, library))
             for library in arguments.libraries]
    arguments.assembly.write_text(assembly(parts), encoding="ascii")


if __name__ == "__main__":
    main()
