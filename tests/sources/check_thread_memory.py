#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks how much memory of each thread the library claims when it is loaded: check_thread_memory.py LIBRARY.

The C library has 1,664 bytes for all libraries that are loaded late and claim some (thread_local variables with the
model initial-exec make a library one of them). Those of OpenCV's Python module leave less than 1,568, and a driver that
needs more is not loaded: the application finds no platform.
"""
import pathlib
import struct
import sys

MOST = 1280
THREAD_STORAGE = 7  # PT_TLS


def thread_memory(elf):
    assert elf[:6] == b"\x7fELF\x02\x01", "no ELF file of 64 bits, little-endian"
    (table,) = struct.unpack_from("<Q", elf, 32)
    size, count = struct.unpack_from("<HH", elf, 54)
    for i in range(count):
        kind, _, _, _, _, _, memory, _ = struct.unpack_from("<IIQQQQQQ", elf, table + i * size)
        if kind == THREAD_STORAGE:
            return memory
    return 0


def main():
    found = thread_memory(pathlib.Path(sys.argv[1]).read_bytes())
    if found > MOST:
        sys.exit(f"{sys.argv[1]} claims {found} bytes of each thread, {MOST} are allowed: large thread_local variables "
                 "belong behind a pointer")


if __name__ == "__main__":
    main()
