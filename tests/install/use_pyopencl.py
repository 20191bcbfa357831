#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This program finds Clarity through PyOpenCL with nothing set in the environment and runs a kernel.
"""Runs a kernel on the platform Clarity, which PyOpenCL must find by itself."""

import sys

import numpy
import pyopencl

platforms = [platform for platform in pyopencl.get_platforms() if platform.name == "Clarity"]
if not platforms:
    sys.exit(f"PyOpenCL finds {[platform.name for platform in pyopencl.get_platforms()]} and not Clarity")
context = pyopencl.Context(platforms[0].get_devices())
queue = pyopencl.CommandQueue(context)
values = numpy.arange(1000, dtype=numpy.float32)
buffer = pyopencl.Buffer(context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=values)
program = pyopencl.Program(context, "kernel void twice(global float* a) { a[get_global_id(0)] *= 2; }").build()
program.twice(queue, values.shape, None, buffer)
result = numpy.empty_like(values)
pyopencl.enqueue_copy(queue, result, buffer)
if not (result == 2 * values).all():
    sys.exit("the kernel's result is wrong")
