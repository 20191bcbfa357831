# SPDX-License-Identifier: Apache-2.0
"""A host program in Python, through ctypes: structures whose members are in another order than the kernel's. With the
argument `right`, in the same one."""
import ctypes
import sys

IS_RIGHT = sys.argv[1:] == ["right"]
cl = ctypes.CDLL("libOpenCL.so.1")
SIZE, POINTER, LONG = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_ulong
for name in ("clCreateContext", "clCreateCommandQueueWithProperties", "clCreateProgramWithSource", "clCreateKernel",
             "clCreateBuffer"):
    getattr(cl, name).restype = POINTER

SOURCE = b"""typedef struct { float x, y; int id; } Point;
kernel void move(global Point *points) { points[get_global_id(0)].x += points[get_global_id(0)].id; }"""
COUNT = 64


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_float), ("y", ctypes.c_float), ("id", ctypes.c_int)]


class Other(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("x", ctypes.c_float), ("y", ctypes.c_float)]


def require(error):
    if error != 0:
        sys.exit(f"error {error}")


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

    points = ((Point if IS_RIGHT else Other) * COUNT)()
    size = SIZE(ctypes.sizeof(points))
    buffer = POINTER(cl.clCreateBuffer(context, LONG(1 | 32), size, points, None))  # also
    require(cl.clSetKernelArg(kernel, 0, SIZE(8), ctypes.byref(buffer)))  # wrong: argument-kind
    items = SIZE(COUNT)
    require(cl.clEnqueueNDRangeKernel(queue, kernel, 1, None, ctypes.byref(items), None, 0, None, None))
    require(cl.clFinish(queue))
    require(cl.clReleaseMemObject(buffer))
    require(cl.clReleaseKernel(kernel))
    require(cl.clReleaseProgram(built))
    require(cl.clReleaseCommandQueue(queue))
    require(cl.clReleaseContext(context))


program()
