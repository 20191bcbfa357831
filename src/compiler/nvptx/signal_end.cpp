// SPDX-License-Identifier: Apache-2.0
// This file puts code behind a kernel's last instruction that writes to memory of the host.
#include "compiler/nvptx/signal_end.h"

#include "compiler/guard/limits.h"
#include "compiler/nvptx/address_spaces.h"
#include "compiler/nvptx/divergent_branches.h"
#include "compiler/nvptx/launch_abi.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>
#include <cstdint>

namespace clarity::compiler::nvptx {
namespace {

constexpr std::uint64_t wordBytes = sizeof(std::uint32_t);

/// Whether some threads of a branch may be past the block where they reconverge, while others have one of `together`
/// ahead of them.
bool partThreads(const Blocks& together, llvm::BasicBlock& branch, const llvm::BasicBlock* meeting) {
  Blocks seen;
  llvm::SmallVector<llvm::BasicBlock*, 16> work(llvm::successors(&branch));
  while (!work.empty()) {
    checkLimits();
    llvm::BasicBlock* const block = work.pop_back_val();
    if (block == meeting || !seen.insert(block).second) continue;
    if (together.contains(block)) return true;
    llvm::append_range(work, llvm::successors(block));
  }
  return false;
}

/// Whether threads may come to the end while others wait for them elsewhere.
bool mayEndApart(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  const Blocks together = blocksForSeveralThreads(kernel);
  return !together.empty() &&
         anyDivergentBranch(kernel, analyses, [&](llvm::BasicBlock& branch, llvm::BasicBlock* meeting) {
           return partThreads(together, branch, meeting);
         });
}

class EndOfKernel {
public:
  explicit EndOfKernel(llvm::Function& kernel) : kernel_(kernel), builder_(kernel.getContext()) {}

  void run() {
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    for (llvm::BasicBlock& block : kernel_)
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) returns.push_back(end);
    if (returns.empty()) return;
    llvm::BasicBlock* const end = addBlock("end");
    for (llvm::ReturnInst* each : returns) {
      llvm::BranchInst::Create(end, each->getIterator());
      each->eraseFromParent();
    }
    done_ = addBlock("end.done");
    builder_.SetInsertPoint(done_);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(end);
    llvm::Value* flag = field(builder_.getInt64Ty(), offsetof(LaunchInfo, endFlag));
    unlessDone(builder_.CreateICmpNE(flag, builder_.getInt64(0)), "end.signalled");
    // One thread, when all have ended: a fence is for what it knows of others, too.
    builder_.CreateIntrinsic(builder_.getVoidTy(), llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                             {builder_.getInt32(0)});
    unlessDone(isFirstThread(), "end.first");
    builder_.CreateFence(llvm::AtomicOrdering::AcquireRelease);
    store(flag);
  }

private:
  llvm::BasicBlock* addBlock(const char* name) {
    return llvm::BasicBlock::Create(kernel_.getContext(), name, &kernel_);
  }

  llvm::Value* field(llvm::Type* type, std::uint64_t offset) {
    llvm::Value* launch = kernel_.getArg(kernel_.arg_size() - 1);
    return builder_.CreateLoad(type, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), launch, offset));
  }

  /// Instructions that follow are for threads that meet the condition.
  void unlessDone(llvm::Value* condition, const char* name) {
    llvm::BasicBlock* const next = addBlock(name);
    builder_.CreateCondBr(condition, next, done_, llvm::MDBuilder(kernel_.getContext()).createUnlikelyBranchWeights());
    builder_.SetInsertPoint(next);
  }

  llvm::Value* isFirstThread() {
    llvm::Value* ids = nullptr;
    for (const llvm::Intrinsic::ID each :
         {llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
          llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z}) {
      llvm::Value* id = builder_.CreateIntrinsic(builder_.getInt32Ty(), each, {});
      ids = ids ? builder_.CreateOr(ids, id) : id;
    }
    return builder_.CreateICmpEQ(ids, builder_.getInt32(0));
  }

  void store(llvm::Value* flag) {
    llvm::Value* number = field(builder_.getInt32Ty(), offsetof(LaunchInfo, endNumber));
    llvm::StoreInst* signal = builder_.CreateAlignedStore(
        number, builder_.CreateIntToPtr(flag, builder_.getPtrTy(globalSpace)), llvm::Align(wordBytes));
    signal->setAtomic(llvm::AtomicOrdering::Monotonic);
    builder_.CreateBr(done_);
  }

  llvm::Function& kernel_;
  llvm::IRBuilder<> builder_;
  llvm::BasicBlock* done_ = nullptr;
};

}  // namespace

llvm::PreservedAnalyses SignalEndPass::run(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses) {
  if (kernel.getCallingConv() != llvm::CallingConv::PTX_Kernel || mayEndApart(kernel, analyses))
    return llvm::PreservedAnalyses::all();
  EndOfKernel(kernel).run();
  kernel.addFnAttr(signalsEndAttribute);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler::nvptx
