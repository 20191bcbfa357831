#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rates of the built-in kernels beside those of libraries, as a table in Markdown for docs/built-in-speed.md.

  built_in.py                        every kernel and size on the first OpenCL device
  built_in.py --only 'gemm|sort'     some kernels
  built_in.py --max-elements 24 --max-matrix 2048      smaller problems: 2^24 elements, matrices of 2048
  built_in.py --into docs/built-in-speed.md --name cpu    replaces the table between '<!-- built_in.py cpu -->' and
                                     '<!-- built_in.py end -->'

Needs PyOpenCL and NumPy. Libraries are measured where they can be imported or loaded: NumPy, with the BLAS that it
comes with, on a CPU; CuPy (cuBLAS, cuFFT, CUB) on an NVIDIA GPU; CLBlast and PyOpenCL's own arrays on the same OpenCL
device. Every result, of large ones the first part, is compared with NumPy's before it is timed; a wrong one ends the
script.

A time is the median of seven batches. A batch is as many calls as take 5 ms, and one wait for all of them at its end.
"""
import argparse
import ctypes
import pathlib
import re
import sys
import time

import numpy as np
import pyopencl as cl
import pyopencl.array
import pyopencl.algorithm
import pyopencl.scan

try:
    import cupy
except ImportError:
    cupy = None

LIBRARIES = ("NumPy", "CuPy", "CLBlast", "PyOpenCL")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", type=int, default=0, help="number of the device on the first platform")
    parser.add_argument("--only", default="", help="a regular expression for names of kernels")
    parser.add_argument("--max-elements", type=int, default=28, help="the binary logarithm of the longest array")
    parser.add_argument("--max-matrix", type=int, default=8192, help="rows of the largest matrix")
    parser.add_argument("--into", type=pathlib.Path)
    parser.add_argument("--name", default="table")
    return parser.parse_args()


class Case:
    """A problem: a built-in kernel with its arguments, its peers, and the work that it is."""

    def __init__(self, kernel, size, unit, work, built_in, expected, result, peers, tolerance=1e-4):
        self.kernel, self.size, self.unit, self.work = kernel, size, unit, work
        self.built_in, self.expected, self.result, self.peers = built_in, expected, result, peers
        self.tolerance = tolerance

    def check(self):
        """Compares the result of the kernel with NumPy's."""
        expected, result = np.asarray(self.expected()), self.result()
        scale = np.max(np.abs(expected)) if expected.size else 0
        wrong = np.max(np.abs(result.astype(np.complex128) - expected)) if expected.size else 0
        if not wrong <= self.tolerance * max(scale, 1e-30):
            sys.exit(f"built_in.py: {self.kernel} {self.size}: wrong by {wrong}, of {scale}")


class Bench:
    """The device, its queue and what is measured on it."""

    def __init__(self, options):
        device = cl.get_platforms()[0].get_devices()[options.device]
        self.options = options
        self.device = device
        self.context = cl.Context([device])
        self.queue = cl.CommandQueue(self.context)
        self.on_gpu = bool(device.type & cl.device_type.GPU)
        self.random = np.random.default_rng(1)
        self.kernels = {}
        try:
            self.clblast = ctypes.CDLL("libclblast.so.1")
        except OSError:
            self.clblast = None

    def has_double(self):
        return bool(self.device.double_fp_config)

    def kernel(self, name):
        if name not in self.kernels:
            program = cl.create_program_with_built_in_kernels(self.context, [self.device], name)
            self.kernels[name] = cl.Kernel(program, name)
        return self.kernels[name]

    def call(self, name, *values):
        """A function that enqueues the kernel with these arguments."""
        kernel = self.kernel(name)
        kernel.set_args(*[value.data if isinstance(value, cl.array.Array) else value for value in values])
        return lambda: cl.enqueue_nd_range_kernel(self.queue, kernel, (1,), None)

    def upload(self, array):
        return cl.array.to_device(self.queue, array)

    def empty(self, shape, dtype):
        return cl.array.zeros(self.queue, shape, dtype)

    def numbers(self, n, dtype=np.float32):
        if np.issubdtype(dtype, np.integer):
            return self.random.integers(0, 2**31, n, dtype=dtype)
        return self.random.random(n, dtype=np.float64 if dtype == np.float64 else np.float32).astype(dtype)

    def wait(self):
        self.queue.finish()
        if self.on_gpu and cupy:
            cupy.cuda.runtime.deviceSynchronize()

    def seconds(self, function):
        """The median time of a call."""
        time.sleep(0.2)  # the threads of a BLAS spin for a while after its last call
        function()
        self.wait()
        calls, taken = 1, 0.0
        while True:
            start = time.perf_counter()
            for _ in range(calls):
                function()
            self.wait()
            taken = time.perf_counter() - start
            if taken >= 0.005:
                break
            calls = max(calls * 2, min(int(calls * 0.006 / max(taken, 1e-7)), calls * 64))
        times = [taken]
        for _ in range(6 if taken < 1 else 2):
            start = time.perf_counter()
            for _ in range(calls):
                function()
            self.wait()
            times.append(time.perf_counter() - start)
        return float(np.median(times)) / calls

    def peers(self, host=None, gpu=None, clblast=None, pyopencl=None):
        """The libraries that are there: `host` is NumPy's function, `gpu` makes CuPy's."""
        found = {}
        if host and not self.on_gpu:
            found["NumPy"] = host
        if gpu and self.on_gpu and cupy:
            found["CuPy"] = gpu()
        if clblast and self.clblast:
            found["CLBlast"] = clblast
        if pyopencl:
            found["PyOpenCL"] = pyopencl
        return found

    def blas(self, name, *values):
        """A function that calls CLBlast; buffers come with their offset 0."""
        function = getattr(self.clblast, "CLBlast" + name) if self.clblast else None
        queue = ctypes.c_void_p(self.queue.int_ptr)
        arguments = []
        for value in values:
            if isinstance(value, cl.array.Array):
                arguments += [ctypes.c_void_p(value.data.int_ptr), ctypes.c_size_t(0)]
            elif isinstance(value, float):
                arguments.append(ctypes.c_float(value))
            else:
                arguments.append(ctypes.c_size_t(value))

        def run():
            status = function(*arguments, ctypes.byref(queue), None)
            if status:
                sys.exit(f"built_in.py: CLBlast's {name} returned {status}")

        return run


def lengths(bench, first=10):
    return [2**power for power in range(first, bench.options.max_elements + 1, 6)]


def sides(bench, largest=8192):
    return [n for n in (64, 256, 1024, 2048, 4096, 8192) if n <= min(largest, bench.options.max_matrix)]


def power(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)


ulong, uint = np.uint64, np.uint32


def copies(bench):
    for n in lengths(bench, 16):
        x = bench.numbers(n)
        a, b = bench.upload(x), bench.empty(n, np.float32)
        y = np.empty_like(x)
        yield Case("copy.f32.f32", power(n), "GB/s", 8 * n,
                   bench.call("clarity.copy.f32.f32", ulong(n), a, ulong(1), b, ulong(1)), lambda: x, b.get,
                   bench.peers(host=lambda: np.copyto(y, x), gpu=lambda: gpu_copy(x),
                               pyopencl=lambda: cl.enqueue_copy(bench.queue, b.data, a.data)))
        yield Case("axpy.f32", power(n), "GB/s", 12 * n,
                   bench.call("clarity.axpy.f32", ulong(n), np.float32(1), a, ulong(1), b, ulong(1)), lambda: x + x,
                   b.get, bench.peers(gpu=lambda: gpu_axpy(x), clblast=bench.blas("Saxpy", n, 1.0, a, 1, b, 1)))


def gpu_copy(x):
    source, target = cupy.asarray(x), cupy.empty_like(cupy.asarray(x))
    return lambda: cupy.copyto(target, source)


def gpu_axpy(x):
    from cupy_backends.cuda.libs import cublas
    source, target, alpha = cupy.asarray(x), cupy.asarray(x), np.ones(1, np.float32)
    handle = cupy.cuda.device.get_cublas_handle()
    return lambda: cublas.saxpy(handle, x.size, alpha.ctypes.data, source.data.ptr, 1, target.data.ptr, 1)


def transposes(bench):
    for n in sides(bench):
        x = bench.numbers((n, n))
        a, b = bench.upload(x), bench.empty((n, n), np.float32)
        y = np.empty_like(x)
        yield Case("transpose.f32", f"{n} x {n}", "GB/s", 8 * n * n,
                   bench.call("clarity.transpose.f32", ulong(1), ulong(n), ulong(n), a, ulong(n), ulong(0), b, ulong(n),
                              ulong(0)), lambda: x.T, b.get,
                   bench.peers(host=lambda: np.copyto(y, x.T), gpu=lambda: gpu_transpose(x)))


def gpu_transpose(x):
    source = cupy.asarray(x)
    target = cupy.empty_like(source)
    return lambda: cupy.copyto(target, source.T)


def reductions(bench):
    for n in lengths(bench):
        x, z = bench.numbers(n), bench.numbers(n)
        a, b, r = bench.upload(x), bench.upload(z), bench.empty(1, np.float32)
        at = bench.empty(1, np.uint64)
        one = ulong(1)
        yield Case("reduce.sum.f32", power(n), "GB/s", 4 * n,
                   bench.call("clarity.reduce.sum.f32", one, ulong(n), one, a, r),
                   lambda: [x.sum(dtype=np.float64)], r.get,
                   bench.peers(host=x.sum, gpu=lambda: cupy.asarray(x).sum, pyopencl=lambda: cl.array.sum(a)))
        yield Case("reduce.argmax.f32", power(n), "GB/s", 4 * n,
                   bench.call("clarity.reduce.argmax.f32", one, ulong(n), one, a, at), lambda: [x.argmax()], at.get,
                   bench.peers(host=x.argmax, gpu=lambda: cupy.asarray(x).argmax), tolerance=0)
        yield Case("dot.f32", power(n), "GB/s", 8 * n,
                   bench.call("clarity.dot.f32", ulong(n), a, one, b, one, r),
                   lambda: [np.dot(x.astype(np.float64), z)], r.get,
                   bench.peers(host=lambda: np.dot(x, z), gpu=lambda: gpu_dot(x, z),
                               clblast=bench.blas("Sdot", n, r, a, 1, b, 1), pyopencl=lambda: cl.array.dot(a, b)))
    for n in sides(bench):
        x = bench.numbers((n, n))
        a, r = bench.upload(x), bench.empty(n, np.float32)
        for axis, outer, inner in ((1, n, 1), (0, 1, n)):
            yield Case("reduce.sum.f32", f"{n} x {n}, {'rows' if axis else 'columns'}", "GB/s", 4 * n * n,
                       bench.call("clarity.reduce.sum.f32", ulong(outer), ulong(n), ulong(inner), a, r),
                       lambda axis=axis: x.sum(axis=axis, dtype=np.float64), r.get,
                       bench.peers(host=lambda axis=axis: x.sum(axis=axis),
                                   gpu=lambda axis=axis: gpu_sum(x, axis)))


def gpu_dot(x, z):
    a, b = cupy.asarray(x), cupy.asarray(z)
    return lambda: cupy.dot(a, b)


def gpu_sum(x, axis):
    a = cupy.asarray(x)
    return lambda: a.sum(axis=axis)


def scans(bench):
    for n in lengths(bench):
        x = bench.random.integers(0, 100, n, dtype=np.int32)
        a, b = bench.upload(x), bench.empty(n, np.int32)
        own = pyopencl.scan.InclusiveScanKernel(bench.context, np.int32, "a+b", "0")
        yield Case("scan.inclusive.sum.i32", power(n), "GB/s", 8 * n,
                   bench.call("clarity.scan.inclusive.sum.i32", ulong(n), a, b),
                   lambda: np.cumsum(x, dtype=np.int32), b.get,
                   bench.peers(host=lambda: np.cumsum(x, dtype=np.int32), gpu=lambda: gpu_scan(x),
                               pyopencl=lambda: own(a, b, queue=bench.queue)), tolerance=0)


def gpu_scan(x):
    a = cupy.asarray(x)
    return lambda: cupy.cumsum(a, dtype=np.int32)


def sorts(bench):
    for n in lengths(bench):
        x = bench.random.integers(0, 2**32, n, dtype=np.uint32)
        a, b = bench.upload(x), bench.empty(n, np.uint32)
        indices = bench.empty(n, np.uint32)
        own = pyopencl.algorithm.RadixSort(bench.context, "unsigned *keys", key_expr="keys[i]", sort_arg_names=["keys"])
        yield Case("sort.keys.u32", power(n), "Mkeys/s", 1e3 * n,
                   bench.call("clarity.sort.keys.u32", ulong(n), a, uint(0), b), lambda: np.sort(x), b.get,
                   bench.peers(host=lambda: np.sort(x), gpu=lambda: gpu_sort(x),
                               pyopencl=(lambda: own(a, queue=bench.queue)) if n <= 2**24 else None), tolerance=0)
        yield Case("sort.pairs.u32", power(n), "Mkeys/s", 1e3 * n,
                   bench.call("clarity.sort.pairs.u32", ulong(n), a, None, uint(0), b, indices),
                   lambda: np.argsort(x, kind="stable"), indices.get,
                   bench.peers(host=lambda: np.argsort(x, kind="stable"), gpu=lambda: gpu_argsort(x)), tolerance=0)


def gpu_sort(x):
    a = cupy.asarray(x)
    return lambda: cupy.sort(a)


def gpu_argsort(x):
    a = cupy.asarray(x)
    return lambda: cupy.argsort(a)


def histograms(bench):
    for n in lengths(bench, 16):
        x = bench.numbers(n)
        a, counts = bench.upload(x), bench.empty(256, np.uint32)
        yield Case("histogram.f32", f"{power(n)}, 256 bins", "GB/s", 4 * n,
                   bench.call("clarity.histogram.f32", ulong(n), a, np.float32(0), np.float32(1), uint(256), counts),
                   lambda: np.histogram(x, 256, (0, 1))[0], counts.get,
                   bench.peers(host=(lambda: np.histogram(x, 256, (0, 1))) if n <= 2**24 else None,
                               gpu=lambda: gpu_histogram(x)))


def gpu_histogram(x):
    a = cupy.asarray(x)
    return lambda: cupy.histogram(a, 256, (0, 1))


def gemms(bench):
    # A name of a type of ours, NumPy's type, CLBlast's letter, and the bound of relative errors.
    types = [("f32", np.float32, "S", 1e-4), ("f16", np.float16, None, 2e-2)]
    if bench.has_double():
        types.append(("f64", np.float64, None, 1e-10))
    for name, dtype, letter, tolerance in types:
        for n in sides(bench, 8192 if bench.on_gpu else 4096):
            x, z = bench.numbers((n, n), dtype), bench.numbers((n, n), dtype)
            a, b, c = bench.upload(x), bench.upload(z), bench.empty((n, n), dtype)
            passed = np.float64 if dtype == np.float64 else np.float32
            size = ulong(n)
            call = bench.call(f"clarity.gemm.{name}", ulong(1), uint(0), uint(0), size, size, size, passed(1), a, size,
                              ulong(0), b, size, ulong(0), passed(0), c, size, ulong(0), None, uint(0))
            host = (lambda: x @ z) if dtype != np.float16 else None
            yield Case(f"gemm.{name}", str(n), "GFLOP/s", 2 * n**3, call,
                       lambda: rows_of_product(x, z), lambda: c.get()[:64],
                       bench.peers(host=host, gpu=lambda: gpu_product(x, z),
                                   clblast=bench.blas(letter + "gemm", 101, 111, 111, n, n, n, 1.0, a, n, b, n, 0.0, c,
                                                      n) if letter else None), tolerance)


def rows_of_product(x, z):
    """The first rows are enough for a comparison."""
    return x[:64].astype(np.float64) @ z.astype(np.float64)


def gpu_product(x, z):
    a, b = cupy.asarray(x), cupy.asarray(z)
    c = cupy.empty_like(a)
    return lambda: cupy.matmul(a, b, out=c)


def gemvs(bench):
    for n in sides(bench):
        x, z = bench.numbers((n, n)), bench.numbers(n)
        a, b, c = bench.upload(x), bench.upload(z), bench.empty(n, np.float32)
        size, one = ulong(n), ulong(1)
        for transposed in (0, 1):
            matrix = x.T if transposed else x
            yield Case("gemv.f32", f"{n}{', transposed' if transposed else ''}", "GB/s", 4 * n * n,
                       bench.call("clarity.gemv.f32", uint(transposed), size, size, np.float32(1), a, size, b, one,
                                  np.float32(0), c, one), lambda m=matrix: m.astype(np.float64) @ z, c.get,
                       bench.peers(host=lambda m=matrix: m @ z, gpu=lambda t=transposed: gpu_gemv(x, z, t),
                                   clblast=bench.blas("Sgemv", 101, 112 if transposed else 111, n, n, 1.0, a, n, b, 1,
                                                      0.0, c, 1)))


def gpu_gemv(x, z, transposed):
    a, b = cupy.asarray(x), cupy.asarray(z)
    a = a.T if transposed else a
    return lambda: cupy.matmul(a, b)


def rows(bench):
    for n in sides(bench):
        x = bench.numbers((n, n))
        a, b = bench.upload(x), bench.empty((n, n), np.float32)
        size = ulong(n)

        def softmax(m=np):
            e = m.exp(x - x.max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)

        yield Case("softmax.f32", f"{n} x {n}", "GB/s", 8 * n * n,
                   bench.call("clarity.softmax.f32", size, size, a, size, b, size), softmax, b.get,
                   bench.peers(host=softmax, gpu=lambda: gpu_softmax(x)))


def gpu_softmax(x):
    try:
        import torch
    except ImportError:
        return None
    a = torch.from_numpy(x).cuda()
    return lambda: torch.softmax(a, 1)


def transforms(bench):
    for n in (64, 256, 1024, 1000, 4096, 65536, 2**20):
        if n > 2**bench.options.max_elements:
            continue
        batches = max(1, 2**22 // n)
        x = (bench.numbers((batches, n)) + 1j * bench.numbers((batches, n))).astype(np.complex64)
        a, b = bench.upload(x), bench.empty((batches, n), np.complex64)
        yield Case("fft.f32", f"{n}, {batches} times", "GFLOP/s", 5 * n * np.log2(n) * batches,
                   bench.call("clarity.fft.f32", ulong(batches), ulong(n), ulong(1), uint(0), a, b),
                   lambda: np.fft.fft(x), b.get, bench.peers(host=host_fft(x), gpu=lambda: gpu_fft(x)))


def host_fft(x):
    import os
    try:
        import scipy.fft
        return lambda: scipy.fft.fft(x, workers=len(os.sched_getaffinity(0)))
    except ImportError:
        return lambda: np.fft.fft(x)


def gpu_fft(x):
    a = cupy.asarray(x)
    return lambda: cupy.fft.fft(a)


def philox(blocks, seed):
    """The words of the first blocks of Philox4x32-10."""
    mask = np.uint64(0xFFFFFFFF)
    c = [np.arange(blocks, dtype=np.uint64)] + [np.zeros(blocks, np.uint64) for _ in range(3)]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(10):
        first, second = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        high = [product >> np.uint64(32) for product in (second, first)]
        c = [high[0] ^ c[1] ^ key[0], second & mask, high[1] ^ c[3] ^ key[1], first & mask]
        key = [key[0] + np.uint64(0x9E3779B9) & mask, key[1] + np.uint64(0xBB67AE85) & mask]
    return np.stack(c, axis=1).ravel()


def randoms(bench):
    for n in lengths(bench, 16):
        b = bench.empty(n, np.uint32)
        generator = np.random.Generator(np.random.Philox(1))
        yield Case("random.bits.u32", power(n), "GB/s", 4 * n,
                   bench.call("clarity.random.bits.u32", ulong(n), ulong(1), ulong(0), b), lambda: philox(1024, 1),
                   lambda: b.get()[:4096],
                   bench.peers(host=lambda: generator.integers(0, 2**32, n, dtype=np.uint32),
                               gpu=lambda: (lambda: cupy.random.default_rng(1).integers(0, 2**32, n, dtype=np.uint32))),
                   tolerance=0)


FAMILIES = [copies, transposes, reductions, scans, sorts, histograms, gemms, gemvs, rows, transforms, randoms]


def rate(value):
    """Three digits, or all of those before the point."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def table(bench):
    lines = ["| kernel | size | unit | rate | " + " | ".join(LIBRARIES) + " | of the best |",
             "|---|---|---|---|" + "---|" * len(LIBRARIES) + "---|"]
    pattern = re.compile(bench.options.only)
    for family in FAMILIES:
        for case in family(bench):
            if not pattern.search(case.kernel):
                continue
            case.built_in()
            bench.wait()
            case.check()
            own = bench.seconds(case.built_in)
            peers = {name: bench.seconds(call) for name, call in case.peers.items() if call}
            rates = [rate(case.work / peers[name] / 1e9) if name in peers else "-" for name in LIBRARIES]
            best = f"{min(peers.values()) / own:.2f}" if peers else "-"
            lines.append(f"| {case.kernel} | {case.size} | {case.unit} | {rate(case.work / own / 1e9)} | " +
                         " | ".join(rates) + f" | {best} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def replace(path, name, text):
    start, end = f"<!-- built_in.py {name} -->", "<!-- built_in.py end -->"
    page = path.read_text(encoding="utf-8")
    before, found, rest = page.partition(start)
    if not found or end not in rest:
        sys.exit(f"built_in.py: {path} has no '{start}' with '{end}' after it")
    path.write_text(before + start + "\n" + text + "\n" + rest[rest.index(end):], encoding="utf-8")


def main():
    options = arguments()
    bench = Bench(options)
    text = f"{bench.device.name.strip()}\n\n{table(bench)}"
    if options.into:
        replace(options.into, options.name, text)
    else:
        print(text)


if __name__ == "__main__":
    main()
