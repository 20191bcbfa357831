// SPDX-License-Identifier: Apache-2.0
// This file knows how compilers since 2012 have named OpenCL's builtin functions in LLVM IR.
#pragma once

#include <string>
#include <string_view>

namespace clarity::compiler {

/// A builtin function's name as clang mangles it today:
///   _Z10atomic_addPVU3AS1ii -> _Z10atomic_addPU3AS1Vii
///   _Z11read_imagef16ocl_image2darray11ocl_samplerDv4_f -> _Z11read_imagef20ocl_image2d_array_ro11ocl_samplerDv4_f
/// Other names are left as they are.
std::string currentName(std::string_view name);

}  // namespace clarity::compiler
