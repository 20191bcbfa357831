# SPDX-License-Identifier: Apache-2.0
"""A host program that keeps the binary of its program in a file, as caches do: binary.py FILE"""
import ctypes
import os
import sys

cl = ctypes.CDLL("libOpenCL.so.1")
SIZE, POINTER, LONG = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_ulong
for name in ("clCreateContext", "clCreateCommandQueueWithProperties", "clCreateProgramWithSource",
             "clCreateProgramWithBinary", "clCreateKernel"):
    getattr(cl, name).restype = POINTER

SOURCE = b"kernel void nothing() {}"
BINARY_SIZES, BINARIES = 0x1165, 0x1166


def require(error):
    if error != 0:
        sys.exit(f"error {error}")


def kept(context, device, file):
    """The program as the file has it."""
    with open(file, "rb") as stream:
        content = stream.read()
    binary = ctypes.c_char_p(content)
    return cl.clCreateProgramWithBinary(context, 1, ctypes.byref(device), ctypes.byref(SIZE(len(content))),
                                        ctypes.byref(binary), None, None)


def keep(program, file):
    size = SIZE()
    require(cl.clGetProgramInfo(program, BINARY_SIZES, SIZE(8), ctypes.byref(size), None))
    content = ctypes.create_string_buffer(size.value)
    address = POINTER(ctypes.addressof(content))
    require(cl.clGetProgramInfo(program, BINARIES, SIZE(8), ctypes.byref(address), None))
    with open(file, "wb") as stream:
        stream.write(content.raw)


def main(file):
    platform, device = POINTER(), POINTER()
    require(cl.clGetPlatformIDs(1, ctypes.byref(platform), None))
    require(cl.clGetDeviceIDs(platform, LONG(0xFFFFFFFF), 1, ctypes.byref(device), None))
    context = POINTER(cl.clCreateContext(None, 1, ctypes.byref(device), None, None, None))
    queue = POINTER(cl.clCreateCommandQueueWithProperties(context, device, None, None))
    is_kept = os.path.exists(file)
    if is_kept:
        program = POINTER(kept(context, device, file))
    else:
        source = ctypes.c_char_p(SOURCE)
        program = POINTER(cl.clCreateProgramWithSource(context, 1, ctypes.byref(source), None, None))
    require(cl.clBuildProgram(program, 1, ctypes.byref(device), b"", None, None))
    if not is_kept:
        keep(program, file)
    kernel = POINTER(cl.clCreateKernel(program, b"nothing", None))
    require(cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(SIZE(4)), None, 0, None, None))
    require(cl.clFinish(queue))
    require(cl.clReleaseKernel(kernel))
    require(cl.clReleaseProgram(program))
    require(cl.clReleaseCommandQueue(queue))
    require(cl.clReleaseContext(context))


main(sys.argv[1])
