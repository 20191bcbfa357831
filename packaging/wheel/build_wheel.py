#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file makes a Python wheel of a release build: the driver, the command, the samples and the libraries that they
# need, so that nothing but the C and C++ libraries is expected of the system. It uses no network.
#
#   build_wheel.py --build build/release --version 0.1.0 --output FOLDER
"""Makes a Python wheel of a build folder."""

import argparse
import base64
import hashlib
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import notices  # noqa: E402

NAME = "clarity_opencl"
# PEP 600 counts on these from the system.
OF_THE_SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so\.\d+$")
# PyOpenCL's loader in the wheels of PyPI reads the .icd files beside it; the dynamic linker puts the folder of that
# loader for $ORIGIN. So the driver is found wherever the environment is, and moves with it.
ICD = "$ORIGIN/../../clarity_opencl/lib/libclarity.so\n"
# The first C library whose loader reads DT_RELR, which names no version with a number.
RELR = (2, 36)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed_by(file):
    """The names of the libraries that a library or program needs."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", file))


def c_library_of(file):
    """The oldest C library that has all that this file needs, as (major, minor)."""
    text = run("readelf", "-VW", file)
    versions = [tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_(\d+\.\d+)", text)]
    return max([*versions, RELR if "GLIBC_ABI_DT_RELR" in text else (2, 17)])


def place_of(library):
    """Where the dynamic linker finds a library by its name."""
    for line in run("/sbin/ldconfig", "-p").splitlines():
        found = re.match(rf"\s*{re.escape(library)} \(libc6,x86-64[^)]*\) => (.*)$", line)
        if found:
            return found.group(1)
    raise SystemExit(f"the library {library} was not found")


def renamed(library):
    """libOpenCL.so.1 becomes libOpenCL-clarity.so.1: a process may load another under the name that it has."""
    return library.replace(".so", "-clarity.so", 1)


def bring_along(folder, files):
    """Copies what the files need and the system may lack into `folder`; the names of these libraries. What the driver
    needs is beside it already (src/api/private_libraries.cmake)."""
    brought, pending = set(), list(files)
    while pending:
        for library in needed_by(pending.pop()):
            if OF_THE_SYSTEM.match(library) or library in brought:
                continue
            if library not in notices.BESIDE:
                raise SystemExit(f"packaging/notices.py has no notice for {library}")
            copy = folder / renamed(library)
            shutil.copyfile(place_of(library), copy)
            brought.add(library)
            pending.append(copy)
    for file in [*files, *(folder / renamed(library) for library in brought)]:
        # One change a call: patchelf mixes up several.
        for library in sorted(set(needed_by(file)) & brought):
            run("patchelf", "--replace-needed", library, renamed(library), str(file))
        if file not in files:
            run("patchelf", "--set-soname", file.name, str(file))
        run("patchelf", "--set-rpath", "$ORIGIN" if file.parent == folder else "$ORIGIN/../lib", str(file))
    return brought


class Wheel:
    """A wheel that is being written: every file goes into RECORD."""

    def __init__(self, path, level):
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level)
        self.records = []

    def add(self, name, content, executable=False):
        # A date of its own for every build would make the same content another file.
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        # A name would get the archive's level by itself, a ZipInfo does not.
        self.archive.writestr(info, content, compresslevel=self.archive.compresslevel)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(content)}")

    def close(self, information):
        self.records.append(f"{information}/RECORD,,")
        self.archive.writestr(f"{information}/RECORD", "\n".join(self.records) + "\n")
        self.archive.close()


def metadata(arguments):
    cache = (arguments.build / "CMakeCache.txt").read_text(encoding="utf-8")
    homepage, = re.findall(r"^CLARITY_HOMEPAGE:\w+=(.*)$", cache, re.M)
    who, address = re.search(r"^CLARITY_CONTACT:\w+=(.*) <(.*)>$", cache, re.M).groups()
    return f"""Metadata-Version: 2.1
Name: clarity-opencl
Version: {arguments.version}
Summary: OpenCL 3.1 for CPUs and NVIDIA GPUs: a driver that PyOpenCL finds, and the command clarity
Home-page: {homepage}
Author: {who}
Author-email: {address}
License: Apache-2.0
Requires-Python: >=3.8
Provides-Extra: pyopencl
Requires-Dist: pyopencl; extra == "pyopencl"
Description-Content-Type: text/markdown

# Clarity

OpenCL 3.1 on the CPU, without a GPU and without root. `pip install clarity-opencl[pyopencl]`, then
`pyopencl.get_platforms()` has Clarity. `clarity run PROGRAM` starts any other OpenCL program on it;
`eval "$(python -m clarity_opencl)"` sets the variables that OpenCL loaders read.
"""


def build(arguments):
    """Makes the wheel; its path."""
    with tempfile.TemporaryDirectory() as scratch:
        prefix, package = pathlib.Path(scratch) / "prefix", pathlib.Path(scratch) / NAME
        run("cmake", "--install", str(arguments.build), "--prefix", str(prefix), "--strip")
        (package / "bin").mkdir(parents=True)
        (package / "lib").mkdir()
        command = package / "bin" / "clarity"
        shutil.copy(prefix / "bin" / "clarity", command)
        for library in next(prefix.glob("lib/**/libclarity.so")).parent.iterdir():
            shutil.copy(library, package / "lib")
        # `clarity bench` finds them there.
        shutil.copytree(next(prefix.glob("lib/**/clarity/samples")), package / "samples")
        programs = [command, *sorted(path for path in (package / "samples").iterdir() if path.is_file())]
        beside = bring_along(package / "lib", [*sorted((package / "lib").iterdir()), *programs])

        libraries = sorted((package / "lib").iterdir())
        major, minor = max(c_library_of(str(file)) for file in [*programs, *libraries])
        tag = f"py3-none-manylinux_{major}_{minor}_x86_64"
        information = f"{NAME}-{arguments.version}.dist-info"
        path = arguments.output / f"{NAME}-{arguments.version}-{tag}.whl"
        arguments.output.mkdir(parents=True, exist_ok=True)
        wheel = Wheel(path, arguments.level)
        for source in sorted((HERE / NAME).glob("*.py")):
            wheel.add(f"{NAME}/{source.name}", source.read_bytes())
        for program in programs:
            wheel.add(f"{NAME}/{program.relative_to(package)}", program.read_bytes(), executable=True)
        for source in sorted(path for path in (package / "samples/files").rglob("*") if path.is_file()):
            wheel.add(f"{NAME}/{source.relative_to(package)}", source.read_bytes())
        for library in libraries:
            wheel.add(f"{NAME}/lib/{library.name}", library.read_bytes(), executable=True)
        wheel.add("pyopencl/.libs/clarity.icd", ICD.encode())
        # Man pages and the completion of shells, into the same folders below the environment.
        for file in sorted(path for folder in ("man", "bash-completion", "zsh", "fish")
                           for path in (prefix / "share" / folder).rglob("*") if path.is_file()):
            wheel.add(f"{NAME}-{arguments.version}.data/data/{file.relative_to(prefix)}", file.read_bytes())
        wheel.add(f"{information}/licenses/copyright", notices.notices(beside).encode())
        wheel.add(f"{information}/METADATA", metadata(arguments).encode())
        wheel.add(f"{information}/WHEEL", f"Wheel-Version: 1.0\nGenerator: clarity\nRoot-Is-Purelib: false\n"
                                          f"Tag: {tag}\n".encode())
        wheel.add(f"{information}/entry_points.txt", b"[console_scripts]\nclarity = clarity_opencl:main\n")
        wheel.close(information)
        return path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="a build folder of the preset release")
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True, help="the folder for the wheel")
    parser.add_argument("--level", type=int, default=9, help="compression, 0 to 9 [9]")
    arguments = parser.parse_args()
    if not shutil.which("patchelf"):
        sys.exit("build_wheel.py needs the program patchelf")
    print(build(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main())
