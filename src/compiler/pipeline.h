// SPDX-License-Identifier: Apache-2.0
// This file declares the pipeline: portable IR to kernel IR (once a program), kernel IR to the function that the device calls (once
// a shape). Which passes run, and in which order, is described in pipeline/description.cpp.
#pragma once

#include "compiler/compiler.h"
#include "compiler/packets/packet_shape.h"

#include <llvm/Support/Error.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace clarity::compiler {

struct Options;

/// The symbol of the entry of every native module.
inline constexpr char entrySymbol[] = "clarity_entry";

/// Portable IR speaks of spir64; from here on it is the host's. Address spaces stay: they cost nothing on a CPU and tell the
/// passes what memory is meant.
void retarget(llvm::Module& module, const llvm::TargetMachine& machine, const Target& target);

/// What the machine's vectors are like.
VectorTarget vectorTargetOf(const Target& target, const llvm::TargetMachine& machine);

/// What others do at named steps of the pipeline.
struct PipelineHooks {
  /// At `instrument`: everything that depends on the work-item is part of its kernel, and nothing is simplified yet. Variables of
  /// the source are allocas, instructions have their source locations if Options::names asked for them.
  std::function<llvm::Error(llvm::Module&)> instrument;
};

/// Links what the module uses of the builtin library, lowers it to the host and optimises it; fills in the facts of
/// every KernelInfo that only the IR knows (barriers, whether it is group-agnostic, local and private bytes, layout of the argument
/// block), and `scope`. Fails with a text naming every function and variable that is defined nowhere.
llvm::Error toKernelIR(llvm::Module& module, std::vector<KernelInfo>& kernels, ProgramScope& scope, const Options& options,
                       const Target& target, PipelineHooks hooks = {});

/// What toNativeIR found out about the kernel.
struct NativeFacts {
  std::uint64_t spillBytesPerItem = 0;
  std::uint64_t chunkItems = 0;  ///< how many work-items of a slice keep something at a time; 0: those of a work-group
  std::uint64_t interleavedGroups = 1;  ///< work-groups that run together at most
  bool groupAgnostic = false;
  std::array<std::uint32_t, 3> tile{1, 1, 1};  ///< work-items that its largest tile takes in each dimension
  std::string remarks;  ///< what was given up for the budget (budget.h), a line each
  std::string error;  ///< why there is no code; empty if there is
};

/// What becomes of one kernel for one shape, region by region and by source line where the module knows its source. Leaves
/// the module in no useful state.
std::string reportOn(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options, const Target& target,
                     llvm::TargetMachine& machine);

/// What of a kernel in a module of kernel IR will be given up for the compiler's budget, a line each, as far as that can be
/// known before a work-group size is.
std::string remarksOn(const llvm::Module& module, const KernelInfo& kernel, const Options& options, const Target& target);

/// Turns a module of kernel IR into the entry of one kernel for one shape, optimised and ready for code generation.
NativeFacts toNativeIR(llvm::Module& module, const KernelInfo& kernel, const Shape& shape, const Options& options, const Target& target,
                       llvm::TargetMachine& machine);

}  // namespace clarity::compiler
