# SPDX-License-Identifier: Apache-2.0
"""Computes with PyOpenCL what NumPy computes, and compares: run by pyopencl.sh."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as clmath
from pyopencl.algorithm import RadixSort
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

SHARPEN = """
constant sampler_t clamped = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void laplace(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float4 sum = read_imagef(in, clamped, at - (int2)(1, 0)) + read_imagef(in, clamped, at + (int2)(1, 0)) +
                     read_imagef(in, clamped, at - (int2)(0, 1)) + read_imagef(in, clamped, at + (int2)(0, 1));
  write_imagef(out, at, sum - 4.0f * read_imagef(in, clamped, at));
}
"""


def main():
    context = cl.create_some_context()
    queue = cl.CommandQueue(context)
    numbers = np.random.default_rng(1)

    x, y = numbers.random((2, 100_003), dtype=np.float32)
    on_device = 2 * cl_array.to_device(queue, x) + clmath.sin(cl_array.to_device(queue, y))
    np.testing.assert_allclose(on_device.get(), 2 * x + np.sin(y), rtol=1e-5)

    dot = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a+b", map_expr="x[i]*y[i]",
                          arguments="__global const float *x, __global const float *y")
    np.testing.assert_allclose(dot(cl_array.to_device(queue, x), cl_array.to_device(queue, y)).get(), x @ y, rtol=1e-4)

    integers = numbers.integers(0, 1 << 20, 50_021, dtype=np.int32)
    scanned = cl_array.to_device(queue, integers % 100)
    InclusiveScanKernel(context, np.int32, "a+b", neutral="0")(scanned)
    np.testing.assert_array_equal(scanned.get(), np.cumsum(integers % 100))

    sort = RadixSort(context, "int *values", key_expr="values[i]", sort_arg_names=["values"])
    (ordered,), _ = sort(cl_array.to_device(queue, integers), key_bits=20)
    np.testing.assert_array_equal(ordered.get(), np.sort(integers))

    picture = numbers.random((120, 161, 4), dtype=np.float32)
    rgba = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.FLOAT)
    source = cl.image_from_array(context, picture, 4)
    result = cl.Image(context, cl.mem_flags.WRITE_ONLY, rgba, shape=(161, 120))
    cl.Program(context, SHARPEN).build().laplace(queue, (161, 120), None, source, result)
    laplace = np.empty_like(picture)
    cl.enqueue_copy(queue, laplace, result, origin=(0, 0), region=(161, 120))
    padded = np.pad(picture, ((1, 1), (1, 1), (0, 0)), mode="edge")
    wanted = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:] - 4 * picture
    np.testing.assert_allclose(laplace, wanted, atol=1e-5)
    print("all right")


if __name__ == "__main__":
    main()
