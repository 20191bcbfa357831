#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# This file checks that the builtin library defines every function that clang and our own header (declarations.clh)
# declare to OpenCL C programs, in every version of the language and with and without the generic address space. A
# function that belongs to an optional feature that the device does not have is named below with the
# feature; the test fails when something else is missing, and also when an entry of that list no longer matches
# anything, so that the list cannot outlive its reason.
#
#   check_completeness.py --clang CLANG --nm LLVM-NM --library library.bc --declarations declarations.clh [--list]
"""Compares the functions that opencl-c.h declares with those that the builtin library defines."""

import argparse
import re
import subprocess
import sys
import tempfile

# Feature -> the names of its functions, of features that no device reports. Those of pipes and of device enqueue are
# not listed because clang declares them only together with the feature.
ABSENT = {}
# The compiler's own.
ELSEWHERE = {"printf"}

EXTENSIONS = ("-all,+cl_khr_fp64,+__opencl_c_fp64,+cl_khr_fp16,+cl_khr_byte_addressable_store,"
              "+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,"
              "+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,"
              "+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,+cl_ext_float_atomics,"
              "+cl_khr_extended_bit_ops,+cl_khr_integer_dot_product,+cl_khr_kernel_clock,+cl_khr_subgroups,"
              "+cl_khr_subgroup_extended_types,+cl_khr_subgroup_non_uniform_vote,+cl_khr_subgroup_ballot,"
              "+cl_khr_subgroup_non_uniform_arithmetic,+cl_khr_subgroup_shuffle,+cl_khr_subgroup_shuffle_relative,"
              "+cl_khr_subgroup_clustered_reduce,+cl_khr_subgroup_rotate,+cl_khr_depth_images,"
              "+cl_khr_mipmap_image,+cl_khr_mipmap_image_writes,+cl_khr_srgb_image_writes")
EXTENSIONS_3 = ",+__opencl_c_images,+__opencl_c_3d_image_writes,+cl_khr_3d_image_writes,+__opencl_c_read_write_images"
FEATURES = ["int64", "atomic_order_acq_rel", "atomic_order_seq_cst", "atomic_scope_device", "atomic_scope_all_devices",
            "integer_dot_product_input_4x8bit", "integer_dot_product_input_4x8bit_packed",
            "work_group_collective_functions", "kernel_clock_scope_device", "kernel_clock_scope_work_group",
            "kernel_clock_scope_sub_group"]
FEATURES += [f"ext_{kind}_{space}_atomic_{operation}" for kind in ("fp16", "fp32", "fp64")
             for space in ("global", "local") for operation in ("add", "min_max", "load_store")]
# Functions of our own header.
OWN = ["cl_khr_extended_async_copies", "cl_khr_async_work_group_copy_fence", "cl_khr_work_group_uniform_arithmetic",
       "cl_intel_subgroups", "cl_intel_subgroups_char", "cl_intel_subgroups_short", "cl_intel_subgroups_long",
       "cl_intel_subgroup_local_block_io", "cl_intel_split_work_group_barrier", "cl_intel_bfloat16_conversions",
       "__clarity_declares_intel", "__clarity_declares_work_group"]
# Mistakes in clang's header: writes of images that are only read.
MISTAKES = re.compile(r"_Z\d+intel_sub_group_block_write\w*14ocl_image2d_ro")
# Language version and whether pointers are generic by default.
MODES = [("CL1.0", False), ("CL1.1", False), ("CL1.2", False), ("CL2.0", True), ("CL3.0", True), ("CL3.0", False),
         ("CLC++1.0", True), ("CLC++2021", True)]


def declared(clang, declarations, version, generic):
    """The mangled names of all functions that clang's full header and ours declare."""
    latest = version in ("CL3.0", "CLC++2021")
    extensions = EXTENSIONS + (EXTENSIONS_3 if latest else "")
    extensions += ",+__opencl_c_generic_address_space" if latest and generic else ""
    command = [clang, "-cc1", "-triple", "spir64-unknown-unknown", "-x", "clcpp" if "++" in version else "cl",
               f"-cl-std={version}", f"-cl-ext={extensions}", "-finclude-default-header", "-ast-dump=json"]
    command += ["-include", declarations] + [f"-D{extension}=1" for extension in OWN]
    if latest:
        command += [f"-D__opencl_c_{feature}=1" for feature in FEATURES]
    with tempfile.NamedTemporaryFile(suffix=".cl") as empty:
        result = subprocess.run(command + [empty.name], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\nfails:\n{result.stderr}")
    return set(re.findall(r'"mangledName": "(_Z[^"]+)"', result.stdout))


def defined(nm, library):
    """The mangled names of all functions that the library defines."""
    output = subprocess.run([nm, "--defined-only", "--extern-only", "--format=just-symbols", library], check=True,
                            capture_output=True, text=True).stdout
    return set(output.split())


def base_name(mangled):
    """max of _Z3maxii."""
    length = re.match(r"_Z(\d+)", mangled)
    return mangled[length.end():length.end() + int(length.group(1))] if length else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--library", required=True)
    parser.add_argument("--declarations", required=True)
    parser.add_argument("--list", action="store_true", help="also print what is absent by feature")
    arguments = parser.parse_args()

    wanted = set()
    for version, generic in MODES:
        names = declared(arguments.clang, arguments.declarations, version, generic)
        print(f"{version}{' with generic pointers' if generic else ''}: {len(names)} functions declared")
        wanted |= names
    have = defined(arguments.nm, arguments.library)
    print(f"{len(wanted)} functions in all, {len(have)} defined")

    failed = False
    missing = {name for name in wanted - have if base_name(name) not in ELSEWHERE and not MISTAKES.match(name)}
    for feature, pattern in ABSENT.items():
        matched = {name for name in missing if re.fullmatch(pattern, base_name(name))}
        missing -= matched
        print(f"absent with {feature}: {len(matched)} functions")
        if not matched:
            print(f"error: nothing is absent with {feature}; take it off the list")
            failed = True
        if arguments.list:
            print("\n".join(f"  {name}" for name in sorted({base_name(name) for name in matched})))
    if len(wanted) < 10000:
        print(f"error: clang declared only {len(wanted)} functions; the check saw too little to mean anything")
        failed = True
    for name in sorted(missing):
        print(f"error: missing {name}")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
