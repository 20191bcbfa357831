// SPDX-License-Identifier: Apache-2.0
// This file is what a program's builds are given to be executed; for the parts of core::Program alone.
#pragma once

#include "core/program.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clarity::core {

using SharedCompiledProgram = std::shared_ptr<const compiler::CompiledProgram>;

/// A build, a compilation or a link, for some of the program's devices.
struct Program::Job {
  const char* verb;  ///< for texts: "build", "compile", "link"
  cl_int failure;    ///< CL_BUILD_PROGRAM_FAILURE and the like
  cl_int badOptions;
  std::vector<Ref<Device>> devices;
  std::string options;
  bool argInfo = false;  ///< the program keeps the names of arguments for the application
  std::function<compiler::Outcome(const Device&)> make;
  device::SourceText text;
};

inline cl_program_binary_type binaryType(const SharedCompiledProgram& compiled) {
  return compiled ? static_cast<cl_program_binary_type>(compiled->kind) : CL_PROGRAM_BINARY_TYPE_NONE;
}

}  // namespace clarity::core
