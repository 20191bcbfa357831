// SPDX-License-Identifier: Apache-2.0
// This file bounds what the compile of one kernel may cost, in instructions, so that the same kernel always becomes the
// same code: which form it gets, and how hard LLVM tries.
#pragma once

#include "compiler/packets/packet_shape.h"
#include "compiler/passes/packets.h"

#include <llvm/IR/PassManager.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace clarity::compiler {

/// The share of LLVM's optimiser and code generator that a kernel gets: their time grows faster than the code's size.
enum class OptimisationLevel {
  O3,  ///< all of it
  O1,  ///< a short pipeline, and the code generator's quick settings
  O0,  ///< no optimiser, and the code generator's quickest settings
};

/// The code size that one kernel may cost.
class Budget {
public:
  /// `instructions`: of the build option; 0: the compiler's own.
  explicit Budget(std::uint64_t instructions);

  /// Machine instructions that the code of a kernel in packets may have, given the instructions of a work-item. More:
  /// smaller tiles, narrower packets, and last one work-item at a time.
  std::uint64_t packets(std::uint64_t ofItem) const;
  /// The same for the smallest form in packets, which is that or one work-item at a time: less than what LLVM optimises
  /// no longer.
  std::uint64_t lastPackets(std::uint64_t ofItem) const;
  /// Divergent branches. Their masks cross all steps between: a kernel with more than this gets no packets.
  std::uint64_t divergentBranches() const { return divergentBranches_; }
  /// The level of LLVM's pipeline for code of this size.
  OptimisationLevel levelFor(std::uint64_t instructions) const;

private:
  std::uint64_t leastPackets_, packets_, divergentBranches_, light_, least_;
};

/// Machine instructions that a function will be, roughly: vectors count for as many registers as they fill, accesses
/// lane by lane for every lane.
std::uint64_t codeSize(const llvm::Function& function, const VectorTarget& target);

/// Loops of a module times its instructions: the time of some passes of LLVM, and of its code generator, grows with the
/// number of loops for each loop.
std::uint64_t loopsTimesInstructions(llvm::Module& module);

/// The most of a module's blocks.
struct LargestBlock {
  explicit LargestBlock(const llvm::Module& module);
  std::size_t instructions = 0, memoryAccesses = 0;
};

/// Pairs of integer sums and products in one function that have an operand in common, which is no constant.
std::uint64_t pairsOfSums(const llvm::Module& module);

/// Puts the work-items of a kernel into packets (PacketsPass) within a budget. Returns sentences, a line each, on what
/// was given up for it.
std::string makePackets(llvm::Function& function, llvm::FunctionAnalysisManager& analyses, PacketsPass::Options options,
                        const Budget& budget);

}  // namespace clarity::compiler
