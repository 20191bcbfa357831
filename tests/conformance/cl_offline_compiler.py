#!/usr/bin/python3 -SE
# SPDX-License-Identifier: Apache-2.0
"""Compiles OpenCL C to SPIR-V for the conformance tests, by clang's own target and their interface
(test_common/harness/cl_offline_compiler-interface.txt): --mode=spir-v --source=FILE --output=FILE --cl-device-info=FILE
-- BUILD OPTIONS. CONFORMANCE_CLANG names another clang than clang-22. run.py --spir-v starts it, once for each program:
it imports nothing that is slow to load.
"""

import os
import sys

# Options of the tests alone: half, double and local memory of zeros need no option here.
OF_THE_TESTS = ("-cl-fp16-enable", "-cl-fp64-enable", "-cl-zero-init-local-mem-vars")
# Extensions that the device reports and clang's target writes.
EXTENSIONS = ("SPV_EXT_optnone", "SPV_EXT_shader_atomic_float16_add", "SPV_EXT_shader_atomic_float_add",
              "SPV_EXT_shader_atomic_float_min_max", "SPV_INTEL_subgroups", "SPV_KHR_bit_instructions",
              "SPV_KHR_expect_assume", "SPV_KHR_float_controls", "SPV_KHR_integer_dot_product", "SPV_KHR_linkonce_odr",
              "SPV_KHR_no_integer_wrap_decoration", "SPV_KHR_shader_clock", "SPV_KHR_subgroup_rotate",
              "SPV_KHR_uniform_group_instructions")
IMAGE_FEATURES = ("unorm_int_2_101010", "unsigned_10x6_12x4_14x2", "raw10_raw12")


def device_info(path):
    with open(path, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line and line[0] != "#")


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1:]
    given = dict(argument[2:].split("=", 1) for argument in arguments)
    options = [option.replace("CL3.1", "CL3.0") for option in options if option not in OF_THE_TESTS]
    if not any(option.startswith("-cl-std") for option in options):
        options.insert(0, "-cl-std=CL1.2")
    # Extensions and their functions that clang's header does not have.
    names = device_info(given["cl-device-info"])["CL_DEVICE_EXTENSIONS"].strip('"').split()
    defines = [f"-D{name}=1" for name in names if name.startswith(("cl_khr_", "cl_ext_"))]
    defines += [f"-D__opencl_c_ext_image_{name}=1" for name in IMAGE_FEATURES]
    declarations = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/builtins/declarations.clh")
    clang = os.environ.get("CONFORMANCE_CLANG", "clang-22")
    level = "-O0" if "-cl-opt-disable" in options else "-O1"
    os.execvp(clang, [clang, "-x", "cl", "--target=spirv64", level, "-w", "-Xclang",
                      "-cl-ext=+all", *defines, *options,
                      "-include", declarations,
                      "-mllvm", "-spirv-ext=" + ",".join(f"+{name}" for name in EXTENSIONS),
                      "-c", given["source"], "-o", given["output"]])


if __name__ == "__main__":
    main()
