// SPDX-License-Identifier: Apache-2.0
// This file is the way from kernel IR to PTX: one kernel for one shape.
#pragma once

#include "compiler/ir/backend.h"
#include "compiler/ptx/nvptx_code.h"

#include <string>

namespace clarity::compiler::nvptx {

/// BackEnd::objectionTo().
std::string objectionTo(const KernelInfo& kernel, const Target& target);

/// The module becomes what the code generator takes, optimised: address spaces, entry, library. False with the reason
/// in `error`.
bool lower(const KernelToGenerate& work, NvptxCode& code, std::string& error);

/// The number of work-items that a thread executes, and why (-cl-clarity-report).
std::string report(const KernelToGenerate& work);

/// The PTX of a module that lower() made.
std::string textOf(llvm::Module& module, const KernelToGenerate& work, std::string& error);

}  // namespace clarity::compiler::nvptx
