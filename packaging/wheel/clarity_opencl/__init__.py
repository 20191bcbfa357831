# SPDX-License-Identifier: Apache-2.0
# This file says where the parts of Clarity in this package are, and runs its command.
"""Clarity, an OpenCL 3.1 implementation for CPUs and NVIDIA GPUs.

PyOpenCL from pip finds Clarity by itself in the same environment: ``pyopencl.get_platforms()``. Any other OpenCL
loader is led to it by ``environment()``.
"""

import os
import pathlib
import sys

_HERE = pathlib.Path(__file__).resolve().parent


def driver():
    """The path of the driver, libclarity.so."""
    return str(_HERE / "lib" / "libclarity.so")


def environment():
    """The variables that lead OpenCL loaders to Clarity and to no other driver (cl_khr_icd).

    ocl-icd and Khronos' loader read different ones. To be set before the process makes its first OpenCL call."""
    return {"OCL_ICD_VENDORS": driver(), "OCL_ICD_FILENAMES": driver()}


def main():
    """Replaces this process by the command ``clarity``, with the same arguments."""
    command = str(_HERE / "bin" / "clarity")
    os.execv(command, [command, *sys.argv[1:]])
