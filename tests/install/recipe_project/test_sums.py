# SPDX-License-Identifier: Apache-2.0
"""A user's test with PyOpenCL, which pytest finds."""
import numpy
import pyopencl


def test_sums():
    context = pyopencl.create_some_context(interactive=False)
    queue = pyopencl.CommandQueue(context)
    values = numpy.arange(1000, dtype=numpy.int32)
    buffer = pyopencl.Buffer(context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=values)
    program = pyopencl.Program(context, "kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }").build()
    program.twice(queue, values.shape, None, buffer)
    result = numpy.empty_like(values)
    pyopencl.enqueue_copy(queue, result, buffer)
    assert (result == 2 * values).all()
