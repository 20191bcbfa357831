# SPDX-License-Identifier: Apache-2.0
"""A host program in Python, through ctypes: a buffer of doubles for a kernel's floats, and an event that leaks. With
the argument `right`, neither."""
import array
import ctypes
import sys

IS_RIGHT = sys.argv[1:] == ["right"]
cl = ctypes.CDLL("libOpenCL.so.1")
SIZE, POINTER, INT, LONG = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int, ctypes.c_ulong
for name in ("clCreateContext", "clCreateCommandQueueWithProperties", "clCreateProgramWithSource", "clCreateKernel",
             "clCreateBuffer"):
    getattr(cl, name).restype = POINTER

SOURCE = b"kernel void twice(global float *data) { data[get_global_id(0)] *= 2; }"
COUNT = 64


def require(error):
    if error != 0:
        sys.exit(f"error {error}")


def program():
    platform, device, queued = POINTER(), POINTER(), POINTER()
    require(cl.clGetPlatformIDs(1, ctypes.byref(platform), None))
    require(cl.clGetDeviceIDs(platform, LONG(0xFFFFFFFF), 1, ctypes.byref(device), None))
    context = POINTER(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, None))
    queue = POINTER(cl.clCreateCommandQueueWithProperties(context, device, None, None))
    source = ctypes.c_char_p(SOURCE)
    built = POINTER(cl.clCreateProgramWithSource(context, 1, ctypes.byref(source), None, None))
    require(cl.clBuildProgram(built, 1, ctypes.byref(device), b"", None, None))
    kernel = POINTER(cl.clCreateKernel(built, b"twice", None))

    numbers = array.array("f" if IS_RIGHT else "d", range(COUNT))
    address, _ = numbers.buffer_info()
    size = SIZE(numbers.itemsize * COUNT)
    buffer = POINTER(cl.clCreateBuffer(context, LONG(1 | 32), size, POINTER(address), None))  # also
    require(cl.clSetKernelArg(kernel, 0, SIZE(8), ctypes.byref(buffer)))  # wrong: argument-kind
    items = SIZE(COUNT)
    require(cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(items), None, 0, None,
                                      ctypes.byref(queued)))  # leaked-object
    require(cl.clFinish(queue))
    if IS_RIGHT:
        require(cl.clReleaseEvent(queued))
    require(cl.clReleaseMemObject(buffer))
    require(cl.clReleaseKernel(kernel))
    require(cl.clReleaseProgram(built))
    require(cl.clReleaseCommandQueue(queue))
    require(cl.clReleaseContext(context))


program()
