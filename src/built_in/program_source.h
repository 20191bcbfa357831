// SPDX-License-Identifier: Apache-2.0
// This file is the OpenCL C of built-in kernels.
#pragma once

#include "built_in/catalogue.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::built_in {

/// A file of src/builtins/kernels.
struct SourceFile {
  std::string_view name;  ///< "reduce.cl"
  std::string_view text;
};
std::span<const SourceFile> sourceFiles();

/// A program with the functions of these kernels: their files, once for each of the types.
std::string programSource(std::span<const Kernel* const> kernels);
/// The options that it is built with.
constexpr std::string_view programOptions = "-cl-std=CL3.0";
/// And for devices whose work-items run in step, which have functions of their own.
constexpr std::string_view inStepOption = " -DIN_STEP";

}  // namespace clarity::built_in
