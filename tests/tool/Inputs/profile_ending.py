# SPDX-License-Identifier: Apache-2.0
"""An OpenCL program that fills a buffer and ends in a way of its own: profile_ending.py WAY."""
import ctypes
import mmap
import os
import resource
import signal
import sys
import threading

way = sys.argv[1]
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it
cl = ctypes.CDLL("libOpenCL.so.1")
Handle, null = ctypes.c_void_p, None
for name in ("clCreateContext", "clCreateCommandQueueWithProperties", "clCreateBuffer"):
    getattr(cl, name).restype = Handle
platform, device = Handle(), Handle()
assert cl.clGetPlatformIDs(1, ctypes.byref(platform), null) == 0
assert cl.clGetDeviceIDs(platform, ctypes.c_uint64(0xffffffff), 1, ctypes.byref(device), null) == 0
context = Handle(cl.clCreateContext(null, 1, ctypes.byref(device), null, null, null))
queue = Handle(cl.clCreateCommandQueueWithProperties(context, device, null, null))
buffer = Handle(cl.clCreateBuffer(context, ctypes.c_uint64(1), ctypes.c_size_t(4096), null, null))
zero = ctypes.c_int(0)
for _ in range(3):
    assert cl.clEnqueueFillBuffer(queue, buffer, ctypes.byref(zero), ctypes.c_size_t(4), ctypes.c_size_t(0),
                                  ctypes.c_size_t(4096), 0, null, null) == 0
assert cl.clFinish(queue) == 0


def overflow():
    """Uses up the stack of this thread, in code that Python does not guard."""
    libc = ctypes.CDLL(None)
    compare_type = ctypes.CFUNCTYPE(ctypes.c_int, Handle, Handle)
    sys.setrecursionlimit(1 << 30)

    def compare(_left, _right):
        two = (ctypes.c_int * 2)(2, 1)
        libc.qsort(two, 2, 4, compare_type(compare))
        return 0

    compare(None, None)


def corrupt():
    """Frees what is no block of memory: the C library aborts."""
    ctypes.CDLL(None).free(ctypes.c_void_p(ctypes.addressof(ctypes.create_string_buffer(256)) + 24))


def breakpoint_instruction():
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xcc\xc3")  # int3, ret
    ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


def closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    os.write(writer, b"x")


def never_ends():
    while True:
        pass


ways = {
    "segv": lambda: ctypes.string_at(8),
    "thread": lambda: threading.Thread(target=ctypes.string_at, args=(8,)).start(),
    "abort": os.abort,
    "corrupt": corrupt,
    "overflow": overflow,
    "term": lambda: os.kill(os.getpid(), signal.SIGTERM),
    # As `timeout` sends it; this thread goes on, and comes to its own end before the record is written.
    "twice": lambda: (os.kill(os.getpid(), signal.SIGTERM), os.kill(os.getpid(), signal.SIGTERM)),
    "pipe": closed_pipe,
    "alarm": lambda: (signal.setitimer(signal.ITIMER_REAL, 0.02), never_ends()),
    "trap": breakpoint_instruction,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    # Python handles it, and sends it again at its end.
    "int": lambda: (signal.signal(signal.SIGINT, signal.default_int_handler), os.kill(os.getpid(), signal.SIGINT)),
    "_exit": lambda: os._exit(3),
    "negative": lambda: os._exit(-1),
    "quick": lambda: ctypes.CDLL(None).quick_exit(3),
    "exit": lambda: sys.exit(4),
    "child": lambda: os.waitpid(os.fork() or os._exit(5), 0),
    "return": lambda: None,
}
ways[way]()
