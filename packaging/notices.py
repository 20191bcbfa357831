#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file writes the licence of Clarity and the notices of everything that is linked into its binaries, embedded in
# them or put beside them. The notices are those of the packages of this machine, because the binaries are made of them.
#
#   notices.py OUTPUT              what the .deb contains
#   notices.py --wheel OUTPUT      what the wheel contains: the libraries that it brings along as well
"""Writes the licence of Clarity and the notices of what its binaries contain."""

import argparse
import pathlib
import subprocess
import sys

LICENSE = pathlib.Path(__file__).resolve().parent.parent / "LICENSE"

# (component, Debian package whose notice applies, what of it is where)
INSIDE = [
    ("LLVM", "llvm-22-dev", "linked into libclarity.so"),
    ("clang", "libclang-22-dev", "linked into libclarity.so; its header opencl-c-base.h is embedded"),
    ("libclc", "libclc-22", "functions for NVIDIA GPUs are embedded in libclarity.so as bitcode"),
    ("{fmt}", "libfmt-dev", "compiled into libclarity.so and the command"),
    ("SLEEF", "libsleef3", "libsleef-clarity.so.3, which is libsleef.so.3 under another name, is beside libclarity.so"),
    ("OpenCL headers", "opencl-c-headers", "compiled into libclarity.so, the command and the samples"),
    ("OpenCL C++ bindings", "opencl-clhpp-headers", "compiled into a sample"),
    ("CLI11", "libcli11-dev", "compiled into the command"),
    ("JSON for Modern C++", "nlohmann-json3-dev", "compiled into the command"),
    ("Zstandard", "libzstd-dev", "linked into libclarity.so"),
    ("zlib", "zlib1g-dev", "linked into libclarity.so, the command and the samples"),
    ("libpng", "libpng-dev", "linked into the command and the samples"),
]
# The libraries that the wheel brings along, by the name that programs load them by.
BESIDE = {
    "libOpenCL.so.1": ("ocl-icd", "ocl-icd-libopencl1"),
}
RULE = "=" * 78


def notice_of(package):
    """The notice of an installed package. Ends the program with a sentence when there is none."""
    path = pathlib.Path("/usr/share/doc") / package / "copyright"
    if not path.is_file():
        sys.exit(f"the notice of the package {package} is not there ({path})")
    return path.read_text(encoding="utf-8").strip()


def version_of(package):
    """The installed version of a package."""
    return subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], check=True, capture_output=True,
                          text=True).stdout


def notices(beside):
    """The text; `beside`: the names of the libraries that are put beside the driver."""
    parts = [(name, package, place) for name, package, place in INSIDE]
    for library in sorted(beside):
        name, package = BESIDE[library]
        parts.append((name, package, f"{library} is put beside libclarity.so"))
    text = ["Clarity, an implementation of OpenCL. Its own licence, Apache 2.0, comes first; then what its binaries",
            "contain of other projects, with the notice of each.", ""]
    text += [f"  {name}: {place} ({package} {version_of(package)})" for name, package, place in parts]
    text += ["", "Where a notice refers to /usr/share/common-licenses/Apache-2.0, that text is the first of this file.",
             "", RULE, "Clarity", RULE, "", LICENSE.read_text(encoding="utf-8").strip("\n")]
    seen = {}
    for name, package, _ in parts:
        notice = notice_of(package)
        text += ["", RULE, name, RULE, ""]
        text.append(f"As for {seen[notice]}, above." if notice in seen else notice)
        seen.setdefault(notice, name)
    return "\n".join(text) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", action="store_true", help="with the libraries that the wheel brings along")
    parser.add_argument("output", type=pathlib.Path)
    arguments = parser.parse_args()
    text = notices(BESIDE if arguments.wheel else [])
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
