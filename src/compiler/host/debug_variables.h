// SPDX-License-Identifier: Apache-2.0
// This file makes of the debug information that clang writes for OpenCL C what debuggers of this processor read.
#pragma once

namespace llvm {
class Module;
}

namespace clarity::compiler {

/// Prepares a module of debugged code for LLVM's writer of DWARF: functions and variables of the program get one
/// compile unit, in a version of DWARF whose sections debuggers can read from memory, and variables have addresses
/// without address spaces. No unit: the module has no debug information.
void describeVariables(llvm::Module& module);

}  // namespace clarity::compiler
