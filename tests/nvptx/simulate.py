#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Executes the code that kernels become for NVIDIA GPUs, on the CPU: as tiled for a large launch, and with one
work-item a thread. Both must write the same bytes. The code is that of `clarity compile --emit native-ir`, compiled for
this machine with the GPU's instructions as functions (simulator.cpp).

  simulate.py --clarity CLARITY --clang CLANG --opt OPT --cxx C++ --folder FOLDER
              [--processor GPU] [--filter REGEX] [--random COUNT] [--seed SEED] [--half]

The cases are in cases.py; --random adds kernels made of random steps in local memory. --half takes every second case:
which half changes with the compiler's passes. With CLARITY_TEST_ALL=1 it takes all.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import zlib

import cases

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parent.parent / "src"
OWN_LOCAL, LOCAL_OF_GROUP = 16384, 32768  # bytes: the kernel's own variables, then its arguments

# Compiled once for all cases: reading the headers takes most of the time of such a program.
HEADERS = """
#include "simulator.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
"""
MAIN = r"""
using namespace simulator;
extern "C" void as_tiled(%(types)sLaunch);
extern "C" void as_written(%(types)sLaunch);
static std::vector<unsigned char> content(unsigned name, std::size_t bytes, char kind) {
  std::vector<unsigned char> data(bytes, 0xAA);
  unsigned long long state = name * 77777ull + 1;
  for (std::size_t i = 0; kind != 'o' && i < bytes; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    if (kind == 'b') data[i] = (unsigned char)(state >> 40);
    const double number = (double)((state >> 40) %% 4001) / 8 - 250;
    const float half = (float)number;
    if (kind == 'f' && i %% 4 == 0) std::memcpy(&data[i], &half, 4);
    if (kind == 'd' && i %% 8 == 0) std::memcpy(&data[i], &number, 8);
  }
  return data;
}
static void run(const char* file, bool tiled, const Grid& grid, Launch launch) {
%(buffers)s
  std::uint32_t flag = 0;
  launch.endFlag = reinterpret_cast<std::uintptr_t>(&flag), launch.endNumber = 77;
  simulator::run(grid, [&] {
    if (flag) std::puts("an end is told before it"), std::exit(4);
    %(call)s
  });
  if (flag != %(flag)d) std::printf("the end is told as %%u\n", flag), std::exit(5);
  std::FILE* out = std::fopen(file, "wb");
%(write)s
  std::fclose(out);
}
int main() {
  const Launch launch = {.globalOffset = {%(offset)s},
                         .enqueuedLocalSize = {%(local)s},
                         .seenOffset = {%(offset)s},
                         .globalSize = {%(global)s},
                         .numGroups = {%(groups)s},
                         .workDim = %(dimensions)d,
                         .localBytes = %(bytes)d};
  run("tiled.bin", true, {{%(tiledBlocks)s}, {%(tiledThreads)s}}, launch);
  run("written.bin", false, {{%(groups)s}, {%(local)s}}, launch);
}
"""


class Wrong(Exception):
    pass


def run(command, **more):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(str(each) for each in command)}\n{(done.stdout + done.stderr)[:2000]}")
    return done.stdout


def capability(options):
    """Of the GPU, ten times. Kernels tell their end from 7.0 on, and copy asynchronously from 8.0 on."""
    return int(options.processor.removeprefix("sm_"))


def code(options, case, folder, name, build):
    """An object file with the function `name`, and the tile."""
    text = run([options.clarity, "compile", folder / "kernel.cl", "--processor", options.processor, "--emit",
                "native-ir", "--kernel", case.kernel, "--local", ",".join(str(size) for size in case.local),
                "--global", ",".join(str(size) for size in case.range), "--", *build])
    if case.has and name == "as_tiled" and capability(options) >= 80:
        for word in case.has:
            if not re.search(word, text):
                raise Wrong(f"the tiled code has no '{word}'")
    tile = re.search(r'"clarity-tile"="([^"]*)"', text).group(1)
    # The code generator's first step: loads that lie side by side become one, which has to be aligned.
    (folder / f"{name}.gpu.ll").write_text(text)
    text = run([options.opt, "-S", "-mtriple=nvptx64-nvidia-cuda", f"-mcpu={options.processor}",
                "-passes=load-store-vectorizer", folder / f"{name}.gpu.ll"])
    text = re.sub(r"^target .*\n", "", text, flags=re.M)
    text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
    text = text.replace("ptx_kernel ", "").replace("@clarity_kernel", "@" + name)
    text = re.sub(r"@llvm\.nvvm\.([a-z0-9.]+)", lambda match: "@sim_" + match.group(1).replace(".", "_"), text)
    (folder / f"{name}.ll").write_text(text)
    run([options.clang, "-O1", "-march=x86-64-v3", "-Wno-override-module", "-c", folder / f"{name}.ll", "-o",
         folder / f"{name}.o"])
    return tile


def blocks_of(case, tile):
    """Of the tiled launch, as device/cuda/executable.cpp has them: blocks and threads along the hardware's axes."""
    sizes = {key: [int(each) for each in values.split(",")] for key, values in re.findall(r"(\w+)=([\d,]+)", tile)}
    threads = sizes["threads"] if sizes["threads"][0] else list(case.local)
    groups = sizes["groups"][0]
    blocks = []
    for d in range(3):
        items = threads[d] * sizes["cells"][d] if "merged" in tile else case.local[d] * (groups if d == 0 else 1)
        if case.range[d] % items and "guarded" not in tile:
            raise Wrong(f"{case.range} work-items are not whole blocks of {tile}")
        blocks.append(-(-case.range[d] // items))
    if "counts" in tile:
        blocks[0] = min(blocks[0], 3)
    if "swapped" in tile:
        threads = [threads[1], threads[0], threads[2]]
    return blocks, threads


def simulate(options, case):
    folder = options.folder / case.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.cl").write_text(case.source)
    tile = code(options, case, folder, "as_tiled", case.build)
    code(options, case, folder, "as_written", [*case.build, "-cl-clarity-tile=1x1"])
    if case.tile not in tile:
        raise Wrong(f"tile '{tile}' instead of '{case.tile}'")
    blocks, threads = blocks_of(case, tile)
    types, buffers, values, write, local = "", "", [], "", OWN_LOCAL
    for number, (kind, size) in enumerate(case.arguments):
        if kind in "bfdo":
            types += "void*, "
            buffers += f"  auto b{number} = content({number}, {size}, '{kind}');\n"
            values.append(f"b{number}.data()")
            write += f"  std::fwrite(b{number}.data(), 1, b{number}.size(), out);\n"
        elif kind == "l":
            types += "unsigned long, "
            values.append(str(local))
            local += (size + 127) // 128 * 128
        else:
            types += kind + ", "
            values.append(str(size))
    given = "".join(value + ", " for value in values) + "launch"
    lists = {"global": case.range, "local": case.local, "tiledBlocks": blocks, "tiledThreads": threads,
             "groups": [whole // part for whole, part in zip(case.range, case.local)]}
    (folder / "main.cpp").write_text(MAIN % {
        **{key: ", ".join(str(each) for each in value) for key, value in lists.items()},
        "types": types, "buffers": buffers, "write": write, "offset": case.offset,
        "bytes": case.counted if "counts" in tile else LOCAL_OF_GROUP,
        "flag": 77 if case.range == case.local and capability(options) >= 70 else 0,
        "dimensions": 2 if case.range[1] > 1 else 1,
        "call": f"if (tiled) as_tiled({given}); else as_written({given});"})
    run([options.cxx, "-O0", "-std=c++20", "-include-pch", options.folder / "main.pch", folder / "main.cpp",
         folder / "as_tiled.o", folder / "as_written.o", options.folder / "simulator.o", "-o", folder / "program"])
    run([folder / "program"], cwd=folder)
    if (folder / "tiled.bin").read_bytes() != (folder / "written.bin").read_bytes():
        raise Wrong(f"other results with tile '{tile}'; see {folder}")
    if case.zeros and any((folder / "tiled.bin").read_bytes()):
        raise Wrong(f"results are not 0; see {folder}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clarity", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--opt", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--processor", default="sm_90")
    parser.add_argument("--filter", default="")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", action="store_true")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    run([options.cxx, "-O1", "-std=c++20", f"-I{SOURCES}", "-c", HERE / "simulator.cpp", "-o",
         options.folder / "simulator.o"])
    (options.folder / "main.h").write_text(HEADERS)
    run([options.cxx, "-O0", "-std=c++20", f"-I{HERE}", f"-I{SOURCES}", "-x", "c++-header", options.folder / "main.h",
         "-o", options.folder / "main.pch"])
    every = cases.CASES + [cases.random_case(options.seed + number) for number in range(options.random)]
    if options.half and not os.environ.get("CLARITY_TEST_ALL"):
        passes = sorted((SOURCES / "compiler" / "nvptx").glob("*.cpp"))
        every = every[zlib.crc32(b"".join(each.read_bytes() for each in passes)) % 2::2]
    wrong = 0
    for case in every:
        if not re.search(options.filter, case.name):
            continue
        try:
            simulate(options, case)
            print(f"right  {case.name}")
        except Wrong as error:
            wrong += 1
            print(f"wrong  {case.name}: {error}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
