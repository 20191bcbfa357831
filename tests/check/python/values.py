# SPDX-License-Identifier: Apache-2.0
"""A host program in Python, through ctypes, whose values no variable holds: doubles where the kernel has floats, and an
integer where it has a double. With the argument `right`, the kernel's types."""
import ctypes
import struct
import sys

IS_RIGHT = sys.argv[1:] == ["right"]
cl = ctypes.CDLL("libOpenCL.so.1")
SIZE, POINTER, LONG = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_ulong
for name in ("clCreateContext", "clCreateCommandQueueWithProperties", "clCreateProgramWithSource", "clCreateKernel",
             "clCreateBuffer"):
    getattr(cl, name).restype = POINTER

SOURCE = b"""kernel void move(global float *to, float2 by, int2 steps, double times) {
  to[get_global_id(0)] += by.x * steps.x * times;
}"""
COUNT = 3


def require(error):
    if error != 0:
        sys.exit(f"error {error}")


def packed(value, right, wrong="d"):
    layout = right if IS_RIGHT else wrong
    return struct.pack(layout, *([value] * (2 if layout[0] == "2" else 1)))


def program():
    platform, device = POINTER(), POINTER()
    require(cl.clGetPlatformIDs(1, ctypes.byref(platform), None))
    require(cl.clGetDeviceIDs(platform, LONG(0xFFFFFFFF), 1, ctypes.byref(device), None))
    context = POINTER(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, None))
    queue = POINTER(cl.clCreateCommandQueueWithProperties(context, device, None, None))
    source = ctypes.c_char_p(SOURCE)
    built = POINTER(cl.clCreateProgramWithSource(context, 1, ctypes.byref(source), None, None))
    require(cl.clBuildProgram(built, 1, ctypes.byref(device), b"", None, None))
    kernel = POINTER(cl.clCreateKernel(built, b"move", None))

    number = "f" if IS_RIGHT else "d"
    size = SIZE(struct.calcsize(f"{COUNT}{number}"))
    buffer = POINTER(cl.clCreateBuffer(context, LONG(1 | 32), size, struct.pack(f"{COUNT}{number}", 1, 2, 3), None))
    require(cl.clSetKernelArg(kernel, 0, SIZE(8), ctypes.byref(buffer)))  # wrong: argument-kind
    require(cl.clSetKernelArg(kernel, 1, SIZE(8), packed(1.5, "2f")))  # wrong: argument-kind
    require(cl.clSetKernelArg(kernel, 2, SIZE(8), packed(5, "2i")))  # wrong: argument-kind
    require(cl.clSetKernelArg(kernel, 3, SIZE(8), packed(5, "d", "q")))  # wrong: argument-kind
    items = SIZE(COUNT)
    require(cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(items), None, 0, None, None))
    require(cl.clFinish(queue))
    require(cl.clReleaseMemObject(buffer))
    require(cl.clReleaseKernel(kernel))
    require(cl.clReleaseProgram(built))
    require(cl.clReleaseCommandQueue(queue))
    require(cl.clReleaseContext(context))


program()
