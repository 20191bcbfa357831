// SPDX-License-Identifier: Apache-2.0
// This file is what the steps of one compile share: what they are given, what they find out, and the conditions that
// hold so far.
#pragma once

#include "compiler/frontend/options.h"
#include "compiler/ir/compiled_program.h"
#include "compiler/ir/shape.h"
#include "compiler/ir/target.h"
#include "compiler/nvptx/capability.h"
#include "compiler/nvptx/item_plan.h"
#include "compiler/packets/packet_shape.h"
#include "compiler/pipeline/description.h"
#include "compiler/pipeline/pipeline.h"

#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace clarity::compiler {

struct PacketReport;

struct PipelineState {
  /// For portable IR to kernel IR.
  PipelineState(const Options& options, const Target& target, llvm::TargetMachine& machine);
  /// For kernel IR to native IR.
  PipelineState(const KernelInfo& kernel, const Shape& shape, const Options& options, const Target& target,
                llvm::TargetMachine& machine);

  const Options& options;
  const Target& target;
  llvm::TargetMachine& machine;
  VectorTarget vectors;
  Conditions conditions = 0;
  bool allInPackets = false;  ///< every region of the kernel runs in packets
  std::string title;          ///< the name of what is compiled, for output of pass_trace.h
  bool traced = true;         ///< passes are printed and timed where that is asked for
  std::string error;          ///< the error of the first step that failed

  // Portable IR to kernel IR.
  std::vector<KernelInfo*> kernels;  ///< kernels of the program; the one that runs constructors too once that is known
  ProgramScope* scope = nullptr;
  std::function<llvm::Error(llvm::Module&)> instrument;

  // Kernel IR to native IR.
  const KernelInfo* kernel = nullptr;
  Shape shape;
  NativeFacts facts;
  PacketReport* report = nullptr;
  bool onlyReports = false;  ///< a kernel of which no code is made: what could not run is reported all the same

  // Kernel IR to PTX.
  bool runsInStep = false;                     ///< the threads of a warp exchange values without a barrier
  const GlobalVariables* variables = nullptr;  ///< variables of the kernel's program
  nvptx::ItemPlan items;                       ///< the work-items of a thread and of a block

  /// Lanes that the options ask for: 0: chosen; 1: one work-item at a time.
  unsigned packetLanes() const;
  /// Whether work-items may run in packets for the sake of speed; those of sub-groups always do.
  bool mayUsePackets() const;
  /// Instructions of all loops that unroll-private-loops unrolls.
  unsigned mostPrivateInstructions() const;
  /// The most values of elements that work-items choose among behind such loops. Threads of GPUs have one each.
  std::uint64_t mostPrivateChoices() const;
  /// Elements of private arrays that selections serve as well as memory does, where few accesses need them.
  unsigned mostChosen() const;
  /// Global ids of the launch are below this; 0: not known.
  std::uint64_t idsBelow() const;
  bool relaxedMath() const { return options.unsafeMath || options.fastRelaxedMath; }
  void setForGpu(nvptx::Capability capability);
  void setDebugged(bool holds) {
    set(Debugged, holds);
    set(NotDebugged, !holds);
  }
  void set(Condition condition, bool holds) {
    conditions = holds ? conditions | condition : conditions & ~Conditions(condition);
  }
};

/// The function of the state's kernel.
llvm::Function& functionOf(const PipelineState& state, llvm::Module& module);

}  // namespace clarity::compiler
