// SPDX-License-Identifier: Apache-2.0
// This file is the way from kernel IR to PTX: one kernel for one shape.
#pragma once

#include "compiler/compiler.h"

#include <string>

namespace llvm {
class Module;
}

namespace clarity::compiler {
struct Options;
}

namespace clarity::compiler::nvptx {

/// A kernel as the CUDA driver's compiler takes it.
struct PtxKernel {
  std::string ptx;
  std::string symbol;                  ///< of the entry
  std::uint32_t launchInfoOffset = 0;  ///< of LaunchInfo (launch_abi.h) in the parameter buffer, behind the packed arguments
  std::string error;                   ///< why there is no code; empty if there is
};

/// Turns a module of kernel IR into PTX for `cpu` ("sm_90"). Leaves the module in no useful state.
PtxKernel emitPtx(llvm::Module& module, const KernelInfo& kernel, const ProgramScope& scope, const Shape& shape, const Options& options,
                  const std::string& cpu);

/// The same of an image that was built, on a guarded thread: a fault in the compiler is an error.
PtxKernel generatePtx(const Image& image, std::string_view kernel, const Shape& shape, const std::string& cpu);

}  // namespace clarity::compiler::nvptx
