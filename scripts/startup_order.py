#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/api/startup_order.tar.xz: the functions that a process executes from loading the driver to its first
result, in the order of their first execution: first those that it executes if all code is in the cache, then what a
compile takes. The linker puts them next to each other (src/api/driver.cmake), so that fewer pages of the library are
read and fewer entries of address caches are needed.

Needs valgrind and a driver with symbols:
  cmake --preset release -DCMAKE_SHARED_LINKER_FLAGS_RELEASE=-Wl,--strip-debug
  cmake --build --preset release --target clarity clarity_tool
  scripts/startup_order.py build/release
Names that a later LLVM does not have are ignored.
"""
import argparse
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile

BLOCK = re.compile(r"^==== SB .*\[tid \d+\] 0x[0-9a-f]+ (\S.*?)(?:\+\d+)? /\S*libclarity\.so\+")
NAME = "startup_order.txt"
# Names beyond this are of templates within templates: a few functions that would be a tenth of the file.
LONGEST = 250


def functions(build, cache):
    """What `clarity measure first-result` executes of the driver, function after function."""
    with tempfile.NamedTemporaryFile(mode="r", errors="replace", suffix=".txt") as trace:
        environment = dict(os.environ, OCL_ICD_VENDORS=str(build / "clarity.icd"), CLARITY_CACHE_DIR=cache)
        # Bit 7: a line for each piece of code when it is first executed.
        subprocess.run(["valgrind", "--tool=none", "--demangle=no", "--trace-flags=10000000",
                        f"--log-file={trace.name}", str(build / "bin/clarity"), "measure", "first-result"],
                       env=environment, check=True, stdout=subprocess.DEVNULL)
        for line in trace:
            found = BLOCK.match(line)
            if found and found.group(1) != "UNKNOWN_FUNCTION" and len(found.group(1)) <= LONGEST:
                yield found.group(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="a build folder")
    build = parser.parse_args().build.resolve()
    target = pathlib.Path(__file__).resolve().parent.parent / "src/api/startup_order.tar.xz"
    with tempfile.TemporaryDirectory() as folder:
        compiling = list(functions(build, folder + "/cache"))
        cached = list(functions(build, folder + "/cache"))
        order = dict.fromkeys(cached + compiling)
        if len(order) < 1000:
            raise SystemExit(f"only {len(order)} functions were seen: has {build}/lib/libclarity.so its symbols?")
        text = pathlib.Path(folder, NAME)
        text.write_text("\n".join(order) + "\n")
        with tarfile.open(target, "w:xz", preset=9) as archive:
            entry = tarfile.TarInfo(NAME)
            entry.size = text.stat().st_size
            with text.open("rb") as content:
                archive.addfile(entry, content)
    print(f"{len(order)} functions, {target.stat().st_size} bytes in {target}")


if __name__ == "__main__":
    main()
