#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file installs a release build into a folder, makes the .deb and the wheel of it, and uses what is in them, all
# without a network. tests/install/run.sh does the same on bare systems.
"""Tests of what is installed. CLARITY_TEST_BUILD names the build folder, CLARITY_TEST_VERSION the version."""

import gzip
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
BUILD = pathlib.Path(os.environ["CLARITY_TEST_BUILD"])
VERSION = os.environ["CLARITY_TEST_VERSION"]
CMAKE, CPACK = os.environ.get("CMAKE", "cmake"), os.environ.get("CPACK", "cpack")
CC = os.environ.get("CC", "cc")

MOST_INSTALLED = 108_000_000  # bytes
# Libraries that the packages of Debian 12 and 13 and of Ubuntu 24.04 have under one name.
LIBRARIES = {"libOpenCL.so.1", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"}
# Under names of their own beside the driver.
PRIVATE = {"libsleef-clarity.so.3"}
COMPONENTS = ["LLVM", "clang", "libclc", "{fmt}", "SLEEF", "OpenCL headers", "CLI11", "JSON for Modern C++",
              "Zstandard", "zlib", "libpng"]
KERNEL = "kernel void twice(global float* a) { a[get_global_id(0)] *= 2; }\n"


def without_loader_variables():
    """The environment of a user who has set nothing for OpenCL."""
    return {name: value for name, value in os.environ.items()
            if not name.startswith(("OCL_ICD_", "OPENCL_", "CLARITY_ICD", "PYTHON"))}


def run(*command, **options):
    """The output of a command; fails with it when the command does."""
    options.setdefault("env", without_loader_variables())
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def binaries(folder):
    return sorted(path for path in folder.rglob("*") if is_elf(path))


class Installed(unittest.TestCase):
    """What holds for an installed tree, however it came there."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scratch = pathlib.Path(folder.name)

    def check_command(self, command):
        """The command runs, compiles with the driver's compiler, and executes a kernel."""
        self.assertIn("Clarity", run(command, "info"))
        source = self.scratch / "twice.cl"
        source.write_text(KERNEL, encoding="ascii")
        self.assertRegex(run(command, "compile", source, "--emit", "asm"), r"\n\s+ret")
        self.assertIn("twice", run(command, "exec", source, "twice", "--global", "64", "--arg", "iota:64"))

    def check_binaries(self, folder, allowed=None):
        """No binary names a folder of this machine, needs a library that is not allowed, or one without using it."""
        found = binaries(folder)
        self.assertTrue(found)
        for binary in found:
            content = binary.read_bytes()
            for place in (SOURCE, BUILD):
                self.assertNotIn(str(place).encode(), content, f"{binary} names {place}")
            if allowed is None:
                continue
            needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", binary)))
            self.assertLessEqual(needed, allowed, f"{binary} needs other libraries")
            unused = run_any("ldd", "-u", binary)
            self.assertNotRegex(unused, r"/lib(hwloc|sleef|OpenCL|png|z|zstd|z3|xml2)", f"{binary}: {unused}")

    def check_documents(self, folder):
        """Each relative link of the installed documents leads to a file that is installed, too."""
        documents = sorted(folder.rglob("*.md"))
        self.assertGreater(len(documents), 20)
        for document in documents:
            text = document.read_text(encoding="utf-8")
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                self.assertTrue((document.parent / target).exists(), f"{document} has a link to {target}")
            source = SOURCE / document.relative_to(folder)
            words = [re.sub(r"\[([^]]*)\]\([^):]*\)", r"\1", each) for each in
                     (text, source.read_text(encoding="utf-8"))]
            self.assertEqual(*words, f"{document} differs from {source} in more than links")

    def check_symbols(self, driver):
        """An application's own LLVM meets none of ours."""
        shown = set(re.findall(r" [TDBRVWi] (\S+)", run("nm", "-D", "--defined-only", driver)))
        self.assertEqual(shown, {"clGetExtensionFunctionAddress", "clGetPlatformInfo", "clIcdGetPlatformIDsKHR",
                                 "clIcdGetFunctionAddressForPlatformKHR", "clIcdSetPlatformDispatchDataKHR",
                                 "clarityCompilerModule", "__jit_debug_descriptor", "__jit_debug_register_code",
                                 "clarity_debug_state", "clarity_debug_finding"})

    def check_privacy(self, driver):
        """An application that needs newer versions of the driver's libraries gets them, whichever comes first, and the
        driver meets none of their functions."""
        # Newer versions: they have what the older ones have, as functions that end the process, and one more.
        newer = self.scratch / "newer"
        newer.mkdir()
        used, calls = [], []
        for library in sorted(PRIVATE):
            name = library.replace("-clarity", "")
            stem = name.split(".")[0]
            exported = re.findall(r" [TW] (\S+)", run("nm", "-D", "--defined-only", driver.parent / library))
            self.assertGreater(len(exported), 10)
            text = "".join(f".globl {function}\n.type {function}, @function\n{function}:\n" for function in exported)
            assembly = self.scratch / f"{stem}.s"
            assembly.write_text(f'.text\n{text}  ud2\n.globl newer_{stem}\n.type newer_{stem}, @function\n'
                                f'newer_{stem}: mov $42, %eax\n  ret\n.section .note.GNU-stack,"",@progbits\n',
                                encoding="ascii")
            run(CC, "-shared", "-nostdlib", f"-Wl,-soname,{name}", "-o", newer / name, assembly)
            used.append(newer / name)
            calls.append(f"newer_{stem}()")
        source = self.scratch / "needs_newer.c"
        declarations = "".join(f"int {call.replace('()', '(void)')};\n" for call in calls)
        source.write_text(f"{declarations}int needs_newer(void) {{ return {' & '.join(calls)}; }}\n", encoding="ascii")
        needs = self.scratch / "libneeds_newer.so"
        run(CC, "-shared", "-fPIC", "-o", needs, source, *used, f"-Wl,-rpath,{newer}")
        program = self.scratch / "privacy"
        run(CC, HERE / "privacy.c", "-o", program, "-DCL_TARGET_OPENCL_VERSION=120", "-lOpenCL", "-lm", "-ldl")

        environment = {**without_loader_variables(), "OCL_ICD_VENDORS": str(driver), "OCL_ICD_FILENAMES": str(driver)}
        for preloaded in ("", ":".join(map(str, used))):
            said = run(program, driver, needs, env={**environment, "LD_PRELOAD": preloaded})
            self.assertIn("the application's library answers 42", said)
            loaded = {pathlib.Path(path) for path in re.findall(r"^library (/.*)$", said, re.M)}
            ours = {path.name for path in loaded if path.parent == driver.parent}
            self.assertEqual(ours, PRIVATE | {driver.name})
            others = {path.name for path in loaded if path.parent not in (driver.parent, newer, self.scratch)}
            self.assertLessEqual(others, LIBRARIES | {"libdl.so.2", "libpthread.so.0", "librt.so.1"},
                                 "the driver brought libraries into the process under names that others use")

        # Without them there is no platform, and a sentence.
        alone = self.scratch / "alone"
        alone.mkdir()
        shutil.copy(driver, alone)
        said = run_any("env", f"OCL_ICD_VENDORS={alone / driver.name}", f"OCL_ICD_FILENAMES={alone / driver.name}",
                       "CLARITY_MESSAGES=always", program, alone / driver.name, needs)
        incomplete = "the installation is incomplete: the driver needs the library .*-clarity.so"
        self.assertRegex(said, incomplete)
        for folder, file in (("bin", BUILD / "bin/clarity"), ("lib", driver)):
            (alone / folder).mkdir()
            shutil.copy(file, alone / folder)
        told = run_any(alone / "bin/clarity", "info")
        self.assertRegex(told, incomplete)
        self.assertNotIn("unknown error", said + told)


def run_any(*command):
    """The output of a command, whatever its exit status."""
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=without_loader_variables(), check=False).stdout


class Prefix(Installed):
    """cmake --install --prefix, find_package, pkg-config."""

    def test_prefix(self):
        prefix = self.scratch / "prefix"
        said = run(CMAKE, "--install", BUILD, "--prefix", prefix)
        vendors, driver = prefix / "etc/OpenCL/vendors", prefix / "lib/clarity/driver/libclarity.so"
        self.assertIn(f"export OCL_ICD_VENDORS={vendors}/ ", said)
        self.assertIn(f"export OCL_ICD_FILENAMES={driver} ", said)
        self.assertEqual((vendors / "clarity.icd").read_text(encoding="utf-8"), f"{driver}\n")
        self.check_command(prefix / "bin/clarity")
        self.check_documents(prefix / "share/doc/clarity-opencl")
        self.check_symbols(driver)
        self.check_privacy(driver)

        # The driver's compiler is for a command of its own version.
        program = ("import ctypes, sys; entry = ctypes.CDLL(sys.argv[1]).clarityCompilerModule; "
                   "entry.restype = ctypes.c_void_p; print(bool(entry(sys.argv[2].encode())))")
        self.assertEqual(run(sys.executable, "-c", program, driver, VERSION).strip(), "True")
        self.assertEqual(run(sys.executable, "-c", program, driver, "0.0.1").strip(), "False")

        # The printed variable leads a loader there.
        sample = prefix / "lib/clarity/samples/02_vector_add"
        said_environment = {**without_loader_variables(), "OCL_ICD_VENDORS": str(vendors)}
        self.assertIn("Clarity", run(prefix / "lib/clarity/samples/01_device_query", env=said_environment))
        run(sample, "--size", "1000", env=said_environment)
        run(prefix / "bin/clarity", "run", sample, "--size", "1000")
        self.assertIn("02_vector_add", run(prefix / "bin/clarity", "bench", "--quick", "--filter", "02_vector_add"))

        # find_package(Clarity)
        project, build = self.scratch / "project", self.scratch / "build"
        shutil.copytree(HERE / "project", project)
        lists = project / "CMakeLists.txt"
        lists.write_text(lists.read_text(encoding="utf-8").replace("@VERSION@", VERSION), encoding="utf-8")
        run(CMAKE, "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
        run(CMAKE, "--build", build)
        self.assertIn("100% tests passed", run("ctest", "--test-dir", build, "--output-on-failure"))
        self.assertEqual((build / "found.txt").read_text(encoding="utf-8").splitlines(),
                         [str(driver), str(vendors / "clarity.icd"), str(prefix / "bin/clarity"), VERSION])

        # pkg-config
        environment = {**without_loader_variables(), "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
        for variable, value in (("driver", driver), ("icd", vendors / "clarity.icd"), ("vendors", f"{vendors}/"),
                                ("command", prefix / "bin/clarity")):
            printed = run("pkg-config", f"--variable={variable}", "clarity", env=environment)
            self.assertEqual(printed.strip(), str(value))
        self.assertEqual(run("pkg-config", "--modversion", "clarity", env=environment).strip(), VERSION)

    def test_system_prefix(self):
        """An installation into the system says that loaders find it, and its clarity.icd has no DESTDIR in it."""
        staging = self.scratch / "staging"
        said = run(CMAKE, "--install", BUILD, "--prefix", "/usr",
                   env={**without_loader_variables(), "DESTDIR": str(staging)})
        self.assertIn("OpenCL loaders find Clarity: /etc/OpenCL/vendors/clarity.icd", said)
        self.assertNotIn("export OCL_ICD", said)
        self.assertEqual((staging / "etc/OpenCL/vendors/clarity.icd").read_text(encoding="utf-8"),
                         "/usr/lib/clarity/driver/libclarity.so\n")


class Deb(Installed):
    """cpack."""

    def test_deb(self):
        # Quick compression; run.sh measures the package as it is given away.
        run(CPACK, "-G", "DEB", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=zstd", "-B", self.scratch / "packages",
            cwd=BUILD)
        package, = (self.scratch / "packages").glob("*.deb")
        root = self.scratch / "root"
        run("dpkg-deb", "-x", package, root)
        fields = run("dpkg-deb", "-f", package)
        self.assertIn(f"Version: {VERSION}", fields)
        depends, = re.findall(r"^Depends: (.*)$", fields, re.M)
        for name in ("ocl-icd-libopencl1 | libopencl1", "libc6 (>= 2.36)"):
            self.assertIn(name, depends)
        self.assertNotRegex(depends, "(?i)llvm|clang|png|zlib|zstd|z3|xml|sleef|hwloc|udev")
        self.assertRegex(fields, r"(?m)^Maintainer: [^<>]+ <[^<>@ ]+@[^<>@ ]+>$")
        self.assertRegex(fields, r"(?m)^Homepage: https?://\S+$")
        run("dpkg-deb", "-e", package, self.scratch / "control")
        # dpkg remembers a removed package that has a script for its removal.
        self.assertEqual({path.name for path in (self.scratch / "control").iterdir()}, {"control", "md5sums"})
        names = {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}
        for name in ("usr/lib/clarity/driver/libclarity.so", "usr/bin/clarity", "etc/OpenCL/vendors/clarity.icd",
                     "usr/lib/cmake/Clarity/ClarityConfig.cmake", "usr/share/pkgconfig/clarity.pc",
                     "usr/lib/clarity/samples/02_vector_add",
                     "usr/lib/clarity/samples/files/02_vector_add/vector_add.cl",
                     "usr/share/doc/clarity-opencl/copyright", "usr/share/doc/clarity-opencl/changelog.gz",
                     "usr/share/doc/clarity-opencl/changelog.Debian.gz",
                     "usr/share/bash-completion/completions/clarity", "usr/share/zsh/vendor-completions/_clarity",
                     "usr/share/fish/vendor_completions.d/clarity.fish", "usr/share/man/man1/clarity.1.gz"):
            self.assertIn(name, names)
        self.assertFalse([name for name in names if name.startswith("etc/") and not name.endswith("clarity.icd")])
        self.assertEqual((root / "etc/OpenCL/vendors/clarity.icd").read_text(encoding="utf-8"),
                         "/usr/lib/clarity/driver/libclarity.so\n")
        self.assertLessEqual(sum(path.lstat().st_size for path in root.rglob("*") if not path.is_dir()), MOST_INSTALLED)
        self.assertEqual({path.name for path in (root / "usr/lib/clarity/driver").iterdir()},
                         PRIVATE | {"libclarity.so"}, "LLVM is in it once")
        self.check_binaries(root, LIBRARIES)
        self.check_documents(root / "usr/share/doc/clarity-opencl")
        self.check_symbols(root / "usr/lib/clarity/driver/libclarity.so")
        self.check_privacy(root / "usr/lib/clarity/driver/libclarity.so")

        if shutil.which("lintian"):
            run("lintian", *(["--allow-root"] if os.geteuid() == 0 else []), "--fail-on", "error,warning", package)

        notices = (root / "usr/share/doc/clarity-opencl/copyright").read_text(encoding="utf-8")
        for component in COMPONENTS:
            self.assertIn(f"\n{component}\n======", notices)
        self.assertIn("LLVM Exceptions to the Apache 2.0 License", notices)
        for page in root.glob("usr/share/man/man1/*"):
            self.assertTrue(gzip.decompress(page.read_bytes()).startswith(b".TH "))


class Wheel(Installed):
    """The Python wheel in an empty virtual environment."""

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "this Python makes no virtual environments")
    def test_wheel(self):
        wheel = pathlib.Path(run(sys.executable, SOURCE / "packaging/wheel/build_wheel.py", "--build", BUILD,
                                 "--version", VERSION, "--output", self.scratch, "--level", "0").strip())
        tag = re.fullmatch(rf"clarity_opencl-{VERSION}-py3-none-manylinux_(\d+)_(\d+)_x86_64\.whl", wheel.name)
        self.assertTrue(tag, wheel.name)
        with zipfile.ZipFile(wheel) as archive:
            driver = archive.getinfo("clarity_opencl/lib/libclarity.so")
            self.assertGreater(driver.compress_size, driver.file_size, "level 0 compresses nothing")
            archive.extractall(self.scratch / "content")
        content = self.scratch / "content"
        self.check_binaries(content)
        self.check_tag(content, (int(tag[1]), int(tag[2])))
        self.check_privacy(content / "clarity_opencl/lib/libclarity.so")
        information = next(content.glob("*.dist-info/METADATA")).read_text(encoding="utf-8")
        self.assertRegex(information, r"(?m)^Home-page: https?://\S+$")
        self.assertRegex(information, r"(?m)^Author-email: \S+@\S+$")

        environment = self.scratch / "environment"
        venv.create(environment, with_pip=True)
        before = files_of(environment)
        python = environment / "bin/python"
        run(python, "-m", "pip", "install", "--no-index", "--no-deps", "--no-compile", wheel)
        self.check_command(environment / "bin/clarity")
        self.assertIn("02_vector_add", run(environment / "bin/clarity", "bench", "--quick", "--filter",
                                           "02_vector_add|25_sobel", cwd=self.scratch))
        exports = dict(re.findall(r"export (\w+)=(\S+)", run(python, "-B", "-m", "clarity_opencl")))
        self.assertEqual(set(exports), {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"})
        sample = BUILD / "samples/01_device_query"
        self.assertIn("Clarity", run(sample, env={**without_loader_variables(), **exports}))
        self.check_pyopencl_place(environment)
        run(python, "-m", "pip", "uninstall", "-y", "clarity-opencl")
        left = {name for name in files_of(environment) - before if "__pycache__" not in name}
        self.assertFalse(left, "left behind")

    def check_tag(self, content, tag):
        """The tag names the C library that the files need, and nothing is needed that is neither there nor standard."""
        present = {path.name for path in binaries(content)}
        newest = (0, 0)
        for binary in binaries(content):
            versions = re.findall(r"GLIBC_(\d+)\.(\d+)", run("readelf", "-VW", binary))
            newest = max([newest, *((int(major), int(minor)) for major, minor in versions)])
            for library in re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", binary)):
                standard = re.match(r"(ld-linux|lib(c|m|gcc_s|stdc\+\+|dl|rt|pthread)\.)", library)
                self.assertTrue(standard or library in present, f"{binary.name} needs {library}")
        self.assertGreaterEqual(tag, newest)

    def check_pyopencl_place(self, environment):
        """A loader in PyOpenCL's folder finds the driver through the file there, as the loader of its wheels does."""
        icd, = environment.glob("lib/python*/site-packages/pyopencl/.libs/clarity.icd")
        packages = icd.parent.parent.parent
        loader = icd.parent / "libOpenCL-of-a-test.so"
        shutil.copy(packages / "clarity_opencl/lib/libOpenCL-clarity.so.1", loader)
        program = ("import ctypes, sys; count = ctypes.c_uint(); "
                   "ctypes.CDLL(sys.argv[1]).clGetPlatformIDs(0, None, ctypes.byref(count)); print(count.value)")
        environment = {**without_loader_variables(), "OCL_ICD_VENDORS": str(icd.parent)}
        self.assertEqual(run(sys.executable, "-c", program, loader, env=environment).strip(), "1")
        loader.unlink()


def files_of(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


if __name__ == "__main__":
    del Installed  # has no tests of its own
    unittest.main()
