#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file splits the bitcode of the builtin library into modules. Reading a module costs time for every function in
# it, so the driver reads modules of a few dozen functions instead of whole source files of hundreds. Functions of one
# name and one kind (scalar or vector, floating-point or not) stay together. The kind follows from the mangled name, by
# the same rule here and in builtins.cpp.
#
#   make_modules.py --nm LLVM-NM --extract LLVM-EXTRACT --bytes modules.bin --index modules.inc SOURCE.bc...
"""Splits bitcode into modules of a few functions and writes their bytes and their index."""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

MODULE_SIZE = 64  # functions
ALIGNMENT = 16  # bytes
NO_MODULE = 0xFFFF
SHARED = "__clarity_image_"  # functions that functions of other modules call; they are linked after those
# Names that clang gives to functions that it declares itself.
OF_CLANG = re.compile(
    r"^__(to_\w+|(\w+_)?(read|write)_pipe(_\d)?|get_pipe_\w+|enqueue_kernel_\w+|get_kernel_\w+_impl)$")
MANGLED = re.compile(r"^_Z(\d+)(.*)$")
# A pointer's qualifiers, then a vector's width, in front of the first parameter's element type.
FIRST_ELEMENT = re.compile(r"^(?:P(?:U3AS\d)?(?:V|K)*(?:U7_Atomic)?)?(?:Dv\d+_)?(Dh|.)?")


def key_of(symbol):
    """The name of a builtin and its kind, 0 to 3: 1 for floating-point, 2 for vectors. None for a foreign symbol."""
    match = MANGLED.match(symbol)
    if not match:
        return (symbol, 0) if symbol.startswith(SHARED) or OF_CLANG.match(symbol) else None
    length = int(match.group(1))
    name, parameters = match.group(2)[:length], match.group(2)[length:]
    floating = FIRST_ELEMENT.match(parameters).group(1) in ("f", "d", "Dh")
    return name, floating + 2 * ("Dv" in parameters)


def symbols_of(nm, files, which):
    """The external functions that each of several bitcode files defines or leaves undefined, in the files' order."""
    if not files:
        return []
    command = [nm, f"--{which}-only", "--extern-only", "--format=just-symbols", "--print-file-name", *files]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    symbols = {file: [] for file in files}
    for line in output.splitlines():
        file, symbol = line.rsplit(": ", 1)
        symbols[file].append(symbol)
    return list(symbols.values())


def modules_of(symbols):
    """Packs the functions of one source, in the order of kind and name, into lists of about MODULE_SIZE."""
    groups = {}
    for symbol in symbols:
        groups.setdefault(key_of(symbol), []).append(symbol)
    modules = []
    for key in sorted(groups, key=lambda key: (key[1], key[0])):
        if not modules or len(modules[-1]) + len(groups[key]) > MODULE_SIZE:
            modules.append([])
        modules[-1] += sorted(groups[key])
    return modules


def plan(sources):
    """From (source, symbols) to (source, symbols of a module), the module of every key, and the errors."""
    modules, index, errors, owner = [], {}, [], {}
    for source, symbols in sources:
        foreign = [symbol for symbol in symbols if key_of(symbol) is None]
        errors += [f"{source} defines {symbol}, which is not a builtin" for symbol in foreign]
        for module in modules_of(symbol for symbol in symbols if symbol not in foreign):
            for symbol in module:
                if symbol in owner:
                    errors.append(f"{symbol} is defined in {owner[symbol]} and in {source}")
                owner[symbol] = source
                if index.setdefault(key_of(symbol), len(modules)) != len(modules):
                    errors.append(f"{symbol} of {source} and another function of its name and kind are on two modules")
            modules.append((source, module))
    if len(modules) >= NO_MODULE:
        errors.append(f"{len(modules)} modules do not fit 16 bits")
    return modules, index, errors


def extract(arguments, path, source, symbols):
    """Writes one module."""
    subprocess.run([arguments.extract, *(f"--func={symbol}" for symbol in symbols), "-o", path, source], check=True)
    return path


def contents_of(arguments, modules):
    """The bytes of every module, and an error for each that refers to a function of another."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        files = list(pool.map(lambda item: extract(arguments, f"{folder}/{item[0]}.bc", *item[1]), enumerate(modules)))
        errors = []
        for (source, _), undefined in zip(modules, symbols_of(arguments.nm, files, "undefined")):
            outside = [symbol for symbol in undefined if key_of(symbol) and not symbol.startswith(SHARED)]
            if outside:
                errors.append(f"a module of {source} calls {', '.join(outside)}, which would not be linked with it")
        return [pathlib.Path(file).read_bytes() for file in files], errors


def index_text(modules, sizes, index):
    """modules.inc: the place of every module, and the modules of every name by kind."""
    lines, offset = ["// Generated by make_modules.py.", "#ifdef CLARITY_MODULE"], 0
    for (source, _), size in zip(modules, sizes):
        lines.append(f'CLARITY_MODULE("{pathlib.Path(source).stem}", {offset}, {size})')
        offset += -(-size // ALIGNMENT) * ALIGNMENT
    lines += ["#endif", "#ifdef CLARITY_BUILTIN"]
    for name in sorted({name for name, _ in index}):
        numbers = ", ".join(str(index.get((name, kind), NO_MODULE)) for kind in range(4))
        lines.append(f'CLARITY_BUILTIN("{name}", {numbers})')
    return "\n".join(lines + ["#endif", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name, meaning in (("nm", "llvm-nm"), ("extract", "llvm-extract"), ("bytes", "output: all modules"),
                          ("index", "output: the index")):
        parser.add_argument(f"--{name}", required=True, help=meaning)
    parser.add_argument("sources", nargs="+", metavar="SOURCE.bc")
    arguments = parser.parse_args()
    modules, index, errors = plan(zip(arguments.sources, symbols_of(arguments.nm, arguments.sources, "defined")))
    contents = []
    if not errors:
        contents, errors = contents_of(arguments, modules)
    if errors:
        print("\n".join(errors), file=sys.stderr)
        return 1
    padded = (content + bytes(-len(content) % ALIGNMENT) for content in contents)
    pathlib.Path(arguments.bytes).write_bytes(b"".join(padded))
    pathlib.Path(arguments.index).write_text(index_text(modules, map(len, contents), index), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
